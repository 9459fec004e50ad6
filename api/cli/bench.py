"""``tallycam bench``: how long reading a picture takes on this machine, stage by stage."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

import typer

SIZES = ((1280, 720), (4000, 3000))
RUNS = 7


def bench(as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a size.")] = False) -> None:
    """Time reading a picture on this machine: processor time on one core, the median of a few runs."""
    import cv2

    from api.example import example_picture
    from calibration import ring_board
    from scoring.games.crokinole import BOARD
    from vision.sources.pictures import decode_picture
    from vision.still import read_still

    cv2.setNumThreads(1)
    original = decode_picture(example_picture(), "the example").bgr
    for width_px, height_px in SIZES:
        scene = _fitted(original, width_px, height_px)
        data = cv2.imencode(".jpg", scene, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()
        bgr = decode_picture(data, "the example").bgr
        stages = {
            "open_ms": _median_ms(partial(decode_picture, data, "the example")),
            "find_board_ms": _median_ms(partial(ring_board.find, bgr, BOARD)),
            "read_ms": _median_ms(partial(read_still, bgr)),
        }
        total = {"width": width_px, "height": height_px} | stages
        total["all_ms"] = round(stages["open_ms"] + stages["read_ms"], 1)
        if as_json:
            print(json.dumps(total))
        else:
            print(
                f"{width_px} × {height_px}: {total['all_ms']:.0f} ms a picture "
                f"(opening {total['open_ms']:.0f}, reading {total['read_ms']:.0f}, "
                f"of which finding the board {total['find_board_ms']:.0f})"
            )


def _fitted(bgr: Any, width_px: int, height_px: int) -> Any:
    """Scale a picture into a frame of the given size, its border repeated."""
    import cv2

    scale = min(width_px / bgr.shape[1], height_px / bgr.shape[0])
    size = (round(bgr.shape[1] * scale), round(bgr.shape[0] * scale))
    resized = cv2.resize(bgr, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
    right, below = width_px - size[0], height_px - size[1]
    return cv2.copyMakeBorder(resized, 0, below, 0, right, cv2.BORDER_REPLICATE)


def _median_ms(work: Callable[[], object]) -> float:
    work()
    took = []
    for _ in range(RUNS):
        started = time.process_time()
        work()
        took.append(1000 * (time.process_time() - started))
    return round(statistics.median(took), 1)
