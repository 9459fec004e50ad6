"""Random players of every game: what one could plausibly record next, some of it legal, some of it not."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from scoring.board import Place
from scoring.cards import DECK
from scoring.events import (
    Called,
    CardCut,
    CardPlayed,
    ChipPlaced,
    ChipTaken,
    DiceKept,
    DiceRolled,
    Event,
    Forfeit,
    Foul,
    HandsShown,
    Moved,
    RallyWon,
    RoundCounted,
    RoundEnded,
    RoundScored,
    RoundStarted,
    ScoreSet,
    Takeout,
    ThrowMade,
    TimeUp,
)
from scoring.match import Match
from scoring.state import MatchState

Guess = Callable[[Random, MatchState], Event]


def _throws(places: str) -> Guess:
    return lambda random, state: _throw(random, state, random.choice(places.split()))


def _throw(random: Random, state: MatchState, place: str) -> ThrowMade:
    side = state.to_throw if state.to_throw is not None and random.random() < 0.95 else random.randrange(2)
    piece = max((lying.piece for lying in state.places), default=-1) + 1
    moved: tuple[Moved, ...] = ()
    if state.places and random.random() < 0.25:
        hit = random.choice(state.places)
        moved = (Moved(hit.piece, hit.place, random.choice(state.places).place),)
    return ThrowMade(side, piece, Place.parse(place), moved)


def _count(places: str, most: int) -> Guess:
    def count(random: Random, _: MatchState) -> Event:
        names = places.split()
        return RoundCounted(
            tuple((side, Place.parse(random.choice(names))) for side in (0, 1) for _ in range(random.randrange(most)))
        )

    return count


def _side(random: Random, state: MatchState) -> int:
    if state.to_throw is not None and random.random() < 0.9:
        return state.to_throw
    return random.randrange(len(state.sides))


def _flick(random: Random, state: MatchState) -> Event:
    side = _side(random, state)
    place = random.choice(["hole:current", f"mm:{random.randrange(600)}"])
    moved: tuple[Moved, ...] = ()
    if state.places and random.random() < 0.3:
        hit = random.choice(state.places)
        moved = (Moved(hit.piece, hit.place, Place.parse(random.choice(["off", "hole:current", "mm:50"]))),)
    return ThrowMade(side, side, Place.parse(place), moved)


def _hands(random: Random, state: MatchState) -> Event:
    deck = random.sample(DECK, 40)
    return HandsShown(
        tuple((side, tuple(deck.pop() for _ in range(3))) for side, coins in enumerate(state.score) if coins)
    )


def _crib(random: Random, state: MatchState) -> Event:  # noqa: ARG001
    return HandsShown(((random.randrange(2), tuple(random.sample(DECK, 4))),))


def _roll(most: int) -> Guess:
    def roll(random: Random, state: MatchState) -> Event:
        return DiceRolled(_side(random, state), tuple(random.randint(1, 6) for _ in range(random.randint(1, most))))

    return roll


def _kept(random: Random, state: MatchState) -> Event:
    dice = random.choice([(1,), (5,), (2, 2, 2), (1, 5), (3, 3), (6,)])
    return DiceKept(_side(random, state), dice)


def _zilch(random: Random, state: MatchState) -> Event:
    word, *rest = state.needs.replace(";", "").split() or [""]
    dice = [int(number) for number in rest if number.isdecimal()] or [6]
    if word == "keep":
        counting = [die for die in dice if die in (1, 5) or dice.count(die) >= 3]
        return DiceKept(_side(random, state), tuple(counting or dice))
    if "stop with" in state.needs and random.random() < 0.5:
        return Called(_side(random, state), "stop")
    return DiceRolled(_side(random, state), tuple(random.randint(1, 6) for _ in range(min(dice[0], 9))))


def _called(*words: str) -> Guess:
    return lambda random, state: Called(_side(random, state), random.choice(words))


def _pips(random: Random, state: MatchState) -> Event:
    return RoundScored(tuple(random.randrange(40) for _ in state.sides))


def _chip(random: Random, state: MatchState) -> Event:
    side, row, column = _side(random, state), random.randrange(10), random.randrange(10)
    if random.random() < 0.1:
        return ChipTaken(side, row, column)
    return ChipPlaced(side, row if random.random() < 0.5 else 4, column, random.random() < 0.1)


GUESSES: dict[str, tuple[Guess, ...]] = {
    "crokinole": (_throws("20 15 10 5 ditch"), _count("20 15 10 5 ditch", 5)),
    "holeyboard": (_throws("hole:1 hole:3 hole:5 board off"), _count("hole:1 hole:3 hole:5 board off", 5)),
    "good-sam-washers": (_throws("hole:lower-left hole:lower-right hole:upper-left hole:centre board off"),),
    "good-sam-horseshoes": (_throws("shoe:ringer shoe:leaner shoe:closest off"),),
    "good-sam-beanbag-baseball": (_throws("hole:single hole:double hole:home-run board:hanging off off off off"),),
    "good-sam-bocce": (_throws("ball:in ball:out off"), _count("mm:10 mm:20 mm:30", 5)),
    "good-sam-zilch": (_zilch, _zilch, _zilch, _kept, _called("stop")),
    "good-sam-cribbage": (
        lambda random, _: CardCut(random.choice(DECK)),
        lambda random, state: CardPlayed(_side(random, state), random.choice(DECK)),
        _called("go"),
        _crib,
    ),
    "good-sam-thirty-one": (_hands, _called("knock")),
    "good-sam-sequence": (_chip,),
    "good-sam-mexican-train": (_pips,),
    "challenge-dice": (_roll(5), _roll(5), _kept, _called("pass", "bank")),
    "squash-nine": (lambda random, _: RallyWon(random.randrange(2)), _called("set", "let")),
    "ppolf": (_flick,),
}

_ANYWHERE: tuple[Guess, ...] = (
    lambda random, _: RoundStarted(random.choice([None, 0, 1, 7])),
    lambda random, _: Foul(random.randrange(3), random.choice(["floor", "ground", "foot", "bounce", "sneeze"])),
    lambda random, _: ScoreSet(tuple(random.randrange(8) for _ in range(random.choice([2, 2, 3])))),
    lambda _random, _state: Takeout(),
    lambda _random, _state: TimeUp(),
    lambda _random, _state: RoundEnded(),
    lambda random, _: Forfeit(random.randrange(4)),
    lambda random, _: ThrowMade(random.randint(-1, 4), random.randint(-1, 30), Place("hole", "1")),
)


def guess(random: Random, match: Match) -> Event:
    """Return what one could record next in the course of play."""
    return random.choice(GUESSES[match.rules.game])(random, match.state)


def wild_guess(random: Random, match: Match) -> Event:
    """Return anything at all, from any game."""
    game = match.rules.game if random.random() < 0.6 else random.choice(list(GUESSES))
    return random.choice((*GUESSES[game], *_ANYWHERE))(random, match.state)
