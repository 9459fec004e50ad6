"""What happens as the JSON lines of ``tallycam replay --json``; their names are the contract's."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from api.live.happenings import Happening, MatchOver, RoundOver, Thrown
from calibration.calibration import Calibration, PointPx, corners_px
from scoring.board import HoleBoard
from scoring.events import Moved
from vision.sightings import BoardSeen, Health, Lies, Occluded, TakeoutSeen


def line(happening: Happening) -> dict[str, Any]:
    """Return one line without its ``t_s`` and ``seq``."""
    match happening:
        case Thrown():
            return _throw(happening)
        case RoundOver():
            return {
                "type": "round",
                "points": list(happening.points),
                "net": list(happening.net),
                "score": list(happening.score),
                "places": _lies(happening.lies),
                "doubts": list(happening.doubts),
            }
        case MatchOver(_, winner, reason, score):
            return {"type": "match", "winner": winner, "reason": str(reason), "score": list(score)}
        case BoardSeen(_, calibration, drift_mm):
            return {
                "type": "board",
                "centre_px": _point(calibration.centre_px),
                "corners_px": [_point(corner) for corner in _corners_px(calibration)],
                "rms_px": round(calibration.rms_px, 3),
                "drift_mm": round(drift_mm, 2),
            }
        case TakeoutSeen(_, phase):
            return {"type": "takeout", "phase": phase}
        case Occluded(_, phase):
            return {"type": "occluded", "phase": phase}
        case Health(_, what, message):
            return {"type": "health", "what": what, "message": message}


def _throw(thrown: Thrown) -> dict[str, Any]:
    seen, shot = thrown.seen, thrown.shot
    judged = {} if shot is None else {"valid": shot.valid, "reason": shot.reason}
    return {
        "type": "throw",
        "n": thrown.n,
        "side": seen.side,
        "piece": seen.piece,
        "place": str(seen.place),
        "moved": _moved(seen.moved),
        "touched": list(seen.touched),
        "confidence": round(seen.confidence, 3),
        "doubtful": bool(thrown.doubts),
        "doubts": list(thrown.doubts),
        "alternatives": [
            {"side": o.side, "place": str(o.place), "moved": _moved(o.moved), "likelihood": round(o.likelihood, 3)}
            for o in seen.alternatives
        ],
        **judged,
        "places": _lies(seen.lies),
    }


def _moved(moved: Iterable[Moved]) -> list[dict[str, Any]]:
    return [{"piece": one.piece, "from": str(one.from_), "to": str(one.to)} for one in moved]


def _lies(lies: Sequence[Lies]) -> list[dict[str, Any]]:
    return [
        {
            "piece": piece.piece,
            "side": piece.side,
            "place": str(piece.place),
            "centre_mm": None if piece.centre_mm is None else [round(float(mm), 1) for mm in piece.centre_mm],
            "margin_mm": None if piece.margin_mm is None else round(float(piece.margin_mm), 1),
        }
        for piece in lies
    ]


def _corners_px(calibration: Calibration[Any]) -> Sequence[PointPx]:
    """Return a plank's corners, or where the quadrant lines of a ring board meet its outermost line."""
    if isinstance(calibration.board, HoleBoard):
        return corners_px(calibration)
    radius_mm = calibration.board.zones[-1].radius_mm
    return [
        (float(x), float(y)) for x, y in calibration.to_px(radius_mm * np.array([(1, 0), (0, 1), (-1, 0), (0, -1)]))
    ]


def _point(point_px: PointPx) -> list[float]:
    return [round(float(px), 2) for px in point_px]
