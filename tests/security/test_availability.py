"""SECURITY.md line 14: attempts limited, streams capped, vanished clients freed, healthz answers."""

import socket
import time
from collections.abc import Iterator

import pytest
from serving import API, TableServer, Visitor

from webui import live
from webui.crowd import STREAM_CAP, Streams
from webui.security import Refused


def connect(visitor: Visitor) -> socket.socket:
    """An open event stream, its first bytes read."""
    one = socket.create_connection(("127.0.0.1", visitor.port), timeout=20)
    request = f"GET {API}/stream HTTP/1.1\r\nHost: 127.0.0.1:{visitor.port}\r\nCookie: {visitor.cookie}\r\n\r\n"
    one.sendall(request.encode())
    assert b"200 OK" in one.recv(4096)
    return one


@pytest.fixture
def streams(table: TableServer) -> Streams:
    found: Streams = table.app.extensions["streams"]
    return found


@pytest.fixture
def crowd(table: TableServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[socket.socket]]:
    """As many open streams as there may be, each of a session of its own."""
    monkeypatch.setattr(table.door, "may_try", lambda _: True)
    connections = [connect(table.guest()) for _ in range(STREAM_CAP)]
    yield connections
    for one in connections:
        one.close()


def wait_until_free(streams: Streams, limit: float) -> float:
    start = time.monotonic()
    while streams.open and time.monotonic() - start < limit:
        time.sleep(0.05)
    return time.monotonic() - start


def test_14_join_and_login_attempts_are_limited(table: TableServer) -> None:
    visitor = table.stranger()
    answers = [visitor.post("/api/login", {"key": "guess"})[0] for _ in range(12)]
    assert answers == [403] * 10 + [429] * 2
    assert visitor.post("/api/join", {"key": table.door.guest_code()[0]})[0] == 429


def test_14_one_stream_a_session(table: TableServer) -> None:
    guest = table.guest()
    first = guest.messages()
    assert next(first)[0] == "state"
    second = guest.messages()
    assert next(second)[0] == "state"
    assert [kind for kind, _, _ in first] == ["replaced"]
    table.play(1)
    assert next(second)[0] == "update"


def test_14_at_the_cap_a_stream_is_refused_and_healthz_answers(
    table: TableServer, streams: Streams, crowd: list[socket.socket]
) -> None:
    assert streams.open == STREAM_CAP
    late = table.guest()
    assert late.get(f"{API}/stream")[0] == 503
    start = time.monotonic()
    assert late.get("/healthz")[0] == 200
    assert time.monotonic() - start < 1


def test_14_a_vanished_client_frees_its_thread_within_two_heartbeats(table: TableServer, streams: Streams) -> None:
    connection = connect(table.guest())
    assert streams.open == 1
    connection.close()
    assert wait_until_free(streams, 2 * live.BEAT_S) < 2 * live.BEAT_S
    assert streams.open == 0


def test_14_a_client_that_does_not_read_holds_nobody_up(table: TableServer) -> None:
    sleeper = connect(table.guest())
    reader = table.guest().messages()
    assert next(reader)[0] == "state"
    start = time.monotonic()
    for number in range(300):
        table.room.set_lying([{"card": "7h", "quad": [[number, 0]] * 4, "state": "x" * 20_000}])
    heard = 0
    while heard < 300 and time.monotonic() - start < 20:
        kind, _, data = next(reader)
        heard = data["cards"][0]["quad"][0][0] + 1 if kind == "lying" else data["lying"][0]["quad"][0][0] + 1
    assert heard == 300
    sleeper.close()


def test_14_a_full_house_is_told_as_such() -> None:
    streams = Streams(1)
    with streams.seat("a", print), pytest.raises(Refused) as caught, streams.seat("b", print):
        pass
    assert (caught.value.status, caught.value.code) == (503, "house_full")
