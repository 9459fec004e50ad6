"""Real photographs, read whole: the figures that the project promises, kept."""

from __future__ import annotations

from pathlib import Path

from vision.accuracy import Accuracy, compare, read_truth
from vision.sources.pictures import open_picture
from vision.still import read_still


def test_crokinole_photographs_are_read_as_promised(shared: Path) -> None:
    """At least 21 of 22 exact, 99 % of discs found, placed and sided right, and every wrong place marked doubtful."""
    total = Accuracy()
    for path in sorted((shared / "photos" / "crokinole").glob("*.truth.json")):
        image, truth = read_truth(path)
        picture = open_picture(path.parent / image)
        total += compare(read_still(picture.bgr), picture.scale, truth)
    assert total.exact >= total.photos - 1
    assert min(total.found, total.place_right, total.side_right) >= 0.99 * total.discs
    assert total.extra <= 1
    assert total.wrong_but_doubtful == total.found - total.place_right
