"""The service: one board, its page, and every phone that looks at it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles
from starlette.responses import Response
from starlette.types import Scope

from api import demo, problems, routes
from api.guard import Guard
from api.photo_games import photo_game
from api.session import Reader, Session
from api.settings import Settings
from api.store import MatchStore
from vision.still import read_still

STATIC = Path(__file__).parent / "static"


class Page(StaticFiles):
    """The phone page; always asked for anew, so that a phone never mixes two versions of it."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return one file."""
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "no-cache"
        return response


def create_app(settings: Settings, reader: Reader = read_still) -> FastAPI:
    """Build the service. ``reader`` turns a picture's pixels (BGR) into what lies on the board.

    The match of the data folder goes on where it stopped. ``app.state.session`` is the board's session.
    """
    store = MatchStore(settings.data)
    try:
        session = Session(photo_game(settings.game), store, reader)
    except Exception:
        store.close()
        raise

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        pictures = demo.pictures_in(settings.pictures) if settings.pictures else []
        showing = asyncio.create_task(demo.show(session, pictures, settings.demo_pause_s))
        yield
        session.feed.close()
        showing.cancel()
        with suppress(asyncio.CancelledError):
            await showing
        store.close()

    app = FastAPI(
        title="Tallycam", lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url="/api/v1/openapi.json"
    )
    app.state.session = session
    app.state.settings = settings
    problems.install(app)
    app.include_router(routes.router)
    app.mount("/", Page(directory=STATIC, html=True))
    app.add_middleware(Guard, upload_limit_bytes=settings.upload_limit_bytes)
    return app
