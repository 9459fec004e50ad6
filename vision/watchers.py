"""Which games a camera can follow throw by throw, and what watches each."""

from __future__ import annotations

from typing import Any

from calibration.calibration import Calibration
from vision.errors import NotWatched
from vision.sightings import Watcher

WATCHED = ("crokinole", "good-sam-washers", "holeyboard")
"""The games that can be followed, by the names the scorer knows them by."""


def watcher(game: str, calibration: Calibration[Any] | None = None) -> Watcher:
    """Return what watches ``game``; ``calibration`` where the board is known already. Raises ``NotWatched``."""
    match game:
        case "crokinole":
            from vision.shots.watch import ShotWatcher

            return ShotWatcher(calibration)
        case "holeyboard" | "good-sam-washers":
            from vision.washers.watch import WasherWatcher

            return WasherWatcher(game, calibration)
        case _:
            raise NotWatched(f"The camera cannot follow {game} yet; it follows {', '.join(WATCHED)}.")
