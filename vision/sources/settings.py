"""What a recording says of itself: ``recording.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import tomli_w

FILE = "recording.toml"
_FORMAT = "tallycam-recording/1"


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


def write_settings(path: Path, about: RecordingSettings) -> None:
    """Write ``recording.toml``, what nobody said left out; a file of that name is replaced at once or not at all."""
    known = {"format": _FORMAT} | {key: value for key, value in asdict(about).items() if value not in ("", None, {})}
    beside = path.with_suffix(".new")
    try:
        beside.write_text(tomli_w.dumps(known), encoding="utf-8")
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
