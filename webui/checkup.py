"""The check-up: is the picture still good enough to read the cards that lie there?

It looks at a picture that is at hand, with the cards as they were last read; nothing is read for it.
"""

from collections.abc import Sequence
from typing import Any

from tracker.lifecycle import TableCard
from vision.health import examine
from vision.types import Detection, Image

_EVERY_S, _FIRST_S = 10.0, 3.0
"""Seconds between check-ups, and before the first: a webcam's first pictures are dark and soft."""


class Checkup:
    """`index_px` is the span of index heights that the deck pack reads well."""

    def __init__(self, index_px: tuple[float, float]) -> None:
        self._index_px = index_px
        self._next: float | None = None

    def is_due(self, now: float) -> bool:
        """True once every ten seconds of `now`, for the first time a little after the first question."""
        if self._next is None:
            self._next = now + _FIRST_S
        if now < self._next:
            return False
        self._next = now + _EVERY_S
        return True

    def of(self, image: Image, cards: Sequence[TableCard]) -> list[dict[str, Any]]:
        """The checks of a still picture: [{"name", "level", "advice", "params"}]. `cards` are those
        that are known to lie there."""
        found = [
            Detection(card.name, card.certainty, "up", card.quad_px, card.boxes)
            for card in cards
            if card.phase == "settled" and card.face == "up"
        ]
        return [
            {"name": check.name, "level": check.level, "advice": check.advice, "params": check.params}
            for check in examine(image, found, self._index_px)
        ]
