"""``tallycam replay`` from the outside, with painted footage that really goes through the pipeline."""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from filmed import film
from painted_shots import painted_shots, write_recording
from typer.testing import CliRunner, Result

from api.cli.main import app
from calibration.boardfile import save
from vision.sources import open_source
from vision.watchers import watcher

EACH_THROW = {
    *("t_s", "seq", "type", "n", "side", "piece", "place", "moved", "touched", "confidence", "doubtful", "doubts"),
    *("alternatives", "valid", "reason", "places"),
}


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["replay", *map(str, arguments)])


def lines(*arguments: str | Path) -> list[dict[str, Any]]:
    done = run(*arguments, "--json")
    assert (done.exit_code, done.stderr) == (0, "")
    return [json.loads(text) for text in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pictures, truth = painted_shots()
    return write_recording(tmp_path_factory.mktemp("painted") / "evening", pictures, truth)


def test_a_recording_is_told_line_by_line(recording: Path) -> None:
    told = lines(recording)
    assert [one["type"] for one in told] == ["board", "throw", "throw", "round"]
    assert [one["seq"] for one in told] == [0, 1, 2, 3]
    board, first, second, over = told
    assert board["centre_px"] == pytest.approx([319.5, 239.5], abs=0.5)
    assert len(board["corners_px"]) == 4
    assert first.keys() == EACH_THROW
    assert [(one["n"], one["side"], one["piece"], one["place"]) for one in (first, second)] == [
        (1, 0, 0, "15"),
        (2, 1, 1, "10"),
    ]
    assert [one["valid"] for one in (first, second)] == [True, False]
    assert second["reason"] == "touched no opposing disc"
    assert second["places"][0]["centre_mm"] is not None
    assert 1.5 < first["t_s"] < 2.6
    assert (over["points"], over["net"], over["score"]) == ([15, 10], [5, 0], [5, 0])
    assert [piece["place"] for piece in over["places"]] == ["15", "10"]


def test_the_same_is_told_in_words(recording: Path) -> None:
    done = run(recording)
    assert done.exit_code == 0
    said = [text.split("  ", 2)[-1].strip() for text in done.stdout.splitlines()]
    assert said[1:] == [
        "shot 1, A: 15",
        "shot 2, B: 10; not valid, touched no opposing disc",
        "round 1: 15–10 points, which comes to 5–0; the score is 5–0",
    ]


def test_a_bare_video_needs_the_game(recording: Path, tmp_path: Path) -> None:
    video = Path(shutil.copy(recording / "video.mp4", tmp_path / "bare.mp4"))
    assert getattr(run(video).exception, "exit_code", 0) == 2
    assert lines(video, "--game", "crokinole")[-1]["points"] == [15, 10]


def test_rules_change_what_a_round_comes_to(recording: Path, tmp_path: Path) -> None:
    assert lines(recording, "--rules", "nca-singles")[-1]["net"] == [2, 0]
    house = tmp_path / "house.toml"
    house.write_text('scoring = "cumulative"\n')
    assert lines(recording, "--rules", house)[-1]["net"] == [15, 10]


def test_a_board_file_saves_the_search(recording: Path, tmp_path: Path) -> None:
    known = watcher("crokinole")
    with open_source(str(recording)) as source:
        for frame in source:
            if known.see(frame):
                break
    assert known.calibration is not None
    save(tmp_path / "board.json", known.calibration)
    assert lines(recording, "--board", tmp_path / "board.json")[1]["place"] == "15"


def test_realtime_takes_as_long_as_it_took(recording: Path) -> None:
    began_s = time.monotonic()
    lines(recording, "--realtime")
    assert time.monotonic() - began_s >= 107 * 0.04


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nothing.mp4"], "nothing.mp4 is not there"),
        (["{recording}", "--game", "chess"], "There is no game 'chess'"),
        (["{recording}", "--game", "good-sam-washers", "--rules", "three-hole"], "played on another board"),
        (["{recording}", "--game", "ppolf"], "The camera cannot follow ppolf yet"),
        (["{recording}", "--rules", "nonsense"], "crokinole has no ruleset 'nonsense'"),
        (["{recording}", "--rules", "nonsense.toml"], "nonsense.toml cannot be read"),
        (["{recording}", "--board", "nothing.json"], "the board file cannot be opened"),
        (["{video}"], "does not say what is played; name it with --game"),
        (["{grey}", "--game", "crokinole"], "no board was found in it"),
        (["{grey}", "--game", "holeyboard"], "no board was found in it"),
    ],
)
def test_what_cannot_be_used_is_one_clear_line(
    arguments: list[str], said: str, recording: Path, tmp_path: Path
) -> None:
    grey = film(tmp_path / "grey.mp4", [np.full((240, 320, 3), 90, np.uint8)] * 30)
    names = {"recording": recording, "video": recording / "video.mp4", "grey": grey}
    done = run(*(argument.format(**names) for argument in arguments))
    message = str(done.exception) if done.exception and not done.stderr else done.stderr
    assert said in message
    assert "\n" not in message.strip()
