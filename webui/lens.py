"""The camera while a table is set up: its whole picture, and questions about it.

It is opened in a process of its own (`webui/looking.py`), and given back when nobody has looked for
a while.
"""

import itertools
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from vision.errors import KibitzError
from webui.looking import LensJob, look
from webui.pictures import NewestPicture
from webui.supervisor import Limits, Status, Supervisor
from webui.watching import HOPELESS

_IDLE_S = 40.0
_ANSWER_S = 60.0
"""The first question also loads the networks."""
_LIMITS = Limits(hang_s=45.0, fatal=HOPELESS)


class Lens:
    """At most one source is open. Any thread may call. `clock` is monotonic seconds; `opening` and
    `closed` are called with a source before it is opened and after it was given back."""

    def __init__(
        self,
        deck: Path | None,
        clock: Callable[[], float],
        opening: Callable[[str], None],
        closed: Callable[[str], None],
    ) -> None:
        self._deck = deck
        self._clock = clock
        self._opening = opening
        self._closed = closed
        self._changing = threading.Lock()
        self._supervisor: Supervisor | None = None
        self._wanted = 0.0
        self._numbers = itertools.count()
        self._answers: dict[int, SimpleQueue[Mapping[str, Any]]] = {}
        self.source: str | None = None
        self.status = Status("starting")
        self.pictures = NewestPicture()

    @property
    def newest(self) -> NewestPicture:
        """The whole picture of the camera, for the host only. Who asks keeps the camera open, and
        opens one again that was given back because nobody looked."""
        self._wake()
        return self.pictures

    def use(self, source: str) -> None:
        """Look at this source from now on; nothing happens if that is so already."""
        with self._changing:
            self._wanted = self._clock()
            if self.source == source and self._supervisor is not None:
                return
            self._stop()
            self._opening(source)
            self.source = source
            self.status = Status("starting")
            self._supervisor = Supervisor(
                look, lambda: LensJob(source, self._deck), self._hear, self._set, self._clock, _LIMITS
            )
            self._supervisor.start()

    def leave(self) -> None:
        """Give the camera back and look through none."""
        with self._changing:
            self._stop()
            self.source = None

    def leave_if_idle(self) -> None:
        """Give the camera back if nobody has asked for anything for a while."""
        with self._changing:
            if self._supervisor is not None and self._clock() - self._wanted > _IDLE_S:
                self._stop()

    def close(self) -> None:
        """End the process and let go whoever waits (the server is going down)."""
        self.pictures.close()
        self._closed = lambda source: None  # nobody needs the camera any more
        self.leave()
        self._answer_all({"error": {"code": "no_camera_chosen", "params": {}}})

    def ask(self, question: str, about: object = None) -> Mapping[str, Any]:
        """The answer of the process. Raises KibitzError: what is wrong with the camera or the deck
        pack, or eye_hung when no answer came in time."""
        number, answer = next(self._numbers), SimpleQueue[Mapping[str, Any]]()
        self._answers[number] = answer
        try:
            self._wake()
            supervisor = self._supervisor
            if supervisor is None:
                raise KibitzError("no_camera_chosen")
            if error := self.status.error:
                raise KibitzError(error["code"], **error["params"])
            supervisor.tell((number, question, about))
            got = answer.get(timeout=_ANSWER_S)
        except Empty:
            raise KibitzError("eye_hung", seconds=round(_ANSWER_S)) from None
        finally:
            del self._answers[number]
        if "error" in got:
            raise KibitzError(got["error"]["code"], **got["error"]["params"])
        return got

    def _wake(self) -> None:
        self._wanted = self._clock()
        source = self.source
        if source is not None and self._supervisor is None:
            self.use(source)

    def _stop(self) -> None:
        if self._supervisor is not None and self.source is not None:
            self._supervisor.stop()
            self._supervisor = None
            self.pictures.close()
            self.pictures = NewestPicture()  # an old camera's picture must not be taken for the new one's
            self._closed(self.source)

    def _set(self, status: Status) -> None:
        self.status = status
        if status.error is not None:
            self._answer_all({"error": status.error})

    def _answer_all(self, answer: Mapping[str, Any]) -> None:
        for waiting in list(self._answers.values()):
            waiting.put(answer)

    def _hear(self, kind: str, payload: Any) -> None:
        if kind == "picture":
            self.pictures.put(payload)
        elif kind == "camera":
            self.status = Status("restarting", payload) if payload else Status("watching")
        elif kind == "answer":
            number, answer = payload
            if waiting := self._answers.get(number):
                waiting.put(answer)
