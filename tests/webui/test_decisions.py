"""The host's decisions: what is accepted, what is refused and why, and how one is taken back."""

from pathlib import Path
from typing import Any

import pytest
from serving import API, GAME, TableServer

from referee.errors import RulesError
from referee.events import Event
from webui.eyes import Eyes
from webui.roles import Role
from webui.watch import Hint


def story(table: TableServer) -> list[tuple[int, str, int | None, list[str], str]]:
    entries = table.room.snapshot(Role.HOST)["entries"]
    return [(e["id"], e["kind"], e["seat"], e["cards"], e["verdict"]) for e in entries]


def newest(table: TableServer) -> dict[str, Any]:
    told: dict[str, Any] = table.room.snapshot(Role.HOST)["undo"]
    return told


FIX = [
    {"kind": "amend", "of": 2, "seat": 1},
    {"kind": "split", "of": 2, "seat": 2, "cards": ["4h"]},
    {"kind": "insert", "seat": 2, "data": {"kind": "pass", "before": 2}},
]


def test_events_that_hold_together_are_one_decision_and_one_undo(table: TableServer) -> None:
    table.play(3)
    before = story(table)
    table.room.decide_all(FIX)
    assert [line[:4] for line in story(table)[2:]] == [
        (5, "pass", 2, []),
        (2, "play", 1, ["4s"]),
        (4, "play", 2, ["4h"]),
    ]
    assert newest(table)["id"] == 3
    table.room.undo(3)
    assert story(table) == before
    assert newest(table) is None


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ([{"kind": "amend", "of": 2, "cards": ["4h", "4s"], "seat": 2}], "no_effect"),
        ([{"kind": "amend", "of": 9, "seat": 1}], "unknown_event"),
        ([*FIX, {"kind": "delete", "of": 9}], "unknown_event"),
        ([{"kind": "amend", "of": 2, "data": {"cards": []}}], "no_cards"),
        ([{"kind": "amend", "of": 2, "cards": ["4h", "4h"]}], "card_twice"),
        ([{"kind": "amend", "of": 2, "seat": 4}], "no_such_seat"),
        ([{"kind": "split", "of": 2, "cards": ["4h", "4s"]}], "bad_decision"),
        ([{"kind": "split", "of": 2, "cards": ["9h"]}], "bad_decision"),
        ([{"kind": "merge", "of": 2, "data": {"with": 2}}], "bad_decision"),
        ([{"kind": "reorder", "of": 2, "data": {"after": 1}}], "no_effect"),
        ([{"kind": "insert", "cards": ["9c"], "data": {"after": 2}}], "nobody"),
        ([{"kind": "insert", "seat": 1, "data": {"after": 2}}], "no_cards"),
        ([{"kind": "insert", "seat": 1, "cards": ["9c"], "data": {"after": 8}}], "unknown_event"),
        ([{"kind": "play", "seat": 1}], "no_cards"),
        ([{"kind": "set_option", "data": {"option": "teams", "value": True}}], "option_fixed"),
        ([{"kind": "set_option", "data": {"option": "target", "value": 0}}], "option_out_of_range"),
        ([{"kind": "set_option", "data": {"option": "jokers", "value": 2}}], "unknown_option"),
        ([{"kind": "set_option", "data": {"option": "pass_lockout", "value": True}}], "no_effect"),
        ([{"kind": "play", "seat": 1, "cards": ["4z"]}], "bad_event"),
        ([], "bad_event"),
        ([{"kind": "sweep"}] * 21, "bad_event"),
    ],
)
def test_what_is_impossible_or_changes_nothing_is_refused_and_loses_nothing(
    table: TableServer, lines: list[dict[str, Any]], code: str
) -> None:
    table.play(3)
    before, records = table.room.snapshot(Role.HOST), len(table.journal.records())
    with pytest.raises(RulesError) as refused:
        table.room.decide_all(lines)
    assert refused.value.code == code
    assert table.room.snapshot(Role.HOST) == before
    assert len(table.journal.records()) == records


def test_ending_a_match_twice_changes_nothing(table: TableServer) -> None:
    table.room.decide({"kind": "end_match"})
    with pytest.raises(RulesError, match="no_effect"):
        table.room.decide({"kind": "end_match"})


def test_a_move_that_breaks_a_rule_is_recorded_though_nothing_follows_from_it(table: TableServer) -> None:
    table.play(2)
    table.room.decide({"kind": "play", "seat": 0, "cards": ["4c", "4d"]})
    table.room.decide({"kind": "play", "seat": 0, "cards": ["4c", "4d"]})
    assert [line[4] for line in story(table)[2:]] == ["violation", "violation"]


def test_undo_goes_back_decision_by_decision_and_never_undoes_an_undo(table: TableServer) -> None:
    table.play(3)
    table.room.decide({"kind": "amend", "of": 2, "seat": 1})
    table.room.decide({"kind": "delete", "of": 0})
    assert (newest(table)["id"], newest(table)["kind"], newest(table)["of"]) == (4, "delete", 0)
    assert (newest(table)["fact"], newest(table)["seat"], newest(table)["cards"]) == ("play", 0, ["5s", "5d"])
    table.room.undo(4)
    assert newest(table)["id"] == 3
    with pytest.raises(RulesError, match="undo_outdated"):
        table.room.undo(4)
    table.room.undo(3)
    assert newest(table) is None
    assert [line[2] for line in story(table)] == [0, 3, 2]


def test_what_the_camera_says_is_no_decision(table: TableServer) -> None:
    table.room.decide({"kind": "pass", "seat": 0})
    table.play(3)
    table.room.add({"kind": "retract", "of": 3})
    assert newest(table)["id"] == 0


