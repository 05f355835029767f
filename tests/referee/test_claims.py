"""Claims of players: about their own seat, never stronger than what was seen or what the host said."""

from typing import Any

import pytest
from sessions import SWEEP, events, play, table, upstream, verdicts

from referee.draw_poker import DrawHand
from referee.session import MatchSetup, Session, fold


def claim(kind: str, seat: int, of: int | None = None) -> dict[str, Any]:
    return {"kind": kind, "seat": seat, "of": of, "data": {"by": "a phone"}}


def codes(session: Session) -> list[str | None]:
    return [decision.code for decision in session.decisions]


LED = play(0, "5c")


def test_i_pass_counts_in_ones_own_turn() -> None:
    session = upstream(LED, claim("claim_pass", 1))
    assert verdicts(session) == ["ok", "ok"]
    assert table(session).hand.to_act == 2
    assert table(session).guessed == {1}


@pytest.mark.parametrize("seat", [0, 2, 3, 9])
def test_i_pass_moves_no_turn_but_ones_own(seat: int) -> None:
    session = upstream(LED, claim("claim_pass", seat))
    assert verdicts(session)[1] == "unsure claim_not_now"
    assert session.match == upstream(LED).match
    assert session.questions == ()


def test_who_leads_cannot_pass_by_a_claim_and_is_not_accused() -> None:
    session = upstream(LED, {"kind": "sweep"}, claim("claim_pass", 0))
    assert verdicts(session)[2] == "unsure claim_not_now"


def test_a_pass_that_was_only_claimed_is_no_ground_for_an_accusation() -> None:
    session = upstream(LED, claim("claim_pass", 1), play(2, "9c"), play(1, "Kc"))
    assert verdicts(session)[3] == "unsure passed_this_round"
    (question,) = session.questions
    said = {"kind": "answer", "of": question.of, "data": dict(question.answers[1].data)}
    told = upstream(LED, claim("claim_pass", 1), play(2, "9c"), play(1, "Kc"), said)
    assert verdicts(told)[3] == "violation passed_this_round"


def test_a_round_that_only_a_claim_ended_accuses_nobody_of_leading() -> None:
    passed = [{"kind": "pass", "seat": seat} for seat in (1, 2)]
    by_claim = [LED, *passed, claim("claim_pass", 3)]
    assert table(upstream(*by_claim)).hand.to_act == 0
    assert verdicts(upstream(*by_claim, play(3, "4d")))[4] == "unsure out_of_turn"
    seen = [LED, *passed, {"kind": "pass", "seat": 3}]
    assert verdicts(upstream(*seen, play(3, "4d")))[4] == "violation out_of_turn"


def test_that_was_me_names_the_seat_that_nobody_saw() -> None:
    doubtful = play(None, "9c", seat_certainty=0.2)
    assert [q.kind for q in upstream(LED, doubtful).questions] == ["seat"]
    session = upstream(LED, doubtful, claim("claim_play", 1, 1))
    assert session.judgements[1].seat == 1
    assert session.questions == ()


def test_that_was_me_accuses_nobody() -> None:
    doubtful = play(None, "4c", seat_certainty=0.2)
    own = upstream(LED, doubtful, claim("claim_play", 1, 1))
    assert verdicts(own)[1] == "unsure not_higher"
    # the slip of a finger names the wrong seat: then the one who won the round leads rightly
    slip = [LED, play(None, "9c", seat_certainty=0.2), claim("claim_play", 3, 1)]
    for next_play in ([SWEEP, play(1, "4d")], [play(1, "4d")]):
        assert not verdicts(upstream(*slip, *next_play))[-1].startswith("violation")
    told = upstream(LED, doubtful, claim("claim_play", 1, 1), {"kind": "answer", "of": 1, "seat": 1})
    assert verdicts(told)[1] == "violation not_higher"


def test_that_was_me_against_a_sure_camera_asks_the_host_and_accuses_nobody() -> None:
    seen = [LED, {"kind": "sweep"}, play(2, "4d")]
    assert verdicts(upstream(*seen))[2] == "violation out_of_turn"
    session = upstream(*seen, claim("claim_play", 0, 2))
    assert session.judgements[2].seat == 2
    assert verdicts(session)[2] == "unsure out_of_turn"
    assert [q.kind for q in session.questions] == ["seat"]


