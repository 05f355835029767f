"""Sessions: what is inferred, asked, corrected, and what a house rule changes."""

from typing import Any

import pytest
from sessions import SWEEP, events, play, table, upstream, verdicts

from referee.errors import RulesError
from referee.events import from_json
from referee.session import MatchSetup, fold
from referee.views import view


def test_a_violation_says_what_lay_there_what_was_played_and_what_would_have_been_legal() -> None:
    session = upstream(play(0, "5c 6c 7c 8c 9c"), play(1, "7d 7h 7s"), counts=(9, 9, 9, 9))
    judged = session.judgements[1]
    assert judged.codes == ("wrong_type",)
    lay, played = judged.params["table"], judged.params["played"]
    assert isinstance(lay, dict)
    assert isinstance(played, dict)
    assert (lay["type"], lay["key"], lay["n"], lay["seat"]) == ("straight", "9", 5, 0)
    assert (played["type"], played["key"], played["n"], played["seat"]) == ("triple", "7", 3, 1)
    assert judged.params["legal"] == [
        {"type": "straight", "n": 5, "above": "9"},
        {"type": "bomb", "any": True},
    ]


def test_a_doubtful_card_is_asked_about_and_an_answer_settles_it() -> None:
    doubtful = play(1, "4d", certainty=0.8, data={"alternatives": [["3d"], ["Ad"]]})
    session = upstream(play(0, "9c"), doubtful)
    assert verdicts(session)[1] == "unsure not_higher"
    (question,) = session.questions
    assert (question.kind, question.of) == ("cards", 1)
    # Plausible answers first, the reading itself last; none of them changes the verdict by itself.
    assert [answer.cards for answer in question.answers] == [("Ad",), ("3d",), ()]
    settled = upstream(play(0, "9c"), doubtful, {"kind": "answer", "of": 1, "data": {"cards_right": True}})
    assert verdicts(settled)[1] == "violation not_higher"
    legal = upstream(play(0, "9c"), doubtful, {"kind": "answer", "of": 1, "cards": ["Ad"]})
    assert verdicts(legal)[1] == "ok"


def test_a_seat_that_is_not_at_this_table_is_nobody() -> None:
    doubtful = play(6, "4d", certainty=0.8, data={"alternatives": [["3d"]]})
    session = upstream(play(0, "9c"), doubtful)
    assert verdicts(session)[1].startswith("unsure")


def test_out_of_turn_needs_a_seat_that_was_seen() -> None:
    led = [play(0, "9c"), SWEEP]
    assert verdicts(upstream(*led, play(2, "4d")))[2] == "violation out_of_turn"
    unsure = upstream(*led, play(2, "4d", seat_certainty=0.6))
    assert verdicts(unsure)[2] == "unsure out_of_turn"
    assert unsure.questions[0].kind == "seat"
    assert unsure.questions[0].answers[0].seat == 0
    assert verdicts(upstream(*led, play(None, "4d")))[2] == "unsure seat_unknown"


def test_a_pass_that_was_only_inferred_is_no_ground_for_an_accusation() -> None:
    seen = upstream(play(0, "5c"), {"kind": "pass", "seat": 1}, play(2, "9c"), play(1, "Kc"))
    assert verdicts(seen)[3] == "violation passed_this_round"
    inferred = [play(0, "5c"), play(2, "9c"), play(1, "Kc")]
    session = upstream(*inferred)
    assert session.judgements[1].inferred_passes == (1,)
    assert verdicts(session)[2] == "unsure passed_this_round"
    answer = {"kind": "answer", "of": 2, "data": {"passed": False}}
    assert verdicts(upstream(*inferred, answer))[2] == "ok"
    answer = {"kind": "answer", "of": 2, "data": {"passed": True}}
    assert verdicts(upstream(*inferred, answer))[2] == "violation passed_this_round"


def test_a_card_seen_twice_is_asked_about() -> None:
    session = upstream(play(0, "9c"), play(1, "Tc"), SWEEP, play(1, "9c"))
    assert verdicts(session)[3] == "unsure duplicate_card"


