"""SECURITY.md with several tables in one process: nobody gets more through another table's door."""

import json
import threading
import time
from pathlib import Path

import pytest
from serving import API, NAME, TableServer, Visitor

from vision.errors import KibitzError
from webui.crowd import STREAM_CAP
from webui.room import Room
from webui.supervisor import Status

OTHER = "back-room"
BOMB = "<img src=x onerror=alert(1)>"


@pytest.fixture
def other(table: TableServer, tmp_path: Path) -> Room:
    """A second table of the same process."""
    _, room = table.put(tmp_path / "other.sqlite", OTHER, BOMB)
    return room


def at_other(visitor: Visitor) -> Visitor:
    moved = Visitor(visitor.port, OTHER)
    moved.cookie = visitor.cookie
    return moved


def code_of(content: bytes) -> str:
    return str(json.loads(content)["error"]["code"])


def test_1_a_stranger_cannot_tell_which_tables_there_are(table: TableServer, other: Room) -> None:
    stranger = table.stranger()
    assert stranger.get("/api/tables")[0] == 401
    pages = {stranger.get(f"/t/{name}/")[2] for name in (NAME, OTHER, "nowhere")}
    assert len(pages) == 1
    for path in ("stream", "picture"):
        answers = {(stranger.get(f"/t/{name}/api/{path}")[::2]) for name in (NAME, OTHER, "nowhere")}
        assert len(answers) == 1
        assert answers.pop()[0] == 401


@pytest.mark.parametrize("name", ["nowhere", "..", "%2e%2e", "A", "a%2fb", "a" * 41])
def test_1_a_table_that_is_not_there_is_refused_at_every_address(table: TableServer, name: str) -> None:
    host = table.host()
    for path in ("stream", "picture"):
        assert host.get(f"/t/{name}/api/{path}")[0] == 404
    for path in (f"/t/{name}/api/events", f"/t/{name}/api/again", f"/api/link?table={name}"):
        assert host.post(path, {"kind": "new_hand"})[0] == 404


def test_3_a_guest_of_the_house_follows_every_table_and_each_tells_its_own(table: TableServer, other: Room) -> None:
    guest = table.guest()
    listed = json.loads(guest.get("/api/tables")[2])
    assert listed == {"tables": [{"name": NAME, "title": "周三牌局"}, {"name": OTHER, "title": BOMB}]}
    here, there = guest.messages(), at_other(guest).messages()
    assert next(here)[2]["table"]["name"] == NAME
    assert next(there)[2]["table"]["name"] == OTHER
    table.play(1)
    other.add({"kind": "play", "seat": 0, "cards": ["9s"]})
    assert [entry["cards"] for entry in next(here)[2]["entries"]] == [["5d", "5s"]]
    assert [entry["cards"] for entry in next(there)[2]["entries"]] == [["9s"]]


def test_13_a_picture_is_shown_at_its_own_table_only(table: TableServer, other: Room) -> None:
    table.room.pictures.put(b"here")
    other.pictures.put(b"there")
    guest = table.guest()
    assert guest.get(f"{API}/picture")[2] == b"here"
    assert guest.get(f"/t/{OTHER}/api/picture")[2] == b"there"


@pytest.mark.parametrize(
    ("place", "told"),
    [
        ("http://192.168.1.7:8080/video?user=me&pwd=secret", "http://…"),
        ("/srv/secret/films/club.mp4", "club.mp4"),
        ("C:\\secret\\club.mp4", "club.mp4"),
        ("0", "0"),
    ],
)
def test_13_guests_are_not_told_where_the_camera_is(table: TableServer, place: str, told: str) -> None:
    guest, host = table.guest().messages(), table.host().messages()
    assert next(guest)[0] == next(host)[0] == "state"
    error = {"code": "stream_unreachable", "params": {"source": place, "seconds": 3}}
    table.room.set_camera(Status("restarting", error, 1))
    late = table.guest().messages()
    for stream in (guest, late):
        assert next(stream)[2]["camera"]["error"] == {**error, "params": {"source": told, "seconds": 3}}
    assert next(host)[2]["camera"]["error"] == error


@pytest.mark.parametrize("what", ["open", "close", "delete"])
def test_4_guests_open_close_and_delete_nothing(table: TableServer, other: Room, what: str) -> None:
    guest = table.guest()
    for name in (OTHER, "nowhere"):
        assert guest.post(f"/api/tables/{name}/{what}", {})[0] == 403
    assert len(table.house.tables) == 2


