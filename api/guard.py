"""Stands before the application: no upload too large, no other site's page acting on the board, strict headers."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.problems import problem

_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; "
        "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Guard:
    """ASGI middleware round the whole application."""

    def __init__(self, app: ASGIApp, upload_limit_bytes: int) -> None:
        """Guard ``app``, which takes no request with more than ``upload_limit_bytes`` in it."""
        self._app = app
        self._limit = upload_limit_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it with a problem document."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_strictly(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        arrived_bytes = 0

        async def receive_counting() -> Message:
            nonlocal arrived_bytes
            message = await receive()
            arrived_bytes += len(message.get("body", b""))
            if arrived_bytes > self._limit:
                raise HTTPException(413, self._too_large)
            return message

        refused = self._refusal(scope["method"], Headers(scope=scope))
        if refused is None:
            await self._app(scope, receive_counting, send_strictly)
        else:
            await refused(scope, receive, send_strictly)

    def _refusal(self, method: str, headers: Headers) -> Response | None:
        origin = headers.get("origin")
        if method not in ("GET", "HEAD") and origin and urlsplit(origin).netloc != headers.get("host"):
            return problem(403, "foreign_page", "Only Tallycam's own page may do this.")
        length = headers.get("content-length", "0")
        if length.isdigit() and int(length) > self._limit:
            return problem(413, "upload_too_large", self._too_large)
        return None

    @property
    def _too_large(self) -> str:
        return f"The picture is over {self._limit / 1_000_000:g} MB; choose a smaller one."
