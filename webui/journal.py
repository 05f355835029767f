"""The journal: what was seen and decided, in order, never changed.

One SQLite file holds one table's matches. A record is a JSON object; its meaning is a fold that
lives elsewhere. Laws:

* **Append only.** Triggers refuse UPDATE, DELETE and REPLACE.
* **On the disk before on the page.** `append` returns after the commit has reached the disk. The
  rollback journal (TRUNCATE) with `synchronous=FULL` is used rather than WAL: at one record a
  second its few milliseconds more do not count, the file stays a single file that can be copied,
  and damage shows itself, while a torn WAL tail is dropped by SQLite without a word.
* **Nothing is silently lost.** Every record carries the hash of itself and its predecessor's
  hash. A record that does not agree with its hash is set aside and counted; a file that SQLite
  can no longer read is kept under another name and its readable records are carried over.
* **A full disk does not stop the game.** Records are then held in memory, in order, and written
  as soon as the disk takes them again; `status` says so all the while.
"""

import hashlib
import json
import os
import sqlite3
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vision.errors import KibitzError

_APPLICATION_ID = 0x4B425A31
_MAGIC = b"SQLite format 3\0"
_START = b"\0" * 32
_SCHEMA = """
CREATE TABLE IF NOT EXISTS record(
    seq INTEGER PRIMARY KEY, at REAL NOT NULL, body TEXT NOT NULL, chain BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS set_aside(seq INTEGER PRIMARY KEY, at REAL NOT NULL);
CREATE TRIGGER IF NOT EXISTS record_no_update BEFORE UPDATE ON record
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER IF NOT EXISTS record_no_delete BEFORE DELETE ON record
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER IF NOT EXISTS record_no_replace BEFORE INSERT ON record
    WHEN EXISTS (SELECT 1 FROM record WHERE seq = NEW.seq)
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
"""


@dataclass(frozen=True, slots=True)
class Record:
    """One entry. `seq` counts from 1; `at` is the wall clock (Unix seconds) of its acceptance."""

    seq: int
    at: float
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class JournalStatus:
    """`unsaved` records wait in memory (0 = all is on the disk); `set_aside` were unreadable;
    `damaged` is the kept copy of a file that SQLite could not read any more."""

    unsaved: int
    set_aside: int
    damaged: Path | None


