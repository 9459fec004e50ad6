"""What holds in every game, whatever is recorded."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.errors import IllegalEvent, ScoringError
from scoring.events import (
    AS_SEEN,
    Correction,
    Event,
    HandsShown,
    Insertion,
    RoundCounted,
    RoundScored,
    RoundStarted,
    ScoreSet,
    ThrowMade,
    event_from_json,
    event_to_json,
)
from scoring.games import all_games
from scoring.games import game as game_class
from scoring.match import Match
from scoring.state import MatchState

from .players import guess, wild_guess

GAMES = all_games()
games = st.sampled_from(GAMES)
seeds = st.integers(0, 2**32)
lengths = st.integers(0, 60)


def played(name: str, random: Random, guesses: int, sides: int | None = None) -> Match:
    """Return a match, by any ruleset, in which a few things happened, and some were refused."""
    rules = game_class(name)
    number = random.choice(rules.sides) if sides is None else sides
    match = Match.start(name, random.choice(list(rules.rulesets)), sides="ABCDEFGHIJ"[:number])
    for _ in range(guesses):
        record_if_legal(match, wild_guess(random, match) if random.random() < 0.05 else guess(random, match))
    return match


def record_if_legal(match: Match, event: Event) -> bool:
    try:
        match.record(event)
    except IllegalEvent:
        return False
    return True


@given(games, seeds, lengths)
def test_a_refused_event_changes_nothing(game: str, seed: int, guesses: int) -> None:
    random = Random(seed)
    match = played(game, random, guesses)
    before, log = match.state, match.log
    for _ in range(10):
        event = wild_guess(random, match)
        if record_if_legal(match, event):
            break
        assert (match.state, match.log) == (before, log)


@given(games, seeds, lengths)
def test_undo_restores_the_state_before_any_event(game: str, seed: int, guesses: int) -> None:
    random = Random(seed)
    match = played(game, random, guesses)
    before = match.state
    if record_if_legal(match, guess(random, match)):
        match.undo()
        assert match.state == before
        match.record(event_from_json({"type": "retraction", "of": len(match.log)}))
        match.undo()
        assert match.state == before


@given(games, seeds, lengths)
def test_undone_event_by_event_nothing_has_happened(game: str, seed: int, guesses: int) -> None:
    match = played(game, Random(seed), guesses)
    for _ in range(len(match.log)):
        match.undo()
    assert match.state == Match.start(game, match.ruleset, sides=match.sides).state


@given(games, seeds, lengths)
def test_a_fold_of_the_log_equals_recording_one_by_one(game: str, seed: int, guesses: int) -> None:
    match = played(game, Random(seed), guesses)
    folded = Match.start(game, match.ruleset, sides=match.sides)
    for event in match.log:
        folded.record(event)
    assert folded.state == match.state
    assert match._folded(match.log).play == match._fold.play


@given(games, seeds, lengths)
def test_what_is_written_reads_back_the_same(game: str, seed: int, guesses: int) -> None:
    match = played(game, Random(seed), guesses)
    read = Match.from_json(json.loads(json.dumps(match.to_json())))
    assert (read.state, read.log) == (match.state, match.log)
    for event in match.log:
        assert event_from_json(json.loads(json.dumps(event_to_json(event)))) == event


@given(games, seeds, lengths)
def test_the_score_changes_only_when_a_round_ends(game: str, seed: int, guesses: int) -> None:
    random = Random(seed)
    match = Match.start(game)
    for _ in range(guesses):
        before = match.state
        event = guess(random, match)
        if record_if_legal(match, event):
            after = match.state
            assert (after.score != before.score) <= (len(after.rounds) == len(before.rounds) + 1)
            assert not after.rounds or after.rounds[-1].score == after.score


@given(games, seeds, lengths)
def test_swapped_sides_swap_the_result(game: str, seed: int, guesses: int) -> None:
    match = played(game, Random(seed), guesses, sides=2)
    other = Match.start(game, match.ruleset)
    other.record(RoundStarted(1))
    for event in match.log:
        other.record(_swapped(event, game))
    assert _mirrored(other.state, game) == _mirrored(match.state, game, swap=False)


@given(games, seeds, lengths, st.data())
def test_a_correction_to_the_same_changes_nothing(game: str, seed: int, guesses: int, data: st.DataObject) -> None:
    match = played(game, Random(seed), guesses)
    if match.log:
        before = match.state
        number = data.draw(st.integers(1, len(match.log)))
        match.record(Correction(number, match.log[number - 1]))
        assert match.state == before


@given(games, seeds, lengths, st.data())
def test_an_event_taken_back_and_put_in_again_changes_nothing(
    game: str, seed: int, guesses: int, data: st.DataObject
) -> None:
    match = played(game, Random(seed), guesses)
    if match.log:
        before = match.state
        number = data.draw(st.integers(1, len(match.log)))
        match.record(event_from_json({"type": "retraction", "of": number}))
        match.record(Insertion(number, match.log[number - 1]))
        assert match.state == before


@given(games, seeds, lengths)
def test_what_the_camera_saw_is_recorded_though_it_does_not_fit(game: str, seed: int, guesses: int) -> None:
    random = Random(seed)
    match = played(game, random, guesses)
    before = match.state
    event = wild_guess(random, match)
    if isinstance(event, ThrowMade) and not record_if_legal(match, event):
        number = match.record(replace(event, flags=(AS_SEEN,)))
        after = match.state
        assert after.doubts[-1].event == number
        assert replace(after, doubts=before.doubts) == before


WORDS = """
    count A B C: A: 5 20 off board A1>3 B>off >off +A1 +Z9 / // 10 line ditched score 3-4 -- time forfeit foul floor x
    first roll 1 6 0 keep stop pass bank cut 5H 10S go crib show knock jack take 3 11 end let set ring ² ٣ in out tile
