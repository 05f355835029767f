"""Fixtures shared by the tests of the command, the page, its security and the browser."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from running import KIBITZ, ROOT, Kibitz
from serving import TableServer


@pytest.fixture
def table(tmp_path: Path) -> Iterator[TableServer]:
    """A served table on which nothing has been played yet."""
    server = TableServer(tmp_path)
    yield server
    server.close()


@pytest.fixture
def kibitz(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kibitz:
    """The command as a process, in a folder and with a home of the test's own; variables of its
    environment may be given by name."""
    monkeypatch.setenv("KIBITZ_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))

    def run(*arguments: object, **more: str) -> subprocess.CompletedProcess[str]:
        for name, value in more.items():
            monkeypatch.setenv(name, value)
        command = [*KIBITZ, *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=tmp_path)

    return run