@pytest.mark.parametrize("path", ["", "api/stream", "api/picture"])
def test_5_a_foreign_host_header_is_refused_at_every_table(table: TableServer, other: Room, path: str) -> None:
    other.pictures.put(b"jpeg")
    guest = table.guest()
    for name in (OTHER, "nowhere"):
        assert guest.get(f"/t/{name}/{path}", Host="evil.example")[0] == 400


@pytest.mark.parametrize("path", [f"/t/{OTHER}/api/events", f"/api/tables/{OTHER}/close", "/api/link"])
@pytest.mark.parametrize("origin", [None, "null", "http://evil.example"])
def test_6_unsafe_requests_about_a_table_need_our_own_origin(
    table: TableServer, other: Room, path: str, origin: str | None
) -> None:
    host = table.host()
    assert host.send("POST", path, {"kind": "new_hand"}, {"Origin": origin})[0] == 403
    assert host.send("POST", path, {"kind": "new_hand"}, {"Content-Type": "text/plain"})[0] == 415
    assert len(table.house.tables) == 2
    assert other.events == ()


@pytest.mark.parametrize("name", ["..%2f..%2fkeys", "%2e%2e%2fkeys", "keys%00", "-", "con", "KEYS"])
@pytest.mark.parametrize("what", ["open", "delete"])
def test_10_a_table_name_from_a_browser_is_no_path(table: TableServer, tmp_path: Path, name: str, what: str) -> None:
    before = sorted(tmp_path.rglob("*"))
    assert table.host().post(f"/api/tables/{name}/{what}", {})[0] in (400, 404)
    assert sorted(tmp_path.rglob("*")) == before


def test_14_the_cap_on_streams_is_for_the_whole_house(
    table: TableServer, other: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    streams = table.app.extensions["streams"]
    monkeypatch.setattr(streams, "cap", 2)
    guest = table.guest()
    here, there = guest.messages(), at_other(guest).messages()
    assert next(here)[0] == next(there)[0] == "state"
    assert streams.open == 2
    late = table.guest()
    for name in (NAME, OTHER):
        status, _, content = late.get(f"/t/{name}/api/stream")
        assert (status, code_of(content)) == (503, "house_full")
    assert STREAM_CAP >= 200


def test_14_a_second_stream_ends_the_first_of_its_own_table_only(table: TableServer, other: Room) -> None:
    guest = table.guest()
    here, there = guest.messages(), at_other(guest).messages()
    assert next(here)[0] == next(there)[0] == "state"
    again = guest.messages()
    assert next(again)[0] == "state"
    assert [kind for kind, _, _ in here] == ["replaced"]
    other.add({"kind": "play", "seat": 0, "cards": ["9s"]})
    assert next(there)[0] == "update"


def test_14_closing_a_table_ends_its_streams_and_waits_and_no_other(table: TableServer, other: Room) -> None:
    streams = table.app.extensions["streams"]
    guest = table.guest()
    here, there = guest.messages(), at_other(guest).messages()
    assert next(here)[0] == next(there)[0] == "state"
    waited: list[int] = []
    waiting = threading.Thread(target=lambda: waited.append(guest.get(f"/t/{OTHER}/api/picture")[0]))
    waiting.start()
    assert table.host().post(f"/api/tables/{OTHER}/close", {}) == (200, {"ok": True})
    assert {kind for kind, _, _ in there} <= {"beat"}
    waiting.join(10)
    assert waited[0] in (204, 404)  # it had begun to wait, or came too late
    status, _, content = guest.get(f"/t/{OTHER}/api/stream")
    assert (status, code_of(content)) == (404, "table_closed")
    for _ in range(200):
        if streams.open == 1:
            break
        time.sleep(0.05)
    assert streams.open == 1
    table.play(1)
    assert next(here)[0] == "update"


def test_16_a_decision_that_comes_too_late_for_a_closed_table_is_refused_not_lost(
    table: TableServer, other: Room
) -> None:
    table.house.close(OTHER)
    with pytest.raises(KibitzError, match="table_closed"):
        other.decide({"kind": "play", "seat": 0, "cards": ["9s"]})
    assert other.events == ()