"""


@given(games, seeds, st.integers(0, 20), st.lists(st.sampled_from(WORDS.split()), max_size=6).map(" ".join) | st.text())
def test_whatever_is_typed_is_an_event_or_a_plain_error(game: str, seed: int, guesses: int, text: str) -> None:
    match = played(game, Random(seed), guesses)
    with suppress(ScoringError):
        match.record(match.read(text))
    assert match.state.sides == match.sides


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game", GAMES)
def test_random_play_comes_to_an_end(game: str, seed: int) -> None:
    random = Random(seed)
    match = Match.start(game)
    for _ in range(30_000):
        if record_if_legal(match, guess(random, match)) and match.state.reason is not None:
            return
    pytest.fail(f"{game} goes on and on: {match.state.score}")


def _swapped(event: Event, game: str) -> Event:
    match event:
        case RoundStarted(None):
            return event
        case RoundStarted(first):
            return RoundStarted(_other(first))
        case RoundCounted(pieces):
            return RoundCounted(tuple((_other(side), place) for side, place in pieces))
        case ScoreSet(score):
            return ScoreSet(score[::-1])
        case RoundScored(points):
            return RoundScored(points[::-1])
        case HandsShown(hands):
            return HandsShown(tuple((_other(side), cards) for side, cards in hands))
        case ThrowMade() if game == "ppolf":
            moved = tuple(replace(move, piece=_other(move.piece)) for move in event.moved)
            return replace(event, side=_other(event.side), piece=_other(event.piece), moved=moved)
    if hasattr(event, "side"):
        return replace(event, side=_other(event.side))
    return event


def _other(side: int | None) -> int:
    return {0: 1, 1: 0}.get(side, side)


def _mirrored(state: MatchState, game: str, swap: bool = True) -> dict[str, object]:
    def turned(values: tuple[object, ...]) -> tuple[object, ...]:
        return values[::-1] if swap else values

    def side(number: int | None) -> int | None:
        return _other(number) if swap and number is not None else number

    return {
        "score": turned(state.score),
        "provisional": turned(state.provisional),
        "rounds": [(r.number, turned(r.points), turned(r.net), turned(r.score)) for r in state.rounds],
        "to_throw": side(state.to_throw),
        "throws_left": turned(state.throws_left),
        "claims": [(side(claim.side), claim.reason) for claim in state.claims],
        "places": sorted((side(p.side), game != "ppolf" and p.piece, p.place) for p in state.places),
        "winner": side(state.winner),
        "reason": state.reason,
    }