def test_an_illegal_play_that_is_left_lying_makes_what_follows_a_question() -> None:
    lines = [play(0, "9c 9d"), play(1, "5c 5d"), play(2, "7c 7d")]
    session = upstream(*lines)
    assert verdicts(session)[1:] == ["violation not_higher", "unsure not_higher earlier_play_open"]
    assert (session.questions[0].kind, session.questions[0].of) == ("stood", 1)
    stands = {"kind": "answer", "of": 1, "data": {"stands": True}}
    assert verdicts(upstream(*lines, stands))[1:] == ["violation not_higher", "ok"]
    taken = {"kind": "answer", "of": 1, "data": {"taken_back": True}}
    assert verdicts(upstream(*lines, taken))[1:] == ["violation not_higher"] * 2
    higher = upstream(*lines[:2], play(2, "Tc Td"))
    assert verdicts(higher)[2] == "ok"


@pytest.mark.parametrize("name", ["teams", "players"])
def test_what_is_fixed_for_the_match_is_not_changed_from_the_start_either(name: str) -> None:
    value: object = {"teams": True, "players": [3, 4]}[name]
    change = {"kind": "set_option", "data": {"option": name, "value": value, "from": "start"}}
    session = upstream(change)
    assert verdicts(session) == ["unsure option_refused"]
    assert session.match.rules == upstream().match.rules


def test_a_changed_house_rule_holds_from_the_next_hand_or_from_the_start() -> None:
    change: dict[str, Any] = {"kind": "set_option", "data": {"option": "pass_lockout", "value": False}}
    comes_back = [
        play(0, "5c"),
        {"kind": "pass", "seat": 1},
        play(2, "7c"),
        play(3, "8c"),
        play(0, "9c"),
        play(1, "Kc"),
    ]
    later = upstream(change, *comes_back)
    assert verdicts(later)[-1] == "violation passed_this_round"
    next_hand = upstream(play(0, "3c"), change, {"kind": "new_hand", "data": {"leader": 0}}, *comes_back)
    assert verdicts(next_hand)[-1] == "ok"
    whole = {"kind": "set_option", "data": {**change["data"], "from": "start"}}
    assert verdicts(upstream(*comes_back, whole))[-1] == "ok"
    deleted = {"kind": "delete", "of": len(comes_back)}
    assert verdicts(upstream(*comes_back, whole, deleted))[-1] == "violation passed_this_round"
    refused = upstream({"kind": "set_option", "data": {"option": "target", "value": 0}})
    assert verdicts(refused) == ["unsure option_refused"]


def test_a_start_card_that_turns_up_elsewhere_shows_that_the_lead_was_wrong() -> None:
    setup = MatchSetup("tavla", ("E", "S", "W", "N"), first_leader=0)
    session = fold(setup, events(play(0, "4c"), play(3, "9d"), SWEEP, play(3, "3s 3d")))
    (finding,) = session.findings
    assert finding.code == "start_card_elsewhere"
    assert finding.events == (0, 3)


def test_an_opened_hand_is_checked_against_the_log() -> None:
    setup = MatchSetup("gdy2", ("A", "B"), counts=(1, 2), dealer=0)
    shown = {"kind": "show", "seat": 1, "cards": ["5c", "9d", "9h"]}
    session = fold(setup, events(play(0, "5c"), shown))
    assert {finding.code for finding in session.findings} == {"card_shown_twice", "left_count_differs"}
    assert session.judgements[1].verdict == "unsure"


def test_a_hand_that_only_seemed_over_goes_on() -> None:
    setup = MatchSetup("gdy2", ("A", "B", "C"), {"draw_after_round": "none"}, dealer=0)
    lines = [play(0, "3c 4c 5c"), play(0, "6c 6d 6h"), play(2, "7c 7d 7h")]
    ended = fold(setup, events(*lines[:2]))
    assert ended.match.table.hand.over
    assert len(ended.match.results) == 1
    goes_on = fold(setup, events(*lines))
    assert verdicts(goes_on) == ["ok", "ok", "ok"]
    assert goes_on.match.results == ()
    assert table(goes_on).hand.counts == (None, None, None)


def test_totals_and_the_end_of_the_match() -> None:
    lines: list[dict[str, object]] = []
    for _ in range(4):
        lines += [{"kind": "new_hand", "data": {"counts": [1, 1, 1], "leader": 0}}]
        lines += [play(0, "9c"), play(1, "Tc"), SWEEP]
    setup = MatchSetup("upstream", ("A", "B", "C"), {"target": 7}, counts=(1, 1, 1), first_leader=0)
    session = fold(setup, events(*lines[1:]))
    assert session.match.totals == (8, 4, 0)
    assert session.match.over
    assert session.match.winners == (0,)
    assert [result.places for result in session.match.results] == [{0: 1, 1: 2, 2: 3}] * 4


