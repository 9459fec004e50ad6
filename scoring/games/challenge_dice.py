"""Challenge dice, or forfeit dice: beat or repeat the roll you are passed, or pay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

from scoring.dice import Dice, check_kept, check_roll, pips
from scoring.errors import CannotParse, IllegalEvent
from scoring.events import Called, DiceKept, DiceRolled, Event, RoundStarted
from scoring.notation import whose
from scoring.rules import AtLeastOne, Rules
from scoring.state import EndReason, Play, Table

DICE = 5
PAIR = (2, 1, 1, 1)
NAMES: Mapping[tuple[int, ...], str] = {
    (5,): "five of a kind",
    (4, 1): "four of a kind",
    (3, 2): "full house",
    (3, 1, 1): "three of a kind",
    (2, 2, 1): "two pairs",
    PAIR: "a pair",
    (1, 1, 1, 1, 1): "nothing",
}
Rank = tuple[tuple[int, ...], tuple[int, ...]]


def rank(dice: Dice, aces: Literal["low", "high"] = "low") -> Rank:
    """Return where five dice rank, higher is better: as in poker, with no straights or flushes."""
    counts = Counter(7 if die == 1 and aces == "high" else die for die in dice)
    by_size = sorted(counts.items(), key=lambda item: (-item[1], -item[0]))
    return tuple(count for _, count in by_size), tuple(die for die, _ in by_size)


@dataclass(frozen=True, slots=True)
class ChallengePlay(Play):
    """A game of challenge dice: whose turn, the dice on the table, those set aside, coins banked, who may bank.

    ``dice`` is empty before an out-roll; ``set_aside`` is None until dice are picked up for a re-roll. ``challenged``
    says the dice were passed and the player has not rolled them yet.
    """

    turn: int = 0
    dice: Dice = ()
    set_aside: Dice | None = None
    challenged: bool = False
    may_bank: tuple[int, ...] = ()
    banked: tuple[int, ...] = ()


@dataclass(frozen=True)
class ChallengeDice(Rules[ChallengePlay]):
    """Two to ten players with ``coins`` each: two in the short game, three in the long one. The last with a coin wins.

    ``aces`` high or low, as agreed. A forfeit is paid to the ``kitty`` or to the player on the ``right``. A round runs
    from an out-roll to the forfeit; the score is the coins each has, those banked among them.
    """

    coins: AtLeastOne = 2
    aces: Literal["low", "high"] = "low"
    pay: Literal["kitty", "right"] = "kitty"

    game: ClassVar[str] = "challenge-dice"
    rulesets: ClassVar[Mapping[str, Mapping[str, Any]]] = {"short": {}, "long": {"coins": 3}}
    sides: ClassVar[range] = range(2, 11)
    how_to: ClassVar[str] = "Write roll 3 3 5 6 1; keep 3 3 and roll the rest; pass to challenge the next player."

    def begin(self, sides: int) -> ChallengePlay:
        """Return the game before the first out-roll, by side 0."""
        return ChallengePlay(score=(self.coins,) * sides, banked=(0,) * sides)

    def step(self, play: ChallengePlay, event: Event) -> ChallengePlay:
        """Return the game after a roll, dice set aside, dice passed, or a coin banked."""
        match event:
            case DiceRolled(side, dice):
                return self._rolled(play, side, dice)
            case DiceKept(side, dice):
                self._check_turn(play, side, play.turn)
                if play.set_aside is not None or len(dice) >= DICE:
                    raise IllegalEvent("Keep up to four dice, once, and roll the rest.")
                check_kept(dice, play.dice)
                return replace(play, set_aside=dice)
            case Called(side, "pass"):
                self._check_turn(play, side, play.turn)
                if not play.dice or play.challenged or play.set_aside is not None:
                    raise IllegalEvent("Meet the challenge with a roll before you pass the dice.")
                return replace(play, turn=self._next(play, side, 1), challenged=True)
            case Called(side, "bank"):
                return self._banked(play, side)
            case RoundStarted(first):
                return self._outrolls(self._opened(play, first, idle=not play.dice), first)
            case _:
                return Rules.step(self, play, event)

    def look(self, play: ChallengePlay, names: tuple[str, ...]) -> Table:
        """Return whose turn it is and what the dice must beat."""
        words = "roll a pair or better"
        if play.dice:
            words = f"beat or repeat {NAMES[rank(play.dice)[0]]} ({' '.join(map(str, sorted(play.dice)))})"
        if play.may_bank:
            words += f"; {', '.join(names[side] for side in play.may_bank)} may bank"
        return Table(play.score, play.turn, needs=words)

    def read(self, play: ChallengePlay, text: str) -> Event:
        """Read a roll, dice kept, dice passed, or a coin banked."""
        side, text = whose(text, play.turn)
        word, _, rest = text.partition(" ")
        match word:
            case "roll":
                return DiceRolled(side, pips(rest))
            case "keep":
                return DiceKept(side, pips(rest))
            case "pass" | "bank":
                return Called(side, word)
        raise CannotParse(f"{text!r} is no roll. {self.how_to}")

    def _rolled(self, play: ChallengePlay, side: int, dice: Dice) -> ChallengePlay:
        self._check_turn(play, side, play.turn)
        kept = play.set_aside or ()
        check_roll(dice, DICE - len(kept))
        after = (*kept, *dice)
        goal = rank(play.dice, self.aces) if play.dice else (PAIR, ())
        if rank(after, self.aces) < goal:
            return self._pays(play, side)
        return replace(play, dice=after, set_aside=None, challenged=False, may_bank=())

    def _pays(self, play: ChallengePlay, side: int) -> ChallengePlay:
        """Take a coin from the side that failed; it rolls out next, unless it has none left."""
        net = [0] * len(play.score)
        net[side] = -1
        if self.pay == "right":
            net[self._next(play, side, -1)] += 1
        points = tuple(net)
        in_play = [coins + net[n] - play.banked[n] for n, coins in enumerate(play.score)]
        broke = in_play[side] == 0
        out = self._next(play, side, 1) if broke else side
        solvent = [n for n, coins in enumerate(in_play) if coins]
        over = len(solvent) == 1
        after = self.scored(play, points, points, out, EndReason.LAST_COIN if over else None, out if over else None)
        bankers = tuple(n for n in solvent if n != side and in_play[n] > self.coins) if broke and not over else ()
        return replace(after, turn=out, dice=(), set_aside=None, challenged=False, may_bank=bankers)

    def _banked(self, play: ChallengePlay, side: int) -> ChallengePlay:
        self._check_side(play, side)
        if side not in play.may_bank:
            raise IllegalEvent("Coins are banked when somebody goes broke, by those with more than they began with.")
        banked = tuple(coins + (n == side) for n, coins in enumerate(play.banked))
        return replace(play, banked=banked, may_bank=tuple(n for n in play.may_bank if n != side))

    def _outrolls(self, play: ChallengePlay, first: int | None) -> ChallengePlay:
        if first is not None and play.score[first] == play.banked[first]:
            raise IllegalEvent("{} has no coin left and does not roll.", first)
        return replace(play, turn=play.first)

    def _next(self, play: ChallengePlay, side: int, step: int) -> int:
        """Return the next player with a coin, to the left (1) or to the right (-1)."""
        players = len(play.score)
        following = [(side + step * distance) % players for distance in range(1, players)]
        return next(n for n in following if play.score[n] > play.banked[n])


GAME = ChallengeDice
