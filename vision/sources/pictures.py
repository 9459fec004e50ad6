"""Open a photograph: from a file or an upload to pixels the right way up, small in memory, safe with any bytes.

Everything a phone or a scanner writes is read: JPEG, PNG, WebP, HEIC, AVIF, TIFF, GIF and BMP, in grey, colour,
CMYK, 16 bit, with a palette or with transparency. Of an animation it is the first frame.
"""

from __future__ import annotations

import io
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import cv2
import numpy as np
from PIL import Image, UnidentifiedImageError

from calibration.calibration import Bgr, Floats
from vision.errors import BadPicture

PIXEL_LIMIT = 100_000_000
LEAST_SIDE_PX = 1600

_FORMATS = ("JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF", "AVIF")
_HEIF_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")
_PICTURE_STARTS = (b"\xff\xd8\xff", b"\x89PNG", b"GIF8", b"II*\0", b"MM\0*")
_DAMAGED = "{name} is damaged or breaks off before its end; copy it or take it again."
_ORIENTATION_TAG = 0x0112
_UPRIGHT = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}


@dataclass(frozen=True, slots=True)
class Picture:
    """One photograph the right way up: ``bgr`` (height×width×3, BGR, 8 bit), perhaps smaller than it was taken.

    ``width_px`` and ``height_px`` are those of the photograph itself; ``scale`` is pixels of ``bgr`` per pixel of it.
    """

    bgr: Bgr
    width_px: int
    height_px: int
    scale: float

    def to_original(self, points_px: Floats) -> Floats:
        """Map points of ``bgr`` (N×2, px) to points of the photograph as taken."""
        return (np.asarray(points_px, dtype=np.float64) + 0.5) / self.scale - 0.5

    def from_original(self, points_px: Floats) -> Floats:
        """Map points of the photograph as taken (N×2, px) to points of ``bgr``."""
        return (np.asarray(points_px, dtype=np.float64) + 0.5) * self.scale - 0.5


def open_picture(path: Path, least_side_px: int = LEAST_SIDE_PX) -> Picture:
    """Open the photograph at ``path``, the right way up.

    A large one is read at a half, a quarter or an eighth, as long as its longer side keeps ``least_side_px``.
    Raises ``BadPicture``, whose message says what is wrong with the file and what to do.
    """
    name = str(path)
    try:
        if path.is_dir():
            raise BadPicture(f"{name} is a folder; name the pictures in it.")
        if not path.exists():
            raise BadPicture(f"{name} is not there; check the name.")
        if not path.is_file():
            raise BadPicture(f"{name} is not a file; save the picture first.")
        with path.open("rb") as stream:
            return _read(stream, name, least_side_px)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise BadPicture(f"{name} cannot be opened: {reason}.") from error


def decode_picture(data: bytes, name: str, least_side_px: int = LEAST_SIDE_PX) -> Picture:
    """Read a photograph from its bytes, such as an upload; ``name`` is what messages call it. See ``open_picture``."""
    return _read(io.BytesIO(data), name, least_side_px)


def _read(stream: BinaryIO, name: str, least_side_px: int) -> Picture:
    head = stream.read(512)
    stream.seek(0)
    if not head:
        raise BadPicture(f"{name} is empty (0 bytes); copy it or take it again.")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Pillow warns of odd metadata and of sizes that _open judges itself
        image = _open(stream, head, name)
        header_size = image.size
        try:
            shrunk = _draft(image, least_side_px)
            image.load()
            rgb = _eight_bit(_upright(image))
            width_px, height_px = rgb.size
            if shrunk > 1:
                turned = (width_px > height_px) != (image.width > image.height)
                width_px, height_px = header_size[::-1] if turned else header_size
            reduction = _reduction(max(rgb.size), least_side_px)
            if reduction > 1:
                rgb = rgb.reduce(reduction)
            bgr = np.asarray(cv2.cvtColor(np.asarray(rgb), cv2.COLOR_RGB2BGR), dtype=np.uint8)
        except Exception as error:  # a decoder fed damaged bytes may raise anything
            raise BadPicture(_DAMAGED.format(name=name)) from error
    return Picture(bgr, width_px, height_px, 1 / (shrunk * reduction))


