"""Fixtures shared by the tests of the page, its security and the browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from serving import TableServer


@pytest.fixture
def table(tmp_path: Path) -> Iterator[TableServer]:
    """A served table on which nothing has been played yet."""
    server = TableServer(tmp_path)
    yield server
    server.close()
