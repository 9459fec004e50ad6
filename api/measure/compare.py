"""Hold the lines of a replay against the truth, field by field, and say the differences in the game's words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from api.live.words import lying
from api.measure.faults import Line, Told, faults, misplaced, same_place
from api.measure.pairing import pair_in_order
from api.measure.tolerances import LATE_S, NEXT_S, TAKEOUT_S
from api.measure.truth import TrueThrow, Truth
from scoring.games import game
from scoring.notation import LETTERS


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that was said and was not so, or was so and not said; ``text`` in the game's words.

    ``t_s`` is when it shows in the picture, ``throw`` which of the true throws it is about, from 0, if any.
    """

    t_s: float
    text: str
    throw: int | None = None


@dataclass(frozen=True, slots=True)
class Compared:
    """What came of every true throw, and all differences in the order of time.

    ``verdicts`` has a word for each true throw: ``right``, ``wrong``, ``doubted`` (wrong, and marked as doubtful),
    ``missed`` or ``unseen`` (not told, and hardly in view). ``doubtful`` counts the right ones marked as doubtful.
    """

    verdicts: tuple[str, ...]
    doubtful: int
    extra: int
    rounds: int
    rounds_right: int
    differences: tuple[Difference, ...]

    @property
    def first(self) -> str:
        """The first difference in words, empty where there is none."""
        return self.differences[0].text if self.differences else ""


def compare(lines: Sequence[Line], truth: Truth) -> Compared:
    """Compare what a replay told with the truth."""
    return _Comparison(lines, truth).result()


