"""A wheel in an empty folder: the four packages and the page are in it, whole, without the checkout beside them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]
ASKED = """
import sys
from pathlib import Path
import scoring.match, scoring.games.crokinole, calibration.calibration, vision.still, vision.sources.pictures
import api.cli.main, api.service
packages = [scoring, calibration, vision, api]
for package in packages:
    folder = Path(package.__path__[0])
    assert folder.parent == Path(sys.argv[1]), folder
    assert (folder / "py.typed").is_file(), folder
static = Path(api.__path__[0]) / "static"
print("\\n".join(sorted(path.relative_to(static).as_posix() for path in static.rglob("*") if path.is_file())))
"""


def run(*words: object, **how: object) -> str:
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, check=False, **how)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")
    source = folder / "source"
    tracked = run("git", "-C", CHECKOUT, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
    for name in filter(None, tracked):
        if name.startswith(("fixtures/", "tests/")) or not (CHECKOUT / name).is_file():
            continue
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes((CHECKOUT / name).read_bytes())
    build = () if _can_fetch_the_builder() else ("--no-build-isolation",)
    run(*pip, "wheel", "--no-deps", *build, "--wheel-dir", folder, source)
    (wheel,) = folder.glob("tallycam-*.whl")
    run(*pip, "install", "--no-deps", "--target", folder / "site", wheel)
    return folder / "site"


def _can_fetch_the_builder() -> bool:
    """Say whether the build has to fetch its tools: it need not where the environment has them already."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return int(version("setuptools").split(".")[0]) < 80
    except PackageNotFoundError:
        return True


def test_packages_and_page_come_with_the_wheel(installed: Path, tmp_path: Path) -> None:
    environment = {"PYTHONPATH": str(installed), "PATH": "/usr/bin:/bin"}
    listed = run(sys.executable, "-W", "error", "-c", ASKED, installed, cwd=tmp_path, env=environment).split()
    page = CHECKOUT / "api" / "static"
    assert listed == sorted(path.relative_to(page).as_posix() for path in page.rglob("*") if path.is_file())
    assert {"index.html", "app.css", "app.js"} <= set(listed)
