"""One table's room: the journal, the match that follows from it, and who is told about it.

Every fact goes the same way: into the journal (on the disk), folded into the match, then to the
pages. The journal holds two kinds of records: {"match": {...}} begins a match with its set-up,
{"event": {...}} is an event of the referee in that match.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from referee.errors import RulesError
from referee.events import Event, from_json, to_json
from referee.session import Session, advance, fold
from referee.setup import MatchSetup
from vision.errors import KibitzError
from webui.archive import Archive
from webui.history import History
from webui.hub import Hub
from webui.journal import Journal
from webui.pictures import NewestPicture
from webui.roles import Role
from webui.supervisor import Status
from webui.view import View, build, changes

_AUDIENCES = (Role.GUEST, Role.HOST)
_PICTURED = ("play", "discard", "show", "sweep", "take_back")


@dataclass(frozen=True, slots=True)
class TableInfo:
    """What a table is called in addresses and by people, and what its host lets guests do."""

    name: str
    title: str
    guests: Mapping[str, bool]


class Room:
    """The match of `setup`, continued from the journal if its last match has the same set-up.

    `run` names this run of the server. Its methods may be called from any thread.
    """

    def __init__(
        self,
        journal: Journal,
        setup: MatchSetup,
        run: str,
        new_match: bool,
        info: TableInfo,
        archive: Archive | None = None,
    ) -> None:
        self.info = info
        self.archive = archive
        self.history = History(journal.records)
        self._journal = journal
        self._setup = setup
        self._lock = threading.RLock()
        self._closed = False
        self._camera = Status("starting")
        self._lying: Sequence[Mapping[str, Any]] = ()
        self._match, self._events = (0, []) if new_match else _last_match(journal, setup)
        if not self._events:
            self._match = journal.append({"match": _setup_json(setup)}).seq
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
    def match(self) -> int:
        """The number of the journal's record that began this match."""
        with self._lock:
            return self._match

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
        the journal then; KibitzError `table_closed` when the room is closed."""
        with self._lock:
            if self._closed:
                raise KibitzError("table_closed", name=self.info.name)
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
            self._match = self._journal.append({"match": _setup_json(self._setup)}).seq
            self._events = []
            self._session = fold(self._setup, [])
            self._tell(before)

    def picture(self, events: Sequence[int], before: bytes | None, after: bytes) -> None:
        """Show the picture of the look that made `events`, and keep it where pictures are kept."""
        self.pictures.put(after)
        if self.archive is None:
            return
        with self._lock:
            made = [event for event in self._events if event.id in events]
            match = self._match
        # an event told anew (one play in two visits) was first seen with the one that it replaces
        since = next((event.of for event in made if event.kind == "retract"), None)
        wanted = [event.id for event in made if event.kind in _PICTURED]
        if wanted:
            self.archive.keep(match, wanted, before, after, since)

    def retry_disk(self) -> None:
        """Write what a full disk left in memory; every page hears when that changes anything."""
        with self._lock:
            waiting = self._journal.status.unsaved
            self._journal.retry()
            if self._journal.status.unsaved != waiting:
                self._tell({role: build(self._session, role) for role in _AUDIENCES})

    def close(self) -> None:
        """End every stream and every wait for a picture; nothing is decided here any more."""
        with self._lock:
            self._closed = True
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
            "table": asdict(self.info),
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


def _last_match(journal: Journal, setup: MatchSetup) -> tuple[int, list[Event]]:
    """The journal's last match if it was played with this set-up: the number of its first record,
    and its events."""
    events: list[Event] = []
    same, match = False, 0
    wanted = _plain(_setup_json(setup))
    for record in journal.records():
        if "match" in record.body:
            same, events, match = record.body["match"] == wanted, [], record.seq
        elif same and "event" in record.body:
            events.append(from_json(record.body["event"]))
    return match, events


def _plain(value: Any) -> Any:
    """The value as JSON gives it back (tuples become lists)."""
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, (list, tuple)) else value
