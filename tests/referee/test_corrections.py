"""Corrections by people: split, merged, moved, deleted, and what outlives a play that is told anew."""

import pytest
from sessions import events, play, table, upstream, verdicts

from referee.session import MatchSetup, Session, fold


def test_part_of_a_play_taken_back_leaves_the_rest_as_the_play() -> None:
    session = upstream(play(0, "9c 9d"), {"kind": "take_back", "of": 0, "cards": ["9d"]}, play(1, "Tc"))
    assert verdicts(session) == ["ok", "ok", "ok"]
    assert table(session).hand.counts == (4, 4, 5, 5)


def test_split_merge_insert_and_reorder_re_judge() -> None:
    lines = [play(0, "5c"), play(1, "9c 9d")]
    assert verdicts(upstream(*lines))[1] == "violation wrong_type"
    split = {"kind": "split", "of": 1, "seat": 2, "cards": ["9d"]}
    session = upstream(*lines, split)
    assert [(j.event_id, j.seat, j.verdict) for j in session.judgements] == [
        (0, 0, "ok"),
        (1, 1, "ok"),
        (2, 2, "violation"),
    ]
    merged = upstream(play(0, "5c"), play(0, "5d"), {"kind": "merge", "of": 0, "data": {"with": 1}})
    assert [j.cards for j in merged.judgements] == [("5c", "5d")]
    unseen = {"kind": "insert", "seat": 1, "cards": ["7d"], "data": {"before": 1}}
    inserted = upstream(play(0, "5c"), play(2, "6d"), unseen)
    assert [(j.event_id, j.verdict) for j in inserted.judgements] == [
        (0, "ok"),
        (2, "ok"),
        (1, "violation"),
    ]
    moved = upstream(
        play(0, "5c"),
        play(2, "9d"),
        play(1, "6d"),
        {"kind": "reorder", "of": 2, "data": {"before": 1}},
    )
    assert verdicts(moved) == ["ok", "ok", "ok"]


def test_deleting_takes_out_what_earlier_corrections_made_of_an_event() -> None:
    merge = {"kind": "merge", "of": 0, "data": {"with": 1}}
    merged = [play(0, "5c"), play(0, "5d"), play(1, "9c 9d"), merge]
    assert [j.event_id for j in upstream(*merged, {"kind": "delete", "of": 0}).judgements] == [2]
    split = {"kind": "split", "of": 0, "seat": 1, "cards": ["9d"]}
    parts = [play(0, "5c 9d"), split]
    assert [j.cards for j in upstream(*parts, {"kind": "delete", "of": 1}).judgements] == [("5c",)]
    undone = upstream(*parts, {"kind": "delete", "of": 1}, {"kind": "retract", "of": 2})
    assert [j.cards for j in undone.judgements] == [("5c",), ("9d",)]
    again = upstream(*parts, {"kind": "delete", "of": 1}, {"kind": "delete", "of": 1})
    assert [decision.code for decision in again.decisions] == [None, None, "unknown_event"]


def test_a_split_part_can_be_of_another_kind() -> None:
    setup = MatchSetup("drawpoker", ("A", "B"), dealer=1)
    seen = {"kind": "discard", "seat": 0, "cards": ["9c", "4d", "Ah", "Kh"]}
    split = {"kind": "split", "of": 0, "cards": ["Ah", "Kh"], "data": {"kind": "show"}}
    assert [j.kind for j in fold(setup, events(seen, split)).judgements] == ["discard", "show"]


def test_a_hand_in_which_nothing_happened_begins_anew_and_leaves_no_empty_hand() -> None:
    begin = {"kind": "new_hand", "data": {"leader": 2}}
    assert upstream(begin, begin).match.hand_no == 1
    session = upstream(play(0, "5c"), begin, {"kind": "new_hand", "data": {"leader": 3}})
    assert session.match.hand_no == 2
    assert table(session).hand.to_act == 3


@pytest.mark.parametrize(
    ("correction", "code"),
    [
        ({"kind": "retract", "of": 9}, "unknown_event"),
        ({"kind": "delete", "of": 9}, "unknown_event"),
        ({"kind": "split", "of": 0, "cards": ["5c"], "data": {"kind": "retract"}}, "bad_decision"),
        ({"kind": "amend", "of": 9, "seat": 1}, "unknown_event"),
        ({"kind": "amend", "of": 0, "data": {"kind": "retract"}}, "bad_decision"),
        ({"kind": "split", "of": 0, "cards": ["9s"]}, "bad_decision"),
        ({"kind": "merge", "of": 0, "data": {"with": 0}}, "bad_decision"),
        ({"kind": "reorder", "of": 0, "data": {"after": 7}}, "unknown_event"),
    ],
)
def test_a_correction_that_means_nothing_changes_nothing(correction: dict[str, object], code: str) -> None:
    session = upstream(play(0, "5c"), correction)
    assert session.decisions[0].code == code
    assert session.judgements == upstream(play(0, "5c")).judgements


