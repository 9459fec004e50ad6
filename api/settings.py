"""How one service is set up."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class Settings:
    """What ``tallycam serve`` was told, and the limits it keeps.

    ``pictures`` is the folder whose pictures are shown as a match until somebody plays one; ``demo_pause_s`` is how
    long each of them stands before it is counted, and after.
    """

    game: str
    data: Path
    pictures: Path | None
    upload_limit_bytes: int = 30 * MEGABYTE
    demo_pause_s: float = 4.0
    heartbeat_s: float = 5.0
