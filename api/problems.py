"""Errors as the problem documents of RFC 9457: a sentence for the person, a code for the program."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from api.errors import ApiError
from calibration.errors import CalibrationError
from vision.errors import VisionError

_CODES = {404: "not_found", 405: "method_not_allowed", 413: "upload_too_large"}
_IN_WORDS = {404: "There is nothing at this address.", 405: "This address does not do that."}


def problem(status: int, code: str, detail: str) -> JSONResponse:
    """Return one problem document."""
    content = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "code": code}
    return JSONResponse({**content, "detail": detail}, status, media_type="application/problem+json")


def install(app: FastAPI) -> None:
    """Answer every error of this application with a problem document."""
    app.add_exception_handler(ApiError, _refused)
    app.add_exception_handler(VisionError, _unreadable)
    app.add_exception_handler(CalibrationError, _unreadable)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _broken)


async def _refused(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, ApiError)
    return problem(error.status, error.code, str(error))


async def _unreadable(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, VisionError | CalibrationError)
    return problem(HTTPStatus.UNPROCESSABLE_ENTITY, error.code, str(error))


async def _invalid(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first: dict[str, Any] = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"][1:]) or "body"
    detail = f"The field {where!r} is missing." if first["type"] == "missing" else f"{where}: {first['msg']}."
    return problem(HTTPStatus.UNPROCESSABLE_ENTITY, "invalid_request", detail)


async def _http(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    status = error.status_code
    response = problem(status, _CODES.get(status, "http_error"), _IN_WORDS.get(status, str(error.detail)))
    response.headers.update(error.headers or {})
    return response


async def _broken(_: Request, __: Exception) -> JSONResponse:
    response = problem(500, "internal_error", "Something broke while doing this. The match is safe; try again.")
    # The server ends this connection when it has logged the error: nobody should send another request down it.
    response.headers["Connection"] = "close"
    return response
