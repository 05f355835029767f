"""All tables of this process by name: opened, set up anew, closed while the others play on.

A table is a room (journal, match, listeners) and the process that watches for it. Its name stands
in every address of it: `/t/<name>/`.
"""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.setup import MatchSetup
from tracker.calibration import load_document
from vision.errors import KibitzError
from webui.agreement import agree
from webui.archive import LIMIT, Archive, folder_beside
from webui.decks import Decks
from webui.door import RandomToken
from webui.journal import Journal
from webui.lens import Lens
from webui.places import decks_folder, journal_of_profile
from webui.profiles import Profile, Profiles
from webui.room import Room, TableInfo
from webui.security import Refused
from webui.watching import Watched, Watching

_CAMERA = "0"
"""The first camera: the source of a table that names none."""


@dataclass(frozen=True, slots=True)
class Plan:
    """All that it takes to open a table."""

    info: TableInfo
    watched: Watched
    setup: MatchSetup
    journal: Path
    new_match: bool = False

    @staticmethod
    def of(
        profile: Profile, setup: MatchSetup, journal: Path, deck: Path | None, source: str | None, new_match: bool
    ) -> "Plan":
        """A table of a profile; `source` is used instead of the profile's."""
        info = TableInfo(profile.name, profile.title, profile.guests)
        return Plan(info, Watched(source or profile.source or _CAMERA, profile.path, deck), setup, journal, new_match)


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A table of this process. `again` plays a clip that has ended once more; `first_word` waits
    until its source is watched, or raises; `end` frees all that it holds. `plan` and `watching` are
    those of a table that is watched."""

    room: Room
    again: Callable[[], None]
    first_word: Callable[[], None]
    end: Callable[[], None]
    plan: Plan | None = None
    watching: Watching | None = None

    @property
    def info(self) -> TableInfo:
        return self.room.info


class House:
    """The open tables. Any thread may call; tables are opened and closed one at a time.

    `deck` is the deck pack of every table (None: the one that a table names among `decks`, or the one
    in use); `offered_source` and `offered_game` are what the host named at the start for a table that
    is yet to be set up; `pictures` how many bytes of pictures are kept for each table (0: none).
    """

    def __init__(
        self,
        profiles: Profiles,
        token: RandomToken,
        deck: Path | None = None,
        pictures: int = LIMIT,
        decks: Decks | None = None,
    ) -> None:
        self.profiles = profiles
        self.offered_source: str | None = None
        self.offered_game: str | None = None
        self._token = token
        self.decks = decks or Decks(decks_folder())
        self._deck = deck
        self._pictures = pictures
        self._changing = threading.Lock()
        self._tables: dict[str, OpenTable] = {}
        self.lens = Lens(deck or self.decks.default(), time.monotonic, self._make_room, self._give_back)

    def table(self, name: str) -> OpenTable:
        """The open table of that name; raises Refused 404 `table_closed` if there is none."""
        table = self._tables.get(name)
        if table is None:
            raise Refused(404, "table_closed", name=name)
        return table

    @property
    def tables(self) -> tuple[OpenTable, ...]:
        """The open tables, in the order in which they were opened."""
        return tuple(self._tables.values())

    def open(self, name: str) -> OpenTable:
        """Open a saved table, or begin it anew with its profile as it is now: a match with the same
        set-up goes on.

        Raises KibitzError and RulesError for a profile or a game that can't be; what was open stays
        open then.
        """
        profile = self.profiles.load(name)
        setup = agree(profile.table, None, (), None)
        return self.start(Plan.of(profile, setup, journal_of_profile(name), self.deck_of(profile), None, False))

    def start(self, plan: Plan) -> OpenTable:
        """Open the table of a plan in place of one of the same name; a saved one is opened again at
        the next start. Raises KibitzError if its journal can't be opened, RulesError if it can't be
        read; whether the source can is told on its page (and by `first_word`)."""
        name = plan.info.name
        if name in self.profiles.names() and plan.watched.table == self.profiles.path(name):
            self.profiles.note(name, "chosen", True)
        with self._changing:
            self._end(name)
            with ExitStack() as opened:
                journal = Journal(plan.journal, time.time)
                opened.callback(journal.close)
                limit = self._pictures
                archive = Archive(folder_beside(plan.journal), limit) if limit else None
                if archive is not None:
                    opened.callback(archive.close)
                room = Room(journal, plan.setup, self._token(6), plan.new_match, plan.info, archive)
                opened.pop_all()
            watching = Watching(plan.watched, room)

            def end() -> None:
                watching.stop()
                room.close()
                if archive is not None:
                    archive.close()
                journal.close()

            table = OpenTable(room, watching.again, watching.first_word, end, plan, watching)
            watching.start()
            self._put(table)
        return table

    def put(self, table: OpenTable) -> None:
        """Take in a table that was opened elsewhere, in place of one of the same name."""
        with self._changing:
            self._end(table.info.name)
            self._put(table)

    def document(self, name: str) -> dict[str, Any]:
        """The set-up of a table as a profile's JSON object: an open one as it is played, with what the
        command line said on top of its file. Raises KibitzError as `Profiles.document`."""
        table = self._tables.get(name)
        if table is None or table.plan is None:
            return self.profiles.document(name)
        plan = table.plan
        document = load_document(plan.watched.table)
        seats = [{**seat, "name": name} for seat, name in zip(document["seats"], plan.setup.names, strict=True)]
        return document | {
            "seats": seats,
            "game": plan.setup.ruleset,
            "options": dict(plan.setup.options),
            "title": plan.info.title,
            "guests": dict(table.info.guests),
            "source": plan.watched.source,
        }

    def deck_of(self, profile: Profile) -> Path | None:
        """The deck pack that a table is opened with. Raises KibitzError `deck_unknown`."""
        if self._deck is None and profile.deck is not None:
            return self.decks.folder(profile.deck)
        return self._deck or self.decks.default()

    def choose_deck(self, name: str, deck: str | None) -> None:
        """Name the deck pack of a saved table (None: the one in use), from its next start on.

        Raises KibitzError: deck_unknown, and those of `Profiles.note`."""
        if deck is not None:
            self.decks.folder(deck)
        self.profiles.note(name, "deck", deck)

    def deck_choices(self) -> Iterator[tuple[str, str, str | None]]:
        """Name, title and named deck pack of the saved tables that can be read."""
        for name in self.profiles.names():
            with suppress(KibitzError):
                profile = self.profiles.load(name)
                yield name, profile.title, profile.deck

    def close(self, name: str) -> None:
        """Close a table: every page of it is told, its process ends, its journal is kept. It is not
        opened again at the next start. Raises Refused 404 `table_closed`."""
        self.table(name)
        with self._changing:
            self._end(name)
        if name in self.profiles.names():
            self.profiles.note(name, "chosen", False)

    def delete(self, name: str) -> None:
        """Close a saved table and forget its set-up. Raises KibitzError as `Profiles.delete`."""
        self.profiles.delete(name)
        with self._changing:
            self._end(name)

    def allow(self, name: str, rights: Mapping[str, bool]) -> None:
        """What guests of an open table may do from now on; a saved table keeps it. Raises Refused 404
        `table_closed`, KibitzError `table_unwritable`."""
        room = self.table(name).room
        guests = {**room.info.guests, **rights}
        if name in self.profiles.names():
            self.profiles.note(name, "guests", guests)
        room.allow(guests)

    def end(self) -> None:
        """End every table (the process is going down)."""
        self.lens.close()
        with self._changing:
            for name in list(self._tables):
                self._end(name)

    def tend(self) -> None:
        """What must be done now and then: write what full disks left in memory, give a camera back
        that nobody sets up any more."""
        self.lens.leave_if_idle()
        for table in self.tables:
            table.room.retry_disk()

    def watcher(self, source: str) -> str | None:
        """The title of the table that watches this camera of the machine now."""
        return next((table.info.title for table in self._at(source)), None)

    # a camera can be opened once at a time: a table rests while the set-up looks through its camera

    def _make_room(self, source: str) -> None:
        for table in self._at(source):
            if table.watching:
                table.watching.rest()

    def _give_back(self, source: str) -> None:
        for table in self._at(source):
            if table.watching:
                table.watching.go_on()

    def _at(self, source: str) -> list[OpenTable]:
        """The tables that watch this camera of the machine (files and streams can be read twice)."""
        return [t for t in self.tables if source.isdigit() and t.plan and t.plan.watched.source == source]

    # readers take the dictionary without the lock: it is replaced, never changed

    def _put(self, table: OpenTable) -> None:
        self._tables = {**self._tables, table.info.name: table}

    def _end(self, name: str) -> None:
        table = self._tables.get(name)
        if table is not None:
            self._tables = {other: one for other, one in self._tables.items() if other != name}
            table.end()
