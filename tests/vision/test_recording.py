"""Recordings: read with the times the camera gave, written so that nothing that stops the recorder spoils them."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, BinaryIO

import cv2
import numpy as np
import pytest
from filmed import film, number_of, numbered, recording

from vision.errors import BadSource, NotRecorded
from vision.frames import Frame
from vision.sources import Source, open_source, writer
from vision.sources.footage import Footage
from vision.sources.settings import RecordingSettings
from vision.sources.taken import Taken
from vision.sources.writer import RecordingWriter

MS_NS = 1_000_000
ABOUT = RecordingSettings(game="holeyboard", camera='the "porch" ☀')


def read(path: Path) -> tuple[list[Frame], Source]:
    with open_source(str(path)) as source:
        return list(source), source


def times_ns(frames: list[Frame]) -> list[int]:
    return [frame.t_ns for frame in frames]


def frames_of(count: int, size_px: tuple[int, int] = (64, 48), every_ns: int = 33_333_333) -> list[Frame]:
    start_ns = 987_654_321_012
    return [Frame(start_ns + n * every_ns, 5 + n, bgr=numbered(n, size_px)) for n in range(count)]


def record(folder: Path, frames: Iterable[Frame]) -> Path:
    with RecordingWriter(folder, ABOUT) as out:
        for frame in frames:
            out.write(frame)
    return folder


# Reading


def test_the_cameras_times_win_over_those_of_the_video(tmp_path: Path) -> None:
    said_ns = [10**15 + 41 * MS_NS * n for n in range(20)]
    frames, source = read(recording(tmp_path / "r", 20, times_ns=said_ns))
    assert times_ns(frames) == said_ns
    assert {frame.camera for frame in frames} == {"porch"}
    assert source.settings is not None
    assert source.settings.game == "holeyboard"
    assert source.notes == ()


def test_a_dropped_frame_is_a_gap_and_is_told(tmp_path: Path) -> None:
    seqs = [*range(7), *range(9, 22)]
    frames, source = read(recording(tmp_path / "r", 20, times_ns=[40 * MS_NS * n for n in seqs], seqs=seqs))
    assert [frame.seq for frame in frames] == seqs
    assert "dropped while recording: 2" in source.notes[0]


def test_more_lines_than_pictures_are_a_recording_that_broke_off(tmp_path: Path) -> None:
    folder = recording(tmp_path / "r", 20)
    film(folder / "video.mp4", map(numbered, range(15)))
    frames, source = read(folder)
    assert times_ns(frames) == [40 * MS_NS * n for n in range(15)]
    assert "15 of its 20" in source.notes[0]


def test_fewer_lines_than_pictures_go_on_with_the_videos_times(tmp_path: Path) -> None:
    start_ns = 10**15
    folder = recording(tmp_path / "r", 20, times_ns=[start_ns + 40 * MS_NS * n for n in range(20)])
    text = (folder / "frames.jsonl").read_text()
    (folder / "frames.jsonl").write_text(text[: text.index("\n", 300) - 5])
    frames, _ = read(folder)
    assert times_ns(frames) == [start_ns + 40 * MS_NS * n for n in range(20)]
    assert [frame.seq for frame in frames] == list(range(20))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"t_ns": 0}\n{"t_ns": 90000000}\n{"t_ns": 180000000}\n', "3 lines for 10 pictures"),
        ("", "0 lines for 10 pictures"),
        ('{"t_ns": 5}\n{"t_ns": 4}\n', "goes back in time in line 2"),
        ('{"t_ns": 4, "seq": 1}\n{"t_ns": 5, "seq": 1}\n', "goes back in time in line 2"),
        ('{"t_ns": 5}\n{"t_ns"\n', "cannot be read in line 2"),
        ("[1]\n", "cannot be read in line 1"),
        ("[" * 100_000 + "\n", "cannot be read in line 1"),
        ('{"t_ns": 1.5}\n', "no whole t_ns in line 1"),
        ('{"t_ns": 1e400}\n', "no whole t_ns in line 1"),
        ('{"t_ns": 1' + "0" * 400 + "}\n", "no whole t_ns in line 1"),
        ('{"seq": 1}\n', "cannot be read in line 1"),
        ("\ud800", "not a text"),
    ],
)
def test_lines_that_do_not_fit_are_left_aside_and_told(tmp_path: Path, text: str, said: str) -> None:
    folder = recording(tmp_path / "r", 10)
    (folder / "frames.jsonl").write_bytes(text.encode(errors="surrogatepass"))
    frames, source = read(folder)
    assert times_ns(frames) == [40 * MS_NS * n for n in range(10)]
    assert len(source.notes) == 1
    assert said in source.notes[0]
    assert "video's own times" in source.notes[0]


def test_no_lines_at_all(tmp_path: Path) -> None:
    folder = recording(tmp_path / "r", 10)
    (folder / "frames.jsonl").unlink()
    frames, source = read(folder)
    assert times_ns(frames) == [40 * MS_NS * n for n in range(10)]
    assert "has no frames.jsonl" in source.notes[0]


@pytest.mark.parametrize("text", ['game = "holey', "game = 3", "versions = 1", "frames = true", "\ud800"])
def test_damaged_settings_are_left_aside_and_told(tmp_path: Path, text: str) -> None:
    folder = recording(tmp_path / "r", 10)
    (folder / "recording.toml").write_bytes(text.encode(errors="surrogatepass"))
    frames, source = read(folder)
    assert len(frames) == 10
    assert source.settings is None
    assert "recording.toml is left aside" in source.notes[0]
    assert "\n" not in source.notes[0]


class BadClock:
    """A film whose container has wrong times: one missing, one twice, then a step back by a minute."""

    own_times = "its own times are used"
    shown_ms = (60_000, 60_040, None, 60_080, 60_080, 0, 40)

    def __init__(self) -> None:
        self.notes: list[str] = []

    def open(self) -> None: ...

    def close(self) -> None: ...

    def times_ns(self) -> list[int | None]:
        return [None] * len(self.shown_ms)

    def __iter__(self) -> Iterator[Taken]:
        for index, ms in enumerate(self.shown_ms):
            yield Taken(index, None if ms is None else ms * MS_NS, bgr=numbered(index))


def test_time_never_goes_back() -> None:
    with Footage("clip", BadClock()) as source:
        frames = list(source)
    steps_ms = [(after.t_ns - before.t_ns) / MS_NS for before, after in pairwise(frames)]
    assert [number_of(frame) for frame in frames] == list(range(7))
    assert all(0 < step_ms < 50 for step_ms in steps_ms)
    assert "put after the one before: 3" in source.notes[0]


def test_pictures_in_a_recording(tmp_path: Path) -> None:
    folder = recording(tmp_path / "r", 12)
    (folder / "video.mp4").unlink()
    (folder / "frames").mkdir()
    for number in range(12):
        cv2.imwrite(str(folder / "frames" / f"{number:06}.jpg"), numbered(number))
    (folder / "board.json").write_text("{}")
    (folder / "truth.json").write_text("{}")
    frames, source = read(folder)
    assert [number_of(frame) for frame in frames] == list(range(12))
    assert times_ns(frames) == [40 * MS_NS * n for n in range(12)]
    assert (source.board_path, source.truth_path) == (folder / "board.json", folder / "truth.json")


# Writing


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    written = frames_of(50)
    frames, source = read(record(tmp_path / "new" / "r", written))
    assert [(frame.t_ns, frame.seq, number_of(frame)) for frame in frames] == [
        (frame.t_ns, frame.seq, n) for n, frame in enumerate(written)
    ]
    assert source.notes == ()
    assert source.settings is not None
    assert (source.settings.game, source.settings.camera) == ("holeyboard", ABOUT.camera)
    assert (source.settings.frames, source.settings.duration_s) == (50, 1.633)


def test_the_video_alone_has_the_times_to_a_microsecond(tmp_path: Path) -> None:
    irregular_ns = [0, 1_000, 33_333_333, 40_000_001, 5_000_000_000]
    folder = record(tmp_path / "r", [Frame(t_ns, n, bgr=numbered(n)) for n, t_ns in enumerate(irregular_ns)])
    frames, _ = read(folder / "video.mp4")
    assert times_ns(frames) == [t_ns // 1000 * 1000 for t_ns in irregular_ns]


def test_colours_survive(tmp_path: Path) -> None:
    bgr = np.full((120, 160, 3), (40, 90, 200), np.uint8)
    frames, _ = read(record(tmp_path / "r", [Frame(n * MS_NS, n, bgr=bgr) for n in range(3)]))
    assert frames[0].yuv is not None
    assert np.abs(frames[0].bgr.astype(int) - bgr).max() <= 4


def test_a_side_with_an_odd_number_of_pixels_gets_one_more(tmp_path: Path) -> None:
    frames, _ = read(record(tmp_path / "r", frames_of(3, (65, 49))))
    assert frames[0].size_px == (66, 50)


def test_what_the_sensor_says_is_kept(tmp_path: Path) -> None:
    with RecordingWriter(tmp_path / "r", ABOUT) as out:
        out.write(frames_of(1)[0], {"exposure_us": 8330})
    line = json.loads((tmp_path / "r" / "frames.jsonl").read_text())
    assert line == {"t_ns": 987_654_321_012, "seq": 5, "exposure_us": 8330}


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    folder = record(tmp_path / "r", frames_of(3))
    before = {path: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(NotRecorded, match="not empty"):
        record(folder, frames_of(5))
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_a_file_in_the_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "r").write_text("mine")
    with pytest.raises(NotRecorded, match="cannot be written"):
        record(tmp_path / "r", frames_of(3))
    assert (tmp_path / "r").read_text() == "mine"


def test_nothing_seen_leaves_nothing_behind(tmp_path: Path) -> None:
    record(tmp_path / "r", [])
    assert list(tmp_path.iterdir()) == []


def test_a_source_that_fails_midway_leaves_a_whole_recording(tmp_path: Path) -> None:
    def unplugged() -> Iterator[Frame]:
        yield from frames_of(13)
        raise BadSource("The camera was unplugged.")

    with pytest.raises(BadSource, match="unplugged"):
        record(tmp_path / "r", unplugged())
    frames, source = read(tmp_path / "r")
    assert [number_of(frame) for frame in frames] == list(range(13))
    assert source.notes == ()


def test_another_size_midway_ends_the_recording(tmp_path: Path) -> None:
    with pytest.raises(BadSource, match="64×48 to 80×48"):
        record(tmp_path / "r", frames_of(12) + [Frame(10**18, 99, bgr=numbered(0, (80, 48)))])
    assert len(read(tmp_path / "r")[0]) == 12


class SmallDisk:
    """A disk with room for ``room_bytes`` over all files written through it."""

    def __init__(self, room_bytes: int) -> None:
        self.room_bytes = room_bytes

    def create(self, path: Path) -> BinaryIO:
        file: Any = path.open("xb", buffering=0)
        write = file.write

        class Writing:
            def write(_, data: bytes) -> int:  # noqa: N805
                fits = data[: self.room_bytes]
                self.room_bytes -= write(fits)
                if len(fits) < len(data):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                return len(data)

            def __getattr__(_, name: str) -> Any:  # noqa: N805
                return getattr(file, name)

        return Writing()  # type: ignore[return-value]


@pytest.mark.parametrize("room_bytes", [4000, 5003, 6100, 7777])
def test_a_full_disk_leaves_what_fitted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room_bytes: int) -> None:
    monkeypatch.setattr(writer, "_create", SmallDisk(room_bytes).create)
    with pytest.raises(NotRecorded, match="disk is full") as stopped:
        record(tmp_path / "r", frames_of(99))
    assert stopped.value.disk_full
    assert "\n" not in str(stopped.value)
    frames, source = read(tmp_path / "r")
    assert len(frames) > 5
    assert [number_of(frame) for frame in frames] == list(range(len(frames)))
    assert times_ns(frames) == times_ns(frames_of(len(frames)))
    assert any("breaks off" in note for note in source.notes)


def test_a_disk_that_is_full_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "_create", SmallDisk(0).create)
    with pytest.raises(NotRecorded, match=r"disk is full; nothing was recorded"):
        record(tmp_path / "r", frames_of(9))
    assert list(tmp_path.iterdir()) == []


def test_a_recording_cut_anywhere_is_read_up_to_there(tmp_path: Path) -> None:
    folder = record(tmp_path / "r", frames_of(40))
    whole = (folder / "video.mp4").read_bytes()
    for size in range(1800, len(whole), 41):
        (folder / "video.mp4").write_bytes(whole[:size])
        frames, source = read(folder)
        assert len(frames) > 5
        assert times_ns(frames) == times_ns(frames_of(len(frames)))
        assert len(frames) == 40 or any("breaks off" in note for note in source.notes)


def test_a_killed_recorder_loses_a_quarter_of_a_second_at_most(tmp_path: Path) -> None:
    program = f"""
import os, signal, sys
sys.path.insert(0, {str(Path(__file__).parents[1] / "helpers")!r})
from pathlib import Path
from filmed import numbered
from vision.frames import Frame
from vision.sources.footage import Footage
from vision.sources.settings import RecordingSettings
from vision.sources.taken import Taken
from vision.sources.writer import RecordingWriter
with RecordingWriter(Path({str(tmp_path / "r")!r}), RecordingSettings()) as out:
    for n in range(60):
        out.write(Frame(n * 40_000_000, n, bgr=numbered(n)))
    os.kill(os.getpid(), signal.SIGKILL)
"""
    assert subprocess.run([sys.executable, "-c", program], timeout=60).returncode == -signal.SIGKILL
    frames, _ = read(tmp_path / "r")
    assert len(frames) >= 60 - 7
    assert [number_of(frame) for frame in frames] == list(range(len(frames)))
    assert "frames" not in tomllib.loads((tmp_path / "r" / "recording.toml").read_text())
