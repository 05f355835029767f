"""The supervisor with real processes that work, die, hang, fail and end."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from webui.supervisor import Limits, Status, Supervisor

LIMITS = Limits(start_s=20, hang_s=0.6, waits_s=(0.05,), fatal=frozenset({"no_model"}))


def lives(job: Path) -> int:
    """How often a worker has been started with this job (a folder that they count in)."""
    return len(list(job.iterdir()))


def begin(job: Path) -> int:
    (job / str(os.getpid())).touch()
    return lives(job)


def dies_once(job: Path, pipe: Connection) -> None:
    life = begin(job)
    pipe.send(("event", life))
    if life == 1:
        os._exit(1)
    echo(pipe)


def hangs_once(job: Path, pipe: Connection) -> None:
    life = begin(job)
    pipe.send(("event", life))
    if life == 1:
        time.sleep(60)
    echo(pipe)


def cannot_work(job: Path, pipe: Connection) -> None:
    begin(job)
    pipe.send(("error", {"code": "no_model", "params": {"path": "x.onnx"}}))


def ends(job: Path, pipe: Connection) -> None:
    pipe.send(("event", begin(job)))
    pipe.send(("ended", None))


def echo(pipe: Connection) -> None:
    while True:
        pipe.send(("alive", None))
        if pipe.poll(0.1):
            pipe.send(("event", pipe.recv()))


class Log:
    """Collects what a supervisor says, and waits for it."""

    def __init__(self) -> None:
        self.messages: list[Any] = []
        self.statuses: list[Status] = []
        self._changed = threading.Condition()

    def message(self, kind: str, payload: Any) -> None:
        with self._changed:
            self.messages.append((kind, payload))
            self._changed.notify_all()

    def status(self, status: Status) -> None:
        with self._changed:
            self.statuses.append(status)
            self._changed.notify_all()

    def wait(self, until: Callable[[], bool]) -> None:
        with self._changed:
            assert self._changed.wait_for(until, 30), (self.messages, self.statuses)

    def names(self) -> list[str]:
        return [status.status for status in self.statuses]


@pytest.fixture
def log() -> Log:
    return Log()


@pytest.fixture
def run(tmp_path: Path, log: Log) -> Iterator[Callable[[Any], Supervisor]]:
    running: list[Supervisor] = []

    def start(worker: Any) -> Supervisor:
        one = Supervisor(worker, lambda: tmp_path, log.message, log.status, time.monotonic, LIMITS)
        running.append(one)
        one.start()
        return one

    yield start
    for one in running:
        one.stop()


def test_a_worker_that_dies_is_started_again(run: Any, log: Log) -> None:
    run(dies_once)
    log.wait(lambda: ("event", 2) in log.messages)
    assert log.names()[:3] == ["starting", "watching", "restarting"]
    assert log.statuses[2].error == {"code": "eye_died", "params": {}}
    log.wait(lambda: log.names()[-1] == "watching")


def test_a_worker_that_hangs_is_killed_and_started_again(run: Any, log: Log) -> None:
    run(hangs_once)
    log.wait(lambda: ("event", 2) in log.messages)
    error = log.statuses[2].error
    assert error is not None
    assert error["code"] == "eye_hung"


def test_a_cause_that_restarting_cannot_cure_is_told_and_left(run: Any, log: Log, tmp_path: Path) -> None:
    run(cannot_work)
    log.wait(lambda: "failed" in log.names())
    error = log.statuses[-1].error
    assert error == {"code": "no_model", "params": {"path": "x.onnx"}}
    assert lives(tmp_path) == 1


def test_an_ended_source_can_be_played_again(run: Any, log: Log) -> None:
    supervisor = run(ends)
    log.wait(lambda: "ended" in log.names())
    supervisor.again()
    log.wait(lambda: log.names().count("ended") == 2)
    assert log.messages == [("event", 1), ("event", 2)]


def test_the_worker_hears_what_it_is_told(run: Any, log: Log) -> None:
    supervisor = run(dies_once)
    log.wait(lambda: ("event", 2) in log.messages)
    supervisor.tell("seat 3 passed")
    log.wait(lambda: ("event", "seat 3 passed") in log.messages)
