"""A board file keeps where a board is in a fixed camera's picture, so that nobody has to find it again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from calibration.calibration import Calibration
from calibration.errors import BadBoardFile
from scoring.board import Circle, Place, RingBoard

FORMAT = "tallycam-board/1"


def save(path: Path, calibration: Calibration) -> None:
    """Write a board file."""
    board = calibration.board
    content = {
        "format": FORMAT,
        "board": {
            "name": board.name,
            "hole": _circle_out(board.hole),
            "zones": [_circle_out(zone) for zone in board.zones],
            "edge_mm": board.edge_mm,
            "piece_radius_mm": board.piece_radius_mm,
            "piece_height_mm": board.piece_height_mm,
        },
        "width_px": calibration.width_px,
        "height_px": calibration.height_px,
        "homography": calibration.homography.tolist(),
        "camera_mm": calibration.camera_mm,
        "rms_px": calibration.rms_px,
        "rms_mm": calibration.rms_mm,
    }
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def load(path: Path) -> Calibration:
    """Read a board file; raises ``BadBoardFile`` with one sentence where it cannot be used."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadBoardFile(f"{path}: the board file cannot be opened ({error.strerror}).") from error
    except ValueError as error:
        raise BadBoardFile(f"{path}: not a board file. Make one with tallycam calibrate.") from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise BadBoardFile(f"{path}: not a board file of this version ({FORMAT}). Make one with tallycam calibrate.")
    try:
        return _read(content)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise BadBoardFile(f"{path}: the board file is damaged. Make a new one with tallycam calibrate.") from error


def _read(content: dict[str, Any]) -> Calibration:
    board = content["board"]
    homography = np.array(content["homography"], dtype=np.float64)
    numbers = [content["width_px"], content["height_px"], content["rms_px"], content["rms_mm"]]
    camera = content["camera_mm"]
    camera_mm = None if camera is None else (float(camera[0]), float(camera[1]), float(camera[2]))
    if homography.shape != (3, 3) or not np.isfinite(homography).all() or abs(np.linalg.det(homography)) < 1e-12:
        raise ValueError("homography")
    if min(numbers[:2]) < 1 or not np.isfinite(numbers).all():
        raise ValueError("size")
    return Calibration(
        RingBoard(
            str(board["name"]),
            _circle_in(board["hole"]),
            tuple(_circle_in(zone) for zone in board["zones"]),
            _positive(board["edge_mm"]),
            _positive(board["piece_radius_mm"]),
            _positive(board["piece_height_mm"]),
        ),
        int(content["width_px"]),
        int(content["height_px"]),
        homography,
        camera_mm,
        float(content["rms_px"]),
        float(content["rms_mm"]),
        "file",
    )


def _circle_out(circle: Circle) -> dict[str, Any]:
    return {
        "place": str(circle.place),
        "radius_mm": circle.radius_mm,
        "width_mm": circle.width_mm,
        "centre_mm": circle.centre_mm,
    }


def _circle_in(content: dict[str, Any]) -> Circle:
    x_mm, y_mm = content["centre_mm"]
    width_mm = float(content["width_mm"])
    return Circle(Place.parse(content["place"]), _positive(content["radius_mm"]), width_mm, (float(x_mm), float(y_mm)))


def _positive(value: Any) -> float:
    number = float(value)
    if not 0 < number < 1e5:
        raise ValueError(value)
    return number
