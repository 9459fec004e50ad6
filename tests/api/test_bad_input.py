"""Everything a phone may send that is no photograph of a board: a problem in words, and the match as it was."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable, Iterator

import cv2
import httpx
import numpy as np
import pytest
from drawn_boards import jpeg, reads
from live import live
from PIL import Image

from api.service import create_app
from api.settings import Settings

Photo = dict[str, tuple[str, bytes, str]]
V1 = "/api/v1"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """One service for all of this, with one round counted: it has to survive everything."""
    app = create_app(
        Settings("crokinole", tmp_path_factory.mktemp("data"), None, upload_limit_bytes=2_000_000), reads()
    )
    with live(app) as address, httpx.Client(base_url=address, timeout=10) as client:
        reading = client.post(f"{V1}/photos", files={"photo": ("board.jpg", jpeg(), "image/jpeg")}).json()
        client.post(f"{V1}/match/rounds", json={"reading": reading["id"]})
        yield client


@pytest.fixture
def playing(service: httpx.Client, photo: Photo) -> Iterator[httpx.Client]:
    """The service in the middle of a match, which must stand afterwards as before, and go on."""
    before = service.get(f"{V1}/state").json()
    assert before["match"]["score"] == [5, 0]
    yield service
    assert service.get(f"{V1}/state").json() == before
    assert service.post(f"{V1}/photos", files=photo).status_code == 201


def saved(image: Image.Image, kind: str, **how: object) -> bytes:
    data = io.BytesIO()
    image.save(data, kind, **how)
    return data.getvalue()


def huge_header() -> bytes:
    header = b"IHDR" + struct.pack(">IIBBBBB", 30_000, 30_000, 8, 2, 0, 0, 0)
    chunks = (header, b"IDAT" + zlib.compress(b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk)) for chunk in chunks
    )


def plain() -> bytes:
    return cv2.imencode(".jpg", np.full((600, 800, 3), 90, np.uint8))[1].tobytes()


BAD = {
    "no-image": (b"just some words", "bad_picture", "is not a picture"),
    "header": (huge_header()[:33], "bad_picture", "breaks off"),
    "cut": (jpeg()[:9000], "bad_picture", "breaks off"),
    "empty": (b"", "bad_picture", "is empty"),
    "huge": (huge_header(), "bad_picture", "too large"),
    "no-board": (plain(), "board_not_found", "board"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_read_is_refused_in_words(playing: httpx.Client, name: str) -> None:
    data, code, words = BAD[name]
    response = playing.post(f"{V1}/photos", files={"photo": ("upload.jpg", data, "image/jpeg")})
    problem = response.json()
    assert response.status_code == problem["status"] == 422
    assert response.headers["content-type"] == "application/problem+json"
    assert problem["code"] == code
    assert words in problem["detail"]
    assert "Traceback" not in problem["detail"]


@pytest.mark.parametrize(
    "data",
    [
        saved(Image.open(io.BytesIO(jpeg())).convert("L"), "JPEG"),
        saved(Image.open(io.BytesIO(jpeg())).convert("CMYK"), "JPEG"),
        saved(Image.open(io.BytesIO(jpeg())).convert("RGBA"), "PNG"),
        saved(Image.fromarray(np.random.default_rng(1).integers(0, 65535, (300, 400)).astype(np.uint16)), "PNG"),
        saved(Image.open(io.BytesIO(jpeg())), "GIF", save_all=True, append_images=[Image.new("RGB", (1200, 900))]),
    ],
    ids=["grey", "cmyk", "alpha", "16-bit", "animated"],
)
def test_odd_pictures_are_read(service: httpx.Client, data: bytes) -> None:
    assert service.post(f"{V1}/photos", files={"photo": ("odd", data, "")}).status_code == 201


def test_a_heic_photo_is_read(service: httpx.Client) -> None:
    pytest.importorskip("pillow_heif").register_heif_opener()
    data = saved(Image.open(io.BytesIO(jpeg())), "HEIF")
    assert service.post(f"{V1}/photos", files={"photo": ("board.heic", data, "image/heic")}).status_code == 201


def test_an_upload_over_the_limit(playing: httpx.Client) -> None:
    response = playing.post(f"{V1}/photos", files={"photo": ("big.jpg", bytes(2_000_001), "image/jpeg")})
    assert response.status_code == 413
    assert response.headers["content-type"] == "application/problem+json"
    assert response.json()["code"] == "upload_too_large"
    assert "2 MB" in response.json()["detail"]


def test_an_upload_over_the_limit_that_does_not_say_its_length(playing: httpx.Client) -> None:
    def body() -> Iterator[bytes]:
        yield b'--x\r\nContent-Disposition: form-data; name="photo"; filename="a"\r\n\r\n'
        for _ in range(30):
            yield bytes(100_000)
        yield b"\r\n--x--\r\n"

    headers = {"Content-Type": "multipart/form-data; boundary=x"}
    response = playing.post(f"{V1}/photos", content=body(), headers=headers)
    assert (response.status_code, response.json()["code"]) == (413, "upload_too_large")


def test_the_form_field_is_missing(playing: httpx.Client) -> None:
    for files in ({"picture": ("a.jpg", jpeg(), "image/jpeg")}, None):
        response = playing.post(f"{V1}/photos", files=files)
        assert response.status_code == 422
        assert response.json()["detail"] == "The field 'photo' is missing."


@pytest.mark.parametrize(
    ("content", "kind"),
    [(b"{", "application/json"), (b"no parts", "multipart/form-data; boundary=x"), (b"x", "multipart/form-data")],
)
def test_bodies_that_make_no_sense(playing: httpx.Client, content: bytes, kind: str) -> None:
    for path in ("/photos", "/match/rounds"):
        response = playing.post(f"{V1}{path}", content=content, headers={"Content-Type": kind})
        assert response.status_code in (400, 422)
        assert response.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/photos/nothing", 404),
        ("GET", "/photos/nothing/picture", 404),
        ("GET", "/photos/nothing/overlay", 404),
        ("GET", "/nowhere", 404),
        ("DELETE", "/match", 405),
    ],
)
def test_addresses_that_are_not_there(playing: httpx.Client, method: str, path: str, status: int) -> None:
    response = playing.request(method, f"{V1}{path}")
    assert response.status_code == status
    assert response.headers["content-type"] == "application/problem+json"


def test_counting_a_reading_that_is_not_there(playing: httpx.Client) -> None:
    assert playing.post(f"{V1}/match/rounds", json={"reading": "nothing"}).status_code == 404


def test_another_sites_page_is_refused(playing: httpx.Client, photo: Photo) -> None:
    response = playing.post(f"{V1}/photos", files=photo, headers={"Origin": "https://elsewhere.example"})
    assert (response.status_code, response.json()["code"]) == (403, "foreign_page")
    own = playing.post(f"{V1}/match/undo", json={"round": 9}, headers={"Origin": str(playing.base_url).rstrip("/")})
    assert own.status_code == 409


def test_a_reader_that_breaks_is_said_without_its_innards(start: Callable[..., httpx.Client], photo: Photo) -> None:
    def broken(_: object) -> object:
        raise ZeroDivisionError("inner words")

    client = start(reader=broken)
    response = client.post(f"{V1}/photos", files=photo)
    assert (response.status_code, response.json()["code"]) == (500, "internal_error")
    assert "inner words" not in response.text
    assert client.get(f"{V1}/state").json()["being_read"] == 0


def test_the_page_and_every_answer_carry_strict_headers(service: httpx.Client) -> None:
    for path in ("/", "/app.js", f"{V1}/match", f"{V1}/nowhere"):
        response = service.get(path)
        policy = response.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "http" not in policy
        assert response.headers["x-content-type-options"] == "nosniff"
