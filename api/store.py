"""Where a match outlives a power cut: an append-only table, written to disk before anyone sees the score change."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

from api.journal import Entry, from_json, to_json

_MIGRATIONS = (
    """
    CREATE TABLE events (
        n INTEGER PRIMARY KEY AUTOINCREMENT,
        kind TEXT NOT NULL,
        fields TEXT NOT NULL,
        request TEXT UNIQUE
    ) STRICT
    """,
)


class MatchStore:
    """The journal of all matches on one board, in ``tallycam.sqlite3`` of its folder; one process writes it.

    Raises ``OSError`` or ``sqlite3.Error`` where the folder cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        """Open the journal of ``folder``, or begin one."""
        folder.mkdir(parents=True, exist_ok=True)
        self._db = sqlite3.connect(
            folder / "tallycam.sqlite3", timeout=1, isolation_level=None, check_same_thread=False
        )
        try:
            self._prepare()
        except sqlite3.Error:
            self._db.close()
            raise

    def _prepare(self) -> None:
        self._db.execute("PRAGMA locking_mode = EXCLUSIVE")
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        for number, migration in enumerate(_MIGRATIONS[version:], start=version + 1):
            self._db.execute("BEGIN IMMEDIATE")
            self._db.execute(migration)
            self._db.execute(f"PRAGMA user_version = {number}")
            self._db.execute("COMMIT")

    def newest_match(self) -> list[Entry]:
        """Return the journal of the newest match, or nothing where none was begun."""
        rows = self._db.execute(
            "SELECT kind, fields FROM events"
            " WHERE n >= (SELECT max(n) FROM events WHERE kind = 'match_begun') ORDER BY n"
        )
        return [from_json(kind, json.loads(fields)) for kind, fields in rows]

    def append(self, entry: Entry, request: str | None = None) -> None:
        """Write one entry; it is on the disk when this returns. ``request`` is the name its sender gave the request."""
        kind, fields = to_json(entry)
        self._db.execute(
            "INSERT INTO events (kind, fields, request) VALUES (?, ?, ?)", (kind, json.dumps(fields), request)
        )

    def has_done(self, request: str) -> bool:
        """Say whether a request of this name has been written before."""
        row = self._db.execute("SELECT 1 FROM events WHERE request = ?", (request,)).fetchone()
        return row is not None

    def close(self) -> None:
        """Close the file."""
        self._db.close()
