"""A video file: its pictures in the order they are shown, each with the time it is shown at.

A container's frame count and frame rate are guesses, so neither is used: a picture's time is its own presentation
timestamp.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain
from pathlib import Path

import av
import cv2
from av.container import InputContainer
from av.packet import Packet
from av.stream import Disposition
from av.video.frame import VideoFrame
from av.video.reformatter import ColorRange
from av.video.stream import VideoStream

from calibration.calibration import Bgr
from vision.errors import BadSource
from vision.sources.fragments import last_fragment_end
from vision.sources.taken import Taken

_FORMATS = "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,h264,hevc,mjpeg,flv,asf,ogg,ivf,nut"
"""What is opened. None of these makes the reader open another file or an address, as a playlist would."""

_OPTIONS = {"format_whitelist": _FORMATS, "protocol_whitelist": "file,subfile"}
_BT601 = (2, 5, 6)
"""The values of H.264's matrix_coefficients for the BT.601 matrix; 2 is unspecified, read as such everywhere."""
_TURNS = {90: cv2.ROTATE_90_COUNTERCLOCKWISE, 180: cv2.ROTATE_180, 270: cv2.ROTATE_90_CLOCKWISE}
_LEAST_STRETCH = Fraction(1, 4)
"""Pixels that claim to be narrower or flatter than this are taken as square: the file is wrong."""


class VideoFile:
    """The video at ``path``, named ``name`` in messages, decoded with ``threads`` threads.

    ``notes`` says in words what was wrong with the file, as far as it has been read.
    """

    own_times = "the video's own times are used"

    def __init__(self, path: Path, name: str, threads: int = 1) -> None:
        """Name the file; ``open`` opens it."""
        self.notes: list[str] = []
        self._path = path
        self._name = name
        self._threads = threads
        self._broke_off = False
        self._opened: tuple[InputContainer, VideoStream] | None = None

    def open(self) -> None:
        """Open the file. Raises ``BadSource`` with one line that says what is wrong with it."""
        self._opened = self._open()

    def close(self) -> None:
        """Close the file; it may be opened again."""
        if self._opened is not None:
            self._opened[0].close()
            self._opened = None

    def times_ns(self) -> list[int | None]:
        """Return when each picture is shown, from the first, without decoding any."""
        container, stream = self._open()
        with container:
            shown = [packet.pts for packet in self._packets(container, stream) if not packet.is_discard]
        known = sorted(pts for pts in shown if pts is not None)
        if len(known) < len(shown):
            return [None] * len(shown)
        return [_ns(pts - known[0], stream) for pts in known]

    def __iter__(self) -> Iterator[Taken]:
        """Decode the pictures, the right way up and with square pixels; their times count from the first."""
        assert self._opened is not None
        container, stream = self._opened
        first_pts = None
        packets = good = broken = 0
        whole = True  # a picture drawn from a damaged one is damaged too, up to the next complete one
        for packet in chain(self._packets(container, stream), [None]):  # None asks for what the decoder still holds
            packets += packet is not None
            for frame in _decoded(stream, packet):
                if frame is not None and first_pts is None:
                    first_pts = frame.pts
                whole = frame is not None and not frame.is_corrupt and (whole or frame.key_frame)
                if frame is None or not whole:
                    broken += 1
                    continue
                try:
                    taken = _taken(frame, good + broken, first_pts, stream)
                except av.error.FFmpegError:  # its header names colours that there are none of
                    broken += 1
                    continue
                yield taken
                good += 1
        if not good:
            raise BadSource(f"{self._name} has no picture that can be read; copy it or record it again.")
        if broken:
            self.notes.append(f"{self._name}: pictures left out because they are damaged: {broken}.")
        if self._broke_off or packets < stream.frames:
            self.notes.append(f"{self._name} breaks off after {good} pictures.")

    def _open(self) -> tuple[InputContainer, VideoStream]:
        try:
            container = self._container()
        except (av.error.InvalidDataError, av.error.EOFError, av.error.ArgumentError) as error:
            raise BadSource(self._what_it_is()) from error
        except (av.error.FFmpegError, OSError) as error:
            raise BadSource(f"{self._name} cannot be opened: {error.strerror}.") from error
        streams = [stream for stream in container.streams.video if not stream.disposition & Disposition.attached_pic]
        if not streams:
            sound = any(container.streams.audio)
            container.close()
            raise BadSource(f"{self._name} holds sound and no moving picture; name a video." if sound else self._cut())
        stream = streams[0]
        if stream.codec_context is None:
            container.close()
            raise BadSource(f"{self._name} breaks off, or is of a kind that cannot be read; save it as MP4 with H.264.")
        stream.codec_context.thread_type = "AUTO"
        stream.codec_context.thread_count = self._threads
        return container, stream

    def _container(self) -> InputContainer:
        try:
            return av.open(f"file:{self._path}", "r", options=_OPTIONS, metadata_errors="replace")
        except (av.error.InvalidDataError, av.error.EOFError):
            end = last_fragment_end(self._path)
            if not end:
                raise
            self._broke_off = True
            whole = f"subfile,,start,0,end,{end},,:{self._path}"
            return av.open(whole, "r", options=_OPTIONS, metadata_errors="replace")

    def _packets(self, container: InputContainer, stream: VideoStream) -> Iterator[Packet[VideoStream]]:
        """Yield the packets that hold pictures, as far as the file goes."""
        packets = container.demux(stream)
        while True:
            try:
                packet = next(packets)
            except av.error.FFmpegError:
                self._broke_off = True
                return
            if packet.size == 0:
                return
            if packet.is_corrupt:
                self._broke_off = True
                return
            yield packet

    def _what_it_is(self) -> str:
        with self._path.open("rb") as file:
            head = file.read(12)
        if not head:
            return f"{self._name} is empty (0 bytes); copy it or record it again."
        if head[4:8] == b"ftyp":
            return self._cut()
        return f"{self._name} is not a video that can be read; use MP4, MOV, MKV, WebM or AVI."

    def _cut(self) -> str:
        return f"{self._name} is damaged or breaks off before its pictures can be found; copy it or record it again."


