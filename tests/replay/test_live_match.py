"""A match that is followed by what is seen: rounds, points, doubts, and people who do otherwise than the rules."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from sighted import S, Script

from api.live.happenings import Happening, MatchOver, RoundOver, Thrown
from api.live.lines import line
from api.live.match import LiveMatch
from api.live.words import words
from scoring.match import Match
from vision.sightings import Occluded


def _follow(game: str, script: Script, **options: object) -> tuple[LiveMatch, list[Happening]]:
    live = LiveMatch(Match.start(game, options=options))
    happenings = [happening for sighting in script.seen for happening in live.take(sighting)]
    return live, happenings + live.end(script.seen[-1].t_ns)


def _rounds(happenings: Sequence[Happening]) -> list[RoundOver]:
    return [happening for happening in happenings if isinstance(happening, RoundOver)]


def _throws(happenings: Sequence[Happening]) -> list[Thrown]:
    return [happening for happening in happenings if isinstance(happening, Thrown)]


def _holeyboard(*rounds: str) -> Script:
    """Rounds such as ``A1 A3 Aoff B1 Bboard B5``, the board cleared after each but the last."""
    script = Script()
    for number, throws in enumerate(rounds):
        if number:
            script.takeout()
        for throw in throws.split():
            place = throw[1:] if throw[1:] in ("board", "off") else f"hole:{throw[1:]}"
            script.throw("AB".index(throw[0]), place)
    return script


def test_a_round_is_told_throw_by_throw_and_counted_at_its_end() -> None:
    live, happenings = _follow("holeyboard", _holeyboard("A1 Aboard A5 B5 Boff B3"))
    assert [thrown.n for thrown in _throws(happenings)] == [1, 2, 3, 4, 5, 6]
    (over,) = _rounds(happenings)
    assert (over.points, over.net, over.score) == ((6, 8), (1, 3), (1, 3))
    assert not any(thrown.doubts for thrown in _throws(happenings))
    assert live.match.state.score == (1, 3)


def test_a_clip_may_hold_fewer_throws_than_a_round_has() -> None:
    _, happenings = _follow("holeyboard", _holeyboard("A5 A5 B5 B3"))
    (over,) = _rounds(happenings)
    assert (over.points, over.net, over.score) == ((10, 8), (5, 3), (5, 3))


def test_a_clip_may_hold_more_throws_than_a_round_has() -> None:
    _, happenings = _follow("holeyboard", _holeyboard("A1 A1 A1 B3 Boff Boff A5 B5 B5"))
    assert [thrown.n for thrown in _throws(happenings)] == list(range(1, 10))
    assert "Everything had been thrown" in _throws(happenings)[6].doubts[0]
    (over,) = _rounds(happenings)
    assert over.points == (8, 13)
    assert over.net == (3, 8)


def test_a_throw_out_of_turn_is_told_and_doubted_and_its_round_still_counts() -> None:
    live, happenings = _follow("holeyboard", _holeyboard("A1 B5 A1 A1 Boff Boff"))
    throws = _throws(happenings)
    assert "A throws now, not B." in throws[1].doubts
    assert not throws[2].doubts
    assert _rounds(happenings)[0].score == (3, 5)
    assert live.match.state.score == (3, 5)


def test_a_missed_throw_does_not_leak_into_the_next_round() -> None:
    live, happenings = _follow("holeyboard", _holeyboard("A1 A1 B3 B3 B3", "B1 Boff Boff A5 A5 Aoff"))
    assert [over.score for over in _rounds(happenings)] == [(2, 9), (12, 10)]
    assert live.match.state.round == 3


def test_whoever_begins_a_round_is_followed_whatever_the_rules_expect() -> None:
    _, happenings = _follow("holeyboard", _holeyboard("A1 A1 A1 B3 B3 B3", "A5 Aoff Aoff Boff Boff B1"))
    assert not any(thrown.doubts for thrown in _throws(happenings))
    assert _rounds(happenings)[1].score == (8, 10)


def test_a_match_ends_with_its_last_round_and_only_once() -> None:
    script = _holeyboard("A5 A3 A3 Boff Boff Boff", "A1 Aoff Aoff Boff Boff Boff")
    _, happenings = _follow("holeyboard", script)
    overs = [happening for happening in happenings if isinstance(happening, MatchOver)]
    assert [(over.winner, str(over.reason), over.score) for over in overs] == [(0, "first_round_skunk", (11, 0))]
    assert "The match was over before this." in _throws(happenings)[-1].doubts
    assert happenings.index(overs[0]) == happenings.index(_rounds(happenings)[0]) + 1


def test_nothing_thrown_is_no_round() -> None:
    script = Script()
    script.takeout()
    _, happenings = _follow("holeyboard", script)
    assert not _rounds(happenings)


def test_a_shot_is_judged_and_told_as_it_lies() -> None:
    script = Script()
    script.throw(0, "10")
    _, happenings = _follow("crokinole", script)
    (thrown,) = _throws(happenings)
    told = line(thrown)
    assert (told["place"], told["valid"], told["reason"]) == ("10", False, "did not reach the 15 line")


def test_a_disc_that_people_leave_lying_is_followed() -> None:
    """The first shot should have gone to the ditch; they play on with it, so that the second has to touch it."""
    script = Script()
    script.throw(0, "10")
    script.throw(1, "15", touched=[0])
    script.throw(0, "5", touched=[1])
    live, happenings = _follow("crokinole", script)
    assert [thrown.shot and thrown.shot.valid for thrown in _throws(happenings)] == [False, True, True]
    assert not any(thrown.doubts for thrown in _throws(happenings))
    (over,) = _rounds(happenings)
    assert (over.points, over.net, over.score) == ((15, 15), (0, 0), (0, 0))
    assert live.match.state.doubts == ()


def test_a_disc_that_people_take_off_is_followed() -> None:
    script = Script()
    script.throw(0, "10")
    script.throw(1, "15", lies_otherwise={0: "ditch"})
    live, happenings = _follow("crokinole", script)
    assert [thrown.shot and thrown.shot.valid for thrown in _throws(happenings)] == [False, True]
    assert live.match.state.score == (0, 15)


def test_what_lies_there_at_the_end_counts_even_where_the_rules_say_otherwise() -> None:
    """The last shot of the round is not valid, and nobody takes it off."""
    script = Script()
    script.throw(0, "15")
    script.throw(1, "10")
    live, happenings = _follow("crokinole", script, discs=1)
    (over,) = _rounds(happenings)
    assert (over.points, over.score) == ((15, 10), (5, 0))
    assert live.match.state.score == (5, 0)


@pytest.mark.parametrize("hand", ["takeout", "over the board"])
def test_a_hand_after_the_last_shot_is_trusted_to_do_what_the_rules_ask(hand: str) -> None:
    script = Script()
    script.throw(0, "15")
    script.throw(1, "10")
    if hand == "takeout":
        script.takeout()
    else:
        script.seen += [Occluded(7 * S, "started"), Occluded(8 * S, "ended")]
    live, happenings = _follow("crokinole", script)
    assert _rounds(happenings)[0].points == (15, 0)
    assert live.match.state.score == (15, 0)


@pytest.mark.parametrize(("out_of_sight", "points"), [((), (0, 35)), ((1,), (0, 15))])
def test_a_bad_shots_twenty_counts_only_while_people_leave_it(
    out_of_sight: tuple[int, ...], points: tuple[int, int]
) -> None:
    """The second shot drops in the hole without touching the disc it had to touch; a good one is taken off as well."""
    script = Script()
    script.throw(0, "10")
    script.throw(1, "20")
    script.throw(0, "ditch", {0: "ditch"}, touched=[0], out_of_sight=out_of_sight)
    script.throw(1, "15", out_of_sight=out_of_sight)
    _, happenings = _follow("crokinole", script)
    assert _rounds(happenings)[0].points == points


def test_discs_that_lay_there_before_count_but_are_no_throws() -> None:
    script = Script()
    script.throw(0, "15")
    script.throw(1, "10", touched=[0])
    script.seen = script.seen[1:]
    _, happenings = _follow("crokinole", script)
    assert len(_throws(happenings)) == 1
    assert _rounds(happenings)[0].points == (15, 10)


@pytest.mark.parametrize(
    ("place", "moved", "said"),
    [
        ("hole:3", {}, "throw 2, A: hole 3"),
        ("board", {0: "hole:1"}, "throw 2, A: on the board; A1 from the board to hole 1"),
        ("off", {0: "off"}, "throw 2, A: off; A1 from the board to off"),
    ],
)
def test_a_throw_is_told_in_the_games_words(place: str, moved: dict[int, str], said: str) -> None:
    script = Script()
    script.throw(0, "board")
    script.throw(0, place, moved)
    live, happenings = _follow("holeyboard", script)
    assert words(_throws(happenings)[1], live.match.rules) == [said]


def test_rounds_and_doubts_are_told_in_words() -> None:
    script = Script()
    script.throw(0, "hole:5", doubts=["It is not clear where every washer went."])
    script.throw(1, "hole:5")
    live, happenings = _follow("holeyboard", script)
    told = [words(happening, live.match.rules) for happening in happenings]
    assert told[0] == ["throw 1, A: hole 5", "? It is not clear where every washer went."]
    assert told[-1] == ["round 1: 5–5 points, which comes to 0–0; the score is 0–0"]
