"""How many may hang on at once: event streams and waits for pictures each hold a thread."""

import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager

from webui.security import Refused

STREAM_CAP = 220
WAIT_CAP = 64
SPARE_THREADS = 12
"""Threads beyond those that hang on, so that a full house still answers at once."""


class Streams:
    """One stream for each follower (a newer one ends the older), `cap` in the whole house."""

    def __init__(self, cap: int) -> None:
        self.cap = cap
        self._lock = threading.Lock()
        self._newest: dict[Hashable, object] = {}
        self._open = 0

    @property
    def open(self) -> int:
        """Streams that hold a thread now."""
        return self._open

    @contextmanager
    def seat(self, follower: Hashable, wake: Callable[[], None]) -> Iterator[Callable[[], bool]]:
        """Hold a place; gives a function that says whether a newer stream has taken over. `wake`
        lets the older stream ask it.

        Raises Refused 503 when the house is full.
        """
        mine = object()
        with self._lock:
            if self._open >= self.cap:
                raise Refused(503, "house_full", cap=self.cap)
            self._open += 1
            replaced = follower in self._newest
            self._newest[follower] = mine
        if replaced:
            wake()
        try:
            yield lambda: self._newest.get(follower) is not mine
        finally:
            with self._lock:
                self._open -= 1
                if self._newest.get(follower) is mine:
                    del self._newest[follower]


class Waits:
    """At most `cap` waits at once; the rest get their answer without waiting."""

    def __init__(self, cap: int) -> None:
        self.cap = cap
        self._free = threading.Semaphore(cap)

    @contextmanager
    def seconds(self, wanted: float) -> Iterator[float]:
        """The time that the caller may wait: `wanted`, or 0 when too many wait already."""
        got = self._free.acquire(blocking=False)
        try:
            yield wanted if got else 0.0
        finally:
            if got:
                self._free.release()
