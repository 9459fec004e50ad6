"""What all tests share: where the photographs and clips for measuring lie."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of photographs and clips kept beside the project; tests that need it skip without it."""
    folder = Path(os.environ.get("TALLYCAM_SHARED", Path(__file__).parents[2] / "shared"))
    if not (folder / "photos").is_dir():
        pytest.skip(f"no photographs to measure with in {folder} (set TALLYCAM_SHARED)")
    return folder
