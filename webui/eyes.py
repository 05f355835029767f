"""Between the watching process and the room: their event ids, hints, and the cards on the table.

The watching process numbers its events from 0 in each of its lives; the journal numbers those of
people too. The referee's hints go back the other way.
"""

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from referee.events import Event, to_json
from webui.room import Room
from webui.supervisor import Status
from webui.watch import Hint


class Eyes:
    """Takes what the process says ; `tell` sends it something."""

    def __init__(self, room: Room, tell: Callable[[object], None]) -> None:
        self._room = room
        self._tell = tell
        self._lock = threading.Lock()
        self._ids: dict[int, int] = {}
        self._hint: Hint | None = None

    def hear(self, kind: str, payload: Any) -> None:
        """One message of the process (see `eye.py`)."""
        if kind == "ready":
            with self._lock:
                self._ids = {}
                self._hint = None
        elif kind == "event":
            self._event(payload)
        elif kind == "picture":
            self._room.pictures.put(payload)
        elif kind == "look":
            known = [self._ids[event] for event in payload.events if event in self._ids]
            self._room.picture(known, payload.before, payload.after)
        elif kind == "lying":
            self._room.set_lying(payload)
        elif kind == "camera":
            self._room.set_camera(Status("restarting", payload) if payload else Status("watching"))
        self.hint()

    def hint(self) -> None:
        """Send the referee's hint if it has changed (also after a person's decision)."""
        with self._lock:
            hint = Hint.of(self._room.session)
            theirs = next((ours for ours, room in self._ids.items() if room == hint.rejected), None)
            hint = replace(hint, rejected=theirs)
            if hint != self._hint:
                self._hint = hint
                self._tell(hint)

    def _event(self, event: Event) -> None:
        of = None if event.of is None else self._ids.get(event.of)
        if event.of is not None and of is None and event.kind == "retract":
            return  # it takes back what an earlier life of the process said under another number
        accepted = self._room.add(to_json(replace(event, of=of)))
        with self._lock:
            self._ids[event.id] = accepted.id
