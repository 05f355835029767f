"""The check-up: is the picture still good enough to read the cards that lie there, and do pictures
come fast enough?

It looks at a picture that is at hand, with the cards as they were last read; nothing is read for it.
"""

from collections.abc import Sequence
from typing import Any

from tracker.lifecycle import TableCard
from vision.health import examine
from vision.types import Detection, Image

_EVERY_S, _FIRST_S = 10.0, 3.0
"""Seconds between check-ups, and before the first: a webcam's first pictures are dark and soft."""
_LEAST_PACE = (10.0, 5.0)
"""With fewer pictures a second a quick hand is seen too seldom, or in none."""


class Checkup:
    """`index_px` is the span of index heights that the deck pack reads well."""

    def __init__(self, index_px: tuple[float, float]) -> None:
        self._index_px = index_px
        self._next: float | None = None
        self._since = 0.0
        self._frames = 0
        self._pace: float | None = None

    def is_due(self, now: float, still: bool) -> bool:
        """To be asked for every frame that was looked at. True for a still one once every ten seconds
        of `now`, for the first time a little after the first frame."""
        self._frames += 1
        if self._next is None:
            self._next, self._since, self._frames = now + _FIRST_S, now, 0
        if now < self._next or not still:
            return False
        self._next = now + _EVERY_S
        self._pace = self._frames / (now - self._since)
        self._since, self._frames = now, 0
        return True

    def of(self, image: Image, cards: Sequence[TableCard]) -> list[dict[str, Any]]:
        """The checks of a still picture: [{"name", "level", "advice", "params"}]. `cards` are those
        that are known to lie there."""
        checks = [] if self._pace is None else [_pace(self._pace)]
        found = [
            Detection(card.name, card.certainty, "up", card.quad_px, card.boxes)
            for card in cards
            if card.phase == "settled" and card.face == "up"
        ]
        return checks + [
            {"name": check.name, "level": check.level, "advice": check.advice, "params": check.params}
            for check in examine(image, found, self._index_px)
        ]


def _pace(found: float) -> dict[str, Any]:
    """Frames a second that were looked at: fewer than the camera gives when the computer is slow."""
    level = "ok" if found >= _LEAST_PACE[0] else "warning" if found >= _LEAST_PACE[1] else "bad"
    params = {"found": round(found, 1), "least": round(_LEAST_PACE[0])}
    return {"name": "pace", "level": level, "advice": None if level == "ok" else "few_pictures", "params": params}
