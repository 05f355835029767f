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
        self._ids: dict[int, tuple[int, int]] = {}
        """What an event of theirs is here: the match and its id there."""
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
            known = (self._known(event) for event in payload.events)
            self._room.picture([event for event in known if event is not None], payload.before, payload.after)
        elif kind == "lying":
            self._room.set_lying(payload)
        elif kind == "health":
            self._room.set_health(payload)
        elif kind == "camera":
            self._room.set_camera(Status("restarting", payload) if payload else Status("watching"))
        self.hint()

    def hint(self) -> None:
        """Send the referee's hint if it has changed (also after a person's decision)."""
        with self._lock:
            hint = Hint.of(self._room.session)
            rejected = (self._room.match, hint.rejected)
            theirs = next((ours for ours, known in self._ids.items() if known == rejected), None)
            hint = replace(hint, rejected=theirs)
            if hint != self._hint:
                self._hint = hint
                self._tell(hint)

    def _event(self, event: Event) -> None:
        of = None if event.of is None else self._known(event.of)
        if event.of is not None and of is None and event.kind == "retract":
            return  # it takes back what an earlier life of the process said under another number
        accepted = self._room.add(to_json(replace(event, of=of)))
        with self._lock:
            self._ids[event.id] = (self._room.match, accepted.id)

    def _known(self, theirs: int) -> int | None:
        """The id of one of their events in the match now."""
        match, ident = self._ids.get(theirs, (None, None))
        return ident if match == self._room.match else None