def test_only_events_of_one_kind_can_be_merged() -> None:
    merge = {"kind": "merge", "of": 0, "data": {"with": 1}}
    session = upstream(play(0, "5c"), {"kind": "pass", "seat": 1}, merge)
    assert session.decisions[0].code == "bad_decision"
    assert [j.kind for j in session.judgements] == ["play", "pass"]


@pytest.mark.parametrize(
    "correction",
    [
        {"kind": "amend", "of": 0, "cards": ["5c", "5d"]},
        {"kind": "split", "of": 0, "cards": ["X"]},
        {"kind": "merge", "of": 0, "data": {"with": 1}},
    ],
)
def test_what_jokers_stood_for_is_not_said_of_other_cards(correction: dict[str, object]) -> None:
    setup = MatchSetup("gdy2", ("A", "B", "C"), counts=(6, 6, 6), first_leader=0)
    laid = [play(0, "4c X"), play(0, "4d")]
    said = {"kind": "answer", "of": 0, "data": {"as": "pair:4"}}
    assert verdicts(fold(setup, events(*laid[:1], said))) == ["ok"]
    assert verdicts(fold(setup, events(*laid, said, correction)))[0] == "ok"


def test_faults_of_a_discard_that_a_person_names_are_certain() -> None:
    setup = MatchSetup("drawpoker", ("A", "B"), dealer=1)
    thrown = {"kind": "discard", "seat": 0, "cards": ["7h", "2c"], "data": {"faults": [], "fault_certainty": 0.5}}
    told = {"kind": "amend", "of": 0, "data": {"faults": ["discard_overlaps"]}}
    assert verdicts(fold(setup, events(thrown, told))) == ["violation discard_overlaps"]


def told_anew(cards: str, *people: dict[str, object], **more: object) -> Session:
    """A play is read as "9c ?" of nobody; people say something; the camera takes it back and tells it anew."""
    first = play(None, "9c ?", certainty=0.3, seat_certainty=0.2)
    back = {"kind": "retract", "of": 1}
    again = play(3, cards, of=1, **more)
    return upstream(play(0, "5c 5d"), first, *people, back, again, counts=(9, 9, 9, 9))


def test_what_people_said_of_a_play_outlives_its_being_told_anew() -> None:
    whose = {"kind": "answer", "of": 1, "seat": 1}
    named = {"kind": "answer", "of": 1, "cards": ["9c", "9d"]}
    session = told_anew("9c 4d", whose, named)
    judged = session.judgements[1]
    assert (judged.event_id, judged.seat, judged.cards, judged.verdict) == (5, 1, ("9c", "9d"), "ok")
    assert [(d.of, d.code) for d in session.decisions[:2]] == [(5, None), (5, None)]
    grown = told_anew("9c 9h 9d", {"kind": "amend", "of": 1, "cards": ["9c", "9s"]}).judgements[1]
    assert (grown.cards, grown.certainty, grown.verdict) == (("9c", "9h", "9d"), 0.5, "unsure")
    grown = told_anew("? 9c 9h", {"kind": "amend", "of": 1, "cards": ["9c", "9s"]}, certainty=0.4).judgements[1]
    assert (set(grown.cards), grown.certainty) == ({"9c", "9s", "9h"}, 0.4)


def test_a_play_that_is_told_anew_keeps_its_place() -> None:
    missed = {"kind": "insert", "seat": 1, "cards": ["7c", "7d"], "data": {"before": 1}}
    passed = {"kind": "pass", "seat": 0}
    session = told_anew("9c 9d", missed, passed)
    assert [judged.event_id for judged in session.judgements] == [0, 2, 5, 3]
    assert verdicts(session) == ["ok"] * 4


def test_what_was_said_not_to_have_happened_does_not_come_back_under_another_name() -> None:
    gone: dict[str, object] = {"kind": "delete", "of": 1}
    assert [judged.event_id for judged in told_anew("9c 9d", gone).judgements] == [0]
    assert [judged.event_id for judged in told_anew("9c 9d 9h", gone).judgements] == [0, 4]
