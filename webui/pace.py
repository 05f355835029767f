"""How often somebody may do something: so many times in so many seconds, for each key apart."""

import threading
from collections import deque
from collections.abc import Callable


class Pace:
    """At most `most` times in `seconds` for each key; `clock` is monotonic seconds."""

    def __init__(self, most: int, seconds: float, clock: Callable[[], float]) -> None:
        self._most = most
        self._seconds = seconds
        self._clock = clock
        self._lock = threading.Lock()
        self._times: dict[str, deque[float]] = {}

    def may(self, key: str) -> bool:
        """Count one; False when there were too many lately (and this one isn't counted)."""
        with self._lock:
            now = self._clock()
            for known in [key for key, times in self._times.items() if now - times[-1] >= self._seconds]:
                del self._times[known]
            times = self._times.setdefault(key, deque(maxlen=self._most))
            if len(times) == self._most and now - times[0] < self._seconds:
                return False
            times.append(now)
            return True
