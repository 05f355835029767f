"""One table's room: the journal, the match that follows from it, and who is told about it.

Every fact goes the same way: into the journal (on the disk), folded into the match, then to the
pages. The journal holds three kinds of records: {"match": {...}} begins a match with its set-up,
{"event": {...}} is an event of the referee in that match; what people decided also says "decision":
the id of the first event of the decision that it belongs to; {"seat": {...}} says which phone speaks
for a seat (see `seating.py`).
"""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from referee.errors import RulesError
from referee.events import Event, from_json, to_json
from referee.session import Session, advance, fold
from referee.setup import MatchSetup
from vision.errors import KibitzError
from webui import seating
from webui.archive import Archive
from webui.decisions import MOST_AT_ONCE, Decision, check, newest, told, undoing
from webui.history import History
from webui.hub import Hub
from webui.journal import Journal
from webui.pictures import NewestPicture
from webui.roles import Role
from webui.supervisor import Status
from webui.view import View, build, camera, changes

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
        self._health: Sequence[Mapping[str, Any]] = ()
        self._told: tuple[Decision, View] | None = None
        self._match, self._events, self._decisions = (0, [], []) if new_match else _last_match(journal, setup)
        if not self._events:
            self._match = journal.append({"match": _setup_json(setup)}).seq
        self._session = fold(setup, self._events)
        self._phones = seating.seated((record.body for record in journal.records()), setup.names)
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
            made = self._numbered([line])
            self._accept(made, self._after(made))
            return made[0]

    def decide(self, line: Mapping[str, Any]) -> Event:
        """Accept a person's decision of one event, as `decide_all`."""
        return self.decide_all([line])[0]

    def decide_all(self, lines: Sequence[Mapping[str, Any]]) -> Decision:
        """Accept a person's decision: events that hold together, written all or none.

        Raises RulesError for one that is impossible or has no effect (see `decisions.check`), and
        keeps it out of the journal then; KibitzError `table_closed` when the room is closed.
        """
        with self._lock:
            self._check_open()
            if not 0 < len(lines) <= MOST_AT_ONCE:
                raise RulesError("bad_event", field="events", problem=f"1 to {MOST_AT_ONCE} events make a decision")
            made = self._numbered(lines)
            after = self._after(made)
            check(self._session, after, made)
            self._accept(made, after, by_people=True)
        self.on_decision()
        return made

    def undo(self, ident: int) -> None:
        """Take back the newest decision, which begins with event `ident`. Raises RulesError
        `undo_outdated` when it is not the newest any more, KibitzError as `decide_all`."""
        with self._lock:
            self._check_open()
            made = newest(self._decisions, self._session)
            if made is None or made[0].id != ident:
                raise RulesError("undo_outdated")
            back = self._numbered(undoing(made))
            self._accept(back, self._after(back), by_people=True)
        self.on_decision()

    def seat_of(self, phone: str) -> int | None:
        """The seat that a phone speaks for."""
        with self._lock:
            return self._phones.index(phone) if phone in self._phones else None

    def sit(self, phone: str, seat: int | None) -> None:
        """A phone speaks for `seat` from now on (None: for none). Raises KibitzError `seat_taken`,
        `no_such_seat`, and `table_closed`."""
        with self._lock:
            self._seat(seating.sit(self._phones, phone, seat))

    def free_seats(self, seats: Iterable[int] | None = None) -> None:
        """Nobody speaks for these seats any more (None: for any). Raises KibitzError `table_closed`."""
        with self._lock:
            self._seat(seating.free(self._phones, range(len(self._phones)) if seats is None else seats))

    def allow(self, guests: Mapping[str, bool]) -> None:
        """What guests may do from now on."""
        with self._lock:
            self.info = replace(self.info, guests=dict(guests))
            self._tell_unchanged()

    def _seat(self, records: Sequence[Mapping[str, Any]]) -> None:
        self._check_open()
        for body in records:
            self._journal.append(body)
        if records:
            known = (record.body for record in self._journal.records())
            self._phones = seating.seated(known, self._setup.names)
            self._tell_unchanged()

    def begin_match(self) -> None:
        """A new match with the same set-up and the house rules as they were changed since; the old
        one stays in the journal."""
        with self._lock:
            self._check_open()
            before = {role: build(self._session, role) for role in _AUDIENCES}
            events = _rules_kept(self._session)
            records = [{"match": _setup_json(self._setup)}, *({"event": to_json(event)} for event in events)]
            self._match = self._journal.append_all(records)[0].seq
            self._events, self._decisions = events, []
            self._session = fold(self._setup, events)
            self._tell(before)
        self.on_decision()

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
                self._tell_unchanged()

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
            self._tell_unchanged()

    def set_lying(self, cards: Sequence[Mapping[str, Any]]) -> None:
        """The cards on the table now: [{"card", "quad" in fractions of the picture, "state"}]."""
        with self._lock:
            if list(cards) != list(self._lying):
                self._lying = cards
                self.hub.publish("lying", {role: {"cards": list(cards)} for role in _AUDIENCES})

    def set_health(self, checks: Sequence[Mapping[str, Any]]) -> None:
        """Tell the host's pages how good the picture is (see `checkup.py`)."""
        with self._lock:
            if list(checks) != list(self._health):
                self._health = checks
                self.hub.publish("health", {Role.HOST: {"checks": list(checks)}})

    def view(self, session: Session, role: Role) -> View:
        """What an audience may see of a session of this table: the one now, or one that is replayed."""
        built = build(session, role)
        if role < Role.HOST and not self.info.guests.get("seen"):
            built["seen"] = None
        return built

    def _check_open(self) -> None:
        if self._closed:
            raise KibitzError("table_closed", name=self.info.name)

    def _numbered(self, lines: Sequence[Mapping[str, Any]]) -> Decision:
        t = self._events[-1].t if self._events else 0.0
        return tuple(from_json({"t": t, **line, "id": len(self._events) + n}) for n, line in enumerate(lines))

    def _after(self, made: Decision) -> Session:
        if len(made) == 1:
            return advance(self._session, made[0])
        return fold(self._setup, (*self._events, *made))

    def _accept(self, made: Decision, after: Session, by_people: bool = False) -> None:
        """Into the journal, into the match, to the pages."""
        before = {role: build(self._session, role) for role in _AUDIENCES}
        mark = {"decision": made[0].id} if by_people else {}
        self._journal.append_all([{"event": to_json(event), **mark} for event in made])
        self._events += made
        if by_people:
            self._decisions.append(made)
        self._session = after
        self._tell(before)

    def _newest(self) -> View | None:
        """What the host may undo, in the form of the page."""
        made = newest(self._decisions, self._session)
        if made is None:
            return None
        if self._told is None or self._told[0] is not made:
            self._told = (made, told(made, self._session))
        return self._told[1]

    def _state(self, role: Role) -> View:
        journal = self._journal.status
        built = self.view(self._session, role)
        if role is Role.HOST:
            built |= {"undo": self._newest(), "health": list(self._health)}
        return {
            "table": asdict(self.info),
            "phones": list(self._phones),
            **built,
            "camera": camera(self._camera, role),
            "journal": {
                "unsaved": journal.unsaved,
                "set_aside": journal.set_aside,
                "damaged": journal.damaged and journal.damaged.name,
            },
        }

    def _tell_unchanged(self) -> None:
        """Tell what is beside the match."""
        self._tell({role: build(self._session, role) for role in _AUDIENCES})

    def _tell(self, before: Mapping[Role, View]) -> None:
        self.hub.publish("update", {role: changes(before[role], self._state(role)) for role in _AUDIENCES})


