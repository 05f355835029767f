"""Claims of phones for their own seat, on a served table."""

import json
from pathlib import Path
from typing import Any

import pytest
from running import TABLE, Follower
from serving import API, NAME, TableServer, Visitor

from webui.roles import Role
from webui.seating import phone_of

DOUBTFUL: dict[str, Any] = {"kind": "play", "t": 9.0, "seat": None, "seat_certainty": 0.2, "cards": ["Ts", "Th"]}


def seated(table: TableServer, seat: int) -> Visitor:
    guest = table.guest()
    assert guest.post(f"{API}/seat", {"seat": seat})[0] == 200
    return guest


def phones(table: TableServer) -> list[str | None]:
    found: list[str | None] = table.room.snapshot(Role.GUEST)["phones"]
    return found


def code(answer: tuple[int, Any]) -> tuple[int, str]:
    return answer[0], answer[1].get("error", {}).get("code", "")


def test_a_seat_has_one_phone_until_it_is_free_again(table: TableServer) -> None:
    anna, other, host = seated(table, 0), table.guest(), table.host()
    assert code(other.post(f"{API}/seat", {"seat": 0})) == (400, "seat_taken")
    assert host.post(f"{API}/seat/free", {"seat": 0})[0] == 200
    assert other.post(f"{API}/seat", {"seat": 0})[0] == 200
    assert code(anna.post(f"{API}/claim", {"kind": "claim_pass"})) == (403, "no_seat")
    assert other.post(f"{API}/seat", {"seat": 2})[0] == 200
    assert anna.post(f"{API}/seat", {"seat": 0})[0] == 200
    assert anna.post(f"{API}/seat", {"seat": None})[0] == 200
    assert [bool(phone) for phone in phones(table)] == [False, False, True, False]


@pytest.mark.parametrize("seat", [4, -1, "0", True, 1.0, [0]])
def test_what_is_no_seat_is_refused(table: TableServer, seat: object) -> None:
    assert table.guest().post(f"{API}/seat", {"seat": seat})[0] == 400


def test_seats_outlast_a_restart_of_the_server(tmp_path: Path) -> None:
    first = TableServer(tmp_path)
    guest = seated(first, 1)
    first.close()
    second = TableServer(tmp_path, port=first.port)
    phone, seat = guest.post(f"{API}/seat", {"seat": 1})[1].values()
    assert seat == 1
    assert second.room.seat_of(phone) == 1
    second.close()


def test_sending_all_guests_out_frees_their_seats(table: TableServer) -> None:
    seated(table, 1)
    assert table.host().post("/api/invitation/revoke", {"guests": True})[0] == 200
    assert seated(table, 1)


def test_who_sits_where_reaches_every_page(table: TableServer) -> None:
    follower = Follower(table.host())
    follower.until(lambda state: state["phones"] == [None] * 4)
    guest = seated(table, 2)
    phone = guest.post(f"{API}/seat", {"seat": 2})[1]["phone"]
    follower.until(lambda state: state["phones"] == [None, None, phone, None])


def test_i_pass_moves_the_turn_on_every_page(table: TableServer) -> None:
    follower = Follower(table.guest())
    table.play(1)
    follower.until(lambda state: state["turn"] == 3)
    player = seated(table, 3)
    assert player.post(f"{API}/claim", {"kind": "claim_pass"})[0] == 200
    state = follower.until(lambda state: state["turn"] == 2)
    assert state["seats"][3]["passed"]
    event = table.room.events[-1]
    assert (event.kind, event.seat) == ("claim_pass", 3)
    assert event.data["by"] == phones(table)[3]


def test_a_claim_without_effect_is_refused_and_not_kept(table: TableServer) -> None:
    table.play(1)
    player = seated(table, 1)
    before = len(table.journal.records())
    for body in ({"kind": "claim_pass"}, {"kind": "claim_play", "of": 7}, {"kind": "dispute", "of": 7}):
        assert code(player.post(f"{API}/claim", body)) == (400, "claim_not_now")
    assert len(table.journal.records()) == before


def test_that_was_me_answers_the_question_of_the_host(table: TableServer) -> None:
    table.play(2)
    table.room.add(DOUBTFUL)
    follower = Follower(table.host())
    follower.until(lambda state: [q["kind"] for q in state["questions"]] == ["seat"])
    assert seated(table, 2).post(f"{API}/claim", {"kind": "claim_play", "of": 2})[0] == 200
    state = follower.until(lambda state: not state["questions"])
    assert state["entries"][-1]["seat"] == 2


def test_a_dispute_asks_the_host_until_the_host_decides(table: TableServer) -> None:
    table.play(3)
    follower = Follower(table.host())
    before = follower.until(lambda state: len(state["entries"]) == 3)["entries"]
    assert seated(table, 2).post(f"{API}/claim", {"kind": "dispute", "of": 2})[0] == 200
    state = follower.until(lambda state: [q["kind"] for q in state["questions"]] == ["dispute"])
    assert state["entries"][:3] == before
    (answer, _) = state["questions"][0]["answers"]
    decision = {"kind": answer["kind"], "of": 2, "data": answer["data"]}
    assert table.host().post(f"{API}/events", decision)[0] == 200
    follower.until(lambda state: not state["questions"])
    assert [entry["verdict"] for entry in follower.state["entries"]][2:] == ["violation", "ok"]


