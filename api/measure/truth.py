"""What is known to have happened in a recording: ``truth.json``, or ``NAME.truth.json`` beside a video."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scoring.board import PointMm, RingBoard
from scoring.errors import UnknownGame
from scoring.games import game
from vision.accuracy import BadTruth

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class TrueThrow:
    """A throw as it really was. What a truth file does not say is None and is not compared.

    ``n`` counts from 1 and ``piece`` from 0 within the round. ``began_s`` is when it was released or flicked,
    ``rest_s`` when everything lay still. ``moved`` are the other pieces' changes of place; ``places`` and ``lies_mm``
    where every piece lay afterwards. ``required`` is false for a throw that hardly came into view. ``together``: the
    next throw came before everything lay still.
    """

    n: int
    round: int
    side: int
    piece: int
    place: str
    began_s: float
    rest_s: float
    moved: frozenset[tuple[int, str, str]] | None = None
    touched: frozenset[int] | None = None
    places: Mapping[int, str] | None = None
    lies_mm: Mapping[int, PointMm] | None = None
    valid: bool | None = None
    required: bool = True
    together: bool = False


@dataclass(frozen=True, slots=True)
class TrueRound:
    """What a finished round came to; ``score`` is None where the truth file does not tell."""

    points: Pair
    net: Pair
    score: Pair | None


@dataclass(frozen=True, slots=True)
class TrueMatch:
    """How a match ended. Only recordings that are played to the end have it: a single round can end a match too."""

    winner: int | None
    reason: str
    score: Pair


@dataclass(frozen=True, slots=True)
class Truth:
    """What happens in a recording, and how it was filmed: ``conditions`` from a name such as ``view`` to a word.

    ``spans_s`` are the times in which something hides the board. ``rounds`` is None where the truth does not tell.
    ``pieces_px`` gives for each frame where each piece shows, None out of sight.
    """

    game: str
    purpose: str
    conditions: Mapping[str, tuple[str, ...]]
    fps: float
    throws: tuple[TrueThrow, ...]
    rounds: tuple[TrueRound, ...] | None
    takeouts_s: tuple[tuple[float, float], ...]
    spans_s: tuple[tuple[float, float], ...]
    is_knocked: bool
    match: TrueMatch | None
    options: Mapping[str, Any]
    pieces_px: tuple[tuple[tuple[float, float] | None, ...], ...]

    @property
    def last_round(self) -> int:
        """The number of the last round in which something is thrown."""
        return max((throw.round for throw in self.throws), default=0)


def read_truth(path: Path) -> Truth:
    """Read the truth of a recording. Raises ``BadTruth`` with one line that says what is missing."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return _truth(content)
    except KeyError as error:
        raise BadTruth(f"{path}: not a truth file for a recording: it lacks {error.args[0]!r}.") from error
    except UnknownGame as error:
        raise BadTruth(f"{path}: not a truth file for a recording: {error}") from error
    except (OSError, ValueError, TypeError, AttributeError, IndexError) as error:
        raise BadTruth(f"{path}: not a truth file for a recording: {error}.") from error


def _truth(content: dict[str, Any]) -> Truth:
    shots = "shots" in content
    scale = _scale(content)
    throws = [_shot(e, scale) for e in content["shots"]] if shots else [_throw(e) for e in content["throws"]]
    match = content.get("match")
    return Truth(
        game=str(content["game"]),
        purpose=str(content.get("purpose", "")),
        conditions=_conditions(content),
        fps=float(content["fps"]),
        throws=tuple(throws),
        rounds=_rounds(content),
        takeouts_s=_spans(content.get("takeouts", [])),
        spans_s=_spans(content.get("hand_spans_s", [])),
        is_knocked=content.get("bump_t_s") is not None,
        match=None if match is None else TrueMatch(match["winner"], str(match["reason"]), _pair(match["score"])),
        options=dict(content.get("options", {})),
        pieces_px=tuple(
            tuple(None if point is None else (float(point[0]), float(point[1])) for point in frame)
            for frame in content.get("frames_px", [])
        ),
    )


def _throw(entry: dict[str, Any]) -> TrueThrow:
    moved = [(int(m["piece"]), str(m["from"]), str(m["to"])) for m in entry["moved"]]
    return TrueThrow(
        n=int(entry["n"]),
        round=int(entry.get("round", 1)),
        side=int(entry["side"]),
        piece=int(entry["piece"]),
        place=str(entry["place"]),
        began_s=float(entry["t_release_s"]),
        rest_s=float(entry["t_rest_s"]),
        moved=frozenset(m for m in moved if m[1] != m[2]),
        required=bool(entry.get("required", True)),
        together=not entry.get("settled_before_next", True),
    )


def _scale(content: dict[str, Any]) -> float:
    """Return how much larger the board is taken to be than it is: a picture has no scale (see ``Calibration``)."""
    board = game(str(content["game"])).played_on
    if not isinstance(board, RingBoard) or "lines_mm" not in content:
        return 1.0
    start_line = board.zones[-1]
    return start_line.radius_mm / float(content["lines_mm"][str(start_line.place)])


def _shot(entry: dict[str, Any], scale: float) -> TrueThrow:
    piece = int(entry["piece"])
    lies = {int(number): lying for number, lying in entry["places"].items()}
    places = {number: str(lying["place"]) for number, lying in lies.items()}
    return TrueThrow(
        n=int(entry["n"]),
        round=int(entry.get("round", 1)),
        side=int(entry["side"]),
        piece=piece,
        place=str(entry["place"]) if "place" in entry else places[piece],
        began_s=float(entry["t_flick_s"]),
        rest_s=float(entry["t_rest_s"]),
        touched=frozenset(int(number) for number in entry["touched"]),
        places=places,
        lies_mm={number: _scaled(lying["xy_mm"], scale) for number, lying in lies.items()},
        valid=entry.get("valid"),
        required=bool(entry.get("required", True)),
        together=not entry.get("settled_before_next", True),
    )


def _rounds(content: dict[str, Any]) -> tuple[TrueRound, ...] | None:
    if "rounds" in content:
        return tuple(
            TrueRound(_pair(r["points"]), _pair(r["net"]), _pair(r["score"]) if "score" in r else None)
            for r in content["rounds"]
        )
    if "net" in content:
        return (TrueRound(_pair(content["points"]), _pair(content["net"]), None),)
    return None


def _conditions(content: dict[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return how it was filmed; clips of other makers say some of it beside the game."""
    said: dict[str, Any] = {key: content[key] for key in ("view", "preset", "ground", "same_colour") if key in content}
    said |= content.get("conditions", {})
    effects = tuple(map(str, said.get("effects", ()))) or ("none",)
    return {
        "view": (str(said.get("view", "not said")),),
        "preset": (str(said.get("preset", "not said")),),
        "light": (str(said.get("light", "not said")),),
        "ground": (str(said.get("ground", "not said")),),
        "effects": effects,
        "sides": ("alike" if said.get("same_colour") else "differ",),
    }


def _spans(spans: list[Any]) -> tuple[tuple[float, float], ...]:
    return tuple((float(a), float(b)) for a, b in spans)


def _scaled(point_mm: list[Any], scale: float) -> PointMm:
    x_mm, y_mm = point_mm
    return scale * float(x_mm), scale * float(y_mm)


def _pair(values: list[Any]) -> Pair:
    a, b = values
    return int(a), int(b)