def _setup_json(setup: MatchSetup) -> dict[str, Any]:
    return asdict(setup) | {"options": dict(setup.options)}


def _last_match(journal: Journal, setup: MatchSetup) -> tuple[int, list[Event], list[Decision]]:
    """The journal's last match if it was played with this set-up: the number of its first record,
    its events, and which of them people decided together."""
    events: list[Event] = []
    decisions: dict[int, Decision] = {}
    same, match = False, 0
    wanted = _plain(_setup_json(setup))
    for record in journal.records():
        if "match" in record.body:
            same, events, decisions, match = record.body["match"] == wanted, [], {}, record.seq
        elif same and "event" in record.body:
            events.append(from_json(record.body["event"]))
            if "decision" in record.body:
                first = int(record.body["decision"])
                decisions[first] = (*decisions.get(first, ()), events[-1])
    return match, events, list(decisions.values())


def _rules_kept(session: Session) -> list[Event]:
    """The house rules that were changed in a match, as the first events of the next one."""
    changes = session.match.changes.items()
    data = [{"option": name, "value": value, "from": "start"} for name, value in changes]
    return [Event(n, 0.0, "set_option", data=said) for n, said in enumerate(data)]


def _plain(value: Any) -> Any:
    """The value as JSON gives it back (tuples become lists)."""
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, (list, tuple)) else value
