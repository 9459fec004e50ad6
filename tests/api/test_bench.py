"""``tallycam bench`` times the bundled picture at two sizes."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from api.cli import bench
from api.cli.main import app


def test_bench_says_what_each_stage_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "RUNS", 1)
    run = CliRunner().invoke(app, ["bench", "--json"])
    small, large = (json.loads(line) for line in run.stdout.splitlines())
    assert (small["width"], large["width"]) == (1280, 4000)
    assert small["find_board_ms"] <= small["read_ms"] <= small["all_ms"]
