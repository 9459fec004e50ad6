"""House rules: a TOML file of a game's options, and maybe the ruleset they change."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from api.cli.errors import BadUsage


def house_rules(path: Path) -> dict[str, Any]:
    """Read a file of house rules."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadUsage(f"{path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise BadUsage(f"{path} is no TOML file of house rules: {error}.") from error
