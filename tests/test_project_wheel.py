"""A wheel carries all that Kibitz needs, and runs where the sources aren't."""

import os
import shutil
import subprocess
import sys
import zipfile
from email.parser import HeaderParser
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("vision", "tracker", "referee", "webui", "models")
KEPT_OUT = {".md", ".sh", ".jpg"}
"""Suffixes of files in the rooms that are not for running: documents, their pictures, scripts for developers."""


def source_files(root: Path) -> list[Path]:
    """What belongs in a wheel, relative to the root; caches and editors' files left out."""
    return [
        path.relative_to(root)
        for room in ROOMS
        for path in sorted((root / room).rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts and path.suffix not in KEPT_OUT and path.name[0] != "."
    ]


def pip(cwd: Path, command: str, *arguments: str) -> None:
    """pip without a registry: what it needs is there, or the test fails."""
    line = [sys.executable, "-m", "pip", command, "-q", "--no-deps", "--no-index", *arguments]
    done = subprocess.run(line, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy so that no `build/` stays behind in the tree."""
    place = tmp_path_factory.mktemp("wheel")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, place / name)
    for room in ROOMS:
        shutil.copytree(ROOT / room, place / room, ignore=shutil.ignore_patterns("__pycache__"))
    pip(place, "wheel", "-w", "out", "--no-build-isolation", ".")
    (built,) = (place / "out").glob("kibitz-*.whl")
    return built


def test_it_carries_every_file_of_the_rooms_and_no_other(wheel: Path) -> None:
    inside = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert inside == {path.as_posix() for path in source_files(ROOT)}


def test_it_states_licence_and_python(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    (name,) = (n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
    metadata = HeaderParser().parsestr(archive.read(name).decode())
    assert metadata["Name"] == "kibitz"
    assert metadata["License-Expression"] == "AGPL-3.0-or-later"
    assert metadata["Requires-Python"] == ">=3.11"
    assert any(n.endswith("/licenses/LICENSE") for n in archive.namelist())


def test_it_is_small(wheel: Path) -> None:
    assert wheel.stat().st_size < 40 * 2**20


def test_it_runs_away_from_the_sources(wheel: Path, tmp_path: Path) -> None:
    """Installed into a folder of its own, the command answers from there."""
    target = tmp_path / "site"
    pip(tmp_path, "install", "--target", str(target), str(wheel))
    program = "import sys, webui.cli as c; print(c.__file__, file=sys.stderr); c.main(['games'])"
    environment = {**os.environ, "PYTHONPATH": str(target), "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert str(target) in done.stderr
    assert "upstream" in done.stdout
