"""The watching process of a room: started, followed, started again, ended."""

import threading
import time
from dataclasses import dataclass
from pathlib import Path

from vision.errors import KibitzError
from webui.eye import EyeJob, watch
from webui.eyes import Eyes
from webui.room import Room
from webui.supervisor import Limits, Status, Supervisor

_FIRST_WORD_S = 10.0
HOPELESS = frozenset(
    (
        "deck_missing",
        "deck_corrupt",
        "model_external_data",
        "model_hash_wrong",
        "model_missing",
        "model_path_outside",
        "model_too_large",
        "model_unusable",
        "train_extra_missing",
        "weights_classes",
    )
)
"""Errors that a new start of the watching process can't cure."""


@dataclass(frozen=True, slots=True)
class Watched:
    """The source, the table file and the deck pack (None: the one that ships with Kibitz)."""

    source: str
    table: Path
    deck: Path | None


class Watching:
    """Watches `watched` for `room`, going on where the room's match is."""

    def __init__(self, watched: Watched, room: Room) -> None:
        self._watched = watched
        self._room = room
        self._first: Status | None = None
        self._spoken = threading.Event()
        self._supervisor = self._new()
        self._eyes = Eyes(room, lambda message: self._supervisor.tell(message))
        room.on_decision = self._eyes.hint

    def start(self) -> None:
        self._supervisor.start()

    def first_word(self) -> None:
        """Wait until it watches. Raises KibitzError if its first word is that it can't."""
        self._spoken.wait(_FIRST_WORD_S)
        first = self._first
        if first is not None and first.error is not None:
            raise KibitzError(first.error["code"], **first.error["params"])

    def stop(self) -> None:
        self._supervisor.stop()

    def rest(self) -> None:
        """Give the camera to somebody else for a while."""
        self._supervisor.stop()
        self._room.set_camera(Status("resting"))

    def go_on(self) -> None:
        """Watch again after a rest."""
        self._supervisor = self._new()
        self._supervisor.start()

    def _new(self) -> Supervisor:
        limits = Limits(fatal=HOPELESS)
        return Supervisor(watch, self._next_job, self._hear, self._status, time.monotonic, limits)

    def again(self) -> None:
        """Play a clip that has ended from its beginning, as a new match."""
        self._room.begin_match()
        self._supervisor.again()

    def _next_job(self) -> EyeJob:
        rules, events = self._room.session.match.rules, self._room.events
        return EyeJob(
            self._watched.source,
            self._watched.table,
            self._watched.deck,
            rules.decks,
            shows=rules.family == "draw",
            since=events[-1].t if events else 0.0,
            keep=self._room.archive is not None,
        )

    def _hear(self, kind: str, payload: object) -> None:
        self._eyes.hear(kind, payload)

    def _status(self, status: Status) -> None:
        self._room.set_camera(status)
        if status.status != "starting" and self._first is None:
            self._first = status
            self._spoken.set()
