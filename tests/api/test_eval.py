"""``tallycam eval`` and ``tallycam calibrate`` from the outside."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from paint import Camera, Paint, picture
from painted_shots import painted_shots, write_recording
from typer.testing import CliRunner, Result

from api.cli.main import app
from calibration.calibration import apply

CAMERA = Camera(width_px=1280, height_px=720)
RED = (50, 45, 170)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    cv2.imwrite(str(tmp_path / "a.png"), picture(Paint(discs=[(60, 0, RED), (0, -150, RED)]), CAMERA))
    at = apply(CAMERA.homography(), np.array([(60.0, 0.0), (0.0, -150.0)]))
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


@pytest.fixture(scope="module")
def painted() -> tuple[list[Any], dict[str, Any]]:
    return painted_shots()


@pytest.fixture
def bench(tmp_path: Path, painted: tuple[list[Any], dict[str, Any]]) -> Path:
    """A folder with a recording told right, a bare video whose truth says otherwise, and one without truth."""
    pictures, truth = painted
    first = write_recording(tmp_path / "bench" / "evening", pictures, truth)
    shutil.copy(first / "video.mp4", tmp_path / "bench" / "other.mp4")
    shots = [truth["shots"][0], truth["shots"][1] | {"side": 0}]
    (tmp_path / "bench" / "other.truth.json").write_text(json.dumps(truth | {"shots": shots}))
    shutil.copytree(first, tmp_path / "bench" / "porch" / "untrue")
    (tmp_path / "bench" / "porch" / "untrue" / "truth.json").unlink()
    return tmp_path / "bench"


def _eval(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["eval", *map(str, arguments), "--jobs", "1"])


OTHER = "shot 2: said it was B's, was A's"


def test_eval_replays_recordings_and_says_the_first_difference(bench: Path) -> None:
    done = _eval(bench)
    assert done.exit_code == 0
    assert "porch/untrue: no truth, left out" in done.stdout
    evening, other = (text for text in done.stdout.splitlines() if text.startswith(("evening", "other")))
    assert evening.endswith("exact")
    assert "1 of 2" in other
    assert other.endswith(OTHER)


def test_eval_counts_recordings_in_json(bench: Path) -> None:
    counted = json.loads(_eval(bench, "--json").stdout)["recordings"]
    assert (counted["recordings"], counted["exact"], counted["throws"], counted["right"]) == (2, 1, 4, 3)
    assert counted["games"]["crokinole"]["wrong"] == 1
    assert [one["first_difference"] for one in counted["each"]] == [None, OTHER]


def test_two_jobs_tell_what_one_does(bench: Path) -> None:
    def told(jobs: int) -> object:
        counted = json.loads(CliRunner().invoke(app, ["eval", str(bench), "--json", "--jobs", str(jobs)]).stdout)
        return [{key: value for key, value in one.items() if key != "seconds"} for one in counted["recordings"]["each"]]

    assert told(1) == told(2)


def test_a_promised_bench_fails_for_what_is_missing_and_for_what_has_changed(bench: Path) -> None:
    (bench / "bench.toml").write_text('[known]\nevening = "something"\ngone = "something"\n')
    done = _eval(bench)
    assert done.exit_code == 1
    complaints = [text.removeprefix("tallycam: ") for text in done.stderr.splitlines()]
    assert complaints == [
        "porch/untrue has no truth.",
        "There is no recording of good-sam-washers, which can be watched.",
        "There is no recording of holeyboard, which can be watched.",
        "evening: is exact now; bench.toml says: something.",
        f"other.mp4: {OTHER}; bench.toml says: exact.",
        "gone is in bench.toml and not in the folder.",
    ]


def test_a_watcher_that_breaks_is_a_failure_of_that_recording_alone(
    bench: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(*_: object) -> object:
        raise ZeroDivisionError("a disc of no size")

    monkeypatch.setattr("vision.shots.watch.ShotWatcher.see", breaks)
    counted = json.loads(_eval(bench, "--json").stdout)["recordings"]
    said = "the replay broke off: ZeroDivisionError: a disc of no size"
    assert [one["first_difference"] for one in counted["each"]] == [said, said]


def test_the_report_is_one_page_with_a_picture_of_each_failure(bench: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    assert _eval(bench, "--report", out).exit_code == 0
    page = out.read_text(encoding="utf-8")
    assert page.count("<figure>") == 1
    assert OTHER.replace("'", "&#x27;") in page
    assert "data:image/jpeg;base64," in page
    assert "http" not in page
    assert "$" not in page


@pytest.mark.parametrize(
    ("content", "said"),
    [("[]", "not a truth file for a recording"), ('{"game": "crokinole"}', "not a truth file for a recording")],
)
def test_a_damaged_truth_of_a_recording_is_one_clear_line(bench: Path, content: str, said: str) -> None:
    (bench / "evening" / "truth.json").write_text(content)
    done = _eval(bench)
    assert getattr(done.exception, "exit_code", done.exit_code) == 2
    assert said in str(done.exception)
