"""Small videos whose frames carry their number, to see that every one arrives, in order and at its time."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import cast

import av
import numpy as np
from av.video.reformatter import ColorRange, Colorspace
from av.video.stream import VideoStream

from calibration.calibration import Bgr
from vision.frames import Frame

SIZE_PX = (64, 48)


def numbered(number: int, size_px: tuple[int, int] = SIZE_PX) -> Bgr:
    """Return a picture that is as bright on the left as its number's tens, on the right as its units."""
    width, height = size_px
    picture = np.empty((height, width, 3), np.uint8)
    picture[:, : width // 2] = 20 + 20 * (number // 10)
    picture[:, width // 2 :] = 20 + 20 * (number % 10)
    return picture


def number_of(frame: Frame) -> int:
    """Read the number that ``numbered`` has drawn."""
    width = frame.size_px[0]
    tens, units = (round((float(half.mean()) - 20) / 20) for half in np.array_split(frame.bgr, [width // 2], axis=1))
    return 10 * tens + units


def film(
    path: Path,
    pictures: Iterable[Bgr],
    times_ms: Sequence[int] | None = None,
    *,
    codec: str = "libx264",
    pix_fmt: str = "yuv420p",
    matrix: Colorspace = Colorspace.ITU601,
    levels: ColorRange = ColorRange.MPEG,
    stretch: Fraction | None = None,
    turn_deg: int = 0,
    container: dict[str, str] | None = None,
    group: int = 12,
) -> Path:
    """Write a video: a picture each 40 ms unless ``times_ms`` says when, every ``group``-th of them a complete one."""
    with av.open(path, "w", options=container or {}) as out:
        stream: VideoStream | None = None
        for index, bgr in enumerate(pictures):
            if stream is None:
                stream = cast(VideoStream, out.add_stream(codec, rate=25))
                stream.height, stream.width = bgr.shape[:2]
                stream.pix_fmt = pix_fmt
                stream.codec_context.time_base = stream.time_base = Fraction(1, 1000)
                stream.codec_context.gop_size = group
                stream.codec_context.colorspace = matrix
                stream.codec_context.color_range = levels
                if stretch:
                    stream.codec_context.sample_aspect_ratio = stretch
                if turn_deg:
                    stream.set_display_rotation(turn_deg)
            frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(bgr, dtype=np.uint8), format="bgr24").reformat(
                format=pix_fmt, dst_colorspace=matrix, dst_color_range=levels
            )
            frame.pts = 40 * index if times_ms is None else times_ms[index]
            frame.time_base = Fraction(1, 1000)
            out.mux(stream.encode(frame))
        assert stream is not None
        out.mux(stream.encode(None))
    return path


def recording(
    folder: Path, count: int, *, times_ns: Sequence[int] | None = None, seqs: Sequence[int] | None = None
) -> Path:
    """Write a recording of ``count`` numbered frames; its lines as given, else as the video has it."""
    folder.mkdir()
    film(folder / "video.mp4", map(numbered, range(count)))
    times = [40_000_000 * n for n in range(count)] if times_ns is None else times_ns
    lines = [{"t_ns": t_ns, "seq": seq} for t_ns, seq in zip(times, seqs or range(len(times)), strict=True)]
    (folder / "frames.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (folder / "recording.toml").write_text('game = "holeyboard"\ncamera = "porch"\n')
    return folder
