"""Every example in ``fixtures/rules``: a match is played as written, and must then show what the row says."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from scoring import errors
from scoring.games import all_games, game
from scoring.match import Match
from scoring.state import Claim

RULES = Path(__file__).parents[2] / "fixtures" / "rules"
SETTING = {"id", "play", "start", "options", "sides", "error"}


def _examples() -> Iterator[Any]:
    for file in sorted(RULES.glob("*.toml")):
        for group in tomllib.loads(file.read_text(encoding="utf-8"))["group"]:
            for ruleset in group.get("rulesets", game(file.stem).rulesets):
                for example in group["examples"]:
                    yield pytest.param(file.stem, ruleset, example, id=f"{file.stem}/{ruleset}/{example['id']}")


@pytest.mark.parametrize(("name", "ruleset", "example"), list(_examples()))
def test_example(name: str, ruleset: str, example: dict[str, Any]) -> None:
    match = Match.start(name, ruleset, example.get("options"), example.get("sides", ["A", "B"]))
    if "start" in example:
        match.record(match.read("score " + "-".join(map(str, example["start"]))))
    *plays, last = [play.strip() for play in example["play"].split(",")]
    for play in plays:
        match.record(match.read(play))
    if "error" in example:
        before = match.state
        with pytest.raises(getattr(errors, example["error"])):
            match.record(match.read(last))
        assert match.state == before
    elif last:
        match.record(match.read(last))
    state = match.state
    shown = {key: _shown(getattr(state, key)) for key in example.keys() - SETTING}
    assert shown == {key: value for key, value in example.items() if key not in SETTING}


def test_every_game_has_examples() -> None:
    assert {file.stem for file in RULES.glob("*.toml")} == set(all_games())


@pytest.mark.parametrize("name", all_games())
def test_every_option_has_an_example(name: str) -> None:
    groups = tomllib.loads((RULES / f"{name}.toml").read_text(encoding="utf-8"))["group"]
    shown = {option for group in groups for example in group["examples"] for option in example.get("options", ())}
    set_by_rulesets = {option for options in game(name).rulesets.values() for option in options}
    assert {field.name for field in fields(game(name))} <= shown | set_by_rulesets


def _shown(value: Any) -> Any:
    if value is None:
        return ""
    if isinstance(value, Claim):
        return value.side
    if isinstance(value, tuple):
        return [_shown(item) for item in value]
    return value
