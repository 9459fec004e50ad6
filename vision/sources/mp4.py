"""Write frames as an MP4 that can be read at any moment, whatever stops the writer."""

from __future__ import annotations

from fractions import Fraction
from typing import BinaryIO

import av
import cv2
import numpy as np
from av.video.reformatter import ColorRange, Colorspace
from av.video.stream import VideoStream
from cv2.typing import MatLike

from vision.errors import BadSource
from vision.frames import Frame

_TICKS_PER_S = 1_000_000
_CONTAINER = {"movflags": "empty_moov+default_base_moof", "frag_duration": str(_TICKS_PER_S // 4), "flush_packets": "1"}
_CODEC = {"preset": "superfast", "tune": "zerolatency", "crf": "20", "g": "60"}
_USUAL_FPS = 30


class Mp4Writer:
    """Writes frames of one size into ``file``, in fragments of a quarter of a second, each complete in itself.

    Times are kept to a microsecond. A side with an odd number of pixels becomes one longer.
    """

    def __init__(self, file: BinaryIO, size_px: tuple[int, int]) -> None:
        """Begin the file. Errors of writing come through as they are."""
        self._file = _Flushed(file)
        self._size_px = size_px
        self._first_ns: int | None = None
        self._last_pts = -1
        self._container = av.open(self._file, "w", format="mp4", options=_CONTAINER)
        self._stream: VideoStream = self._container.add_stream("libx264", rate=_USUAL_FPS, options=_CODEC)
        self._stream.width, self._stream.height = (side + side % 2 for side in size_px)
        self._stream.pix_fmt = "yuv420p"
        codec = self._stream.codec_context
        self._stream.time_base = codec.time_base = Fraction(1, _TICKS_PER_S)
        codec.colorspace, codec.color_range = Colorspace.ITU601, ColorRange.MPEG

    def write(self, frame: Frame) -> None:
        """Add a frame, later than the one before. Raises ``BadSource`` where it has another size."""
        if frame.size_px != self._size_px:
            was, now = ("{}×{}".format(*size_px) for size_px in (self._size_px, frame.size_px))
            raise BadSource(f"The picture changed from {was} to {now} pixels; record it anew.")
        if self._first_ns is None:
            self._first_ns = frame.t_ns
        picture = av.VideoFrame.from_ndarray(np.asarray(_yuv(frame), dtype=np.uint8), format="yuv420p")
        pts = (frame.t_ns - self._first_ns) * _TICKS_PER_S // 1_000_000_000
        self._last_pts = picture.pts = max(pts, self._last_pts + 1)
        picture.time_base = self._stream.time_base
        self._container.mux(self._stream.encode(picture))

    def close(self) -> None:
        """Complete the file."""
        if not self._file.failed:
            self._container.mux(self._stream.encode(None))
        self._container.close()


class _Flushed:
    """A file whose every write is on its way to the disk on return; after one that failed the rest is left out."""

    def __init__(self, file: BinaryIO) -> None:
        self.failed = False
        self._file = file

    def write(self, data: bytes) -> int:
        if self.failed:
            return len(data)
        try:
            self._file.write(data)
            self._file.flush()
        except OSError:
            self.failed = True
            raise
        return len(data)


def _yuv(frame: Frame) -> MatLike:
    if frame.yuv is not None:
        return frame.yuv
    height, width = frame.bgr.shape[:2]
    even = cv2.copyMakeBorder(frame.bgr, 0, height % 2, 0, width % 2, cv2.BORDER_REPLICATE)
    return cv2.cvtColor(even, cv2.COLOR_BGR2YUV_I420)
