"""What a recording says of itself: ``recording.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FILE = "recording.toml"


@dataclass(frozen=True, slots=True)
class RecordingSettings:
    """What is known of a recording beside its pictures; empty where nobody said.

    ``ruleset`` is the game's, ``board`` the name of the board file in the folder, ``camera`` what took the pictures,
    ``recorded_at`` when it began (ISO 8601), ``versions`` of the programs that made it. ``frames`` and ``duration_s``
    are None where the recorder was stopped before it could write them.
    """

    game: str = ""
    ruleset: str = ""
    board: str = ""
    camera: str = ""
    recorded_at: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    frames: int | None = None
    duration_s: float | None = None


def read_settings(path: Path) -> RecordingSettings:
    """Read ``recording.toml``. Raises ``ValueError`` with what is wrong, in words."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"it cannot be read ({getattr(error, 'strerror', None) or error})") from error
    versions = table.get("versions", {})
    if not isinstance(versions, dict):
        raise ValueError("its [versions] are no table")
    return RecordingSettings(
        game=_word(table, "game"),
        ruleset=_word(table, "ruleset"),
        board=_word(table, "board"),
        camera=_word(table, "camera"),
        recorded_at=_word(table, "recorded_at"),
        versions={str(name): str(version) for name, version in versions.items()},
        frames=_number(table, "frames"),
        duration_s=_number(table, "duration_s"),
    )


def _word(table: Mapping[str, Any], key: str) -> str:
    word = table.get(key, "")
    if not isinstance(word, str):
        raise ValueError(f"its {key} is {word!r}, not a text")
    return word


def _number(table: Mapping[str, Any], key: str) -> Any:
    number = table.get(key)
    if number is not None and (isinstance(number, bool) or not isinstance(number, int | float)):
        raise ValueError(f"its {key} is {number!r}, not a number")
    return number