def _decoded(stream: VideoStream, packet: Packet[VideoStream] | None) -> Sequence[VideoFrame | None]:
    """Return the pictures that come out when a packet goes in; None for a damaged one."""
    try:
        return stream.decode(packet)
    except av.error.FFmpegError:
        return [None]


def _taken(frame: VideoFrame, index: int, first_pts: int | None, stream: VideoStream) -> Taken:
    shown_ns = None
    if frame.pts is not None and first_pts is not None:
        shown_ns = _ns(frame.pts - first_pts, stream)
    stretch = stream.sample_aspect_ratio or Fraction(1)
    if not _LEAST_STRETCH < stretch < 1 / _LEAST_STRETCH:
        stretch = Fraction(1)
    if stretch == 1 and _is_plain(frame):
        return Taken(index, shown_ns, yuv=frame.to_ndarray())
    bgr: Bgr = frame.to_ndarray(format="bgr24", threads=1)
    if stretch != 1:
        size_px = round(frame.width * max(stretch, Fraction(1))), round(frame.height / min(stretch, Fraction(1)))
        bgr = cv2.resize(bgr, size_px, interpolation=cv2.INTER_CUBIC)
    turn = _TURNS.get(frame.rotation % 360)
    return Taken(index, shown_ns, bgr=bgr if turn is None else cv2.rotate(bgr, turn))


def _is_plain(frame: VideoFrame) -> bool:
    """Say whether the planes are just those that ``Frame`` takes as YUV: BT.601, video range, upright, even sides."""
    return (
        frame.format.name == "yuv420p"
        and frame.colorspace in _BT601
        and frame.color_range != ColorRange.JPEG
        and frame.rotation % 360 == 0
        and frame.width % 2 == frame.height % 2 == 0
    )


def _ns(pts: int, stream: VideoStream) -> int:
    return round(pts * (stream.time_base or Fraction(0)) * 1_000_000_000)
