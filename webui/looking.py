"""The process that looks while a table is set up: shows the whole picture, guesses where the table
is, reads a card that is laid.

Messages (see `supervisor.py`): ("picture", JPEG bytes), ("camera", None | {"code", "params"}) as the
watching process, ("answer", (number, answer)). It is told questions: (number, "propose", seats) or
(number, "look", None).
"""

import os
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import cv2
import numpy as np

from tracker.onecard import is_mirrored
from tracker.propose import points, propose
from vision.camera import frames, in_real_time, open_source
from vision.deck import DeckFile
from vision.detector import Detector
from vision.errors import KibitzError
from vision.health import examine
from vision.opening import open_deck
from vision.types import Frame, Image
from webui.errordata import error_data

_ALIVE_S = 1.0
_EVERY_S = 0.2
_QUALITY = 85


@dataclass(frozen=True, slots=True)
class LensJob:
    """What to look at, and the deck pack (None: the one that ships with Kibitz)."""

    source: str
    deck: Path | None


def look(job: LensJob, pipe: Connection) -> None:
    """Show a source until the room is gone (runs in a process of its own). A file begins again
    when it is over."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the room's business
    cv2.setNumThreads(1)
    try:
        _Looking(job, pipe).run()
    except KibitzError as error:
        pipe.send(("error", error_data(error)))


class _Looking:
    def __init__(self, job: LensJob, pipe: Connection) -> None:
        self._job = job
        self._pipe = pipe
        self._questions: SimpleQueue[tuple[int, str, Any]] = SimpleQueue()
        self._eyes: tuple[DeckFile, Detector] | None = None
        self._source = open_source(job.source, time.monotonic)
        threading.Thread(target=self._listen, name="questions", daemon=True).start()

    def run(self) -> None:
        shown = -_EVERY_S
        for image in self._images():
            now = time.monotonic()
            if image is not None and now - shown >= _EVERY_S:
                shown = now
                encoded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1]
                self._pipe.send(("picture", encoded.tobytes()))
            elif image is None:
                self._pipe.send(("alive", None))
            if image is not None:
                self._answer(image)

    def _listen(self) -> None:
        try:
            while True:
                self._questions.put(self._pipe.recv())
        except (EOFError, OSError):
            os._exit(0)  # the room is gone; a driver that hangs must not keep this process

    def _images(self) -> Iterator[Image | None]:
        """The pictures as they come; None when a live source gave none for a while."""
        while self._source.live:
            lost = self._source.lost
            frame = self._source.read(_ALIVE_S)
            if self._source.lost is not lost:
                why = self._source.lost
                self._pipe.send(("camera", why and error_data(why)))
            yield None if frame is None else frame.image
        while True:
            film: Iterator[Frame] = in_real_time(frames(self._source), time.monotonic, time.sleep)
            yield from (frame.image for frame in film)
            self._source.close()
            self._source = open_source(self._job.source, time.monotonic)

    def _answer(self, image: Image) -> None:
        while not self._questions.empty():
            number, question, about = self._questions.get()
            try:
                answer = self._proposal(image, about) if question == "propose" else self._cards(image)
            except KibitzError as error:
                answer = {"error": error_data(error)}
            self._pipe.send(("answer", (number, answer)))

    def _proposal(self, image: Image, seats: int) -> dict[str, Any]:
        _, detector = self._open()
        guess = propose(image, seats, detector.detect(image))
        size = (image.shape[1], image.shape[0])
        return {"document": guess.document(size), "sure": guess.sure, "sides_seen": list(guess.sides_seen)}

    def _cards(self, image: Image) -> dict[str, Any]:
        about, detector = self._open()
        cards = detector.detect(image)
        flipped = detector.detect(np.ascontiguousarray(image[:, ::-1]))
        checks = examine(image, cards, about.locate.index_px)
        named = [card for card in cards if card.face == "up" and card.is_reported(about.report_score)]
        return {
            "cards": [{"card": c.card, "whole": len(c.boxes) > 1, "quad": points(c.quad)} for c in named],
            "mirrored": is_mirrored(cards, flipped),
            "checks": [asdict(check) for check in checks],
        }

    def _open(self) -> tuple[DeckFile, Detector]:
        """The deck pack, opened at the first question: the picture needn't wait for it."""
        self._pipe.send(("alive", None))
        self._eyes = self._eyes or open_deck(self._job.deck)
        return self._eyes
