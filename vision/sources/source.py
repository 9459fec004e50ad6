"""Open whatever gives frames, by the name a person types for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self

from vision.errors import BadSource
from vision.frames import Frame
from vision.sources import moments, settings

if TYPE_CHECKING:
    from vision.sources.footage import Footage

_CAMERAS = ("picamera", "v4l2:", "rtsp:", "rtsps:", "http:", "https:")


class Source(Protocol):
    """Something that gives frames. It is opened on entering, not before, and read once::

        with open_source("evening.mp4") as source:
            for frame in source:
                ...

    ``settings`` is what a recording says of itself, ``truth_path`` and ``board_path`` lie beside it where there are
    such files. ``notes`` says in words what is wrong with the source, as far as it has been read: its frames are good
    nevertheless.
    """

    @property
    def name(self) -> str:
        """What messages and reports call it."""

    @property
    def settings(self) -> settings.RecordingSettings | None:
        """What its ``recording.toml`` says."""

    @property
    def truth_path(self) -> Path | None:
        """The file that says what happens in it, for measuring."""

    @property
    def board_path(self) -> Path | None:
        """The file that says where the board is."""

    @property
    def notes(self) -> Sequence[str]:
        """What was wrong, one sentence each."""

    def __enter__(self) -> Self:
        """Open it. Raises ``BadSource``."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""

    def __iter__(self) -> Iterator[Frame]:
        """Give the frames, each later than the one before. Raises ``BadSource`` where there is none to give."""


def open_source(text: str, threads: int = 1) -> Source:
    """Return the source that ``text`` names: a recording, a video file, a folder of pictures or one picture.

    Video is decoded with ``threads`` threads. Raises ``BadSource`` with one line that says what to do.
    """
    if text.startswith(_CAMERAS):
        raise BadSource(f"{text}: no live cameras yet; name a video, a recording or a folder of pictures.")
    if not text.strip():
        raise BadSource("No source is named; name a video, a recording or a folder of pictures.")
    path = Path(text)
    try:
        if path.is_dir():
            return _folder(path, text, threads)
        if path.is_file():
            return _file(path, text, threads)
        there = path.exists()
    except (OSError, ValueError) as error:
        raise BadSource(f"{text} cannot be opened: {getattr(error, 'strerror', None) or error}.") from error
    if there:
        raise BadSource(f"{text} is neither a file nor a folder; name a video, a recording or a folder of pictures.")
    raise BadSource(f"{text} is not there; check the name.")


def _file(path: Path, text: str, threads: int) -> Footage:
    from vision.sources.footage import Footage
    from vision.sources.stills import SUFFIXES, StillPictures
    from vision.sources.video import VideoFile

    picture = path.suffix.lower() in SUFFIXES
    return Footage(
        text,
        StillPictures([path]) if picture else VideoFile(path, text, threads),
        truth_path=_there(path.with_suffix(".truth.json")),
        board_path=_there(path.with_suffix(".board.json")),
    )


def _folder(folder: Path, text: str, threads: int) -> Footage:
    from vision.sources.footage import Footage
    from vision.sources.stills import StillPictures, pictures_in
    from vision.sources.video import VideoFile

    notes: list[str] = []
    about = None
    if settings_path := _there(folder / settings.FILE):
        try:
            about = settings.read_settings(settings_path)
        except ValueError as error:
            notes.append(f"{settings_path.name} is left aside: {error}.")
    moments_path = _there(folder / moments.FILE)
    film: VideoFile | StillPictures
    if video := _there(folder / "video.mp4"):
        film = VideoFile(video, str(video), threads)
    elif pictures := pictures_in(folder / "frames" if (folder / "frames").is_dir() else folder):
        film = StillPictures(pictures)
    elif any(folder.iterdir()):
        raise BadSource(f"{text} holds no video.mp4 and no pictures; name a recording or a folder of pictures.")
    else:
        raise BadSource(f"{text} is empty; name a recording or a folder of pictures.")
    if moments_path is None:
        notes.append(f"{text} has no {moments.FILE}; {film.own_times}.")
    return Footage(
        text,
        film,
        settings=about,
        notes=tuple(notes),
        moments_path=moments_path,
        truth_path=_there(folder / "truth.json"),
        board_path=_there(folder / ((about and about.board) or "board.json")),
    )


def _there(path: Path) -> Path | None:
    return path if path.is_file() else None
