"""What ``tallycam games`` says can be played."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from scoring.games import all_games


def games(*arguments: str) -> str:
    command = [str(Path(sys.executable).with_name("tallycam")), "games", *arguments]
    return subprocess.run(command, capture_output=True, check=True, text=True, timeout=60).stdout


def test_every_game_is_listed_with_its_rules() -> None:
    listed = json.loads(games("--json"))
    assert [game["game"] for game in listed] == list(all_games())
    assert all(game["rulesets"] for game in listed)


def test_only_what_the_camera_does_today_is_promised() -> None:
    listed = json.loads(games("--json"))
    assert [game["game"] for game in listed if game["camera"]["stills"]] == ["crokinole"]
    assert [game["game"] for game in listed if game["camera"]["footage"]] == [
        "crokinole",
        "holeyboard",
        "good-sam-washers",
    ]
    assert not any(game["camera"]["live"] for game in listed)


def test_people_read_it_too() -> None:
    listed = games()
    assert "holeyboard: 2 sides; rules: columbus-2016, columbus-1.5" in listed
    assert 'cancelling = "hole" (or net, none)' in listed
    assert "void_and_win = false" in listed


def test_what_an_option_can_be_is_listed() -> None:
    washers = next(game for game in json.loads(games("--json")) if game["game"] == "good-sam-washers")
    assert washers["options"]["board"] == "five-hole"
    assert washers["choices"]["board"] == ["five-hole", "three-hole"]
