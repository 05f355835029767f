"""The watching process: camera, detector, tracker. It tells the room what happens.

Messages (see `supervisor.py`): ("ready", None) when it begins to look, ("event", Event) with ids of
its own, after them the `Look` that they come from as ("look", Look), ("picture", JPEG bytes) between
events, ("lying", cards), ("camera", None | {"code", "params"}) when a live camera comes back or goes
away, ("health", checks) now and then while the table is quiet. It is told `Hint`s.
"""

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import cv2

from referee.events import Event
from tracker.calibration import load_table
from tracker.lifecycle import TableCard
from tracker.pipeline import StepResult, TablePipeline
from vision.camera import Source, frames, in_real_time, open_source
from vision.errors import KibitzError
from vision.opening import open_deck
from vision.types import Frame, Image
from webui.checkup import Checkup
from webui.errordata import error_data
from webui.pictures import Look
from webui.playview import PlayView
from webui.watch import Hint, TableWatch

_ALIVE_S = 1.0
_MOVING_S = 0.25
_STILL_S = 3.0
"""Seconds between pictures while hands are at work, and while nothing happens."""
_SURE = 0.85


@dataclass(frozen=True, slots=True)
class EyeJob:
    """What to watch. `since` is the source time of the newest event of a match that goes on: a file
    is continued from there, a live source's time counts on from there. `keep`: the pictures before
    events are wanted."""

    source: str
    table: Path
    deck: Path | None
    decks: int
    shows: bool
    since: float = 0.0
    keep: bool = False


def watch(job: EyeJob, pipe: Connection) -> None:
    """Watch until the source ends or the room is gone (runs in a process of its own)."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the room's business
    cv2.setNumThreads(1)
    with suppress(ConnectionError):  # the room is gone
        try:
            _Eye(job, pipe).run()
            pipe.send(("ended", None))
        except KibitzError as error:
            pipe.send(("error", error_data(error)))


class _Eye:
    def __init__(self, job: EyeJob, pipe: Connection) -> None:
        table = load_table(job.table)
        self._job = job
        self._pipe = pipe
        self._hint = Hint()
        self._source: Source = open_source(job.source, time.monotonic, table.size)
        about, detector = open_deck(job.deck, job.decks)
        self._checkup = Checkup(about.locate.index_px)
        self._watch = TableWatch(TablePipeline(table, detector, job.decks), shows=job.shows)
        self._view = PlayView(table)
        self._lying: list[dict[str, Any]] = []
        self._heard = self._pictured = 0.0
        self._known: tuple[Image | None, bytes] = (None, b"")
        """The still view after the last event, and its JPEG: mostly the view before the next."""
        threading.Thread(target=self._listen, name="hints", daemon=True).start()

    def run(self) -> None:
        self._send("ready", None)
        for frame in self._frames():
            still, view = self._watch.pipeline.still, self._view
            events, result = self._watch.feed(frame, self._hint)
            for event in events:
                self._send("event", event)
            self._show(frame, result)
            if events:
                self._look(events, still, view, frame)
            if self._checkup.is_due(time.monotonic(), still=not result.moving):
                self._send("health", self._checkup.of(frame.image, result.cards))
            if time.monotonic() - self._heard > _ALIVE_S:
                self._send("alive", None)

    def _listen(self) -> None:
        try:
            while True:
                self._hint = self._pipe.recv()
        except (EOFError, OSError):
            os._exit(0)  # the room is gone; a driver that hangs must not keep this process

    def _send(self, kind: str, payload: object) -> None:
        self._heard = time.monotonic()
        self._pipe.send((kind, payload))

    def _frames(self) -> Iterator[Frame]:
        if self._source.live:
            return self._live()
        file = (frame for frame in frames(self._source) if frame.t >= self._job.since)
        return in_real_time(file, time.monotonic, time.sleep)

    def _live(self) -> Iterator[Frame]:
        lost: KibitzError | None = None
        while True:
            frame = self._source.read(_ALIVE_S)
            if self._source.lost is not lost:
                lost = self._source.lost
                told = None if lost is None else error_data(lost)
                self._send("camera", told)
            if frame is None:
                self._send("alive", None)
            else:
                yield replace(frame, t=frame.t + self._job.since)

    def _look(self, events: list[Event], still: Image | None, view: PlayView, frame: Frame) -> None:
        """Send the pictures of the look that made events; `still` and `view` were those before it."""
        before = None
        if self._job.keep and still is not None:
            before = self._known[1] if still is self._known[0] else view.jpeg(still)
        after = self._view.jpeg(frame.image)
        self._known = (self._watch.pipeline.still, after)
        self._pictured = time.monotonic()
        self._send("look", Look(tuple(event.id for event in events), before, after))

    def _show(self, frame: Frame, result: StepResult) -> None:
        table = self._watch.pipeline.table
        if table is not self._view.table:
            self._view = PlayView(table)  # the camera was bumped
        lying = [self._card(card) for card in result.cards if card.phase == "settled"]
        if lying != self._lying:
            self._lying = lying
            self._send("lying", lying)
        now = time.monotonic()
        if not result.observations and now - self._pictured >= (_MOVING_S if result.moving else _STILL_S):
            self._pictured = now
            self._send("picture", self._view.jpeg(frame.image))

    def _card(self, card: TableCard) -> dict[str, Any]:
        sure = card.certainty >= _SURE and card.name != "?"
        state = "down" if card.face == "down" else "sure" if sure else "unsure"
        return {"card": card.name, "quad": self._view.place(card.quad_px), "state": state}