def test_of_two_who_say_that_was_me_the_host_decides() -> None:
    doubtful = play(None, "9c", seat_certainty=0.2)
    both = [LED, doubtful, claim("claim_play", 1, 1), claim("claim_play", 2, 1)]
    session = upstream(*both, claim("claim_play", 1, 1))
    assert codes(session) == [None, None, "claim_known"]
    assert [q.kind for q in session.questions] == ["seat"]
    decided = upstream(*both, {"kind": "answer", "of": 1, "seat": 2}, claim("claim_play", 1, 1))
    assert codes(decided)[-1] == "claim_decided"
    assert decided.judgements[1].seat == 2
    assert decided.questions == ()


def test_only_the_newest_play_can_be_claimed() -> None:
    session = upstream(LED, play(1, "9c"), claim("claim_play", 3, 0))
    assert codes(session) == ["claim_not_now"]
    assert session.judgements[0].seat == 0


def test_a_dispute_asks_the_host_and_changes_no_verdict() -> None:
    wrong = [LED, play(1, "4c")]
    before = upstream(*wrong)
    session = upstream(*wrong, claim("dispute", 1, 1))
    assert session.match == before.match
    assert session.judgements[:2] == before.judgements
    (question,) = session.questions
    assert (question.kind, question.of, question.params["seat"]) == ("dispute", 1, 1)
    assert [answer.code for answer in question.answers] == ["upheld", "stands"]


@pytest.mark.parametrize(
    "decision",
    [
        {"kind": "answer", "of": 1, "data": {"upheld": True}},
        {"kind": "answer", "of": 1, "data": {"stands": True}},
        {"kind": "amend", "of": 1, "cards": ["9d"]},
        {"kind": "retract", "of": 1},
        {"kind": "retract", "of": 2},
        {"kind": "merge", "of": 0, "data": {"with": 1}},
    ],
)
def test_any_decision_about_the_play_settles_its_dispute(decision: dict[str, object]) -> None:
    session = upstream(LED, play(1, "4c"), claim("dispute", 1, 1), decision)
    assert session.questions == ()
    assert "unsure disputed" not in verdicts(session)


def test_a_dispute_that_was_upheld_leaves_the_verdict() -> None:
    session = upstream(
        LED, play(1, "4c"), claim("dispute", 1, 1), {"kind": "answer", "of": 1, "data": {"upheld": True}}
    )
    assert verdicts(session)[1] == "violation not_higher"


def test_a_dispute_is_about_the_newest_and_each_seat_says_it_once() -> None:
    session = upstream(LED, play(1, "9c"), claim("dispute", 2, 0), claim("dispute", 2, 1), claim("dispute", 2, 1))
    assert codes(session) == ["claim_not_now", None, "claim_known"]


def test_a_claim_can_be_taken_back() -> None:
    doubtful = play(None, "9c", seat_certainty=0.2)
    session = upstream(LED, doubtful, claim("claim_play", 1, 1), {"kind": "retract", "of": 2})
    assert session.match == upstream(LED, doubtful).match


def exchanged(session: Session) -> tuple[int, ...]:
    """How many exchanges each seat of a draw poker hand has done."""
    hand = session.match.table.hand
    assert isinstance(hand, DrawHand)
    return hand.done


def test_i_exchange_nothing_at_draw_poker() -> None:
    setup = MatchSetup("drawpoker", ("A", "B"), dealer=1)
    session = fold(setup, events(claim("claim_pass", 1), claim("claim_pass", 0)))
    assert verdicts(session) == ["unsure claim_not_now", "ok"]
    assert exchanged(session) == (1, 0)


def test_who_has_discarded_is_done_when_the_next_says_i_exchange_nothing() -> None:
    setup = MatchSetup("drawpoker", ("A", "B", "C"), dealer=2)
    thrown: dict[str, Any] = {"kind": "discard", "seat": 0, "cards": ["7h", "2c"]}
    session = fold(setup, events(thrown, claim("claim_pass", 2), claim("claim_pass", 1)))
    assert verdicts(session) == ["ok", "unsure claim_not_now", "ok"]
    assert exchanged(session) == (1, 1, 0)
