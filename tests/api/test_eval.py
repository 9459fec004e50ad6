"""``tallycam eval`` and ``tallycam calibrate`` from the outside."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest
from paint import Camera, Paint, picture
from typer.testing import CliRunner

from api.cli.main import app
from calibration.calibration import apply

CAMERA = Camera(width_px=1280, height_px=720)
RED = (50, 45, 170)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    cv2.imwrite(str(tmp_path / "a.png"), picture(Paint(discs=[(60, 0, RED), (0, -150, RED)]), CAMERA))
    at = apply(CAMERA.homography(), [(60.0, 0.0), (0.0, -150.0)])
    discs = [
        {"color": "red", "x": x, "y": y, "r": 15, "zone": zone, "ambiguous": False}
        for (x, y), zone in zip(at.tolist(), ("15", "10"), strict=True)
    ]
    (tmp_path / "a.truth.json").write_text(json.dumps({"image": "a.png", "discs": discs}))
    return tmp_path


def test_eval_counts_what_was_right(folder: Path) -> None:
    run = CliRunner().invoke(app, ["eval", str(folder), "--json"])
    counted = json.loads(run.stdout)
    assert (counted["photos"], counted["exact"], counted["discs"], counted["extra"]) == (1, 1, 2, 0)


def test_eval_says_each_picture_in_words(folder: Path) -> None:
    run = CliRunner().invoke(app, ["eval", str(folder)])
    assert "a.png: 2 of 2 discs found, 2 placed right, 2 sided right, 0 too many" in run.stdout
    assert "1 of 1 pictures exact" in run.stdout


def test_calibrate_writes_a_board_file_that_score_can_use(folder: Path) -> None:
    board = folder / "board.json"
    run = CliRunner().invoke(app, ["calibrate", str(folder / "a.png"), "--game", "crokinole", "--out", str(board)])
    assert "Board found" in run.stdout
    scored = CliRunner().invoke(
        app, ["score", str(folder / "a.png"), "--game", "crokinole", "--board", str(board), "--json"]
    )
    assert json.loads(scored.stdout)["board"]["found_by"] == "file"
