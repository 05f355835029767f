"""Take pictures of a deck from a camera, card by card: each when it lies still, or on Enter."""

import queue
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TextIO

import cv2
import numpy as np

from tracker.motion import WIDTH, MotionGate
from vision.camera import Source, frames
from vision.evaluate.labels import LabelledCard
from vision.teaching.intake import Eyes
from vision.teaching.workspace import Workspace
from vision.types import Image

_STILL_S = 0.8
"""A card that lies still for so long is photographed."""
_QUALITY = 95

Say = Literal["lay", "taken", "no_sign", "other_card", "skipped"]


@dataclass(frozen=True, slots=True)
class News:
    """What to tell the owner: which card to lay, that it was taken, or why not. `left` cards are still to
    come; `read` is what the card looks like."""

    say: Say
    card: str
    left: int
    read: str = ""


def photograph(
    workspace: Workspace, source: Source, cards: Sequence[str], eyes: Eyes, keys: Callable[[], str | None]
) -> Iterator[News]:
    """Take a picture of each card in turn; what was taken stays when this is stopped.

    A picture is taken when the scene lies still after something moved, or at once when `keys` gives "";
    "s" skips a card, "q" stops. Pictures without a corner sign are refused, and what is surely another
    card is taken on Enter only. Raises KibitzError camera_hung, teach_unwritable.
    """
    waiting = list(cards)
    gate: MotionGate | None = None
    fresh = True  # something moved since the last picture
    if waiting:
        yield News("lay", waiting[0], len(waiting))
    for frame in frames(source):
        if not waiting:
            return
        gate = gate or MotionGate(_everywhere(frame.image))
        glance = gate.step(frame.image, frame.t)
        fresh = fresh or glance.still_s == 0
        key = keys()
        if key == "q":
            return
        if key == "s":
            yield News("skipped", waiting.pop(0), len(waiting))
        elif key is not None or (fresh and glance.still_s >= _STILL_S):
            fresh = False
            news = _take(workspace, frame.image, waiting[0], len(waiting), eyes, asked=key is not None)
            yield news
            if news.say != "taken":
                continue
            waiting.pop(0)
        else:
            continue
        if waiting:
            yield News("lay", waiting[0], len(waiting))


def _take(workspace: Workspace, image: Image, card: str, left: int, eyes: Eyes, asked: bool) -> News:
    look = eyes.look(image)
    if not look.signs:
        return News("no_sign", card, left)
    if look.sure and card not in look.sure and not asked:
        return News("other_card", card, left, min(look.sure))
    jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1].tobytes()
    workspace.add(jpeg, ".jpg", [LabelledCard(card)], complete=True)
    return News("taken", card, left - 1)


def _everywhere(image: Image) -> "np.ndarray[tuple[int, int], np.dtype[np.uint8]]":
    return np.full((round(image.shape[0] * WIDTH / image.shape[1]), WIDTH), 255, np.uint8)


class Keys:
    """Lines that the owner types, read by a thread of its own so that the camera never waits."""

    def __init__(self, stream: TextIO = sys.stdin) -> None:
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        threading.Thread(target=self._read, args=(stream,), name="keys", daemon=True).start()

    def __call__(self) -> str | None:
        """The next line without spaces, in small letters; None when none was typed."""
        try:
            return self._lines.get_nowait()
        except queue.Empty:
            return None

    def _read(self, stream: TextIO) -> None:
        for line in stream:
            self._lines.put(line.strip().lower())


