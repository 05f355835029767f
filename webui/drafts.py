"""Set-ups that are not finished: kept on disk, so that a reload, or another device, goes on with them."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from vision.errors import KibitzError
from webui.files import write_json
from webui.profiles import is_name

_NEW = "_new"
"""The draft of a table that has no name yet; no table can be called so."""


class Drafts:
    """One draft a table, and one for a new table (`name` None)."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def load(self, name: str | None) -> dict[str, Any] | None:
        """The draft, or None when there is none, or a damaged one."""
        try:
            draft = json.loads(self._path(name).read_text("utf-8"))
        except (OSError, ValueError, RecursionError):
            return None
        return draft if isinstance(draft, dict) else None

    def save(self, name: str | None, draft: Mapping[str, Any]) -> None:
        """Raises KibitzError: table_name, table_unwritable."""
        path = self._path(name)
        try:
            write_json(path, draft)
        except OSError as error:
            raise KibitzError("table_unwritable", path=str(path), why=str(error)) from error

    def drop(self, name: str | None) -> None:
        self._path(name).unlink(missing_ok=True)

    def _path(self, name: str | None) -> Path:
        if name is not None and not is_name(name):
            raise KibitzError("table_name", name=name)
        return self._folder / f"{name or _NEW}.json"
