"""The matches of a journal, and each of them at any of its steps."""

import threading
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from referee.corrections import is_correction
from referee.errors import RulesError
from referee.events import Event, from_json
from referee.rules import load_game
from referee.session import Session, advance, fold
from referee.setup import MatchSetup
from referee.verdicts import Level
from webui.journal import Record

_EVERY, _MOST = 32, 64
"""A session is kept every so many steps, and so many of them."""


@dataclass(frozen=True, slots=True)
class KeptMatch:
    """A match in a journal. `id` is the number of the record that began it; `began` and `accepted`
    (one for each event) are wall clock, in Unix seconds. `unread` counts events that this version
    can't read."""

    id: int
    began: float
    setup: MatchSetup
    events: tuple[Event, ...] = ()
    accepted: tuple[float, ...] = ()
    unread: int = 0

    @property
    def game(self) -> dict[str, object]:
        """The game's id, and its names by language."""
        return {"id": self.setup.ruleset, "name": dict(load_game(self.setup.ruleset).name)}


@dataclass(frozen=True, slots=True)
class Step:
    """One event of the journal: `verdict` is the one that holds after every correction (None for what
    is no fact, or no longer one), `hand` the hand it fell into."""

    event: Event
    accepted: float
    verdict: Level | None
    hand: int


class History:
    """The matches among `records()` of a journal, oldest first; new records are taken in as they come."""

    def __init__(self, records: Callable[[], Sequence[Record]]) -> None:
        self._records = records
        self._lock = threading.Lock()
        self._taken = 0
        self._reading = _Reading()

    def matches(self) -> tuple[KeptMatch, ...]:
        with self._lock:
            records = self._records()
            for record in records[self._taken :]:
                self._reading.take(record)
            self._taken = len(records)
            return self._reading.matches()

    def match(self, ident: int) -> KeptMatch | None:
        return next((match for match in self.matches() if match.id == ident), None)


def matches_of(records: Sequence[Record]) -> tuple[KeptMatch, ...]:
    """The matches among the records of a journal, oldest first. One whose set-up can't be read (a
    game that is not installed, say) is left out."""
    return History(lambda: records).matches()


class Replay:
    """A match at any of its steps.

    A session is folded once for each correction that is passed, and goes on from there event by event;
    some on the way are kept, so that going back is quick.
    """

    def __init__(self, match: KeptMatch, known: Mapping[int, Session] | None = None) -> None:
        self.match = match
        self._lock = threading.Lock()
        self._kept = OrderedDict(known or {})
        self._corrections = [number for number, event in enumerate(match.events, 1) if is_correction(event)]
        self._steps: tuple[Step, ...] | None = None

    def at(self, step: int) -> Session:
        """The session after the first `step` events (0 to all of them)."""
        with self._lock:
            return self._at(max(0, min(step, len(self.match.events))))

    def steps(self) -> tuple[Step, ...]:
        """Every event with the verdict that holds now."""
        with self._lock:
            if self._steps is None:
                last = self._at(len(self.match.events))
                found = {judged.event_id: judged for judged in last.judgements}
                hand, steps = 1, []
                for event, accepted in zip(self.match.events, self.match.accepted, strict=True):
                    judged = found.get(event.id)
                    hand = judged.hand if judged else hand
                    steps.append(Step(event, accepted, judged.verdict if judged else None, hand))
                self._steps = tuple(steps)
            return self._steps

    def known(self) -> dict[int, Session]:
        """The sessions on the way, for a replay of the same match when it has gone on."""
        with self._lock:
            return dict(self._kept)

    def _at(self, step: int) -> Session:
        # what comes after a correction can't go on from what was thought before it
        place = bisect_right(self._corrections, step)
        base = self._corrections[place - 1] if place else 0
        start = max((number for number in self._kept if base <= number <= step), default=None)
        if start is None:
            start = base
            self._keep(base, fold(self.match.setup, self.match.events[:base]))
        session = self._kept[start]
        for number in range(start + 1, step + 1):
            session = advance(session, self.match.events[number - 1])
            if number % _EVERY == 0 or number == step:
                self._keep(number, session)
        return session

    def _keep(self, step: int, session: Session) -> None:
        self._kept[step] = session
        self._kept.move_to_end(step)
        while len(self._kept) > _MOST:
            self._kept.popitem(last=False)


class Replays:
    """The replays asked for lately; a match that goes on gets a new one with each event."""

    def __init__(self, most: int = 4) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, int], Replay] = OrderedDict()

    def of(self, table: str, match: KeptMatch, now: Session | None = None) -> Replay:
        """The replay of a match of the table of that name; `now` is its session if it is on there."""
        key = (table, match.id)
        with self._lock:
            replay = self._kept.get(key)
            if replay is None or replay.match != match:
                goes_on = replay is not None and replay.match.events == match.events[: len(replay.match.events)]
                known = replay.known() if replay is not None and goes_on else {}
                if now is not None and now.events == match.events:
                    known[len(match.events)] = now
                replay = self._kept[key] = Replay(match, known)
            self._kept.move_to_end(key)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
            return replay


@dataclass(slots=True)
class _Reading:
    """Takes records one after the other."""

    done: list[KeptMatch] = field(default_factory=list)
    head: KeptMatch | None = None
    events: list[Event] = field(default_factory=list)
    accepted: list[float] = field(default_factory=list)
    unread: int = 0

    def take(self, record: Record) -> None:
        if "match" in record.body:
            self.done = list(self.matches())
            self.events, self.accepted, self.unread = [], [], 0
            setup = _setup(record.body["match"])
            self.head = None if setup is None else KeptMatch(record.seq, record.at, setup)
        elif "event" in record.body and self.head is not None:
            try:
                self.events.append(from_json(record.body["event"]))
                self.accepted.append(record.at)
            except RulesError:
                self.unread += 1

    def matches(self) -> tuple[KeptMatch, ...]:
        if self.head is None:
            return tuple(self.done)
        newest = replace(self.head, events=tuple(self.events), accepted=tuple(self.accepted), unread=self.unread)
        return (*self.done, newest)


def _setup(said: Any) -> MatchSetup | None:
    """The set-up of a match as its record holds it; None if it can't be read."""
    try:
        counts = said.get("counts")
        setup = MatchSetup(
            ruleset=said["ruleset"],
            names=tuple(map(str, said["names"])),
            options=_options(said.get("options")),
            counts=None if counts is None else tuple(counts),
            first_leader=said.get("first_leader"),
            dealer=said.get("dealer"),
            direction=said.get("direction"),
        )
        setup.check()
    except (RulesError, KeyError, TypeError, AttributeError):
        return None
    return setup


def _options(said: object) -> Mapping[str, object]:
    return dict(said) if isinstance(said, Mapping) else {}
