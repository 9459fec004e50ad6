"""The pictures that come with Tallycam: a few rounds of crokinole, rendered."""

from __future__ import annotations

from pathlib import Path

EXAMPLE = Path(__file__).parent / "static" / "example"


def example_picture() -> bytes:
    """Return the first of the bundled pictures, as its file has it."""
    return min(EXAMPLE.glob("*.jpg")).read_bytes()
