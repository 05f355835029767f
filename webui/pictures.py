"""Pictures of the play area on their way: the newest one, encoded once, handed to whoever waits for it."""

import threading
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Picture:
    """A JPEG of the play area, all else blacked out. `number` counts up from 1."""

    number: int
    jpeg: bytes


@dataclass(frozen=True, slots=True)
class Look:
    """The JPEGs of the play area just before and just after the visit that made `events` (ids of
    the watching process); `before` is None where nobody wants to keep it."""

    events: tuple[int, ...]
    before: bytes | None
    after: bytes


class NewestPicture:
    """Holds one picture; an older one is gone as soon as a newer comes."""

    def __init__(self) -> None:
        self._picture: Picture | None = None
        self._closed = False
        self._changed = threading.Condition()

    def put(self, jpeg: bytes) -> None:
        with self._changed:
            number = self._picture.number + 1 if self._picture else 1
            self._picture = Picture(number, jpeg)
            self._changed.notify_all()

    def close(self) -> None:
        """Let go whoever waits (the server is going down)."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def after(self, number: int, wait_s: float) -> Picture | None:
        """The newest picture if it isn't `number`; waits for one, None if none came in time.

        Any other number counts as news: after a restart of the server the count starts again.
        """

        def news() -> bool:
            return self._picture is not None and self._picture.number != number

        with self._changed:
            self._changed.wait_for(lambda: news() or self._closed, wait_s)
            return self._picture if news() else None
