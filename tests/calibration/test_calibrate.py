"""``tallycam calibrate`` on planks: a picture or footage in, a board file out, and how good it is in words."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest
from planks import Plank, View, errors, picture
from typer.testing import CliRunner

from api.cli.main import app, main
from calibration import boardfile
from scoring.games.holeyboard import THREE_HOLE


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number in range(3):
        cv2.imwrite(str(tmp_path / f"{number}.png"), picture(Plank(), View(tilt_deg=10), seed=number))
    return tmp_path


@pytest.mark.parametrize("source", ["0.png", "."], ids=["a picture", "a folder of pictures"])
def test_the_board_file_holds_the_plank(folder: Path, source: str) -> None:
    out = folder / "board.json"
    run = CliRunner().invoke(app, ["calibrate", str(folder / source), "--game", "holeyboard", "--out", str(out)])
    assert run.exit_code == 0
    assert "holes and edges lie within" in run.stdout
    assert "mm, its holes" in run.stdout
    assert errors(boardfile.load(out, THREE_HOLE), Plank(), View(tilt_deg=10)).holes_mm < 2


def test_json_names_the_corners(folder: Path) -> None:
    run = CliRunner().invoke(app, ["calibrate", str(folder / "0.png"), "--game", "holeyboard", "--json"])
    assert len(json.loads(run.stdout)["corners_px"]) == 4


@pytest.mark.parametrize(
    ("game", "said"), [("good-sam-washers", "No good-sam-washers board found"), ("ppolf", "not played on a board")]
)
def test_what_cannot_be_found_is_said_in_one_line(
    folder: Path, game: str, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["tallycam", "calibrate", str(folder / "0.png"), "--game", game])
    with pytest.raises(SystemExit) as left:
        main()
    message = capsys.readouterr().err
    assert left.value.code == 2
    assert said in message
    assert message.count("\n") == 1
