"""One file a game: its rules, its board, its options."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from scoring.errors import UnknownGame

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoring.rules import Rules

_GAMES = (
    "crokinole",
    "holeyboard",
    "good-sam-washers",
    "good-sam-horseshoes",
    "good-sam-beanbag-baseball",
    "good-sam-bocce",
    "good-sam-zilch",
    "good-sam-cribbage",
    "good-sam-thirty-one",
    "good-sam-sequence",
    "good-sam-mexican-train",
    "challenge-dice",
    "squash-nine",
    "ppolf",
)


def all_games() -> tuple[str, ...]:
    """Return the name of every game."""
    return _GAMES


def game(name: str) -> type[Rules[Any]]:
    """Return a game's class: its options, its rulesets, its rules. Raises ``UnknownGame``."""
    if name not in _GAMES:
        raise UnknownGame(f"There is no game {name!r}; there is {', '.join(_GAMES)}.")
    kind: type[Rules[Any]] = import_module(f"scoring.games.{name.replace('-', '_')}").GAME
    return kind


def ruleset(
    game_name: str, name: str | None = None, options: Mapping[str, Any] | None = None
) -> tuple[str, Rules[Any]]:
    """Return a ruleset's full name and the game played by it, with ``options`` changed; no name means the main one.

    Raises ``UnknownGame`` or ``BadOption``, whose messages name what there is.
    """
    from scoring.rules import settle

    return settle(game(game_name), name, options)