def _open(stream: BinaryIO, head: bytes, name: str) -> Image.Image:
    """Read the header alone, and refuse what is no picture or too large to decode."""
    heic = head[4:8] == b"ftyp" and head[8:12] in _HEIF_BRANDS
    if heic:
        _learn_heic(name)
    try:
        image = Image.open(stream, formats=["HEIF"] if heic else _FORMATS)
    except UnidentifiedImageError as error:
        raise BadPicture(_what_it_is(head, name)) from error
    except Image.DecompressionBombError as error:
        raise BadPicture(f"{name} is far too large to read; save it smaller.") from error
    except Exception as error:
        raise BadPicture(_DAMAGED.format(name=name)) from error
    width_px, height_px = image.size
    if width_px * height_px > PIXEL_LIMIT:
        raise BadPicture(
            f"{name} has {width_px} × {height_px} pixels, more than {PIXEL_LIMIT:,} in all; save it smaller."
        )
    return image


def _learn_heic(name: str) -> None:
    try:
        from pillow_heif import register_heif_opener
    except ImportError as error:
        raise BadPicture(f"{name} is HEIC, which this machine cannot read; save it as JPEG.") from error
    register_heif_opener()


def _what_it_is(head: bytes, name: str) -> str:
    heic = head[8:12] in _HEIF_BRANDS
    if heic or head.startswith(_PICTURE_STARTS) or (head[:4] == b"RIFF" and head[8:12] == b"WEBP"):
        return _DAMAGED.format(name=name)
    if head[4:8] == b"ftyp" or head[:4] == b"\x1aE\xdf\xa3" or (head[:4] == b"RIFF" and head[8:12] == b"AVI "):
        return f"{name} is a video; take a still picture from it."
    if head[:5] == b"%PDF-":
        return f"{name} is a PDF; save the picture in it as JPEG or PNG."
    return f"{name} is not a picture; use a JPEG, PNG, WebP or HEIC file."


def _reduction(longer_side_px: int, least_side_px: int) -> int:
    """Return by how much a side may shrink (1, 2, 4 or 8) and still keep ``least_side_px``."""
    return next((n for n in (8, 4, 2) if longer_side_px >= n * least_side_px), 1)


def _draft(image: Image.Image, least_side_px: int) -> int:
    """Ask a JPEG decoder for a smaller picture; return how many times smaller it will be."""
    n = _reduction(max(image.size), least_side_px)
    before = image.width
    if n > 1 and image.format in ("JPEG", "MPO"):
        image.draft(None, (max(image.width // n, 1), max(image.height // n, 1)))
    return round(before / image.width)


def _upright(image: Image.Image) -> Image.Image:
    try:
        turn = _UPRIGHT.get(image.getexif().get(_ORIENTATION_TAG, 1))
    except Exception:  # damaged metadata says nothing about how to turn a picture that is itself sound
        return image
    return image if turn is None else image.transpose(turn)


def _eight_bit(image: Image.Image) -> Image.Image:
    """Return the picture as 8-bit RGB: deep ones scaled, not clipped; transparent ones laid on white."""
    if image.mode.startswith("I;16"):
        deep = np.asarray(image).astype(np.uint32)
        return Image.fromarray(((deep + 128) // 257).astype(np.uint8)).convert("RGB")
    if image.mode in ("I", "F"):
        return Image.fromarray(_stretched(np.asarray(image, dtype=np.float64))).convert("RGB")
    if image.mode in ("RGBA", "LA", "La", "RGBa", "PA") or "transparency" in image.info:
        image = image.convert("RGBA")
        ground = Image.new("RGBA", image.size, "white")
        ground.alpha_composite(image)
        image = ground
    return image if image.mode == "RGB" else image.convert("RGB")


def _stretched(grey: Floats) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Scale grey values of unknown range so that the darkest becomes 0 and the lightest 255."""
    grey = np.nan_to_num(grey)
    low, high = float(grey.min()), float(grey.max())
    return ((grey - low) * (255 / max(high - low, 1e-9))).round().astype(np.uint8)
