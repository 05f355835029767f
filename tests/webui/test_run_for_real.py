"""`kibitz run` on the demo clip: the whole chain from the pictures to the page's stream."""

import os
import signal
from pathlib import Path

import pytest
from running import Follower, Running


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def plays(state: dict) -> list[tuple[int, list[str], str]]:
    return [(e["seat"], e["cards"], e["verdict"]) for e in state["entries"] if e["kind"] == "play"]


def test_the_clip_is_judged_and_killing_it_changes_nothing(home: Path) -> None:
    first = Running(home)
    follower = Follower(first.host())
    seen = follower.until(lambda state: any(e["verdict"] == "violation" for e in state["entries"]))
    story = plays(seen)
    assert story[0] == (0, ["6h", "6s"], "ok")
    assert story[-1][2] == "violation"
    assert seen["lying"]
    first.end(signal.SIGKILL)

    second = Running(home)
    visitor = second.host()
    follower = Follower(visitor)
    state = follower.until(lambda state: bool(state["entries"]))
    assert plays(state)[: len(story)] == story
    later = follower.until(lambda state: len(plays(state)) > len(story))
    assert plays(later)[: len(story)] == story
    assert plays(later)[len(story)][1] != story[-1][1]
    status, headers, jpeg = visitor.get(f"{visitor.api}/picture")
    assert (status, headers["Content-Type"]) == (200, "image/jpeg")
    assert jpeg[:3] == b"\xff\xd8\xff"
    assert second.end() == (0, "")


def test_the_host_hears_how_good_the_picture_is(home: Path) -> None:
    running = Running(home)
    state = Follower(running.host()).until(lambda state: len(state["health"]) > 5)
    assert {check["name"] for check in state["health"]} >= {"light", "glare", "focus", "motion", "index_size"}
    assert {check["level"] for check in state["health"] if check["name"] != "pace"} == {"ok"}
    assert running.end() == (0, "")


def test_a_watching_process_that_dies_is_replaced_and_the_page_says_so(home: Path) -> None:
    running = Running(home)
    follower = Follower(running.host())
    follower.until(lambda state: state["camera"]["status"] == "watching")
    os.kill(running.watcher(), signal.SIGKILL)
    told = follower.until(lambda state: state["camera"]["status"] == "restarting")
    assert told["camera"]["error"]["code"] == "eye_died"
    follower.until(lambda state: state["camera"]["status"] == "watching")
    follower.until(lambda state: bool(plays(state)))
    assert running.end() == (0, "")


def test_the_watching_process_ends_with_its_room(home: Path) -> None:
    running = Running(home)
    watcher = running.watcher()
    running.end(signal.SIGKILL)
    for _ in range(100):
        if not Path(f"/proc/{watcher}").exists() or "Z" in Path(f"/proc/{watcher}/stat").read_text().split()[2]:
            break
        signal.sigtimedwait([], 0.1)
    else:
        raise AssertionError("the watching process goes on without its room")


def test_a_new_match_begins_on_demand(home: Path) -> None:
    running = Running(home)
    Follower(running.host()).until(lambda state: bool(state["entries"]))
    running.end()
    again = Running(home, "--new-match")
    follower = Follower(again.host())
    state = follower.until(lambda state: True)
    assert state["entries"] == [] or plays(state)[0] == (0, ["6h", "6s"], "ok")
    again.end()
