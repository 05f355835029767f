"""Several tables in one process: real `kibitz run` on the demo clip, each table by its name."""

import json
import secrets
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from running import CLIP, TABLE, TABLE_NAME, Follower, Running
from serving import SETUP, Visitor

from referee.errors import RulesError
from webui.house import House, Plan
from webui.journal import Journal
from webui.profiles import Profiles
from webui.room import Room, TableInfo
from webui.watching import Watched


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def save(home: Path, name: str, **more: object) -> Path:
    """A saved table of the demo clip that was open last."""
    (home / "tables").mkdir(parents=True, exist_ok=True)
    path = home / "tables" / f"{name}.json"
    document = json.loads(TABLE.read_text("utf-8")) | {"source": str(CLIP), "chosen": True, **more}
    path.write_text(json.dumps(document), "utf-8")
    return path


def follow(visitor: Visitor, table: str) -> Follower:
    other = Visitor(visitor.port, table)
    other.cookie = visitor.cookie
    return Follower(other)


def tables(visitor: Visitor) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(visitor.get("/api/tables")[2])
    return answer


def played(state: dict[str, Any]) -> bool:
    return bool(state["entries"]) and state["camera"]["status"] == "watching"


def test_two_tables_play_side_by_side_and_one_can_be_closed(home: Path, tmp_path: Path) -> None:
    second = tmp_path / "back room.json"
    second.write_text(json.dumps(json.loads(TABLE.read_text("utf-8")) | {"title": "后面的桌"}), "utf-8")
    running = Running(home, "--table", str(second), "--source", str(CLIP))
    host = running.host()
    opened = [{"name": TABLE_NAME, "title": "观牌 Demo"}, {"name": "back-room", "title": "后面的桌"}]
    assert tables(host)["tables"] == opened
    front, back = follow(host, TABLE_NAME), follow(host, "back-room")
    assert back.until(played)["table"]["title"] == "后面的桌"
    front.until(played)
    assert len(running.watchers()) == 2
    assert len(list((home / "journals").glob("*.sqlite"))) == 2

    assert host.post("/api/tables/back-room/close", {}) == (200, {"ok": True})
    with pytest.raises(StopIteration):
        back.until(lambda _: False)
    assert len(running.watchers()) == 1
    assert tables(host)["tables"] == opened[:1]
    for path in ("stream", "picture"):
        status, _, body = host.get(f"/t/back-room/api/{path}")
        assert (status, json.loads(body)["error"]["code"]) == (404, "table_closed")
    count = len(front.state["entries"])
    front.until(lambda state: len(state["entries"]) > count)
    assert running.end() == (0, "")


def test_a_saved_table_is_opened_again_and_its_match_goes_on(home: Path) -> None:
    save(home, "wednesday", title="Wednesday")
    save(home, "kept", chosen=False)
    running = Running(home, on=())
    host = running.host("wednesday")
    assert tables(host) == {
        "tables": [{"name": "wednesday", "title": "Wednesday"}],
        "closed": [{"name": "kept", "title": "观牌 Demo"}],
    }
    first = Follower(host).until(played)["entries"]

    assert host.post("/api/tables/wednesday/close", {})[0] == 200
    assert not json.loads((home / "tables" / "wednesday.json").read_text())["chosen"]
    assert host.post("/api/tables/wednesday/open", {}) == (200, {"ok": True})
    again = Follower(host).until(played)["entries"]
    assert again[: len(first)] == first
    assert host.post("/api/tables/kept/open", {})[0] == 200
    assert host.post("/api/tables/wednesday/delete", {})[0] == 200
    assert running.end() == (0, "")

    third = Running(home, on=())
    assert [one["name"] for one in tables(third.host())["tables"]] == ["kept"]
    third.end()


def test_a_table_is_begun_anew_with_its_changed_profile(home: Path) -> None:
    save(home, "t")
    running = Running(home, on=("--table", "t"))
    host = running.host("t")
    before = Follower(host)
    before.until(played)
    save(home, "t", title="Renamed", options={"direction": "cw"})
    assert host.post("/api/tables/t/open", {})[0] == 200
    with pytest.raises(StopIteration):
        before.until(lambda _: False)
    state = Follower(host).until(lambda state: True)
    assert state["table"]["title"] == "Renamed"
    save(home, "t", options={"direction": "sideways"})
    status, answer = host.post("/api/tables/t/open", {})
    assert (status, answer["error"]["code"]) == (400, "option_out_of_range")
    assert Follower(host).until(lambda state: True)["table"]["title"] == "Renamed"
    assert running.end() == (0, "")


def test_a_damaged_or_unplugged_table_keeps_no_other_from_being_played(home: Path) -> None:
    save(home, "good")
    save(home, "unplugged", source="nowhere.mp4")
    save(home, "torn").write_text("{")
    running = Running(home, on=())
    host = running.host("good")
    Follower(host).until(played)
    told = follow(host, "unplugged").until(lambda state: state["camera"]["status"] == "restarting")
    assert told["camera"]["error"]["code"] == "source_missing"
    (closed,) = tables(host)["closed"]
    assert (closed["name"], closed["error"]["code"]) == ("torn", "table_corrupt")
    code, errors = running.end()
    assert code == 0
    (line,) = errors.splitlines()
    assert "torn.json is not valid JSON" in line


def test_without_any_table_the_host_is_let_in_to_set_one_up(home: Path) -> None:
    save(home, "other-camera", source="7")
    running = Running(home, "--game", "upstream", on=("--source", CLIP))
    host = running.host()
    assert tables(host)["tables"] == []
    assert running.watchers() == []
    assert running.end() == (0, "")


def test_a_named_table_that_cannot_be_seen_is_an_error_at_once(home: Path) -> None:
    save(home, "t", source="nowhere.mp4")
    with pytest.raises(AssertionError, match=r"nowhere\.mp4"):
        Running(home, on=("--table", "t"))


def test_two_processes_do_not_write_one_journal(home: Path) -> None:
    save(home, "t")
    first = Running(home, on=())
    with pytest.raises(AssertionError, match="another Kibitz is writing the journal"):
        Running(home, on=("--table", "t"))
    assert first.end() == (0, "")


def test_a_journal_that_cannot_be_read_leaves_nothing_open(tmp_path: Path) -> None:
    file, info = tmp_path / "journal.sqlite", TableInfo("t", "t", {})
    newer = Journal(file, time.time)
    Room(newer, SETUP, "run", True, info)
    newer.append({"event": {"id": 0, "t": 0.0, "kind": "of a later version"}})
    newer.close()
    house = House(Profiles(tmp_path / "tables"), secrets.token_urlsafe)
    with pytest.raises(RulesError) as caught:
        house.start(Plan(info, Watched("0", TABLE, None), SETUP, file))
    assert caught.value.code == "bad_event"
    assert [thread for thread in threading.enumerate() if thread.name == "pictures"] == []
    Journal(file, time.time).close()  # it is nobody's


def test_a_table_that_is_opened_by_many_at_once_is_there_once(home: Path) -> None:
    save(home, "t")
    running = Running(home, on=())
    host = running.host("t")
    Follower(host).until(played)
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: host.post("/api/tables/t/open", {}), range(4)))
    assert answers == [(200, {"ok": True})] * 4
    Follower(host).until(played)
    assert len(running.watchers()) == 1
    assert [one["name"] for one in tables(host)["tables"]] == ["t"]
    assert running.end() == (0, "")
