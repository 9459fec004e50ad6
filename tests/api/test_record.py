"""``tallycam record`` as people meet it: what it leaves, what it says, and how it ends."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import cv2
import numpy as np
import pytest
from filmed import film, number_of, numbered

from vision.frames import Frame
from vision.sources import Source, open_source

COMMAND = [str(Path(sys.executable).with_name("tallycam")), "record"]


@pytest.fixture
def video(tmp_path: Path) -> Path:
    """Two seconds of numbered frames."""
    return film(tmp_path / "evening.mp4", map(numbered, range(50)))


def record(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *map(str, arguments)], capture_output=True, text=True, timeout=60)


def read(path: Path) -> tuple[list[Frame], Source]:
    with open_source(str(path)) as source:
        return list(source), source


def test_a_video_becomes_a_recording(video: Path, tmp_path: Path) -> None:
    done = record(video, tmp_path / "r", "--game", "holeyboard")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{tmp_path / 'r'} holds 2.0 s: 50 frames, ")
    frames, source = read(tmp_path / "r")
    assert [number_of(frame) for frame in frames] == list(range(50))
    assert [frame.t_ns for frame in frames] == [frame.t_ns for frame in read(video)[0]]
    assert source.notes == ()
    assert source.settings is not None
    assert (source.settings.game, source.settings.camera) == ("holeyboard", str(video))
    assert set(source.settings.versions) == {"tallycam", "av"}
    assert source.settings.recorded_at


def test_a_recording_recorded_anew_keeps_what_it_says_of_itself(video: Path, tmp_path: Path) -> None:
    record(video, tmp_path / "r", "--game", "holeyboard")
    assert record(tmp_path / "r", tmp_path / "again", "--seconds", "1").returncode == 0
    frames, again = read(tmp_path / "again")
    _, first = read(tmp_path / "r")
    assert len(frames) == 26
    assert again.settings is not None
    assert first.settings is not None
    assert again.settings.camera == first.settings.camera
    assert again.settings.recorded_at == first.settings.recorded_at
    assert (again.settings.game, again.settings.frames) == ("holeyboard", 26)


def test_a_source_that_ends_early_is_told(video: Path, tmp_path: Path) -> None:
    done = record(video, tmp_path / "r", "--seconds", "60")
    assert done.returncode == 0
    assert done.stderr == f"tallycam: {video} ended before the 60 s were over.\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere.mp4", "r"], "not there"),
        (["picamera", "r"], "no live cameras yet"),
        (["{video}", "{video}"], "cannot be written"),
        (["{video}", "r", "--game", "chess"], "There is no game 'chess'"),
        (["{video}", "r", "--seconds", "0"], "above 0"),
        (["{video}", "r", "--seconds", "nan"], "above 0"),
        (["{video}"], "OUT"),
    ],
)
def test_what_cannot_be_used_is_one_line_and_leaves_nothing(
    video: Path, tmp_path: Path, arguments: list[str], said: str
) -> None:
    before = sorted(tmp_path.iterdir())
    filled = [str(tmp_path / "r") if word == "r" else word.format(video=video) for word in arguments]
    done = record(*filled)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("tallycam: ")
    assert done.stderr.count("\n") == 1
    assert said in done.stderr
    assert sorted(tmp_path.iterdir()) == before


def test_a_recording_is_never_overwritten(video: Path, tmp_path: Path) -> None:
    record(video, tmp_path / "r")
    done = record(video, tmp_path / "r")
    assert done.returncode == 2
    assert "not empty" in done.stderr
    assert len(read(tmp_path / "r")[0]) == 50


def test_pictures_of_different_sizes_end_it_with_what_came_before(tmp_path: Path) -> None:
    for number, size_px in enumerate([(64, 48), (64, 48), (80, 48)]):
        cv2.imwrite(str(tmp_path / f"{number}.png"), numbered(number, size_px))
    done = record(tmp_path, tmp_path / "r")
    assert done.returncode == 1
    assert "64×48 to 80×48" in done.stderr
    assert "holds 1.0 s: 2 frames" in done.stderr
    assert done.stderr.count("\n") == 1
    assert len(read(tmp_path / "r")[0]) == 2


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_ends_it_whole(tmp_path: Path, number: signal.Signals) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (240, 320, 3), dtype=np.uint8)
    rolling = (np.roll(noise, n, axis=1) for n in range(400))
    long = film(tmp_path / "long.mkv", rolling, codec="mjpeg", pix_fmt="yuvj420p")
    running = subprocess.Popen(
        [*COMMAND, str(long), str(tmp_path / "r")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    lines = tmp_path / "r" / "frames.jsonl"
    while not lines.exists() or lines.stat().st_size < 300:
        assert running.poll() is None
        time.sleep(0.01)
    running.send_signal(number)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, err) == (0, "")
    frames, source = read(tmp_path / "r")
    assert 5 < len(frames) < 400
    assert f"{len(frames)} frames" in out
    assert source.notes == ()
