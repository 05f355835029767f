"""The hub: what happened, told to every open page.

Messages are encoded once an audience and kept in a ring. A stream holds only its place in the
ring, so a slow phone costs nothing and holds nobody up: when its place has left the ring, it is
sent the whole state instead. Ids are "run-number"; a page that comes back with an id of an
earlier run or out of the ring gets the whole state too.
"""

import json
import re
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from webui.roles import Role

Snapshot = Callable[[Role], Mapping[str, Any]]
"""Gives the whole state that one audience may see."""


@dataclass(frozen=True, slots=True)
class _Message:
    number: int
    encoded: Mapping[Role, bytes]


class Hub:
    """`run` names this run of the server; `snapshot` is asked when a page needs everything."""

    def __init__(self, run: str, snapshot: Snapshot, keep: int = 256) -> None:
        self._run = run
        self._snapshot = snapshot
        self._ring: deque[_Message] = deque(maxlen=keep)
        self._number = 0
        self._closed = False
        self._changed = threading.Condition()

    def publish(self, kind: str, data: Mapping[Role, Mapping[str, Any]]) -> None:
        """Tell every page; `data` holds what each audience may see (guest and host). One that is
        left out hears nothing of it."""
        with self._changed:
            self._number += 1
            ident = f"{self._run}-{self._number}"
            encoded = {role: encode(kind, body, ident) for role, body in data.items()}
            self._ring.append(_Message(self._number, encoded))
            self._changed.notify_all()

    def wake(self) -> None:
        """Let every stream ask again whether it is gone."""
        with self._changed:
            self._changed.notify_all()

    def close(self) -> None:
        """End every stream (the server is going down)."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def stream(self, role: Role, last_id: str, beat_s: float, gone: Callable[[], bool]) -> Iterator[bytes]:
        """The bytes of one page's event stream, heartbeats included.

        `last_id` is the last id that the page saw ("" for none). `gone` says that nobody listens
        any more; it is asked at least once a heartbeat, and after every `wake`.
        """
        place = self._place_of(last_id)
        while not self._closed and not gone():
            if place is None:
                place, state = self._whole(role)
                yield state
            news, place = self._after(place, role, beat_s, gone)
            if news is not None and not gone():
                yield news or encode("beat", {}, None)

    def _place_of(self, last_id: str) -> int | None:
        run, _, number = last_id.rpartition("-")
        with self._changed:
            if run != self._run or not re.fullmatch("[0-9]{1,15}", number) or int(number) > self._number:
                return None
            return int(number)

    def _whole(self, role: Role) -> tuple[int, bytes]:
        # the number is read first: a change in between is then told twice, never left out
        with self._changed:
            number = self._number
        return number, encode("state", self._snapshot(role), f"{self._run}-{number}")

    def _after(
        self, place: int, role: Role, beat_s: float, gone: Callable[[], bool]
    ) -> tuple[bytes | None, int | None]:
        """What follows `place` and the new place: b"" when nothing came in time, None and no
        place when it has left the ring."""
        with self._changed:
            self._changed.wait_for(lambda: self._number > place or self._closed or gone(), beat_s)
            missing = self._number - place
            if missing > len(self._ring):
                return None, None
            news = list(self._ring)[len(self._ring) - missing :] if missing else []
            return b"".join(message.encoded.get(role, b"") for message in news), self._number


def encode(kind: str, data: Mapping[str, Any], ident: str | None) -> bytes:
    """One server-sent event."""
    body = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    head = f"id: {ident}\n" if ident else ""
    return f"{head}event: {kind}\ndata: {body}\n\n".encode("utf-8", "backslashreplace")  # as the journal
