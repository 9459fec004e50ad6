"""A board file gives back what was saved, and says in one sentence why it cannot be used."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from paint import Camera

from calibration import boardfile
from calibration.calibration import Calibration, corners_px, turned
from calibration.errors import BadBoardFile
from scoring.games.crokinole import BOARD
from scoring.games.good_sam_washers import FIVE_HOLE
from scoring.games.holeyboard import THREE_HOLE

SAVED = Calibration(BOARD, 1000, 800, Camera(tilt_deg=9).homography(), (1.0, 2.0, 900.0), 0.4, 0.3, "lines")


def test_what_was_saved_is_read_back(tmp_path: Path) -> None:
    boardfile.save(tmp_path / "board.json", SAVED)
    read = boardfile.load(tmp_path / "board.json", BOARD)
    assert read.board == SAVED.board
    assert read.camera_mm == SAVED.camera_mm
    assert np.allclose(read.homography, SAVED.homography)
    assert read.found_by == "file"


def test_a_board_file_fits_the_same_view_at_another_size() -> None:
    half = SAVED.at_size(500, 400)
    full_px, half_px = SAVED.to_px(np.array([[100.0, 50.0]])), half.to_px(np.array([[100.0, 50.0]]))
    assert np.allclose(half_px, (full_px + 0.5) / 2 - 0.5)


def _broken(key: str, value: object) -> str:
    content = json.loads(json.dumps({"format": boardfile.FORMAT, "board": {}, "homography": [[1]]}))
    return json.dumps(content | {key: value})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not a board file"),
        ("[1, 2]", "not a board file of this version"),
        ('{"format": "tallycam-board/99"}', "not a board file of this version"),
        (_broken("width_px", "wide"), "damaged"),
        (_broken("homography", [[0, 0, 0]] * 3), "damaged"),
    ],
)
def test_a_file_that_is_none_is_refused(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "board.json").write_text(text)
    with pytest.raises(BadBoardFile, match=said):
        boardfile.load(tmp_path / "board.json", BOARD)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadBoardFile, match="cannot be opened"):
        boardfile.load(tmp_path / "none.json", BOARD)


PLANK = Calibration(THREE_HOLE, 1000, 800, SAVED.homography, None, 0.4, 0.3, "holes")


def test_a_plank_is_read_back_too(tmp_path: Path) -> None:
    boardfile.save(tmp_path / "board.json", PLANK)
    read = boardfile.load(tmp_path / "board.json", THREE_HOLE)
    assert read.board == PLANK.board
    assert read.camera_mm is None


def test_the_file_of_another_game_is_refused(tmp_path: Path) -> None:
    boardfile.save(tmp_path / "board.json", PLANK)
    for other in (BOARD, FIVE_HOLE):
        with pytest.raises(BadBoardFile, match="of a holeyboard board, not of a"):
            boardfile.load(tmp_path / "board.json", other)


def test_the_other_end_is_the_same_plank_with_near_and_far_swapped() -> None:
    lopsided = replace(
        THREE_HOLE, holes=tuple(replace(hole, centre_mm=(3.0, hole.centre_mm[1] + 10)) for hole in THREE_HOLE.holes)
    )
    seen = replace(PLANK, board=lopsided, camera_mm=(100.0, 200.0, 2000.0))
    other = turned(seen)
    near_left, near_right, far_right, far_left = corners_px(seen)
    assert np.allclose(corners_px(other), (far_right, far_left, near_left, near_right))
    assert np.allclose(
        other.to_px(np.array([hole.centre_mm for hole in other.board.holes])),
        seen.to_px(np.array([hole.centre_mm for hole in seen.board.holes]))[::-1],
    )
    assert [hole.place for hole in other.board.holes] == [hole.place for hole in seen.board.holes]
    assert other.camera_mm == (-100.0, -200.0, 2000.0)
    assert turned(other).board == seen.board