def test_4_a_guest_claims_for_its_own_seat_only(table: TableServer) -> None:
    table.play(1)
    player = seated(table, 1)
    body = {"kind": "claim_pass", "seat": 3, "data": {"by": "somebody"}, "cards": ["7h"]}
    assert code(player.post(f"{API}/claim", body)) == (400, "claim_not_now")
    player.post(f"{API}/seat", {"seat": 3})
    assert player.post(f"{API}/claim", {**body, "seat": 1})[0] == 200
    event = table.room.events[-1]
    assert (event.seat, event.cards) == (3, ())
    assert event.data["by"] != "somebody"


@pytest.mark.parametrize("kind", ["play", "amend", "retract", "new_hand", "pass", None, ["dispute"]])
def test_4_a_guest_can_claim_nothing_else(table: TableServer, kind: object) -> None:
    table.play(1)
    before = len(table.room.events)
    assert code(seated(table, 3).post(f"{API}/claim", {"kind": kind, "of": 0})) == (400, "kind_not_allowed")
    assert len(table.room.events) == before


def test_a_claim_is_taken_back_while_nothing_has_followed(table: TableServer) -> None:
    table.play(1)
    player, other = seated(table, 3), seated(table, 2)
    said = player.post(f"{API}/claim", {"kind": "claim_pass"})[1]["id"]
    assert code(other.post(f"{API}/claim/undo", {"of": said})) == (403, "claim_not_newest")
    assert player.post(f"{API}/claim/undo", {"of": said})[0] == 200
    assert table.room.snapshot(Role.GUEST)["turn"] == 3
    again = player.post(f"{API}/claim", {"kind": "claim_pass"})[1]["id"]
    table.room.add({"kind": "play", "t": 9.0, "seat": 2, "cards": ["8h", "8c"]})
    before = len(table.journal.records())
    for of in (said, again, again + 1, None):
        assert code(player.post(f"{API}/claim/undo", {"of": of})) == (403, "claim_not_newest")
    assert len(table.journal.records()) == before


def test_4_claims_need_the_hosts_leave(table: TableServer) -> None:
    table.play(1)
    player, host = seated(table, 3), table.host()
    assert host.post(f"{API}/guests", {"claims": False})[0] == 200
    before = len(table.journal.records())
    assert code(player.post(f"{API}/claim", {"kind": "claim_pass"})) == (403, "claims_off")
    assert len(table.journal.records()) == before
    assert host.post(f"{API}/guests", {"claims": True})[0] == 200
    assert player.post(f"{API}/claim", {"kind": "claim_pass"})[0] == 200


def test_4_claims_are_limited_for_each_session(table: TableServer) -> None:
    noisy, calm = seated(table, 3), seated(table, 1)
    table.play(1)
    answers = [noisy.post(f"{API}/claim", {"kind": "dispute", "of": 9})[0] for _ in range(25)]
    assert answers[0] == 400
    assert answers[-1] == 429
    assert calm.post(f"{API}/claim", {"kind": "dispute", "of": 0})[0] == 200
    table.late = 61
    assert noisy.post(f"{API}/claim", {"kind": "dispute", "of": 0})[0] == 200


@pytest.mark.parametrize("body", [{}, {"claims": 1}, {"everything": True}, [], "claims"])
def test_what_is_no_right_of_guests_is_refused(table: TableServer, body: object) -> None:
    assert table.host().post(f"{API}/guests", body)[0] == 400


def test_seen_cards_are_shown_to_guests_only_if_the_host_lets_them(table: TableServer) -> None:
    table.play(2)
    guest, host = Follower(table.guest()), Follower(table.host())
    seen = guest.until(lambda state: state["seen"] is not None)["seen"]
    assert len(seen["cards"]) == 4
    assert ["5", 2] in seen["out"]
    assert table.host().post(f"{API}/guests", {"seen": False})[0] == 200
    guest.until(lambda state: state["seen"] is None)
    assert host.until(lambda state: not state["table"]["guests"]["seen"])["seen"] is not None


def test_what_guests_may_do_is_kept_with_a_saved_table(table: TableServer) -> None:
    table.house.profiles.save(NAME, {**json.loads(TABLE.read_text()), "note": "kept"})
    assert table.host().post(f"{API}/guests", {"seen": False})[0] == 200
    assert table.house.profiles.document(NAME)["guests"] == {"claims": True, "seen": False}
    assert table.house.profiles.document(NAME)["note"] == "kept"


def test_a_phone_is_known_by_a_name_that_does_not_sign_it_in() -> None:
    assert phone_of("a session") == phone_of("a session") != phone_of("another")
    assert "a session" not in phone_of("a session")
