"""A board file keeps where a board is in a fixed camera's picture, so that nobody has to find it again."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from calibration.calibration import Calibration
from calibration.errors import BadBoardFile
from scoring.board import Board, Circle, HoleBoard, Place, RingBoard

FORMAT = "tallycam-board/1"
BoardT = TypeVar("BoardT", bound=Board)


def save(path: Path, calibration: Calibration[Board]) -> None:
    """Write a board file."""
    content = {
        "format": FORMAT,
        "board": _board_out(calibration.board),
        "width_px": calibration.width_px,
        "height_px": calibration.height_px,
        "homography": calibration.homography.tolist(),
        "camera_mm": calibration.camera_mm,
        "rms_px": calibration.rms_px,
        "rms_mm": calibration.rms_mm,
    }
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def load(path: Path, board: BoardT) -> Calibration[BoardT]:
    """Read the file of a board such as ``board``; raises ``BadBoardFile`` with one sentence where it cannot be used.

    The board that comes back has the places of ``board``, with the dimensions measured when it was found.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadBoardFile(f"{path}: the board file cannot be opened ({error.strerror}).") from error
    except ValueError as error:
        raise BadBoardFile(f"{path}: not a board file. Make one with tallycam calibrate.") from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise BadBoardFile(f"{path}: not a board file of this version ({FORMAT}). Make one with tallycam calibrate.")
    try:
        read = _read(content)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise BadBoardFile(f"{path}: the board file is damaged. Make a new one with tallycam calibrate.") from error
    measured = read.board
    if not isinstance(measured, type(board)) or _places(measured) != _places(board):
        raise BadBoardFile(f"{path}: this is a file of a {measured.name} board, not of a {board.name} board.")
    return replace(read, board=measured)


def _places(board: Board) -> list[Place]:
    circles = board.zones if isinstance(board, RingBoard) else board.holes
    return [circle.place for circle in circles]


def _read(content: dict[str, Any]) -> Calibration[Any]:
    homography = np.array(content["homography"], dtype=np.float64)
    numbers = [content["width_px"], content["height_px"], content["rms_px"], content["rms_mm"]]
    camera = content["camera_mm"]
    camera_mm = None if camera is None else (float(camera[0]), float(camera[1]), float(camera[2]))
    if homography.shape != (3, 3) or not np.isfinite(homography).all() or abs(np.linalg.det(homography)) < 1e-12:
        raise ValueError("homography")
    if min(numbers[:2]) < 1 or not np.isfinite(numbers).all():
        raise ValueError("size")
    return Calibration(
        _board_in(content["board"]),
        int(content["width_px"]),
        int(content["height_px"]),
        homography,
        camera_mm,
        float(content["rms_px"]),
        float(content["rms_mm"]),
        "file",
    )


def _board_out(board: Board) -> dict[str, Any]:
    if isinstance(board, RingBoard):
        own = {
            "hole": _circle_out(board.hole),
            "zones": [_circle_out(zone) for zone in board.zones],
            "edge_mm": board.edge_mm,
        }
    else:
        own = {
            "width_mm": board.width_mm,
            "length_mm": board.length_mm,
            "holes": [_circle_out(hole) for hole in board.holes],
            "piece_hole_radius_mm": board.piece_hole_radius_mm,
        }
    pieces = {"piece_radius_mm": board.piece_radius_mm, "piece_height_mm": board.piece_height_mm}
    return {"name": board.name, **own, **pieces}


def _board_in(content: dict[str, Any]) -> Board:
    name = str(content["name"])
    piece_radius_mm, piece_height_mm = _positive(content["piece_radius_mm"]), _positive(content["piece_height_mm"])
    if "zones" in content:
        zones = tuple(_circle_in(zone) for zone in content["zones"])
        edge_mm = _positive(content["edge_mm"])
        return RingBoard(name, _circle_in(content["hole"]), zones, edge_mm, piece_radius_mm, piece_height_mm)
    return HoleBoard(
        name,
        _positive(content["width_mm"]),
        _positive(content["length_mm"]),
        tuple(_circle_in(hole) for hole in content["holes"]),
        piece_radius_mm,
        _positive(content["piece_hole_radius_mm"]),
        piece_height_mm,
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
