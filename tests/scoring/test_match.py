"""The log: corrections, insertions and retractions of anything earlier, and what no longer fits after them."""

from __future__ import annotations

from contextlib import suppress

import pytest

from scoring.board import OFF, Place
from scoring.errors import (
    BadOption,
    CannotParse,
    IllegalEvent,
    NothingToUndo,
    NotInThisGame,
    ScoringError,
    UnknownEvent,
    UnknownGame,
    UnknownPiece,
    WrongTurn,
)
from scoring.events import (
    AS_SEEN,
    Correction,
    Event,
    Forfeit,
    Foul,
    Insertion,
    RallyWon,
    Retraction,
    RoundStarted,
    ScoreSet,
    Takeout,
    ThrowMade,
    event_from_json,
)
from scoring.match import Match
from scoring.state import EndReason


def holeyboard(*plays: str) -> Match:
    match = Match.start("holeyboard")
    for play in plays:
        match.record(match.read(play))
    return match


WON = ("score 20-4", "off", "off", "1", "off", "off", "off")


def test_events_are_numbered_from_1() -> None:
    match = Match.start("holeyboard")
    assert [match.record(match.read(play)) for play in ("5", "off", "off")] == [1, 2, 3]


def test_a_mistaken_win_is_taken_back() -> None:
    match = holeyboard(*WON)
    assert match.state.reason is EndReason.EXACTLY_21
    match.record(Correction(4, match.read("off", instead_of=4)))
    assert (match.state.score, match.state.reason, match.state.round) == ((20, 4), None, 2)


def test_an_earlier_round_is_put_right() -> None:
    match = holeyboard("5", "off", "off", "off", "off", "off", "off", "3", "off", "off", "off", "off")
    match.record(Correction(1, match.read("3", instead_of=1)))
    assert match.state.score == (6, 0)


def test_a_win_by_correction_leaves_later_events_in_doubt_until_they_are_settled() -> None:
    match = holeyboard("score 20-4", "off", "off", "off", "off", "off", "off", "5")
    match.record(Correction(4, match.read("1", instead_of=4)))
    state = match.state
    assert (state.winner, [doubt.event for doubt in state.doubts]) == (0, [8])
    match.record(Retraction(8))
    assert match.state.doubts == ()


def test_a_throw_nobody_saw_is_put_in() -> None:
    match = holeyboard("5", "off")
    match.record(Insertion(1, ThrowMade(0, 7, Place("hole", "3"))))
    assert match.state.provisional == (8, 0)
    assert match.state.to_throw == 1


def test_undo_goes_back_step_by_step_and_a_retraction_of_it_forward_again() -> None:
    match = holeyboard("5", "3", "1")
    match.undo()
    match.undo()
    assert match.state.provisional == (5, 0)
    match.record(Retraction(5))
    assert match.state.provisional == (8, 0)


def test_a_correction_is_undone() -> None:
    match = holeyboard("5")
    match.record(Correction(1, ThrowMade(0, 0, OFF)))
    match.record(Correction(2, ThrowMade(0, 0, Place("hole", "1"))))
    assert match.state.provisional == (1, 0)
    match.undo()
    assert match.state.provisional == (0, 0)
    match.undo()
    assert match.state.provisional == (5, 0)


@pytest.mark.parametrize(
    ("edit", "error"),
    [
        (Correction(9, Takeout()), UnknownEvent),
        (Retraction(0), UnknownEvent),
        (Insertion(9, Takeout()), UnknownEvent),
        (Correction(2, ThrowMade(1, 1, OFF)), WrongTurn),
        (Correction(1, Retraction(1)), IllegalEvent),
        (Insertion(1, RallyWon(0)), NotInThisGame),
    ],
)
def test_a_correction_that_does_not_fit_is_refused(edit: Correction, error: type[Exception]) -> None:
    match = holeyboard("5", "3")
    before = match.state
    with pytest.raises(error):
        match.record(edit)
    assert (match.state, len(match.log)) == (before, 2)


def test_nothing_is_taken_back_twice() -> None:
    match = holeyboard("5")
    match.undo()
    with pytest.raises(NothingToUndo):
        match.undo()
    with pytest.raises(IllegalEvent):
        match.record(Retraction(1))


def test_a_desync_is_recorded_and_does_not_freeze_the_match() -> None:
    match = holeyboard("5")
    match.record(ThrowMade(1, 1, Place("hole", "3"), flags=(AS_SEEN,)))
    assert [doubt.event for doubt in match.state.doubts] == [2]
    match.record(match.read("3"))
    assert match.state.provisional == (8, 0)
    match.record(Correction(2, ThrowMade(0, 2, OFF)))
    assert (match.state.doubts, match.state.throws_left) == ((), (0, 3))


def test_the_same_throw_twice_is_one_throw() -> None:
    match = holeyboard()
    match.record(ThrowMade(0, 0, Place("hole", "5")))
    before = match.state
    with pytest.raises(UnknownPiece):
        match.record(ThrowMade(0, 0, Place("hole", "5")))
    assert match.state == before


