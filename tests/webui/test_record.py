"""The record's endpoints on a real server: any step of any match, by the live page's rules."""

import csv
import io
import json
import random
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from serving import API, GAME, SETUP, TableServer, Visitor

from referee.events import from_json
from referee.session import fold
from webui.history import History, KeptMatch, Replay, Replays, matches_of
from webui.journal import Journal

JPEG = b"\xff\xd8\xff\xe0 a picture"


def get(visitor: Visitor, path: str) -> Any:
    status, _, content = visitor.get(f"{API}/{path}")
    assert status == 200, content
    return json.loads(content)


def until_kept(table: TableServer, event: int) -> None:
    archive = table.room.archive
    assert archive is not None
    start = time.monotonic()
    while event not in archive.kept(table.room.match):
        assert time.monotonic() - start < 30
        time.sleep(0.01)


def test_a_step_shows_what_the_live_page_showed_then(table: TableServer) -> None:
    guest, host = table.guest(), table.host()
    live: list[dict[str, Any]] = []
    for line in GAME:
        table.room.add(line)
        live.append(next(guest.messages())[2])
    match = table.room.match
    shared = ("viewer", "game", "hand", "match", "turn", "lead", "seats", "seen", "scores", "questions")
    for step, then in enumerate(live, 1):
        state = get(guest, f"matches/{match}/state?step={step}")
        assert {key: state[key] for key in shared} == {key: then[key] for key in shared}
        assert state["entries"] == then["entries"][-1:]
    assert get(host, f"matches/{match}/state?step=0")["entries"] == []
    assert get(host, f"matches/{match}/state?step=99999")["step"] == len(GAME)


def test_steps_tell_the_verdict_that_holds_and_a_state_the_one_of_then(table: TableServer) -> None:
    table.play(3)
    table.room.add({"kind": "amend", "of": 2, "cards": ["Ts", "Th"]})
    table.room.add({"kind": "retract", "of": 1})
    guest, match = table.guest(), table.room.match
    steps = get(guest, f"matches/{match}/steps")["steps"]
    assert [step["verdict"] for step in steps] == ["ok", None, "ok", None, None]
    then = [get(guest, f"matches/{match}/state?step={n}")["entries"] for n in (2, 3, 4, 5)]
    assert [[entry["verdict"] for entry in entries] for entries in then] == [["ok"], ["violation"], ["ok"], []]
    assert [step["of"] for step in steps] == [None, None, None, 2, 1]
    assert all(step["at"] > 1e9 for step in steps)


def test_earlier_matches_of_the_journal_are_listed_and_replayed(table: TableServer) -> None:
    table.play(4)
    first = table.room.match
    table.room.begin_match()
    table.play(2)
    guest = table.guest()
    listed = get(guest, "matches")
    assert [(one["id"], one["events"], one["now"]) for one in listed["matches"]] == [
        (first, 4, False),
        (table.room.match, 2, True),
    ]
    assert get(guest, f"matches/{first}/state")["step"] == 4
    assert guest.get(f"{API}/matches/99999/state")[0] == 404


def test_a_picture_comes_with_its_event(table: TableServer) -> None:
    table.play(2)
    table.room.picture([0], JPEG + b"0", JPEG + b"1")
    table.room.picture([1], JPEG + b"1", JPEG + b"2")
    until_kept(table, 1)
    guest = table.guest()
    status, headers, content = guest.get(f"{API}/events/1.jpg?when=before")
    assert (status, headers["Content-Type"], content) == (200, "image/jpeg", JPEG + b"1")
    assert headers["Cache-Control"] == "no-store"
    assert guest.get(f"{API}/events/1.jpg")[2] == JPEG + b"2"
    assert guest.get(f"{API}/events/7.jpg")[0] == 404
    assert guest.get(f"{API}/events/1.jpg?match=99")[0] == 404
    assert table.stranger().get(f"{API}/events/1.jpg")[0] == 401
    assert table.host().post(f"{API}/pictures/delete", {})[0] == 200
    assert guest.get(f"{API}/events/1.jpg")[0] == 404


def test_where_no_memory_help_is_allowed_guests_look_back_at_finished_hands_only(tmp_path: Path) -> None:
    setup = replace(SETUP, options={**SETUP.options, "memory_aid": False})
    table = TableServer(tmp_path, setup=setup)
    table.room.add(GAME[0])
    table.room.add({"kind": "new_hand"})
    table.room.add({**GAME[1], "t": 40.0})
    table.room.picture([0], JPEG + b"0", JPEG + b"1")
    table.room.picture([2], JPEG + b"2", JPEG + b"3")
    until_kept(table, 2)
    guest, host, match = table.guest(), table.host(), table.room.match
    steps = get(guest, f"matches/{match}/steps")
    assert [step["id"] for step in steps["steps"]] == [0]
    assert steps["withheld"] == 2
    assert get(guest, f"matches/{match}/state?step=3")["step"] == 1
    assert guest.get(f"{API}/events/0.jpg")[0] == 200
    assert guest.get(f"{API}/events/2.jpg")[0] == 404
    assert len(get(host, f"matches/{match}/steps")["steps"]) == 3
    assert host.get(f"{API}/events/2.jpg")[0] == 200
    table.close()


