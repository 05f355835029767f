"""Keeps a worker process alive: starts it again when it dies, hangs or loses its camera.

The camera and the detector run in that process, so that a driver that never returns cannot take
the page down. The worker sends tuples `(kind, payload)` over a pipe; these kinds are meant for the
supervisor, all others are handed on:

    ("alive", None)   nothing to tell, but at work
    ("ended", None)   the source is over (a file was played to its end); the worker then exits
    ("error", {"code", "params"})   it can't go on for a known cause; the worker then exits
"""

import multiprocessing
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Literal

Worker = Callable[[Any, Connection], None]
"""Runs in the new process: `worker(job, pipe)`; both must be picklable."""

Condition = Literal["starting", "watching", "restarting", "ended", "failed", "resting"]

_WAITS_S = (1.0, 2.0, 5.0, 10.0)
_STEADY_S = 60.0


@dataclass(frozen=True, slots=True)
class Status:
    """How the worker does; `resting`: whoever runs it has stopped it for a while. `error` is {"code",
    "params"} while `restarting` or `failed`; `attempt` counts the starts in a row that did not last a minute."""

    status: Condition
    error: Mapping[str, Any] | None = None
    attempt: int = 0


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds of silence before a worker counts as hung: while it loads, and afterwards; `fatal`
    are error codes that starting again can't cure."""

    start_s: float = 60.0
    hang_s: float = 10.0
    waits_s: tuple[float, ...] = _WAITS_S
    fatal: frozenset[str] = field(default_factory=frozenset)


class Supervisor:
    """Runs `worker(job(), pipe)` until `stop`; `job` is asked before every start.

    `on_message(kind, payload)` and `on_status(status)` are called from the supervisor's thread, one
    at a time. `clock` is monotonic seconds."""

    def __init__(
        self,
        worker: Worker,
        job: Callable[[], Any],
        on_message: Callable[[str, Any], None],
        on_status: Callable[[Status], None],
        clock: Callable[[], float],
        limits: Limits | None = None,
    ) -> None:
        self._worker = worker
        self._job = job
        self._on_message = on_message
        self._on_status = on_status
        self._clock = clock
        self._limits = limits or Limits()
        self._context = multiprocessing.get_context("spawn")
        self._stopping = threading.Event()
        self._again = threading.Event()
        self._pipe: Connection | None = None
        self._sending = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="supervisor", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """End the worker and wait for it."""
        self._stopping.set()
        self._again.set()
        if self._thread.is_alive():
            self._thread.join()

    def again(self) -> None:
        """Start a worker whose source has ended once more."""
        self._again.set()

    def tell(self, message: object) -> None:
        """Send something to the worker; lost if there is none at this moment."""
        with self._sending:
            if self._pipe is not None:
                with suppress(OSError):  # it has just died; the supervisor's thread sees to that
                    self._pipe.send(message)

    def _run(self) -> None:
        attempt = 0
        self._on_status(Status("starting"))
        while not self._stopping.is_set():
            started = self._clock()
            error = self._one_life()
            if self._stopping.is_set():
                break
            self._again.clear()
            if error is None:
                self._on_status(Status("ended"))
                self._again.wait()
                attempt = 0
                if not self._stopping.is_set():
                    self._on_status(Status("starting"))
                continue
            attempt = 1 if self._clock() - started > _STEADY_S else attempt + 1
            if error["code"] in self._limits.fatal:
                self._on_status(Status("failed", error, attempt))
                self._again.wait()
                continue
            self._on_status(Status("restarting", error, attempt))
            waits = self._limits.waits_s
            self._again.wait(waits[min(attempt, len(waits)) - 1])

    def _one_life(self) -> Mapping[str, Any] | None:
        """Run the worker once; why it ended (None: its source is over)."""
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=self._worker, args=(self._job(), theirs), name="kibitz-eye", daemon=True)
        process.start()
        theirs.close()
        with self._sending:
            self._pipe = ours
        try:
            return self._follow(ours)
        finally:
            with self._sending:
                self._pipe = None
                ours.close()
            _end(process)

    def _follow(self, pipe: Connection) -> Mapping[str, Any] | None:
        heard = self._clock()
        patience = self._limits.start_s
        while not self._stopping.is_set():
            try:
                if not pipe.poll(0.25):
                    silence = self._clock() - heard
                    if silence > patience:
                        return {"code": "eye_hung", "params": {"seconds": round(silence)}}
                    continue
                kind, payload = pipe.recv()
            except (EOFError, OSError):
                return {"code": "eye_died", "params": {}}
            heard = self._clock()
            if kind == "error":
                return dict(payload)
            if kind == "ended":
                return None
            if patience != self._limits.hang_s:
                patience = self._limits.hang_s
                self._on_status(Status("watching"))
            if kind != "alive":
                self._on_message(kind, payload)
        return None


def _end(process: BaseProcess) -> None:
    process.join(0.5)
    if process.is_alive():
        process.kill()  # not terminate: a process that hangs in a driver ignores that
    process.join()
    process.close()