class Journal:
    """An open journal file. One process at a time; any of its threads may append.

    Raises KibitzError `journal_in_use`, `journal_not_ours` or `journal_unwritable` on opening.
    """

    def __init__(self, path: Path, clock: Callable[[], float]) -> None:
        self.path = path
        self._clock = clock
        self._lock = threading.Lock()
        self._pending: list[Record] = []
        self._records: list[Record] = []
        self._set_aside = 0
        self._damaged: Path | None = None
        self._chain = _START
        self._last = 0
        self._db = self._open()

    def records(self) -> list[Record]:
        """Every readable record in order, those still in memory included."""
        with self._lock:
            return list(self._records)

    @property
    def status(self) -> JournalStatus:
        with self._lock:
            return JournalStatus(len(self._pending), self._set_aside, self._damaged)

    def append(self, body: Mapping[str, Any]) -> Record:
        """Add a record; returns when it is on the disk, or, on a full disk, in memory."""
        return self.append_all([body])[0]

    def append_all(self, bodies: Sequence[Mapping[str, Any]]) -> list[Record]:
        """Add records that hold together: all of them reach the disk, or none does."""
        with self._lock:
            at = self._clock()
            added = [Record(self._last + n, at, json.loads(_encode(body))) for n, body in enumerate(bodies, start=1)]
            self._last += len(added)
            self._records += added
            self._pending += added
            self._write_pending()
            return added

    def retry(self) -> bool:
        """Write what waits in memory; True when nothing waits any more."""
        with self._lock:
            self._write_pending()
            return not self._pending

    def close(self) -> None:
        with self._lock:
            self._write_pending()
            self._db.close()

    def _write_pending(self) -> None:
        if not self._pending:
            return
        chain = self._chain
        try:
            with self._db:
                self._db.execute("BEGIN IMMEDIATE")
                for record in self._pending:
                    chain = _link(chain, record.seq, record.at, _encode(record.body))
                    self._db.execute(
                        "INSERT INTO record VALUES (?, ?, ?, ?)",
                        (record.seq, record.at, _encode(record.body), chain),
                    )
        except sqlite3.Error:
            return  # full or failing disk: they stay pending, and `status` says so
        self._chain = chain
        self._pending.clear()

    def _open(self) -> sqlite3.Connection:
        db: sqlite3.Connection | None = None
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if self.path.exists() and self.path.stat().st_size:
                with self.path.open("rb") as file:
                    if file.read(len(_MAGIC)) != _MAGIC:
                        raise KibitzError("journal_not_ours", path=str(self.path))
            db = sqlite3.connect(self.path, timeout=0.2, isolation_level=None, check_same_thread=False)
            self._load(db)
        except (OSError, sqlite3.OperationalError) as error:
            if db is not None:
                db.close()
            in_use = "locked" in str(error)
            raise KibitzError(
                "journal_in_use" if in_use else "journal_unwritable",
                path=str(self.path),
                detail=str(error),
            ) from error
        except sqlite3.DatabaseError:
            if db is not None:
                db.close()
            return self._salvage()
        return db

    def _load(self, db: sqlite3.Connection) -> None:
        db.execute("PRAGMA locking_mode = EXCLUSIVE")
        db.execute("PRAGMA journal_mode = TRUNCATE")
        db.execute("PRAGMA synchronous = FULL")
        ours = db.execute("PRAGMA application_id").fetchone()[0]
        tables = db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if tables and ours != _APPLICATION_ID:
            db.close()
            raise KibitzError("journal_not_ours", path=str(self.path))
        if db.execute("PRAGMA quick_check").fetchone()[0] != "ok":
            raise sqlite3.DatabaseError("quick_check failed")
        with db:
            # taken now and kept (locking_mode): a second process must fail here, not in the game
            db.execute("BEGIN EXCLUSIVE")
            if not tables:
                db.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
            for statement in _statements(_SCHEMA):
                db.execute(statement)
        known = {seq for (seq,) in db.execute("SELECT seq FROM set_aside")}
        torn: list[int] = []
        for seq, at, body, chain in db.execute("SELECT * FROM record ORDER BY seq"):
            content = _decode(body) if _link(self._chain, seq, at, body) == chain else None
            if content is None:
                torn.append(seq)
            else:
                self._records.append(Record(seq, at, content))
            self._chain = bytes(chain)
            self._last = seq
        with db:
            db.execute("BEGIN IMMEDIATE")
            for seq in set(torn) - known:
                db.execute("INSERT INTO set_aside VALUES (?, ?)", (seq, self._clock()))
        self._set_aside = len(torn)

    def _salvage(self) -> sqlite3.Connection:
        """Keep the damaged file beside the journal and carry its readable records over."""
        number = 1
        while (kept := self.path.with_name(f"{self.path.name}.damaged-{number}")).exists():
            number += 1
        os.replace(self.path, kept)
        readable = _readable(kept)
        self._damaged = kept
        self._records, self._chain, self._last = [], _START, 0
        db = sqlite3.connect(self.path, timeout=0.2, isolation_level=None, check_same_thread=False)
        self._load(db)
        for seq, at, body in readable:
            content = _decode(body)
            if content is not None:
                self._last = seq
                self._records.append(Record(seq, at, content))
        self._db = db
        self._pending = list(self._records)
        self._write_pending()
        return db


def _readable(path: Path) -> list[tuple[int, float, str]]:
    """The records that still agree with their hash, up to the first place SQLite can't read."""
    found: list[tuple[int, float, str]] = []
    chain = _START
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
            # lets SQLite read a file that is shorter than its header says
            db.execute("PRAGMA writable_schema = ON")
            for seq, at, body, link in db.execute("SELECT * FROM record ORDER BY seq"):
                if _link(chain, seq, at, body) == link:
                    found.append((seq, at, body))
                chain = bytes(link)
    except (sqlite3.Error, TypeError, ValueError):
        pass  # the damage starts here; the file itself is kept for whoever can read more of it
    return found


def _encode(body: Mapping[str, Any]) -> str:
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    # a lone surrogate (names come from files and arguments) has no UTF-8, but an escape in JSON
    return text.encode("utf-8", "backslashreplace").decode()


def _decode(body: object) -> dict[str, Any] | None:
    try:
        content = json.loads(body) if isinstance(body, str) else None
    except ValueError:
        return None
    return content if isinstance(content, dict) else None


def _link(chain: bytes, seq: int, at: float, body: object) -> bytes:
    return hashlib.sha256(chain + f"{seq}|{at!r}|{body}".encode("utf-8", "replace")).digest()


def _statements(script: str) -> list[str]:
    statements, current = [], ""
    for line in script.splitlines(keepends=True):
        current += line
        if sqlite3.complete_statement(current):
            statements.append(current)
            current = ""
    return statements
