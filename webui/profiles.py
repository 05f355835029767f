"""Saved tables: one file `<name>.json` each, a table file with a few keys more.

Besides the keys of a table file (see `tracker/calibration.py`) a profile holds `title` (the name
that people gave the table), `source` (what is watched), `guests` (what the host lets guests do) and
`chosen` (it is opened again at the next start), `deck` (the name of its deck pack). Unknown keys are
kept.
"""

import re
import threading
import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tracker.calibration import Table, load_document, parse_table
from vision.errors import KibitzError
from webui.files import write_json

GUEST_RIGHTS = ("claims", "seen")
"""What a host may let guests do: claim for their own seat; see which cards are out."""
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_LONGEST_NAME = 40
_RESERVED = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))}
"""Names that Windows keeps for devices, whatever their suffix."""


@dataclass(frozen=True, slots=True)
class Profile:
    """A table file and what it says besides the table. `name` is its name in addresses; `path` the
    file; `source` and `deck` None when the file names none."""

    name: str
    path: Path
    table: Table
    title: str
    source: str | None
    guests: Mapping[str, bool]
    chosen: bool
    deck: str | None = None


class Profiles:
    """The saved tables in a folder, which need not exist yet. Any thread may call."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()

    @property
    def folder(self) -> Path:
        """Where the saved tables are."""
        return self._folder

    def names(self) -> tuple[str, ...]:
        """The names of all saved tables, in order; whether they can be read is not asked."""
        return tuple(sorted(path.stem for path in self._folder.glob("*.json") if is_name(path.stem)))

    def path(self, name: str) -> Path:
        """The file of a table. Raises KibitzError `table_name` for what is no name."""
        if not is_name(name):
            raise KibitzError("table_name", name=name)
        return self._folder / f"{name}.json"

    def document(self, name: str) -> dict[str, Any]:
        """The profile as JSON. Raises KibitzError: table_name, table_missing, table_corrupt."""
        return load_document(self.path(name))

    def load(self, name: str) -> Profile:
        """A saved table. Raises KibitzError: table_name, table_missing, table_corrupt, table_field."""
        return read_profile(self.path(name), name)

    def save(self, name: str, document: Mapping[str, Any]) -> Profile:
        """Keep a table under `name`, whole or not at all; an older one of that name is replaced.

        Raises KibitzError: table_name, table_field (nothing is written then), table_unwritable.
        """
        path = self.path(name)
        profile = _parse(document, path, name)
        with self._lock:
            self._write(path, document)
        return profile

    def note(self, name: str, key: str, value: object) -> None:
        """Change one key of a saved table: `chosen`, or `guests`. Raises as `document` and `save`."""
        with self._lock:
            document = self.document(name)
            if document.get(key) != value:
                self._write(self.path(name), {**document, key: value})

    def delete(self, name: str) -> None:
        """Forget a saved table; its journal stays. Raises KibitzError: table_name, table_missing,
        table_unwritable."""
        path = self.path(name)
        with self._lock:
            try:
                path.unlink()
            except FileNotFoundError as error:
                raise KibitzError("table_missing", path=str(path)) from error
            except OSError as error:
                raise KibitzError("table_unwritable", path=str(path), why=str(error)) from error

    def _write(self, path: Path, document: Mapping[str, Any]) -> None:
        try:
            write_json(path, document)
        except OSError as error:
            raise KibitzError("table_unwritable", path=str(path), why=str(error)) from error


def read_profile(path: Path, name: str) -> Profile:
    """Any table file as a profile called `name`. Raises KibitzError: table_missing, table_corrupt,
    table_field."""
    return _parse(load_document(path), path, name)


def is_name(text: str) -> bool:
    """Whether a table may have this name in addresses and as its file's."""
    return len(text) <= _LONGEST_NAME and _NAME.fullmatch(text) is not None and text not in _RESERVED


def new_name(title: str, taken: Collection[str]) -> str:
    """A name made of a title: a-z, 0-9 and hyphens, and none of `taken`; "table" when the title has
    none of these (牌桌)."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    name = "-".join(re.findall(r"[a-z0-9]+", plain))[: _LONGEST_NAME - 4].strip("-")
    if not is_name(name):
        name = f"table-{name}" if name else "table"
    numbered = (f"{name}-{number}" for number in range(2, len(taken) + 3))
    return next(one for one in (name, *numbered) if one not in taken)


def _parse(document: Mapping[str, Any], path: Path, name: str) -> Profile:
    try:
        return Profile(
            name=name,
            path=path,
            table=parse_table(document),
            title=_text(document, "title") or path.stem,
            source=_text(document, "source"),
            guests=_guests(document),
            chosen=document.get("chosen") is True,
            deck=_text(document, "deck"),
        )
    except KibitzError as error:
        raise KibitzError(error.code, path=str(path), **error.params) from error


def _text(document: Mapping[str, Any], field: str) -> str | None:
    value = document.get(field)
    if value is not None and (not isinstance(value, str) or len(value) > 200):
        raise KibitzError("table_field", field=field, needs="a text of at most 200 characters")
    return value or None


def _guests(document: Mapping[str, Any]) -> dict[str, bool]:
    value = document.get("guests", {})
    if not isinstance(value, dict) or not all(type(value.get(right, False)) is bool for right in GUEST_RIGHTS):
        raise KibitzError("table_field", field="guests", needs=f"an object with true or false for {GUEST_RIGHTS}")
    return {right: value.get(right, False) for right in GUEST_RIGHTS}
