"""The picture archive: how the play area looked just before and just after each event.

It is a folder beside the journal: `<hash of the content>.jpg` files, and `index.jsonl`, which says
which picture belongs to which event. Laws:

* **Evidence, not facts.** Nothing is folded from pictures. They may be deleted at any time, by the
  host or by hand; what is missing or damaged is simply not shown.
* **Off the hot path.** `keep` only queues; a thread of its own writes. When the disk is slower than
  the table, pictures are left out, events never wait.
* **Bounded.** Over the limit the oldest pictures go first. The last megabytes of a disk are left to
  the journal. A full disk is told in `status`; the next event tries again.
"""

import errno
import hashlib
import json
import os
import queue
import re
import shutil
import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

When = Literal["before", "after"]

LIMIT = 200 * 10**6
"""Bytes of pictures kept for one table, unless told otherwise."""
_RESERVE = 64 * 10**6
_WAITING = 32
_END_S = 5.0
_INDEX = "index.jsonl"
_NAME = re.compile(r"[0-9a-f]{32}")
_OURS = re.compile(r"[0-9a-f]{32}\.(jpg|new)|index\.new")

_Key = tuple[int, int, When]
"""Match, event, when."""


@dataclass(frozen=True, slots=True)
class ArchiveStatus:
    """`problem` is why the newest pictures could not be kept: `disk_full`, `folder_unwritable`,
    None while all is well. `left_out` counts the pictures that were lost to it in this run."""

    pictures: int
    size: int
    problem: str | None
    left_out: int


@dataclass(frozen=True, slots=True)
class _Sight:
    """One look that made events. `since` is an event that these replace: its view before is theirs."""

    match: int
    events: tuple[int, ...]
    before: bytes | None
    after: bytes
    since: int | None


