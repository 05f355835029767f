"""The hub: every page hears everything in order, and a late page gets the whole state."""

import json
import threading
import time
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from webui.hub import Hub
from webui.roles import Role


def never() -> bool:
    return False


def parsed(chunk: bytes) -> list[tuple[str, str, Any]]:
    """(event, id, data) of each message in some bytes of a stream."""
    found = []
    for block in chunk.decode().strip().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.split("\n"))
        found.append((fields["event"], fields.get("id", ""), json.loads(fields["data"])))
    return found


def hub_of(counter: list[int], keep: int = 4) -> Hub:
    return Hub("run", lambda role: {"n": counter[0], "viewer": role.name}, keep)


def say(hub: Hub, counter: list[int]) -> None:
    counter[0] += 1
    hub.publish("update", {role: {"n": counter[0], "for": role.name} for role in Role})


def take(stream: Iterator[bytes], count: int) -> list[tuple[str, str, Any]]:
    return [message for chunk in islice(stream, count) for message in parsed(chunk)]


def test_a_new_page_gets_the_state_and_then_each_message() -> None:
    counter = [0]
    hub = hub_of(counter)
    say(hub, counter)
    stream = hub.stream(Role.GUEST, "", 5, never)
    assert take(stream, 1) == [("state", "run-1", {"n": 1, "viewer": "GUEST"})]
    say(hub, counter)
    say(hub, counter)
    assert take(stream, 1) == [
        ("update", "run-2", {"n": 2, "for": "GUEST"}),
        ("update", "run-3", {"n": 3, "for": "GUEST"}),
    ]


def test_a_page_that_comes_back_hears_what_it_missed() -> None:
    counter = [0]
    hub = hub_of(counter)
    for _ in range(3):
        say(hub, counter)
    stream = hub.stream(Role.HOST, "run-1", 5, never)
    assert [ident for _, ident, _ in take(stream, 1)] == ["run-2", "run-3"]


def test_a_page_that_missed_too_much_or_another_run_gets_the_state() -> None:
    counter = [0]
    hub = hub_of(counter, keep=4)
    for _ in range(9):
        say(hub, counter)
    for last in ("run-2", "other-8", "run-99", "nonsense"):
        stream = hub.stream(Role.GUEST, last, 5, never)
        assert take(stream, 1) == [("state", "run-9", {"n": 9, "viewer": "GUEST"})], last


def test_silence_is_filled_with_heartbeats_and_ends_when_nobody_listens() -> None:
    gone = threading.Event()
    hub = hub_of([0])
    stream = hub.stream(Role.GUEST, "", 0.01, gone.is_set)
    assert [kind for kind, _, _ in take(stream, 3)] == ["state", "beat", "beat"]
    gone.set()
    assert list(stream) == []


def test_wake_ends_a_waiting_stream_at_once() -> None:
    gone = threading.Event()
    hub = hub_of([0])
    stream = hub.stream(Role.GUEST, "", 30, gone.is_set)
    next(stream)
    ended = threading.Thread(target=lambda: list(stream))
    ended.start()
    gone.set()
    started = time.monotonic()
    hub.wake()
    ended.join(5)
    assert not ended.is_alive()
    assert time.monotonic() - started < 5


@pytest.mark.parametrize("last", ["run-" + "9" * 5000, "run-9", "run--1", "run-²", "run-", "-", "earlier-1"])
def test_an_id_that_was_never_told_gets_the_state(last: str) -> None:
    counter = [0]
    hub = hub_of(counter)
    say(hub, counter)
    assert take(hub.stream(Role.GUEST, last, 5, never), 1) == [("state", "run-1", {"n": 1, "viewer": "GUEST"})]
