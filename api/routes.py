"""The addresses of the service, version 1. Errors are problem documents (see ``api.problems``)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated

from anyio import to_thread
from fastapi import APIRouter, Depends, File, Header, Path, Request, Response, UploadFile
from fastapi.sse import EventSourceResponse, ServerSentEvent

from api.describe import match_out, reading_out, state_out
from api.readings import phone_jpeg
from api.schemas import (
    CorrectionIn,
    DiscIn,
    MatchIn,
    MatchOut,
    ReadingOut,
    RoundIn,
    SetAsideIn,
    StateOut,
    UndoIn,
)
from api.session import Session
from api.settings import Settings
from scoring.board import Place

router = APIRouter(prefix="/api/v1")


def _session(request: Request) -> Session:
    session: Session = request.app.state.session
    return session


def _settings(request: Request) -> Settings:
    settings: Settings = request.app.state.settings
    return settings


Board = Annotated[Session, Depends(_session)]
SetUp = Annotated[Settings, Depends(_settings)]


@router.post("/photos", status_code=201)
async def read_photo(session: Board, photo: Annotated[UploadFile, File()]) -> ReadingOut:
    """Read a photograph of the board; it becomes the reading that every page shows."""
    return reading_out(session, await session.read(await photo.read(), "This file"))


@router.get("/photos/{reading_id}")
async def get_reading(session: Board, reading_id: str) -> ReadingOut:
    """Return a reading with its corrections."""
    return reading_out(session, session.reading(reading_id))


@router.get("/photos/{reading_id}/picture", response_class=Response)
async def get_picture(session: Board, request: Request, reading_id: str) -> Response:
    """Return the photograph at a phone's size."""
    reading = session.reading(reading_id)
    return _jpeg(request, reading.jpeg, f'"{reading.id}"', "private, max-age=86400, immutable")


@router.get("/photos/{reading_id}/overlay", response_class=Response)
async def get_overlay(session: Board, request: Request, reading_id: str) -> Response:
    """Return the photograph with everything that was read drawn over it."""
    from vision.overlay import draw

    reading = session.reading(reading_id)
    etag = f'"{reading.id}-{reading.version}"'
    if request.headers.get("if-none-match") == etag:
        return _jpeg(request, b"", etag, "private, no-cache")
    jpeg = await to_thread.run_sync(lambda: phone_jpeg(draw(reading.picture.bgr, reading.as_still())))
    return _jpeg(request, jpeg, etag, "private, no-cache")


def _jpeg(request: Request, jpeg: bytes, etag: str, cache: str) -> Response:
    headers = {"ETag": etag, "Cache-Control": cache}
    if request.headers.get("if-none-match") == etag:
        return Response(status_code=304, headers=headers)
    return Response(jpeg, media_type="image/jpeg", headers=headers)


@router.post("/photos/{reading_id}/pieces", status_code=201)
async def add_disc(session: Board, reading_id: str, disc: DiscIn) -> ReadingOut:
    """Add a disc that the camera missed."""
    reading = await session.correct(reading_id, lambda r: r.added(disc.side, disc.centre_px))
    return reading_out(session, reading)


@router.patch("/photos/{reading_id}/pieces/{piece_id}")
async def correct_disc(session: Board, reading_id: str, piece_id: int, correction: CorrectionIn) -> ReadingOut:
    """Say where a disc counts, or whose it is."""
    if correction.place is not None:
        place = Place.parse(correction.place)
        await session.correct(reading_id, lambda r: r.placed(piece_id, place))
    if correction.side is not None:
        side = correction.side
        await session.correct(reading_id, lambda r: r.given(piece_id, side))
    return reading_out(session, session.reading(reading_id))


@router.delete("/photos/{reading_id}/pieces/{piece_id}")
async def remove_disc(session: Board, reading_id: str, piece_id: int) -> ReadingOut:
    """Take away a disc that is not there."""
    return reading_out(session, await session.correct(reading_id, lambda r: r.without(piece_id)))


@router.put("/photos/{reading_id}/set-aside/{side}")
async def set_aside(
    session: Board, reading_id: str, side: Annotated[int, Path(ge=0, le=1)], said: SetAsideIn
) -> ReadingOut:
    """Say how many discs a side dropped in the hole and took off during the round."""
    return reading_out(session, await session.correct(reading_id, lambda r: r.with_set_aside(side, said.discs)))


@router.post("/photos/{reading_id}/swap")
async def swap_sides(session: Board, reading_id: str) -> ReadingOut:
    """Give each side the other's discs: their colours were taken the wrong way round."""
    return reading_out(session, await session.correct(reading_id, lambda r: r.swapped()))


@router.get("/match")
async def get_match(session: Board) -> MatchOut:
    """Return the match as it stands."""
    return match_out(session)


@router.post("/match", status_code=201)
async def begin_match(session: Board, wanted: MatchIn) -> MatchOut:
    """Begin a new match."""
    await session.begin(wanted.names, wanted.options, wanted.request)
    return match_out(session)


@router.post("/match/rounds", status_code=201)
async def count_round(session: Board, wanted: RoundIn) -> MatchOut:
    """Count a reading as the next round; the same ``request`` twice counts once."""
    await session.count(wanted.reading, wanted.request)
    return match_out(session)


@router.post("/match/undo")
async def undo_round(session: Board, wanted: UndoIn) -> MatchOut:
    """Take the newest round back."""
    await session.undo(wanted.round, wanted.request)
    return match_out(session)


@router.get("/state")
async def get_state(session: Board, settings: SetUp) -> StateOut:
    """Return all that a page shows, as the event stream sends it."""
    return state_out(session, settings)


@router.get("/events", response_class=EventSourceResponse)
async def follow(
    session: Board, settings: SetUp, last_event_id: Annotated[str | None, Header()] = None
) -> AsyncIterator[ServerSentEvent]:
    """Send the whole state after every change (``state``), and a ``beat`` in between."""
    changes = session.feed.follow(
        last_event_id, lambda: state_out(session, settings).model_dump_json(), settings.heartbeat_s
    )
    async for event in changes:
        yield event