class _Comparison:
    def __init__(self, lines: Sequence[Line], truth: Truth) -> None:
        self.truth = truth
        self.lines = lines
        self.throws = [line for line in lines if line["type"] == "throw"]
        rules = game(truth.game)
        self.throw_word, self.piece_word = rules.throw_word, rules.piece_word
        self.differences: list[Difference] = []

    @cached_property
    def round_of(self) -> list[int]:
        """The round in which each throw was told, from 1."""
        rounds, number = [], 1
        for line in self.lines:
            if line["type"] == "throw":
                rounds.append(number)
            number += line["type"] == "round"
        return rounds

    @cached_property
    def pairs(self) -> dict[int, int]:
        """Which told throw is which true one."""
        return pair_in_order(len(self.truth.throws), len(self.throws), self._likeness)

    @cached_property
    def number_of(self) -> dict[tuple[int, int], int]:
        """The true number of each piece by the round and the number it was told with."""
        return {
            (self.round_of[told], self.throws[told]["piece"]): self.truth.throws[true].piece
            for true, told in self.pairs.items()
        }

    def result(self) -> Compared:
        if not any(line["type"] == "board" for line in self.lines):
            self._differs(0.0, "the board was not found")
        verdicts = []
        doubtful = 0
        for index, throw in enumerate(self.truth.throws):
            told = self.pairs.get(index)
            if told is None:
                verdicts.append("missed" if throw.required else "unseen")
                if throw.required:
                    was = self._outcome(throw.place, throw.side)
                    self._differs(throw.rest_s, f"{self._name(throw)}: not told, was {was}", index)
                continue
            line, as_told = self.throws[told], self._told(told)
            found = faults(throw, as_told, self._known(throw))
            for fault in (*found, *misplaced(throw, as_told)):
                self._differs(throw.rest_s, f"{self._name(throw)}: {fault}", index)
            verdicts.append("right" if not found else "doubted" if line["doubtful"] else "wrong")
            doubtful += not found and line["doubtful"]
            self._compare_time(throw, line, index)
        extra = [line for told, line in enumerate(self.throws) if told not in self.pairs.values()]
        for line in extra:
            outcome = self._outcome(line["place"], line["side"])
            self._differs(line["t_s"], f"a {self.throw_word} too many at {line['t_s']:.1f} s: said {outcome}")
        right, rounds = self._compare_rounds()
        self._compare_takeouts()
        self._compare_board()
        self._compare_match()
        self.differences.sort(key=lambda difference: difference.t_s)
        return Compared(tuple(verdicts), doubtful, len(extra), rounds, right, tuple(self.differences))

    def _differs(self, t_s: float, text: str, throw: int | None = None) -> None:
        self.differences.append(Difference(t_s, text, throw))

    def _likeness(self, true: int, told: int) -> float:
        """Return how much a told throw is like a true one; nothing where it cannot be that one."""
        throw, line = self.truth.throws[true], self.throws[told]
        if not throw.began_s < line["t_s"] <= self._until_s(true):
            return 0.0
        alike: float = 1.0 + 0.3 * (line["side"] == throw.side) + 0.3 * same_place(line["place"], throw.place)
        away_s: float = abs(line["t_s"] - throw.rest_s)
        return alike - 0.02 * min(away_s, 5.0)

    def _until_s(self, true: int) -> float:
        """Return until when a true throw can be told and still be taken for that one: the next one may bring it out."""
        throw = self.truth.throws[true]
        if true + 1 == len(self.truth.throws):
            return math.inf
        until_s = self._until_s(true + 1) if throw.together else self.truth.throws[true + 1].began_s + NEXT_S
        return max(until_s, self._in_sight_s(throw.rest_s) + LATE_S)

    def _in_sight_s(self, t_s: float) -> float:
        """Return the moment from which the board is in sight, at ``t_s`` or after what hides it then has gone."""
        for start_s, end_s in sorted((*self.truth.spans_s, *self.truth.takeouts_s)):
            if start_s - LATE_S <= t_s < end_s:
                t_s = end_s
        return t_s

    def _told(self, index: int) -> Told:
        round_ = self.round_of[index]
        numbers = {piece: true for (number, piece), true in self.number_of.items() if number == round_}
        return Told(self.throws[index], numbers, self.piece_word)

    def _known(self, throw: TrueThrow) -> set[int]:
        """Return the pieces of a throw's round that were told by the time of it."""
        return {
            earlier.piece
            for index, earlier in enumerate(self.truth.throws)
            if index in self.pairs and earlier.round == throw.round and earlier.n <= throw.n
        }

    def _compare_time(self, throw: TrueThrow, line: Line, index: int) -> None:
        rest_s = throw.rest_s
        if throw.together and index + 1 < len(self.truth.throws):
            rest_s = max(rest_s, self.truth.throws[index + 1].rest_s)
        late_s = line["t_s"] - self._in_sight_s(rest_s)
        if late_s > LATE_S:
            self._differs(throw.rest_s, f"{self._name(throw)}: told {late_s:.1f} s after everything lay still", index)

    def _compare_rounds(self) -> tuple[int, int]:
        true = self.truth.rounds
        said = [line for line in self.lines if line["type"] == "round"]
        if true is None:
            return 0, 0
        right = 0
        for number, (round_, line) in enumerate(zip(true, said, strict=False), start=1):
            before = len(self.differences)
            for field, was in (("points", round_.points), ("net", round_.net), ("score", round_.score)):
                if was is not None and tuple(line[field]) != was:
                    self._differs(line["t_s"], f"round {number}: said {field} {_score(line[field])}, was {_score(was)}")
            right += len(self.differences) == before
        for number in range(len(said) + 1, len(true) + 1):
            self._differs(math.inf, f"round {number}: its end was not told")
        unfinished = self.truth.last_round > len(true)
        for number in range(len(true) + unfinished + 1, len(said) + 1):
            self._differs(said[number - 1]["t_s"], f"round {number}: there was no such round")
        return right, len(true)

    def _compare_takeouts(self) -> None:
        """Compare clearings of the board; that one has begun may be told as long as it lasts."""
        spans_s = self.truth.takeouts_s
        for phase, windows_s in (("started", spans_s), ("ended", [(end_s, end_s) for _, end_s in spans_s])):
            told_s = [line["t_s"] for line in self.lines if line["type"] == "takeout" and line["phase"] == phase]
            pairs = pair_in_order(len(windows_s), len(told_s), partial(_near, windows_s, told_s))
            for index, (t_s, _) in enumerate(windows_s):
                if index not in pairs:
                    self._differs(t_s, f"did not say that the takeout {phase} at {t_s:.1f} s")
            for index, t_s in enumerate(told_s):
                if index not in pairs.values():
                    self._differs(t_s, f"said that a takeout {phase} at {t_s:.1f} s")

    def _compare_board(self) -> None:
        for line in self.lines:
            if line["type"] == "board" and line["drift_mm"] and not self.truth.is_knocked:
                self._differs(line["t_s"], f"said that the board moved by {line['drift_mm']:.0f} mm; it did not")

    def _compare_match(self) -> None:
        true = self.truth.match
        if true is None:
            return
        said = next((line for line in self.lines if line["type"] == "match"), None)
        was = (true.winner, true.reason, true.score)
        if said is None:
            self._differs(math.inf, f"did not say that the match was over: {_result(*was)}")
        elif (told := (said["winner"], said["reason"], tuple(said["score"]))) != was:
            self._differs(said["t_s"], f"the match: said {_result(*told)}, was {_result(*was)}")

    def _name(self, throw: TrueThrow) -> str:
        name = f"{self.throw_word} {throw.n}"
        return name if self.truth.last_round <= 1 else f"round {throw.round}, {name}"

    def _outcome(self, place: str, side: int) -> str:
        return f"{lying(place)} ({LETTERS[side]})"


def _near(windows_s: Sequence[tuple[float, float]], told_s: Sequence[float], true: int, told: int) -> float:
    (start_s, end_s), t_s = windows_s[true], told_s[told]
    return max(0.0, 1 - max(start_s - t_s, t_s - end_s, 0.0) / TAKEOUT_S)


def _score(score: Sequence[int]) -> str:
    return "–".join(map(str, score))


def _result(winner: int | None, reason: str, score: Sequence[int]) -> str:
    return f"{'a draw' if winner is None else LETTERS[winner] + ' wins'} {_score(score)} ({reason.replace('_', ' ')})"
