"""Whatever a camera says it saw, a match goes on, and every round counts what lay there at its end."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import given, settings
from hypothesis import strategies as st
from sighted import Script

from api.live.happenings import MatchOver, RoundOver, Thrown
from api.live.lines import line
from api.live.match import LiveMatch
from api.live.words import words
from scoring.events import ThrowMade
from scoring.match import Match

PLACES: Mapping[str, tuple[str, ...]] = {
    "holeyboard": ("hole:1", "hole:3", "hole:5", "board", "off"),
    "good-sam-washers": ("hole:lower-left", "hole:upper-right", "hole:centre", "board", "off"),
    "crokinole": ("20", "15", "10", "5", "ditch"),
}


@st.composite
def scripts(draw: st.DrawFn) -> tuple[str, Script]:
    game = draw(st.sampled_from(sorted(PLACES)))
    place = st.sampled_from(PLACES[game])
    script = Script()
    for _ in range(draw(st.integers(1, 4))):
        for thrown in range(draw(st.integers(0, 14))):
            lying = st.integers(0, thrown - 1) if thrown else st.nothing()
            script.throw(
                draw(st.integers(0, 1)),
                draw(place),
                draw(st.dictionaries(lying, place, max_size=2)) if thrown else {},
                draw(st.lists(lying, max_size=2, unique=True)) if thrown else (),
                lies_otherwise=draw(st.dictionaries(lying, place, max_size=1)) if thrown else {},
            )
        script.takeout()
    return game, script


@settings(max_examples=100, deadline=None)
@given(scripts())
def test_every_round_counts_what_lies_there(played: tuple[str, Script]) -> None:
    game, script = played
    live = LiveMatch(Match.start(game))
    happenings = [happening for sighting in script.seen for happening in live.take(sighting)]
    for happening in happenings:
        assert line(happening)["type"]
        assert words(happening, live.match.rules)
    thrown = [happening for happening in happenings if isinstance(happening, Thrown)]
    rounds = [happening for happening in happenings if isinstance(happening, RoundOver)]
    assert len(thrown) == sum(hasattr(sighting, "piece") for sighting in script.seen)
    assert len(rounds) == sum(one.n == 1 for one in thrown)
    assert sum(isinstance(happening, MatchOver) for happening in happenings) <= 1
    for over in rounds:
        lay = tuple(ThrowMade(piece.side, piece.piece, piece.place) for piece in over.lies)
        assert (over.points, over.net) == live.match.rules.count(lay)
    assert live.end(10**12) == []


@settings(max_examples=100, deadline=None)
@given(scripts())
def test_the_log_of_the_match_agrees_with_every_round_it_could_follow(played: tuple[str, Script]) -> None:
    game, script = played
    live = LiveMatch(Match.start(game))
    for sighting in script.seen:
        was_over = live.match.state.reason is not None
        for happening in live.take(sighting):
            if isinstance(happening, RoundOver) and not happening.doubts and not was_over:
                newest = live.match.state.rounds[-1]
                assert (newest.points, newest.net) == (happening.points, happening.net)


@settings(max_examples=50, deadline=None)
@given(scripts())
def test_the_log_of_the_match_says_the_same_when_it_is_read_again(played: tuple[str, Script]) -> None:
    game, script = played
    live = LiveMatch(Match.start(game))
    for sighting in script.seen:
        live.take(sighting)
    again = Match.from_json(live.match.to_json())
    assert again.state == live.match.state