def test_what_the_host_keeps_from_guests_stays_out_of_the_replay(table: TableServer) -> None:
    table.play()
    table.house.allow(table.room.info.name, {"seen": False})
    match = table.room.match
    assert get(table.guest(), f"matches/{match}/state")["seen"] is None
    assert get(table.host(), f"matches/{match}/state")["seen"]["cards"]


def test_the_host_takes_a_match_away_and_guests_cannot(table: TableServer) -> None:
    table.play()
    path = f"{API}/matches/{table.room.match}/export"
    host = table.host()
    status, headers, content = host.get(f"{path}/csv")
    assert status == 200
    assert headers["Content-Type"].startswith("text/csv")
    assert headers["Content-Disposition"].startswith("attachment; filename=kibitz-")
    cells = [cell for row in csv.reader(io.StringIO(content.decode("utf-8-sig"))) for cell in row]
    assert "'=1+1" in cells
    lines = [json.loads(line) for line in host.get(f"{path}/jsonl")[2].decode().splitlines()]
    assert [line["event"] for line in lines if not line["inferred"]] == [line["kind"] for line in GAME]
    assert host.get(f"{path}/scores")[2].decode("utf-8-sig").startswith('"hand","Anna"')
    assert host.get(f"{path}/exe")[0] == 404
    for form in ("csv", "jsonl", "scores"):
        assert table.guest().get(f"{path}/{form}")[0] == 403


def test_looking_back_leaves_the_journal_as_it_is(table: TableServer) -> None:
    table.play()
    before, host = len(table.journal.records()), table.host()
    match = table.room.match
    for path in ("matches", "pictures", f"matches/{match}/steps", f"matches/{match}/sheet", f"matches/{match}/state"):
        get(host, path)
    host.get(f"{API}/events/0.jpg")
    assert len(table.journal.records()) == before


def test_any_step_of_a_long_match_is_the_fold_of_its_beginning() -> None:
    dice = random.Random(5)
    cards = [rank + suit for rank in "3456789TJQKA2" for suit in "cdhs"]
    lines: list[dict[str, Any]] = []
    for number in range(150):
        kind = dice.choice(["play", "play", "play", "sweep", "amend", "retract", "take_back"])
        of = dice.randrange(number) if number and kind in ("amend", "retract") else None
        seat = dice.randrange(4)
        line: dict[str, Any] = {"id": number, "t": float(number), "kind": kind, "seat": seat}
        if kind in ("play", "amend"):
            line["cards"] = dice.sample(cards, dice.choice([1, 2]))
        if of is not None:
            line["of"] = of
        lines.append(line)
    events = tuple(map(from_json, lines))
    match = KeptMatch(1, 0.0, SETUP, events, tuple(float(n) for n in range(len(events))))
    replay = Replay(match)
    for step in dice.sample(range(len(events) + 1), 25):
        assert replay.at(step) == fold(SETUP, events[:step])
    verdicts = {judged.event_id: judged.verdict for judged in fold(SETUP, events).judgements}
    assert [step.verdict for step in replay.steps()] == [verdicts.get(event.id) for event in events]
    gone_on = Replays()
    for length in (40, 90, 150):
        shorter = replace(match, events=events[:length], accepted=match.accepted[:length])
        for step in (length, 17, length - 3):
            assert gone_on.of("a", shorter).at(step) == fold(SETUP, events[:step])
    assert replay.at(10**6) == fold(SETUP, events)


def test_new_records_are_taken_in_as_they_come(tmp_path: Path) -> None:
    server = TableServer(tmp_path)
    history = History(server.journal.records)
    assert [len(match.events) for match in history.matches()] == [0]
    server.play(3)
    assert [len(match.events) for match in history.matches()] == [3]
    server.room.begin_match()
    server.play(1)
    assert [len(match.events) for match in history.matches()] == [3, 1]
    assert history.matches() == matches_of(server.journal.records())
    server.close()
    again = Journal(tmp_path / "journal.sqlite", time.time)
    assert [len(match.events) for match in matches_of(again.records())] == [3, 1]
    again.close()


@pytest.mark.parametrize("path", ["replay", "sheet"])
def test_pages_are_shells_without_data(table: TableServer, path: str) -> None:
    table.play()
    status, _, content = table.stranger().get(f"/t/{table.room.info.name}/{path}")
    assert status == 200
    assert b"Anna" not in content
    assert table.stranger().get(f"/t/No%20Name/{path}")[0] == 404


def test_a_match_that_goes_on_after_a_restart_keeps_its_pictures(tmp_path: Path) -> None:
    first = TableServer(tmp_path)
    first.play(2)
    first.room.picture([1], JPEG + b"1", JPEG + b"2")
    first.close()
    second = TableServer(tmp_path)
    assert second.guest().get(f"{API}/events/1.jpg?when=before")[2] == JPEG + b"1"
    second.room.add(GAME[2])
    second.room.picture([2], JPEG + b"2", JPEG + b"3")
    until_kept(second, 2)
    steps = get(second.guest(), f"matches/{second.room.match}/steps")["steps"]
    assert [step["pictures"] for step in steps] == [[], ["before", "after"], ["before", "after"]]
    second.close()