def test_a_bad_setup_is_refused_by_field() -> None:
    for fields, named in (
        ({"counts": (5, 5)}, "counts"),
        ({"first_leader": 4}, "first_leader"),
        ({"dealer": -1}, "dealer"),
    ):
        with pytest.raises(RulesError) as refused:
            upstream(**fields)
        assert refused.value.params["field"] == named


def test_guest_seat_and_host_see_what_they_may() -> None:
    session = upstream(play(0, "9c"), play(1, "4d", certainty=0.8))
    guest, host = view(session, "guest"), view(session, "host")
    assert guest.questions == ()
    assert [question.of for question in host.questions] == [1]
    assert view(session, 1).questions == host.questions
    assert view(session, 2).questions == ()
    assert guest.seen == ("9c",)
    assert dict(guest.still_out or ())["9"] == 3
    assert [seat.cards_left for seat in guest.seats] == [4, 4, 5, 5]
    off = upstream(play(0, "9c"), options={"memory_aid": False})
    assert view(off, "host").seen is None
    hidden = fold(
        MatchSetup("drawpoker", ("A", "B"), {"discards_visible": False}, dealer=1),
        events({"kind": "discard", "seat": 0, "cards": ["9c", "4d"]}),
    )
    assert view(hidden, "host").discards is None
    assert view(hidden, "host").seen == ()


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ({"id": 0, "kind": "shout"}, "kind"),
        ({"id": -1, "kind": "play"}, "id"),
        ({"id": 0, "kind": "play", "cards": ["9x"]}, "cards"),
        ({"id": 0, "kind": "play", "certainty": 1.5}, "certainty"),
        ({"id": 0, "kind": "play", "seat": "1"}, "seat"),
        ({"id": 0, "kind": "play", "t": float("nan")}, "t"),
        ({"id": 0, "kind": "play", "data": []}, "data"),
    ],
)
def test_what_is_no_event_is_refused_by_field(line: dict[str, object], field: str) -> None:
    with pytest.raises(RulesError) as refused:
        from_json(line)
    assert refused.value.params["field"] == field


def test_a_lead_after_plays_beyond_an_assumed_end_is_asked_about_not_accused() -> None:
    """Nobody counted the deal, so the hand only seemed over; play went on and the table was swept:
    whose lead it is rests on an assumption."""
    setup = MatchSetup("gdy2", ("A", "B", "C"), {"direction": "ccw", "draw_after_round": "none"}, first_leader=0)
    unread = play(1, "Tc 8c", certainty=0.98)
    session = fold(
        setup,
        events(
            play(0, "3d"), play(2, "4s"), play(1, "5h"), play(0, "6c"), play(2, "2d"), {**SWEEP, "seat": 2},
            play(2, "7s 8d 9h"), unread, play(0, "9s Td Jh 4c", certainty=0.4), {**SWEEP, "seat": 0},
            play(0, "5s 5c"),
        ),
    )  # fmt: skip
    assert session.judgements[6].after[0].kind == "hand_end"
    assert verdicts(session)[7:9] == ["unsure hand_over", "unsure hand_over"]
    assert session.judgements[10].verdict == "unsure"
    assert session.judgements[10].question is not None


def test_a_hand_that_was_not_over_takes_back_what_its_end_took_from_the_others() -> None:
    house = {"end": "second_out", "out_leader": "partner", "double_finish": "bonus", "double_finish_resets": "match"}
    setup = MatchSetup("tavla", ("N", "E", "S", "W"), options=house, counts=(2, 3, 2, 3), first_leader=1)
    first = {"kind": "new_hand", "data": {"finish": [0, 1], "leader": 1, "counts": [2, 2, 2, 1]}}
    lead = [play(1, "3c"), {"kind": "sweep"}]
    second = [first, play(1, "Qc Qd"), {"kind": "sweep"}, play(3, "7c")]
    before = fold(setup, events(*lead, *second[:-1])).match.totals
    assert before[0] > 0
    reset = fold(setup, events(*lead, *second))
    assert (reset.match.table.hand.over, reset.match.totals[0]) == (True, 0)
    back = {"kind": "take_back", "seat": 3, "cards": ["7c"]}
    assert fold(setup, events(*lead, *second, back)).match.totals == before
