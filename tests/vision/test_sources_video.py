"""Video files as sources: every frame, at the time it is shown at, in its true colours, upright and square."""

from __future__ import annotations

import time
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
from av.video.reformatter import ColorRange, Colorspace
from filmed import SIZE_PX, film, number_of, numbered

from calibration.calibration import Bgr
from vision.frames import Frame
from vision.sources import Source, open_source


def read(path: Path, threads: int = 1) -> tuple[list[Frame], Source]:
    with open_source(str(path), threads) as source:
        return list(source), source


def colourful(size_px: tuple[int, int] = (320, 240)) -> Bgr:
    few = np.random.default_rng(7).integers(0, 256, (6, 8, 3), dtype=np.uint8)
    return cv2.resize(few, size_px, interpolation=cv2.INTER_CUBIC)


def test_every_frame_comes_in_order(tmp_path: Path) -> None:
    frames, source = read(film(tmp_path / "a.mp4", map(numbered, range(40))))
    assert [number_of(frame) for frame in frames] == list(range(40))
    assert [frame.seq for frame in frames] == list(range(40))
    assert source.notes == ()


def test_several_threads_give_the_same_frames(tmp_path: Path) -> None:
    frames, _ = read(film(tmp_path / "a.mp4", map(numbered, range(40))), threads=2)
    assert [number_of(frame) for frame in frames] == list(range(40))


def test_nothing_is_open_before_and_after(tmp_path: Path) -> None:
    path = film(tmp_path / "a.mp4", map(numbered, range(3)))
    source = open_source(str(path))
    path.rename(tmp_path / "b.mp4")
    film(path, map(numbered, range(5)))
    with source:
        assert len(list(source)) == 5


@pytest.mark.parametrize("suffix", [".mp4", ".mkv", ".mov", ".ts"])
def test_a_varying_frame_rate_is_kept(tmp_path: Path, suffix: str) -> None:
    times_ms = [0, 33, 66, 200, 210, 1500, 1540]
    frames, _ = read(film(tmp_path / f"a{suffix}", map(numbered, range(7)), times_ms))
    assert [round(frame.t_ns / 1e6) for frame in frames] == times_ms


def test_time_begins_with_the_first_frame(tmp_path: Path) -> None:
    frames, _ = read(film(tmp_path / "a.mkv", map(numbered, range(3)), [5000, 5040, 5080]))
    assert [frame.t_ns for frame in frames] == [0, 40_000_000, 80_000_000]


def test_a_bare_stream_without_times_still_goes_forward(tmp_path: Path) -> None:
    frames, _ = read(film(tmp_path / "a.h264", map(numbered, range(10))))
    assert [number_of(frame) for frame in frames] == list(range(10))
    assert all(after.t_ns > before.t_ns for before, after in pairwise(frames))


@pytest.mark.parametrize("levels", [ColorRange.MPEG, ColorRange.JPEG])
@pytest.mark.parametrize("matrix", [Colorspace.ITU601, Colorspace.ITU709])
def test_colours_are_those_of_opencv(tmp_path: Path, matrix: Colorspace, levels: ColorRange) -> None:
    path = film(tmp_path / "a.mp4", [colourful()] * 3, matrix=matrix, levels=levels)
    ours = read(path)[0][0].bgr.astype(int)
    theirs = cv2.VideoCapture(str(path)).read()[1].astype(int)
    assert np.abs(ours - theirs).max() <= 3
    assert np.abs(ours - colourful()).mean() < 4


def test_the_usual_video_stays_yuv_and_its_luma_is_free(tmp_path: Path) -> None:
    frame = read(film(tmp_path / "a.mp4", [colourful()] * 3))[0][0]
    assert frame.yuv is not None
    assert np.shares_memory(frame.luma, frame.yuv)


@pytest.mark.parametrize(
    ("name", "codec", "pix_fmt"),
    [
        ("deep.mp4", "libx264", "yuv420p10le"),
        ("whole-chroma.mp4", "libx264", "yuv444p"),
        ("webcam.mkv", "mjpeg", "yuvj420p"),
        ("lossless.mkv", "ffv1", "bgr0"),
    ],
)
def test_other_pixels_are_read_in_colour(tmp_path: Path, name: str, codec: str, pix_fmt: str) -> None:
    levels = ColorRange.JPEG if pix_fmt == "yuvj420p" else ColorRange.MPEG
    frame = read(film(tmp_path / name, [colourful()], codec=codec, pix_fmt=pix_fmt, levels=levels))[0][0]
    assert frame.bgr.dtype == np.uint8
    assert np.abs(frame.bgr.astype(int) - colourful()).mean() < 4


