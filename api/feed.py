"""Tells every open page that something changed, each at its own pace: a slow phone skips to the newest state."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import suppress

from fastapi.sse import ServerSentEvent


class Feed:
    """Counts changes. The number of the newest one, with a mark for this run of the service, is the event's id."""

    def __init__(self) -> None:
        """Begin with one change: a page that was never told anything is told the state."""
        self._run = secrets.token_hex(4)
        self._number = 1
        self._closed = False
        self._changed = asyncio.Event()

    @property
    def id(self) -> str:
        """The newest change."""
        return f"{self._run}-{self._number}"

    @property
    def closed(self) -> bool:
        """Whether the service is about to stop."""
        return self._closed

    def changed(self) -> None:
        """Say that something changed."""
        self._number += 1
        self._wake()

    def close(self) -> None:
        """End every stream: the service is about to stop, and waits for them."""
        self._closed = True
        self._wake()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    async def follow(
        self, last_id: str | None, state: Callable[[], str], heartbeat_s: float
    ) -> AsyncIterator[ServerSentEvent]:
        """Send the whole state at once unless ``last_id`` is the newest change, then again after every change.

        Between changes a ``beat`` tells the page that the service is there; each carries the id of what it confirms.
        """
        while not self._closed:
            changed = self._changed
            if last_id == self.id:
                yield ServerSentEvent(event="beat", id=last_id, raw_data="here")
            else:
                last_id = self.id
                yield ServerSentEvent(event="state", id=last_id, raw_data=state(), retry=1000)
            with suppress(TimeoutError):
                await asyncio.wait_for(changed.wait(), heartbeat_s)
