"""When each frame of a recording was taken: ``frames.jsonl``, one line a frame, and whether it fits the pictures."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

FILE = "frames.jsonl"


class Moment(NamedTuple):
    """When a frame was taken, in nanoseconds of the camera's clock, and its number among those the camera took."""

    t_ns: int
    seq: int


def read_moments(path: Path) -> list[Moment]:
    """Read ``frames.jsonl``. A last line that breaks off is left out. Raises ``ValueError`` with what is wrong."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"cannot be read ({getattr(error, 'strerror', None) or 'not a text'})") from error
    unfinished = lines.pop()
    moments = [_moment(line, number) for number, line in enumerate(lines, 1)]
    if unfinished.strip():
        with suppress(ValueError):
            moments.append(_moment(unfinished, len(lines) + 1))
    for number, (before, after) in enumerate(pairwise(moments), 2):
        if after.t_ns <= before.t_ns or after.seq <= before.seq:
            raise ValueError(f"goes back in time in line {number}")
    return moments


def check_fit(moments: Sequence[Moment], times_ns: Sequence[int | None]) -> None:
    """Raise ``ValueError``, with why, where ``moments`` are not those of the pictures shown at ``times_ns``.

    As many moments as pictures belong together. Where one has more, because the recorder or a copy broke off, what
    both have must agree in time to half the distance of two frames.
    """
    if len(moments) == len(times_ns) > 0:
        return
    wrong_count = f"has {len(moments)} lines for {len(times_ns)} pictures"
    pairs = [(m.t_ns - moments[0].t_ns, t_ns) for m, t_ns in zip(moments, times_ns, strict=False) if t_ns is not None]
    if len(pairs) < 2:
        raise ValueError(wrong_count)
    slack_ns = pairs[-1][1] / (len(pairs) - 1) / 2
    if any(abs(said_ns - shown_ns) > slack_ns for said_ns, shown_ns in pairs):
        raise ValueError(wrong_count)


def _moment(line: str, number: int) -> Moment:
    try:
        row = json.loads(line)
        t_ns, seq = row["t_ns"], row.get("seq", number - 1)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ValueError(f"cannot be read in line {number}") from error
    if type(t_ns) is not int or type(seq) is not int or abs(t_ns) >= 2**63 or abs(seq) >= 2**63:
        raise ValueError(f"has no whole t_ns in line {number}")
    return Moment(t_ns, seq)
