"""What happens in plain words, in those of the game: one short line each, and what is open about it below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from api.live.happenings import Happening, MatchOver, RoundOver, Thrown
from scoring.board import Place
from scoring.notation import LETTERS
from scoring.rules import Rules
from vision.sightings import BoardSeen, Health, Lies, Occluded, TakeoutSeen


def words(happening: Happening, rules: Rules[Any]) -> list[str]:
    """Return the lines that say what happened; the first of them says it, the others say what is open."""
    match happening:
        case Thrown():
            return [_throw(happening, rules), *_open(happening.doubts)]
        case RoundOver(_, number, points, net, score, _, doubts):
            cancelled = "" if net == points else f", which comes to {_score(net)}"
            return [f"round {number}: {_score(points)} points{cancelled}; the score is {_score(score)}", *_open(doubts)]
        case MatchOver(_, winner, reason, score):
            result = "a draw" if winner is None else f"{LETTERS[winner]} wins"
            return [f"the match: {result}, {_score(score)} ({str(reason).replace('_', ' ')})"]
        case BoardSeen(_, calibration, drift_mm):
            if drift_mm:
                return [f"the board has moved by {drift_mm:.0f} mm and was found again"]
            return [f"board found, to {calibration.rms_mm:.1f} mm"]
        case TakeoutSeen(_, phase):
            return ["the board is being cleared" if phase == "started" else "the board is empty"]
        case Occluded(_, phase):
            return ["something hides the board" if phase == "started" else "the board is in sight again"]
        case Health(_, _, message):
            return [message]


def lying(place: Place | str) -> str:
    """Return where a piece lies as it reads in a sentence: ``hole 3``, ``on the board``, ``off``, ``15``."""
    return {"board": "on the board", "line": "on the start line", "ditch": "in the ditch"}.get(str(place), named(place))


def named(place: Place | str) -> str:
    """Return what a place is called: ``hole 3``, ``the board``, ``off``, ``15``, ``the ditch``."""
    kind, _, name = str(place).partition(":")
    if kind == "hole":
        return f"hole {name}" if name.isdecimal() else f"the {name} hole"
    return {"board": "the board", "ditch": "the ditch", "line": "the start line"}.get(str(place), str(place))


def _throw(thrown: Thrown, rules: Rules[Any]) -> str:
    seen = thrown.seen
    names = _names(seen.lies)
    parts = [lying(seen.place)]
    parts += [
        f"{names.get(moved.piece, rules.piece_word)} from {named(moved.from_)} to {named(moved.to)}"
        for moved in seen.moved
    ]
    moved_pieces = {moved.piece for moved in seen.moved}
    if touched := [names.get(piece, str(piece)) for piece in seen.touched if piece not in moved_pieces]:
        parts.append(f"touched {' and '.join(touched)}")
    if thrown.shot is not None and not thrown.shot.valid:
        parts.append(f"not valid, {thrown.shot.reason}")
    return f"{rules.throw_word} {thrown.n}, {LETTERS[seen.side]}: {'; '.join(parts)}"


def _names(lies: Sequence[Lies]) -> dict[int, str]:
    """Name every piece as players do: ``B2`` for B's second."""
    names = {}
    counts = [0, 0]
    for piece in sorted(lies, key=lambda piece: piece.piece):
        counts[piece.side] += 1
        names[piece.piece] = f"{LETTERS[piece.side]}{counts[piece.side]}"
    return names


def _open(doubts: Sequence[str]) -> list[str]:
    return [f"? {doubt}" for doubt in doubts]


def _score(score: Sequence[int]) -> str:
    return "–".join(map(str, score))