class Archive:
    """The pictures of one table, in `folder`; at most `limit` bytes of them, and none when less than
    `reserve` bytes of the disk are free. Its methods may be called from any thread."""

    def __init__(self, folder: Path, limit: int = LIMIT, reserve: int = _RESERVE) -> None:
        self.folder = folder
        self._limit = limit
        self._reserve = reserve
        self._lock = threading.Lock()  # the index in memory: never held while the disk works
        self._disk = threading.Lock()  # the folder: one writer
        self._index: dict[_Key, str] = {}
        self._sizes: OrderedDict[str, int] = OrderedDict()
        self._problem: str | None = None
        self._left_out = 0
        self._waiting: queue.Queue[_Sight | None] = queue.Queue(_WAITING)
        with suppress(OSError):
            self._load()
        self._thread = threading.Thread(target=self._write_all, name="pictures", daemon=True)
        self._thread.start()

    @property
    def status(self) -> ArchiveStatus:
        with self._lock:
            return ArchiveStatus(len(self._sizes), sum(self._sizes.values()), self._problem, self._left_out)

    def keep(
        self, match: int, events: Sequence[int], before: bytes | None, after: bytes, since: int | None = None
    ) -> None:
        """Keep the JPEGs of the look that made `events`. Returns at once, whatever the disk does."""
        try:
            self._waiting.put_nowait(_Sight(match, tuple(events), before, after, since))
        except queue.Full:
            with self._lock:
                self._left_out += 1

    def get(self, match: int, event: int, when: When) -> bytes | None:
        """A picture; None if there is none (any more), or its file is damaged."""
        with self._lock:
            name = self._index.get((match, event, when))
        if name is None:
            return None
        try:
            jpeg = self._path(name).read_bytes()
        except OSError:
            jpeg = b""
        if _hash(jpeg) == name:
            return jpeg
        with self._lock:
            self._forget([name])
        return None

    def kept(self, match: int) -> dict[int, list[When]]:
        """Which events of a match have pictures, and which."""
        found: dict[int, list[When]] = {}
        with self._lock:
            for kept_match, event, when in self._index:
                if kept_match == match:
                    found.setdefault(event, []).append(when)
        return found

    def clear(self) -> None:
        """Delete every picture, those that wait to be written included. Raises OSError if a file
        can't be deleted; the others are gone then all the same."""
        with self._disk:
            with suppress(queue.Empty):
                while True:
                    self._waiting.get_nowait()
            with self._lock:
                self._index.clear()
                self._sizes.clear()
            failed: OSError | None = None
            for path in self._files():
                try:
                    path.unlink(missing_ok=True)
                except OSError as error:
                    failed = error
            if failed:
                raise failed

    def close(self) -> None:
        """Write what waits, then end; a disk that hangs is not waited for."""
        with suppress(queue.Full):
            self._waiting.put(None, timeout=_END_S)
        self._thread.join(_END_S)

    def _write_all(self) -> None:
        while (sight := self._waiting.get()) is not None:
            with self._disk:
                problem = None
                try:
                    self._write(sight)
                except OSError as error:
                    full = isinstance(error, _LowDisk) or error.errno in _FULL
                    problem = "disk_full" if full else "folder_unwritable"
            with self._lock:
                self._problem = problem
                self._left_out += problem is not None

    def _write(self, sight: _Sight) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # nobody else's business
        if shutil.disk_usage(self.folder).free < self._reserve:
            raise _LowDisk
        with self._lock:
            first = None if sight.since is None else self._index.get((sight.match, sight.since, "before"))
        before = first or (None if sight.before is None else self._store(sight.before))
        named: list[tuple[When, str]] = [] if before is None else [("before", before)]
        named.append(("after", self._store(sight.after)))
        keys: list[tuple[_Key, str]] = [((sight.match, one, when), n) for one in sight.events for when, n in named]
        with (self.folder / _INDEX).open("a", encoding="utf-8") as file:
            file.write("".join(_line(key, name) for key, name in keys))
        with self._lock:
            for key, name in keys:
                self._index[key] = name
                self._sizes.move_to_end(name)
        self._thin()

    def _store(self, jpeg: bytes) -> str:
        """Write one picture unless it is there; its name."""
        name = _hash(jpeg)
        with self._lock:
            there = name in self._sizes
        if not there:
            new = self._path(name).with_suffix(".new")
            try:
                new.write_bytes(jpeg)
                os.replace(new, self._path(name))
            except OSError:
                with suppress(OSError):
                    new.unlink(missing_ok=True)
                raise
            with self._lock:
                self._sizes[name] = len(jpeg)
        return name

    def _thin(self) -> None:
        """Delete the oldest pictures until the rest are within the limit."""
        with self._lock:
            size = sum(self._sizes.values())
            old: list[str] = []
            for name, bytes_of in self._sizes.items():
                if size <= self._limit:
                    break
                size -= bytes_of
                old.append(name)
            self._forget(old)
        for name in old:
            self._path(name).unlink(missing_ok=True)

    def _forget(self, names: Iterable[str]) -> None:
        gone = set(names)
        if gone:
            for name in gone:
                self._sizes.pop(name, None)
            self._index = {key: name for key, name in self._index.items() if name not in gone}

    def _load(self) -> None:
        """Read the index; what it does not name, and lines without a file, are cleared away."""
        sizes = {path.stem: path.stat().st_size for path in self._files() if path.suffix == ".jpg"}
        lines = (self.folder / _INDEX).read_bytes().splitlines() if (self.folder / _INDEX).exists() else []
        for line in lines:
            entry = _entry(line)
            if entry is not None and entry[1] in sizes:
                key, name = entry
                self._index[key] = name
                self._sizes[name] = sizes[name]
                self._sizes.move_to_end(name)
        for path in self._files():
            if path.suffix == ".new" or (path.suffix == ".jpg" and path.stem not in self._sizes):
                path.unlink(missing_ok=True)
        if len(lines) != len(self._index):
            new = self.folder / "index.new"
            new.write_text("".join(_line(key, name) for key, name in self._index.items()), "utf-8")
            os.replace(new, self.folder / _INDEX)

    def _files(self) -> list[Path]:
        if not self.folder.is_dir():
            return []
        return [path for path in self.folder.iterdir() if path.name == _INDEX or _OURS.fullmatch(path.name)]

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.jpg"


class _LowDisk(OSError):
    """What is left of the disk is for the journal."""


_FULL = frozenset(getattr(errno, code) for code in ("ENOSPC", "EDQUOT", "EFBIG") if hasattr(errno, code))


def folder_beside(journal: Path) -> Path:
    """Where the pictures of a journal lie."""
    return journal.with_name(f"{journal.name}.pictures")


def _hash(jpeg: bytes) -> str:
    return hashlib.sha256(jpeg).hexdigest()[:32]


def _line(key: _Key, name: str) -> str:
    match, event, when = key
    return json.dumps({"match": match, "event": event, "when": when, "picture": name}) + "\n"


def _entry(line: bytes) -> tuple[_Key, str] | None:
    """A line of the index; None for what a crash or a stranger left there."""
    try:
        said: Any = json.loads(line)
        match, event, when, name = said["match"], said["event"], said["when"], said["picture"]
    except (ValueError, KeyError, TypeError):
        return None
    good = type(match) is int and type(event) is int and when in ("before", "after")
    return ((match, event, when), name) if good and isinstance(name, str) and _NAME.fullmatch(name) else None
