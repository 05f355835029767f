"""`kibitz export`: a match of a journal as JSON lines or CSV, also while a table writes the journal."""

import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from vision.errors import KibitzError
from webui.export import FORMS, encoded
from webui.history import matches_of
from webui.journal import Journal, Record

_HOT = "-journal"
"""What SQLite calls the file that makes a commit cut short undone."""


def run_export(
    journal: Path, form: str, number: int | None, out: Path | None, report: Callable[[KibitzError], None]
) -> int:
    """Write match `number` (from 1; None: the newest) of a journal to `out` (None: stdout); gives the
    count of complaints: damaged records are told by `report`, the rest is written all the same.

    Raises KibitzError `journal_missing`, `not_a_journal`, `journal_unreadable`, `journal_empty`,
    `no_such_match` or `export_unwritable`.
    """
    records, lost = read_copy(journal)
    matches = matches_of(records)
    if not matches:
        raise KibitzError("journal_empty", path=str(journal))
    if number is not None and not 1 <= number <= len(matches):
        raise KibitzError("no_such_match", path=str(journal), number=number, matches=len(matches))
    match = matches[-1 if number is None else number - 1]
    if out is None:
        sys.stdout.buffer.write(FORMS[form][2](match).encode())
        sys.stdout.buffer.flush()
    else:
        try:
            out.write_bytes(encoded(match, form))
        except OSError as error:
            raise KibitzError("export_unwritable", path=str(out), detail=error.strerror or str(error)) from error
    if lost or match.unread:
        report(KibitzError("journal_damaged", path=str(journal), n=lost + match.unread))
    return lost + match.unread


def read_copy(journal: Path) -> tuple[list[Record], int]:
    """The readable records of a journal and how many are damaged (at least); the file is only copied,
    so that it stays as it is and may be in use."""
    if not journal.is_file():
        raise KibitzError("journal_missing", path=str(journal))
    with tempfile.TemporaryDirectory(prefix="kibitz-") as folder:
        copy = Path(folder) / "journal.sqlite"
        try:
            hot = journal.with_name(journal.name + _HOT)
            if hot.exists() and hot.stat().st_size:
                shutil.copyfile(hot, copy.with_name(copy.name + _HOT))
            shutil.copyfile(journal, copy)
        except OSError as error:
            detail = error.strerror or str(error)
            raise KibitzError("journal_unreadable", path=str(journal), detail=detail) from error
        try:
            opened = Journal(copy, time.time)
        except KibitzError as error:
            if error.code == "journal_not_ours":
                raise KibitzError("not_a_journal", path=str(journal)) from error
            detail = str(error.params.get("detail", error.code))
            raise KibitzError("journal_unreadable", path=str(journal), detail=detail) from error
        try:
            return opened.records(), opened.status.set_aside + (opened.status.damaged is not None)
        finally:
            opened.close()
