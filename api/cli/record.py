"""``tallycam record``: keep what a camera sees, to replay it later."""

from __future__ import annotations

import math
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.errors import BadUsage, CannotRun

if TYPE_CHECKING:
    from types import FrameType

    from vision.sources.settings import RecordingSettings
    from vision.sources.writer import RecordingWriter


def record(
    source: Annotated[str, typer.Argument(metavar="SRC", help="A video, a recording or a folder of pictures.")],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The folder to write; nothing is overwritten.")],
    seconds: Annotated[float | None, typer.Option(metavar="N", help="Stop after so many seconds.")] = None,
    game: Annotated[str, typer.Option(help="What is played, for example crokinole.")] = "",
) -> None:
    """Write a recording: every frame with the time it was taken at. Ctrl-C ends it."""
    from vision.errors import BadSource, NotRecorded
    from vision.sources import open_source
    from vision.sources.writer import RecordingWriter

    if seconds is not None and not (math.isfinite(seconds) and seconds > 0):
        raise BadUsage(f"--seconds {seconds:g}: give a number of seconds above 0.")
    _check(game)
    writer: RecordingWriter | None = None
    try:
        with open_source(source) as footage:
            writer = RecordingWriter(out, _about(source, game, footage.settings))
            with _ctrl_c() as stop, writer, _progress(writer, seconds) as show:
                for frame in footage:
                    writer.write(frame)
                    show()
                    if stop.is_set() or (seconds is not None and writer.duration_s >= seconds):
                        break
    except BadSource as error:
        if writer is None or not writer.frames:
            raise BadUsage(str(error)) from error
        raise CannotRun(f"{error} {_kept(writer, out)}") from error
    except NotRecorded as error:
        raise (CannotRun if error.disk_full else BadUsage)(str(error)) from error
    notes = list(footage.notes)
    if seconds is not None and writer.duration_s < seconds and not stop.is_set():
        notes.append(f"{source} ended before the {seconds:g} s were over.")
    for note in notes:
        print(f"tallycam: {note}", file=sys.stderr)
    print(_kept(writer, out))


def _check(game: str) -> None:
    from scoring import games
    from scoring.errors import UnknownGame

    try:
        if game:
            games.game(game)
    except UnknownGame as error:
        raise BadUsage(str(error)) from error


def _about(source: str, game: str, original: RecordingSettings | None) -> RecordingSettings:
    """Say what is recorded; what a recording that is recorded anew says of itself is kept."""
    from vision.sources.settings import RecordingSettings

    original = original or RecordingSettings(camera=source)
    return replace(
        original,
        game=game or original.game,
        recorded_at=original.recorded_at or datetime.now().astimezone().isoformat(timespec="seconds"),
        versions={**original.versions, "tallycam": version("tallycam"), "av": version("av")},
        frames=None,
        duration_s=None,
    )


def _kept(writer: RecordingWriter, out: Path) -> str:
    frames = "1 frame" if writer.frames == 1 else f"{writer.frames} frames"
    return f"{out} holds {writer.duration_s:.1f} s: {frames}, {writer.size_bytes / 1e6:.1f} MB."


@contextmanager
def _ctrl_c() -> Iterator[Event]:
    """Let Ctrl-C, or a stop by the system, end the recording between two frames; a second one ends it at once."""
    stop = Event()

    def ask(_: int, __: FrameType | None) -> None:
        stop.set()
        restore()

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        restore()


@contextmanager
def _progress(writer: RecordingWriter, seconds: float | None) -> Iterator[Callable[[], None]]:
    """Show on a terminal how long and how large the recording is and how many frames a second it has."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (TextColumn("Recording"), BarColumn(), TextColumn("{task.fields[so_far]}"), TextColumn("Ctrl-C ends it"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=seconds, so_far="")

        def show() -> None:
            length_s = writer.duration_s
            rate = (writer.frames - 1) / length_s if length_s else 0
            so_far = f"{length_s:.1f} s  {writer.size_bytes / 1e6:.1f} MB  {rate:.1f} frames/s"
            bar.update(task, completed=min(length_s, seconds or math.inf), so_far=so_far)

        yield show
