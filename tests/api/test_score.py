"""``tallycam score`` from the outside: the contract's JSON, plain words, and one line for what is wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
from drawn_boards import ROUND_POINTS, jpeg, reads

import vision.still
from api.cli.main import main

CONTRACT = {"game", "image", "width", "height", "board", "pieces", "sides", "doubts"}
PIECE = {"side", "colour", "centre_px", "radius_px", "centre_mm", "place", "points", "margin_mm", "doubtful"}


@pytest.fixture(autouse=True)
def _drawn_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = reads()
    monkeypatch.setattr(vision.still, "read_still", lambda bgr, _=None: reader(bgr))


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    path = tmp_path / "board.jpg"
    path.write_bytes(jpeg())
    return path


@pytest.fixture
def no_board(tmp_path: Path) -> Path:
    path = tmp_path / "floor.png"
    cv2.imwrite(str(path), np.full((600, 800, 3), 90, np.uint8))
    return path


def tallycam(monkeypatch: pytest.MonkeyPatch, *words: object) -> int:
    monkeypatch.setattr(sys, "argv", ["tallycam", *map(str, words)])
    with pytest.raises(SystemExit) as stopped:
        main()
    return int(stopped.value.code or 0)


def test_json_is_the_contracts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], photo: Path
) -> None:
    assert tallycam(monkeypatch, "score", photo, "--game", "crokinole", "--json") == 0
    said = capsys.readouterr()
    out = json.loads(said.out)
    assert set(out) == CONTRACT
    assert set(out["pieces"][0]) == PIECE
    assert (out["image"], out["width"], out["height"]) == (str(photo), 1200, 900)
    assert tuple(side["points"] for side in out["sides"]) == ROUND_POINTS
    assert [len(line) for line in out["board"]["lines_px"].values()] == [73] * 4
    assert said.err == ""


def test_points_are_pixels_of_the_photo_as_taken(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], photo: Path, tmp_path: Path
) -> None:
    tallycam(monkeypatch, "score", photo, "--game", "crokinole", "--json")
    as_drawn = json.loads(capsys.readouterr().out)
    large = tmp_path / "large.jpg"
    cv2.imwrite(str(large), cv2.resize(cv2.imread(str(photo)), None, fx=4, fy=4))
    monkeypatch.setattr(vision.sources.pictures.open_picture, "__defaults__", (1200,))
    tallycam(monkeypatch, "score", large, "--game", "crokinole", "--json")
    as_taken = json.loads(capsys.readouterr().out)
    assert (as_taken["width"], as_taken["height"]) == (4800, 3600)
    for small, big in zip(as_drawn["pieces"], as_taken["pieces"], strict=True):
        assert big["radius_px"] == pytest.approx(4 * small["radius_px"], abs=0.1)
        assert big["centre_px"] == pytest.approx([4 * (at + 0.5) - 0.5 for at in small["centre_px"]], abs=0.1)


def test_words_for_people(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], photo: Path) -> None:
    assert tallycam(monkeypatch, "score", photo, "--game", "crokinole") == 0
    out = capsys.readouterr().out
    assert "black: 35 points (1 × 15, 2 × 10)" in out
    assert "natural: 30 points (1 × 20, 2 × 5)" in out


def test_no_board_alone(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], no_board: Path) -> None:
    assert tallycam(monkeypatch, "score", no_board, "--game", "crokinole", "--json") == 2
    said = capsys.readouterr()
    out = json.loads(said.out)
    assert out["image"] == str(no_board)
    assert out["error"]["code"] == "board_not_found"
    assert said.err.count("\n") == 1


def test_several_photos_go_on_after_a_bad_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], photo: Path, no_board: Path, tmp_path: Path
) -> None:
    photos = (no_board, tmp_path, tmp_path / "nowhere.jpg", photo)
    assert tallycam(monkeypatch, "score", *photos, "--game", "crokinole", "--json") == 0
    said = capsys.readouterr()
    lines = [json.loads(line) for line in said.out.splitlines()]
    assert [line["image"] for line in lines] == [str(path) for path in photos]
    assert [line.get("error", {}).get("code") for line in lines] == [
        "board_not_found",
        "bad_picture",
        "bad_picture",
        None,
    ]
    assert said.err.count("\n") == 3


def test_the_overlay_is_saved(monkeypatch: pytest.MonkeyPatch, photo: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.png"
    assert tallycam(monkeypatch, "score", photo, "--game", "crokinole", "--overlay", out) == 0
    assert cv2.imread(str(out)).shape == (900, 1200, 3)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "Missing argument"),
        (("PHOTO",), "Missing option '--game'"),
        (("PHOTO", "--game", "chess"), "crokinole"),
        (("PHOTO", "--game", "crokinole", "--taps", "1,2 3,4"), "four points"),
        (("PHOTO", "--game", "crokinole", "--taps", "a,b c,d e,f g,h"), "four points"),
        (("PHOTO", "--game", "crokinole", "--taps", "nan,0 1,0 1,1 0,1"), "four points"),
        (("PHOTO", "--game", "crokinole", "--taps", "0,0 9,0 9,9 0,9", "--board", "b.json"), "not both"),
        (("PHOTO", "--game", "crokinole", "--overlay", "out.words"), ".png or .jpg"),
        (("PHOTO", "--game", "crokinole", "--overlay", "/nowhere/out.png"), "cannot be written"),
        (("PHOTO", "PHOTO", "--game", "crokinole", "--overlay", "out.png"), "one photo"),
        (("PHOTO", "--game", "crokinole", "--board", "/nowhere/b.json"), "b.json"),
        (("PHOTO", "--game", "crokinole", "--colour", "red"), "No such option"),
    ],
)
def test_bad_usage_is_one_line(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    photo: Path,
    words: tuple[str, ...],
    said: str,
) -> None:
    filled = [photo if word == "PHOTO" else word for word in words]
    assert tallycam(monkeypatch, "score", *filled) == 2
    heard = capsys.readouterr().err
    assert said in heard
    assert heard.count("\n") == 1
    assert heard.startswith("tallycam: ")


def test_help_does_not_wait_for_the_eyes() -> None:
    asked = "import sys, api.cli.main; print(sorted({'cv2', 'numpy', 'fastapi', 'pydantic'} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"