def test_decisions_can_be_undone_after_a_restart(tmp_path: Path) -> None:
    first = TableServer(tmp_path)
    first.play(3)
    before = story(first)
    first.room.decide_all(FIX)
    first.close()
    second = TableServer(tmp_path)
    second.room.undo(newest(second)["id"])
    assert story(second) == before
    second.close()


def test_a_new_match_keeps_the_house_rules_as_they_were_changed(tmp_path: Path) -> None:
    table = TableServer(tmp_path)
    table.play(2)
    table.room.decide({"kind": "set_option", "data": {"option": "pass_lockout", "value": False}})
    table.room.decide({"kind": "set_option", "data": {"option": "straight_max", "value": 5, "from": "start"}})
    table.room.begin_match()
    assert [(line[1], line[4]) for line in story(table)] == [("set_option", "ok")] * 2
    rules = table.room.session.match.rules
    assert (rules.pass_lockout, rules.straight_max) == (False, 5)
    assert newest(table) is None
    table.close()
    again = TableServer(tmp_path)
    assert again.room.session.match.rules == rules
    assert len(again.room.events) == 2
    again.close()


def test_a_changed_house_rule_stands_in_the_story_in_words(table: TableServer) -> None:
    table.room.decide({"kind": "set_option", "data": {"option": "straight_max", "value": 5}})
    for role in (Role.GUEST, Role.HOST):
        (entry,) = table.room.snapshot(role)["entries"]
        assert entry["rule"]["en"]["value"] == "5"
        assert set(entry["rule"]) == {"en", "zh-Hans", "zh-Hant"}


def test_what_people_corrected_is_marked_and_only_the_host_hears_of_undo(table: TableServer) -> None:
    table.play(3)
    table.room.decide({"kind": "amend", "of": 2, "seat": 1})
    guest = table.room.snapshot(Role.GUEST)
    assert [entry["corrected"] for entry in guest["entries"]] == [False, False, True]
    assert "undo" not in guest
    assert "health" not in guest


def test_health_is_told_to_hosts_only_and_once(table: TableServer) -> None:
    host, guest = table.host().messages(), table.guest().messages()
    next(host)
    next(guest)
    checks = [{"name": "light", "level": "bad", "advice": "too_dark", "params": {}}]
    table.room.set_health(checks)
    table.room.set_health(list(checks))
    table.play(1)
    assert next(host)[0::2] == ("health", {"checks": checks})
    assert next(host)[0] == "update"
    kinds = [next(guest)[0]]
    while kinds[-1] == "beat":
        kinds.append(next(guest)[0])
    assert kinds[-1] == "update"
    assert table.room.snapshot(Role.HOST)["health"] == checks


def test_what_the_camera_takes_back_after_a_new_match_is_not_taken_from_that_match(table: TableServer) -> None:
    told: list[Hint] = []
    eyes = Eyes(table.room, told.append)  # type: ignore[arg-type]
    eyes.hear("ready", None)
    eyes.hear("event", Event(0, 1.0, "play", 0, ("5s", "5d")))
    table.room.begin_match()
    eyes.hear("event", Event(1, 2.0, "play", 0, ("9s",)))
    eyes.hear("event", Event(2, 3.0, "retract", of=0))
    assert [line[3] for line in story(table)] == [["9s"]]
    eyes.hear("event", Event(3, 4.0, "retract", of=1))
    assert story(table) == []


def test_what_the_host_said_of_a_play_holds_when_the_camera_tells_it_anew(table: TableServer) -> None:
    eyes = Eyes(table.room, lambda hint: None)
    eyes.hear("ready", None)
    eyes.hear("event", Event(0, 1.0, "play", 2, ("5s", "?"), 0.2, 0.95))
    table.room.decide({"kind": "answer", "of": 0, "seat": 0, "cards": ["5s", "5d"]})
    eyes.hear("event", Event(1, 2.0, "retract", of=0))
    eyes.hear("event", Event(2, 2.0, "play", 2, ("5s", "6d"), 0.95, 0.95, of=0))
    assert [line[1:] for line in story(table)] == [("play", 0, ["5d", "5s"], "ok")]
    assert newest(table)["id"] == 1
    table.room.undo(1)
    assert [line[2:4] for line in story(table)] == [(2, ["5s", "6d"])]


def test_the_desk_over_http(table: TableServer) -> None:
    table.play(3)
    host = table.host()
    assert host.post(f"{API}/events", {"events": FIX})[0] == 200
    status, answer = host.post(f"{API}/events", {"kind": "merge", "of": 2, "data": {"with": 0, "x": 1}, "t": 99})
    assert status == 200
    assert table.room.events[answer["id"]].t == GAME[2]["t"]
    assert host.post(f"{API}/undo", {"of": answer["id"]}) == (200, {"ok": True})
    status, answer = host.post(f"{API}/undo", {"of": answer["id"]})
    assert (status, answer["error"]["code"]) == (400, "undo_outdated")
    rules = host.get(f"{API}/rules")
    assert rules[0] == 200
    assert b'"pass_lockout"' in rules[2]
    assert host.post(f"{API}/match", {})[0] == 200
    assert table.room.events == ()


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("events", {"events": ["play"]}),
        ("events", {"events": [{"kind": "dance"}]}),
        ("events", {"kind": "claim_pass", "seat": 0}),
        ("events", []),
        ("undo", {"of": "1"}),
        ("undo", {"of": True}),
    ],
)
def test_what_the_desk_can_not_read_is_refused(table: TableServer, path: str, body: object) -> None:
    table.play(1)
    assert table.host().post(f"{API}/{path}", body)[0] == 400
    assert len(table.room.events) == 1