def test_a_takeout_ends_no_turn() -> None:
    match = holeyboard("5")
    before = match.state
    match.record(Takeout())
    assert match.state == before


@pytest.mark.parametrize(
    "data",
    [None, {}, {"type": "sneeze"}, {"type": "retraction"}, {"type": "retraction", "of": "1"},
     {"type": "retraction", "of": True}, {"type": "takeout", "by": 1}, {"type": "insertion", "after": 0, "event": 3},
     {"type": "round_counted", "pieces": [[0]]}, {"type": "throw_made", "side": 0, "piece": 0, "place": 5},
     {"type": "throw_made", "side": 0, "piece": 0, "place": "off", "moved": [{"piece": 0}]}],
)  # fmt: skip
def test_json_that_is_no_event_is_refused_in_words(data: object) -> None:
    with pytest.raises(CannotParse):
        event_from_json(data)


@pytest.mark.parametrize(
    ("game", "ruleset", "options", "error"),
    [
        ("chess", None, None, UnknownGame),
        ("holeyboard", "cleveland", None, UnknownGame),
        ("holeyboard", None, {"colour": "red"}, BadOption),
        ("holeyboard", None, {"over": "14"}, BadOption),
        ("holeyboard", None, {"target": "21"}, BadOption),
        ("holeyboard", None, {"target": True}, BadOption),
        ("holeyboard", None, {"void_and_win": 1}, BadOption),
        ("good-sam-washers", None, {"washers": 0}, BadOption),
        ("challenge-dice", None, {"coins": 0}, BadOption),
    ],
)
def test_a_match_that_cannot_be_is_refused(
    game: str, ruleset: str | None, options: dict[str, object] | None, error: type[Exception]
) -> None:
    with pytest.raises(error):
        Match.start(game, ruleset, options)


def named(*plays: str) -> Match:
    match = Match.start("holeyboard", sides=("Ann Lee", "Miss"))
    for play in plays:
        match.record(match.read(play))
    return match


@pytest.mark.parametrize(
    ("plays", "wrong", "says"),
    [
        ((), "B: 3", "Ann Lee throws now, not Miss."),
        (("5", "5", "1"), "Ann Lee: 3", "Ann Lee has thrown all 3 washers; Miss throws."),
        ((), "forfeit C", "There is no such side; there is Ann Lee, Miss."),
        (("off",), "3 A1>3", "A1 is off the board; nothing moves it."),
        ((), "foul floor", "Say whose foul, and which: foul A floor."),
        ((), "time", "There is no time up in holeyboard. Write"),
    ],
)
def test_errors_say_what_was_expected_and_of_whom(plays: tuple[str, ...], wrong: str, says: str) -> None:
    match = named(*plays)
    with pytest.raises(ScoringError) as refused:
        match.record(match.read(wrong))
    assert str(refused.value).startswith(says)


def test_a_doubt_calls_sides_by_name() -> None:
    match = named("5")
    match.record(ThrowMade(1, 1, Place("hole", "3"), flags=(AS_SEEN,)))
    assert match.state.doubts[0].message == "Ann Lee throws now, not Miss."


@pytest.mark.parametrize(
    ("text", "event"),
    [
        ("forfeit ann lee", Forfeit(0)),
        ("FORFEIT b", Forfeit(1)),
        ("first Miss", RoundStarted(1)),
        ("foul Ann Lee floor", Foul(0, "floor")),
        ("Ann Lee: 3", ThrowMade(0, 0, Place("hole", "3"))),
        ("a:3", ThrowMade(0, 0, Place("hole", "3"))),
        ("Off", ThrowMade(0, 0, OFF)),
        ("miss", ThrowMade(0, 0, OFF)),
        ("score 18:15", ScoreSet((18, 15))),
        ("score 18, 15", ScoreSet((18, 15))),
    ],
)
def test_players_write_names_or_letters_large_or_small(text: str, event: Event) -> None:
    assert named().read(text) == event


@pytest.mark.parametrize("text", ["ſam: 5", "Sam : 5", "ΣΊΣ: 5", "forfeit İpek", "first ", "B :", ":", "(: 5", "Sam"])
def test_names_that_are_not_quite_one_are_a_plain_error_or_an_event(text: str) -> None:
    match = Match.start("holeyboard", sides=("Sam", "Σίς"))
    with suppress(ScoringError):
        match.record(match.read(text))
    assert match.sides == ("Sam", "Σίς")


def test_the_winner_of_a_rally_goes_by_name() -> None:
    match = Match.start("squash-nine", sides=("Ann", "Bob"))
    assert match.read("Bob") == RallyWon(1)


def test_how_many_may_play_is_a_range() -> None:
    with pytest.raises(BadOption, match="2 to 10 sides, not 1"):
        Match.start("good-sam-zilch", sides=("Ann",))


def test_a_match_that_is_no_match_is_refused() -> None:
    with pytest.raises(CannotParse):
        Match.from_json({"game": "holeyboard"})
