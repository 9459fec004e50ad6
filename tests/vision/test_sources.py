"""What can be named as a source, and what is said of what cannot be read: one line, in the words of who typed it."""

from __future__ import annotations

import os
import wave
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
from filmed import film, number_of, numbered

from vision.errors import BadSource
from vision.frames import Frame
from vision.sources import Source, open_source


def read(path: Path) -> tuple[list[Frame], Source]:
    with open_source(str(path)) as source:
        return list(source), source


def refusal(path: Path | str) -> str:
    with pytest.raises(BadSource) as refused, open_source(str(path)) as source:
        list(source)
    message = str(refused.value)
    assert "\n" not in message
    assert message.endswith(".")
    return message


def pictures(folder: Path, *names: str) -> Path:
    folder.mkdir()
    for number, name in enumerate(names):
        cv2.imwrite(str(folder / name), numbered(number))
    return folder


def test_a_folder_of_pictures_comes_in_the_order_of_its_numbers(tmp_path: Path) -> None:
    frames, source = read(pictures(tmp_path / "p", "a2.png", "a9.png", "a10.jpg", "b1.png"))
    assert [number_of(frame) for frame in frames] == [0, 1, 2, 3]
    assert [frame.t_s for frame in frames] == [0, 1, 2, 3]
    assert "one second apart" in source.notes[0]


def test_pictures_with_times_have_those_times(tmp_path: Path) -> None:
    folder = pictures(tmp_path / "p", "1.png", "2.png", "3.png")
    (folder / "frames.jsonl").write_text('{"t_ns": 7}\n{"t_ns": 9}\n{"t_ns": 12}\n')
    frames, source = read(folder)
    assert [frame.t_ns for frame in frames] == [7, 9, 12]
    assert source.notes == ()


def test_one_picture_is_one_frame(tmp_path: Path) -> None:
    frames, source = read(pictures(tmp_path / "p", "1.png") / "1.png")
    assert [(frame.t_ns, frame.seq, number_of(frame)) for frame in frames] == [(0, 0, 0)]
    assert source.notes == ()


def test_a_damaged_picture_among_good_ones_is_named_and_left_out(tmp_path: Path) -> None:
    folder = pictures(tmp_path / "p", "1.png", "2.png", "3.png")
    (folder / "2.png").write_bytes((folder / "2.png").read_bytes()[:60])
    frames, source = read(folder)
    assert [frame.seq for frame in frames] == [0, 2]
    assert any("2.png" in note for note in source.notes)


def test_what_is_not_there(tmp_path: Path) -> None:
    assert "not there" in refusal(tmp_path / "no.mp4")
    assert "No source is named" in refusal("")
    refusal("a\0b")
    refusal("x" * 5000)


def test_an_empty_folder_and_one_without_pictures(tmp_path: Path) -> None:
    assert "is empty" in refusal(tmp_path)
    (tmp_path / "notes.txt").write_text("nothing")
    assert "no pictures" in refusal(tmp_path)


def test_a_folder_of_damaged_pictures(tmp_path: Path) -> None:
    for number in range(2):
        (tmp_path / f"{number}.jpg").write_bytes(b"\xff\xd8\xff")
    assert "None of the 2 pictures" in refusal(tmp_path)


def test_a_damaged_picture(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"\xff\xd8\xff")
    assert "damaged" in refusal(tmp_path / "a.jpg")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (b"just some words\n" * 50, "not a video"),
        (b"ffconcat version 1.0\nfile other.mp4\n", "not a video"),
        (b"#EXTM3U\n#EXTINF:1,\nother.mp4\n", "not a video"),
        (np.random.default_rng(3).bytes(20_000), "not a video"),
        (bytes(20_000), "not a video"),
    ],
)
def test_what_is_no_video(tmp_path: Path, data: bytes, said: str) -> None:
    film(tmp_path / "other.mp4", [numbered(0)])
    path = tmp_path / "a.mp4"
    path.write_bytes(data)
    assert said in refusal(path)


def test_a_picture_named_as_a_video(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), numbered(0))
    assert "not a video" in refusal((tmp_path / "a.png").rename(tmp_path / "a.mp4"))


def test_sound_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.mp4"
    with av.open(path, "w") as out:
        stream = out.add_stream("aac", rate=48_000)
        sound = av.AudioFrame.from_ndarray(np.zeros((1, 1024), np.float32), format="fltp", layout="mono")
        sound.sample_rate = 48_000
        out.mux(stream.encode(sound))
        out.mux(stream.encode(None))
    assert "sound" in refusal(path)


def test_a_sound_file_of_another_kind(tmp_path: Path) -> None:
    with wave.open(str(tmp_path / "a.wav"), "wb") as out:
        out.setparams((1, 2, 8000, 0, "NONE", ""))
        out.writeframes(bytes(1000))
    assert "not a video" in refusal(tmp_path / "a.wav")


def test_a_video_that_was_never_finished(tmp_path: Path) -> None:
    path = film(tmp_path / "a.mp4", map(numbered, range(20)))
    path.write_bytes(path.read_bytes()[:-700])
    assert "breaks off" in refusal(path)


def test_a_video_cut_short_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    path = film(tmp_path / "a.mp4", map(numbered, range(40)), container={"movflags": "faststart"})
    path.write_bytes(path.read_bytes()[:-300])
    frames, source = read(path)
    assert [number_of(frame) for frame in frames] == [round(frame.t_s / 0.04) for frame in frames]
    assert 10 < len(frames) < 40
    assert any("breaks off" in note for note in source.notes)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="the system lets this user read everything")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    path = film(tmp_path / "a.mp4", [numbered(0)])
    path.chmod(0)
    assert "cannot be opened" in refusal(path)


def test_what_is_neither_file_nor_folder(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert "neither" in refusal(tmp_path / "pipe")


@pytest.mark.parametrize("camera", ["picamera", "v4l2:/dev/video0", "rtsp://porch/1"])
def test_live_cameras_are_not_promised(camera: str) -> None:
    assert "no live cameras yet" in refusal(camera)
