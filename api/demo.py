"""What the page shows before anybody plays: pictures read and counted one after another, as a match would go."""

from __future__ import annotations

import asyncio
import logging
from itertools import cycle
from pathlib import Path

from anyio import to_thread

from api.session import Session
from calibration.errors import CalibrationError
from vision.errors import VisionError

_log = logging.getLogger("tallycam")

_SUFFIXES = {".jpg", ".jpeg", ".png", ".webp", ".heic"}


def pictures_in(folder: Path) -> list[Path]:
    """Return the pictures of a folder, by name."""
    return sorted(path for path in folder.iterdir() if path.suffix.lower() in _SUFFIXES)


async def show(session: Session, pictures: list[Path], pause_s: float) -> None:
    """Play the pictures over and over, each a round, until a person takes over."""
    readable = list(pictures)
    for path in cycle(pictures):
        if not session.demo or not readable:
            return
        if path not in readable:
            continue
        try:
            reading = await session.read(await to_thread.run_sync(path.read_bytes), path.name, by_person=False)
        except (OSError, VisionError, CalibrationError) as error:
            _log.warning("%s is left out of the demo: %s", path.name, error)
            readable.remove(path)
            continue
        await asyncio.sleep(pause_s)
        if not session.demo:
            return
        await session.count(reading.id, by_person=False)
        await asyncio.sleep(pause_s)
        if session.match.state.reason is not None:
            await asyncio.sleep(pause_s)
            await session.begin_demo()
