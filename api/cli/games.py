"""``tallycam games``: what can be played, by which rules, and what the camera does in each."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Annotated, Any

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
        print(f"  options: {', '.join(game['options'])}")


def _describe(name: str) -> dict[str, Any]:
    from scoring.games import game

    rules = game(name)
    stills = _reads_stills(name)
    return {
        "game": name,
        "rulesets": list(rules.rulesets),
        "sides": [rules.sides[0], rules.sides[-1]],
        "camera": {
            "stills": stills,
            "live": False,
            "says": "counts a round from one photograph; no throws are followed yet"
            if stills
            else f"not read yet; tallycam play {name} scores it by hand",
        },
        "options": {field.name: field.default for field in fields(rules)},
    }


def _reads_stills(name: str) -> bool:
    from api.photo_games import photo_game

    try:
        photo_game(name)
    except ValueError:
        return False
    return True
