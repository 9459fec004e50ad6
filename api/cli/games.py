"""``tallycam games``: what can be played, by which rules, and what the camera does in each."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import typer


def games(as_json: Annotated[bool, typer.Option("--json", help="Print one JSON list.")] = False) -> None:
    """List the games, their rulesets, and what the camera can do for each today."""
    from scoring.games import all_games

    described = [_describe(name) for name in all_games()]
    if as_json:
        print(json.dumps(described))
        return
    for game in described:
        fewest, most = game["sides"]
        sides = f"{fewest} sides" if fewest == most else f"{fewest} to {most} sides"
        print(f"{game['game']}: {sides}; rules: {', '.join(game['rulesets'])}")
        print(f"  camera: {game['camera']['says']}")
        options = (_option(name, default, game["choices"].get(name)) for name, default in game["options"].items())
        print(f"  options: {', '.join(options)}")


def _describe(name: str) -> dict[str, Any]:
    from scoring.games import game
    from vision.watchers import WATCHED

    rules = game(name)
    hints = get_type_hints(rules)
    stills = _reads_stills(name)
    return {
        "game": name,
        "rulesets": list(rules.rulesets),
        "sides": [rules.sides[0], rules.sides[-1]],
        "camera": {
            "stills": stills,
            "footage": name in WATCHED,
            "live": False,
            "says": _says(name, stills, name in WATCHED),
        },
        "options": {field.name: field.default for field in fields(rules)},
        "choices": {
            field.name: list(get_args(hints[field.name]))
            for field in fields(rules)
            if get_origin(hints[field.name]) is Literal
        },
    }


def _says(name: str, stills: bool, footage: bool) -> str:
    can = ["counts a round from one photograph"] * stills + ["tells every throw of recorded footage"] * footage
    return "; ".join(can) or f"not read yet; tallycam play {name} scores it by hand"


def _option(name: str, default: Any, choices: list[str] | None) -> str:
    """Return an option as a file of house rules writes it, with its default, and what else it may be."""
    others = [choice for choice in choices or () if choice != default]
    return f"{name} = {json.dumps(default)}" + (f" (or {', '.join(others)})" if others else "")


def _reads_stills(name: str) -> bool:
    from api.photo_games import photo_game

    try:
        photo_game(name)
    except ValueError:
        return False
    return True
