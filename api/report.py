"""The accuracy of replays as one HTML file that needs nothing else."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from html import escape
from importlib import resources
from string import Template

from api.measure.recordings import Measured
from api.measure.tally import CONDITIONS, Tally, by_condition

_COLUMNS = (
    *("throws", "right", "", "95 %", "wrong", "wrong, doubted", "missed", "extra", "right, doubted"),
    *("recordings", "exact", "rounds right"),
)


def report(measured: Sequence[Measured]) -> str:
    """Return a page: for each game how many throws were right, by condition, and every failure with its picture."""
    template = Template(resources.files("api").joinpath("report.html").read_text(encoding="utf-8"))
    total = Tally.of(measured)
    games = sorted({one.game for one in measured})
    return template.substitute(
        lead=f"Recordings told exactly as they were: {total.exact} of {total.recordings}. Throws told right: "
        f"{total.right} of {total.throws}; missed: {total.missed}; told and not made: {total.extra}.",
        games="\n".join(_game(game, [one for one in measured if one.game == game]) for game in games),
        recordings="\n".join(map(_recording, measured)),
    )


def _game(game: str, measured: Sequence[Measured]) -> str:
    rows = [_row("all", Tally.of(measured), "all")]
    for condition in CONDITIONS:
        tallies = by_condition(measured, condition)
        if len(tallies) > 1:
            rows.append(f'<tr class="group"><th colspan="{len(_COLUMNS) + 1}">{escape(condition)}</th></tr>')
            rows += [_row(word, tally) for word, tally in tallies.items()]
    head = "".join(f"<th>{column}</th>" for column in ("", *_COLUMNS))
    cards = "\n".join(card for one in measured for card in _failures(one))
    failures = f'<h3>What was told otherwise</h3>\n<div class="cards">\n{cards}\n</div>' if cards else ""
    return (
        f'<h2>{escape(game)}</h2>\n<div class="table"><table><thead><tr>{head}</tr></thead>\n<tbody>\n'
        + "\n".join(rows)
        + f"\n</tbody></table></div>\n{failures}"
    )


def _row(name: str, tally: Tally, kind: str = "") -> str:
    low, high = tally.interval
    share = tally.right / tally.throws if tally.throws else 0.0
    bar = (
        f'<span class="bar"><i style="left:{100 * low:.1f}%;right:{100 - 100 * high:.1f}%"></i>'
        f'<b style="left:{100 * share:.1f}%"></b></span>'
    )
    cells = (
        tally.throws,
        tally.right,
        bar if tally.throws else "",
        f"{100 * low:.0f}–{100 * high:.0f} %" if tally.throws else "–",
        _marked(tally.wrong, "wrong"),
        _marked(tally.wrong_but_doubtful, "doubt"),
        _marked(tally.missed, "wrong"),
        _marked(tally.extra, "wrong"),
        tally.right_but_doubtful,
        tally.recordings,
        tally.exact,
        f"{tally.rounds_right}/{tally.rounds}",
    )
    return f'<tr class="{kind}"><td>{escape(name)}</td>' + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _marked(count: int, kind: str) -> str:
    return f'<span class="{kind}">{count}</span>' if count else "0"


def _failures(measured: Measured) -> list[str]:
    cards = []
    for shown in measured.thumbnails:
        picture = base64.b64encode(shown.jpeg).decode("ascii")
        when = f", {shown.t_s:.1f} s" if shown.t_s < 1e6 else ""
        cards.append(
            f'<figure><img loading="lazy" alt="" src="data:image/jpeg;base64,{picture}">'
            f"<figcaption><b>{escape(shown.text)}</b>"
            f'<span class="muted">{escape(measured.name)}{when}</span></figcaption></figure>'
        )
    return cards


def _recording(measured: Measured) -> str:
    verdict = f'<span class="wrong">{escape(measured.first)}</span>' if measured.first else "exact"
    purpose = f'<td class="purpose">{escape(measured.purpose)}</td>'
    return f"<tr><td>{escape(measured.name)}</td><td>{verdict}</td>{purpose}</tr>"