def test_a_grey_video_is_read_as_grey(tmp_path: Path) -> None:
    frame = read(film(tmp_path / "a.mkv", [colourful()], codec="ffv1", pix_fmt="gray"))[0][0]
    assert frame.bgr.shape == (240, 320, 3)
    assert np.abs(frame.luma.astype(int) - cv2.cvtColor(colourful(), cv2.COLOR_BGR2GRAY)).mean() < 2


def test_odd_sides_are_kept(tmp_path: Path) -> None:
    frame = read(film(tmp_path / "a.mkv", [colourful((321, 241))], codec="ffv1"))[0][0]
    assert frame.size_px == (321, 241)
    assert np.abs(frame.bgr.astype(int) - colourful((321, 241))).mean() < 4


@pytest.mark.parametrize("turn_deg", [90, 180, 270])
def test_a_phone_held_upright_gives_upright_pictures(tmp_path: Path, turn_deg: int) -> None:
    path = film(tmp_path / "a.mp4", [colourful()] * 2, turn_deg=turn_deg)
    ours = read(path)[0][0].bgr
    turned = np.rot90(colourful(), turn_deg // 90)
    assert ours.shape == turned.shape
    assert np.abs(ours.astype(int) - turned).mean() < 4


@pytest.mark.parametrize(
    ("stretch", "size_px"), [(Fraction(16, 11), (93, 48)), (Fraction(1, 2), (64, 96)), (Fraction(1, 900), SIZE_PX)]
)
def test_pixels_are_made_square(tmp_path: Path, stretch: Fraction, size_px: tuple[int, int]) -> None:
    frames, _ = read(film(tmp_path / "a.mp4", map(numbered, range(3)), stretch=stretch))
    assert frames[0].size_px == size_px
    assert [number_of(frame) for frame in frames] == [0, 1, 2]


def test_real_television_footage_is_shown_in_its_shape(shared: Path) -> None:
    frames, source = read(shared / "clips" / "real-overhead-crokinole.mp4")
    assert {frame.size_px for frame in frames} == {(1027, 576)}
    assert source.notes == ()


def test_truth_lies_beside_a_video(tmp_path: Path) -> None:
    path = film(tmp_path / "a.mp4", map(numbered, range(2)))
    assert open_source(str(path)).truth_path is None
    (tmp_path / "a.truth.json").write_text("{}")
    assert open_source(str(path)).truth_path == tmp_path / "a.truth.json"


@pytest.mark.parametrize("matrix", [Colorspace.ITU601, Colorspace.ITU709])
def test_a_frame_costs_at_most_4_ms(tmp_path: Path, matrix: Colorspace) -> None:
    wide = colourful((1280, 720))
    path = film(tmp_path / "a.mp4", (np.roll(wide, 4 * n, axis=1) for n in range(40)), matrix=matrix)
    costs_s = []
    for _ in range(3):
        with open_source(str(path)) as source:
            began_s = time.process_time()
            count = sum(frame.luma.shape == (720, 1280) for frame in source)
            costs_s.append((time.process_time() - began_s) / count)
    assert count == 40
    assert min(costs_s) <= 0.004


def test_a_broken_picture_takes_along_what_was_drawn_from_it(tmp_path: Path) -> None:
    path = film(tmp_path / "a.mkv", (np.roll(colourful(), n, axis=1) for n in range(30)), codec="libx264", group=10)
    with av.open(path) as whole:
        packets = [bytes(packet) for packet in whole.demux(video=0) if packet.size]
    data = bytearray(path.read_bytes())
    at = data.index(packets[13])
    data[at + 10 : at + len(packets[13])] = bytes(len(packets[13]) - 10)
    path.write_bytes(data)
    frames, source = read(path)
    kept = {frame.seq for frame in frames}
    assert set(range(10)) | set(range(20, 30)) <= kept
    assert 13 not in kept
    assert any("damaged" in note for note in source.notes)
    for frame in frames:
        assert np.abs(frame.bgr.astype(int) - np.roll(colourful(), frame.seq, axis=1)).mean() < 5
