"""What was measured, as lines for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from api.measure.recordings import Measured
from api.measure.tally import Tally

_COLUMNS = ("recordings", "exact", "throws", "right", "wrong", "doubted", "missed", "extra", "rounds")


def row(measured: Measured) -> str:
    """Return one line on a recording: how much of it was told right, and the first difference."""
    tally = Tally.of([measured])
    view = "/".join((*measured.conditions["view"], *measured.conditions["preset"]))
    verdict = f"- {measured.first}" if measured.first else "exact"
    return f"{measured.name:<24} {view:<16} {tally.right:>3} of {tally.throws:<3} {measured.took_s:>5.1f} s  {verdict}"


def summary(measured: Sequence[Measured]) -> str:
    """Return a table with a line for each game, and what its columns mean."""
    games = {game: [one for one in measured if one.game == game] for game in sorted({one.game for one in measured})}
    rows: list[tuple[str, ...]] = [("", *_COLUMNS, "right, 95 %")]
    rows += [(game, *_cells(Tally.of(those))) for game, those in games.items()]
    if len(games) > 1:
        rows.append(("all", *_cells(Tally.of(measured))))
    widths = [max(len(line[column]) for line in rows) for column in range(len(rows[0]))]
    lines = [
        f"{name:<{widths[0]}}  " + "  ".join(f"{cell:>{w}}" for cell, w in zip(cells, widths[1:], strict=True))
        for name, *cells in rows
    ]
    footage_s, took_s = sum(one.footage_s for one in measured), sum(one.took_s for one in measured)
    lines.append("doubted: wrong, and marked as doubtful. exact: everything told as it was, and nothing else.")
    lines.append(f"{footage_s:.0f} s of footage replayed in {took_s:.0f} s")
    return "\n".join(line.rstrip() for line in lines)


def _cells(tally: Tally) -> tuple[str, ...]:
    low, high = tally.interval
    right = (tally.recordings, tally.exact, tally.throws, tally.right, tally.wrong, tally.wrong_but_doubtful)
    share = f"{100 * low:.1f}–{100 * high:.1f} %" if tally.throws else "–"
    return (*map(str, (*right, tally.missed, tally.extra)), f"{tally.rounds_right}/{tally.rounds}", share)
