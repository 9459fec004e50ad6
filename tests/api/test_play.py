"""The terminal scorer as a person uses it: lines in, lines out."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


def play(*arguments: str, lines: str = "") -> subprocess.CompletedProcess[bytes]:
    command = [str(Path(sys.executable).with_name("tallycam")), "play", *arguments]
    return subprocess.run(command, input=lines.encode("utf-8", "surrogateescape"), capture_output=True, timeout=60)


def test_a_match_is_kept_to_the_win_and_back() -> None:
    done = play("holeyboard", "--sides", "Ann,Bob", lines="score 18-15\n1\n1\n1\n1\n3\n3\nundo\n")
    out = done.stdout.decode().splitlines()
    assert done.returncode == 0
    assert out[-2] == "Ann 20, Bob 21. The match is over: Bob wins (exactly 21)."
    assert out[-1].startswith("Ann 18, Bob 15 (so far Ann 20, Bob 18). Round 1, Bob with 1 left: a 3.")
    assert any("Ann claims exactly 21; Bob voids it by" in line for line in out)


def test_bad_input_gets_one_line_and_the_match_goes_on() -> None:
    done = play("holeyboard", lines="7\n\n\udcff\udcfe\nfix\nfix 9 1\nA>3\noff B1>3 +\n5\n")
    out = done.stdout.decode().splitlines()
    refused = [line for line in out if line.startswith("? ")]
    assert (done.returncode, done.stderr) == (0, b"")
    assert len(refused) == 6
    assert out[-1].startswith("A 0, B 0 (so far A 5, B 0). Round 1, A with 2 left: a 5 and a 1 for the skunk.")


def test_an_earlier_throw_is_put_right() -> None:
    done = play("crokinole", lines="count A 20 20 / B 5\nfix 1 count A 5\nretract 1\nlog\nhelp\n")
    tallies = [line for line in done.stdout.decode().splitlines() if line.startswith("A ")]
    assert [tally.split(".")[0] for tally in tallies] == ["A 0, B 0", "A 35, B 0", "A 5, B 0"] + ["A 0, B 0"] * 3


def test_players_go_by_name_or_letter_in_capitals_or_not() -> None:
    done = play(
        "crokinole", "--sides", "Ann,Bob", lines="HELP\nCount Bob 20\nUNDO\nfirst bob\nBob: 15\nB: 15\nQuit\n5\n"
    )
    out = done.stdout.decode().splitlines()
    assert "A is Ann, B is Bob." in out
    assert out[-2:] == [
        "Ann 0, Bob 0 (so far Ann 0, Bob 15). Round 1, Ann with 12 left: 100 more.",
        "? Ann throws now, not Bob.",
    ]


def test_the_log_is_in_words() -> None:
    done = play("crokinole", "--sides", "Ann,Bob", lines="15\n10 A1>5\nfix 1 20\ncount A 20 5 / B 5\nlog\n")
    out = done.stdout.decode().splitlines()
    assert [line.strip() for line in out[-6:-2]] == [
        "1 Ann: throw made, piece 0, place 15",
        "2 Bob: throw made, piece 1, place 10, moved piece 0, from 15, to 5",
        "3 correction, of 1, replaced by Ann: throw made, piece 0, place 20",
        "4 round counted, pieces Ann 20 / Ann 5 / Bob 5",
    ]
    assert out[-2].startswith("? event 2 no longer fits: A1 lies in 20")
    assert out[-2].endswith("fix 2 or retract 2 settles it.")


def test_house_rules_are_a_few_lines_of_toml(tmp_path: Path) -> None:
    rules = tmp_path / "yard.toml"
    rules.write_text('ruleset = "three-hole"\nexact = true\nover = 13\nwashers = 1\n')
    done = play("good-sam-washers", "--rules", str(rules), lines="score 20-3\n5\noff\n")
    assert done.stdout.decode().splitlines()[-1].startswith("A 13, B 3. Round 2")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["chess"], "There is no game 'chess'"),
        (["holeyboard", "--ruleset", "cleveland"], "columbus-2016"),
        (["holeyboard", "--sides", "Ann"], "played by 2 sides"),
        (["holeyboard", "--sides", "Ann,ann"], "a name of its own"),
        (["holeyboard", "--sides", "Ann,"], "a name of its own"),
        (["holeyboard", "--rules", "/nowhere.toml"], "cannot be read"),
    ],
)
def test_bad_usage_is_one_line_and_exit_2(arguments: list[str], says: str) -> None:
    done = play(*arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    assert says in done.stderr.decode()
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("text", ["over = 14", "exact = 1", "colour = 'red'", "washers = -1", "="])
def test_house_rules_that_cannot_be_are_refused(tmp_path: Path, text: str) -> None:
    rules = tmp_path / "yard.toml"
    rules.write_text(text)
    done = play("good-sam-washers", "--rules", str(rules))
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
