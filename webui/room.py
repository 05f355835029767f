"""One table's room: the journal, the match that follows from it, and who is told about it.

Every fact goes the same way: into the journal (on the disk), folded into the match, then to the
pages. The journal holds two kinds of records: {"match": {...}} begins a match with its set-up,
{"event": {...}} is an event of the referee in that match.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from referee.errors import RulesError
from referee.events import Event, from_json, to_json
from referee.session import Session, advance, fold
from referee.setup import MatchSetup
from webui.hub import Hub
from webui.journal import Journal
from webui.pictures import NewestPicture
from webui.roles import Role
from webui.supervisor import Status
from webui.view import View, build, changes

_AUDIENCES = (Role.GUEST, Role.HOST)


class Room:
    """The match of `setup`, continued from the journal if its last match has the same set-up.

    `run` names this run of the server. Its methods may be called from any thread.
    """

    def __init__(self, journal: Journal, setup: MatchSetup, run: str, new_match: bool) -> None:
        self._journal = journal
        self._setup = setup
        self._lock = threading.RLock()
        self._camera = Status("starting")
        self._lying: Sequence[Mapping[str, Any]] = ()
        self._events = [] if new_match else _last_match(journal, setup)
        if not self._events:
            journal.append({"match": _setup_json(setup)})
        self._session = fold(setup, self._events)
        self.on_decision: Callable[[], None] = lambda: None
        """Called after a person's decision (the camera's process wants new hints)."""
        self.hub = Hub(run, self.snapshot)
        self.pictures = NewestPicture()

    @property
    def session(self) -> Session:
        with self._lock:
            return self._session

    @property
    def events(self) -> tuple[Event, ...]:
        """The events of this match, in the order of the journal."""
        with self._lock:
            return tuple(self._events)

    def snapshot(self, role: Role) -> View:
        """The whole state for one audience."""
        with self._lock:
            return {**self._state(role), "lying": list(self._lying)}

    def add(self, line: Mapping[str, Any]) -> Event:
        """Accept an event ({"kind", "t"?, "seat"?, ...}; it gets its `id` and, if it has none, the
        time of the newest event). Raises RulesError `bad_event` for what is no event."""
        with self._lock:
            newest = self._events[-1].t if self._events else 0.0
            event = from_json({"t": newest, **line, "id": len(self._events)})
            before = {role: build(self._session, role) for role in _AUDIENCES}
            session = advance(self._session, event)
            self._journal.append({"event": to_json(event)})
            self._events.append(event)
            self._session = session
            self._tell(before)
            return event

    def decide(self, line: Mapping[str, Any]) -> Event:
        """Accept a person's decision. Raises RulesError if it has no effect, and keeps it out of
        the journal then."""
        with self._lock:
            event = from_json({"t": 0.0, **line, "id": len(self._events)})
            for decision in advance(self._session, event).decisions:
                if decision.event_id == event.id and decision.code:
                    raise RulesError(decision.code)
            accepted = self.add(line)
        self.on_decision()
        return accepted

    def begin_match(self) -> None:
        """A new match with the same set-up; the old one stays in the journal."""
        with self._lock:
            before = {role: build(self._session, role) for role in _AUDIENCES}
            self._journal.append({"match": _setup_json(self._setup)})
            self._events = []
            self._session = fold(self._setup, [])
            self._tell(before)

    def retry_disk(self) -> None:
        """Write what a full disk left in memory; every page hears when that changes anything."""
        with self._lock:
            waiting = self._journal.status.unsaved
            self._journal.retry()
            if self._journal.status.unsaved != waiting:
                self._tell({role: build(self._session, role) for role in _AUDIENCES})

    def close(self) -> None:
        """End every stream and every wait for a picture (the server is going down)."""
        self.hub.close()
        self.pictures.close()

    def set_camera(self, status: Status) -> None:
        """Tell every page how the camera does."""
        with self._lock:
            self._camera = status
            self._tell({role: build(self._session, role) for role in _AUDIENCES})

    def set_lying(self, cards: Sequence[Mapping[str, Any]]) -> None:
        """The cards on the table now: [{"card", "quad" in fractions of the picture, "state"}]."""
        with self._lock:
            if list(cards) != list(self._lying):
                self._lying = cards
                self.hub.publish("lying", {role: {"cards": list(cards)} for role in _AUDIENCES})

    def _state(self, role: Role) -> View:
        journal = self._journal.status
        return {
            **build(self._session, role),
            "camera": asdict(self._camera),
            "journal": {
                "unsaved": journal.unsaved,
                "set_aside": journal.set_aside,
                "damaged": journal.damaged and journal.damaged.name,
            },
        }

    def _tell(self, before: Mapping[Role, View]) -> None:
        self.hub.publish("update", {role: changes(before[role], self._state(role)) for role in _AUDIENCES})


def _setup_json(setup: MatchSetup) -> dict[str, Any]:
    return asdict(setup) | {"options": dict(setup.options)}


def _last_match(journal: Journal, setup: MatchSetup) -> list[Event]:
    """The events of the journal's last match if it was played with this set-up."""
    events: list[Event] = []
    same = False
    wanted = _plain(_setup_json(setup))
    for record in journal.records():
        if "match" in record.body:
            same, events = record.body["match"] == wanted, []
        elif same and "event" in record.body:
            events.append(from_json(record.body["event"]))
    return events


def _plain(value: Any) -> Any:
    """The value as JSON gives it back (tuples become lists)."""
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, (list, tuple)) else value
