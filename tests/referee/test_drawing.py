"""Draw poker as a camera sees it: no legal hand is accused, what breaks the rules is found."""

import random

import pytest

from referee.cards import DECK
from referee.events import Event, from_json
from referee.poker_hands import rank_hand, winners
from referee.session import MatchSetup, Session, fold


def session(*lines: dict[str, object], players: int = 2, **options: object) -> Session:
    names = tuple("ABCDEF"[:players])
    setup = MatchSetup("drawpoker", names, options, dealer=players - 1)
    return fold(setup, [from_json({"t": 0.0, **line, "id": n}) for n, line in enumerate(lines)])


def discard(seat: int, cards: str, **more: object) -> dict[str, object]:
    return {"kind": "discard", "seat": seat, "cards": cards.split(), **more}


def verdicts(judged: Session) -> list[str]:
    return [" ".join((j.verdict, *j.codes)) for j in judged.judgements]


@pytest.mark.parametrize("seed", range(60))
def test_hands_that_keep_the_rules_are_never_accused(seed: int) -> None:
    rng = random.Random(seed)
    players, exchanges = rng.randint(2, 6), rng.choice([1, 1, 2])
    events: list[Event] = []
    won: list[list[int]] = []

    def see(kind: str, seat: int | None, cards: tuple[str, ...] = ()) -> None:
        events.append(Event(len(events), float(len(events)), kind, seat, cards))

    for hand in range(3):
        deck = rng.sample(DECK, len(DECK))
        dealer = (players - 1 + hand) % players
        order = [(dealer + k) % players for k in range(1, players + 1)]
        for _ in range(exchanges):
            for seat in order:
                count = rng.randint(0, 3) if len(deck) > 5 * players + 3 else 0
                if count:
                    see("discard", seat, tuple(deck.pop() for _ in range(count)))
                    if rng.random() < 0.5:
                        see("draw", rng.choice([seat, dealer]))
                elif rng.random() < 0.5 or hand:
                    see("pass", seat)
        shown = {seat: tuple(deck.pop() for _ in range(5)) for seat in order}
        for seat in rng.sample(order, players):
            see("show", seat, shown[seat])
        see("sweep", None)
        won.append(winners([rank_hand(shown[seat], True) for seat in range(players)]))
    setup = MatchSetup("drawpoker", tuple("ABCDEF"[:players]), {"exchanges": exchanges}, dealer=players - 1)
    judged = fold(setup, events)
    assert [j for j in judged.judgements if j.verdict != "ok"] == []
    assert [list(result.finish) for result in judged.match.results] == won


def test_a_second_exchange_is_a_violation_only_if_the_first_was_seen() -> None:
    seen = session(discard(0, "5c"), discard(1, "6c"), discard(0, "7c"))
    assert verdicts(seen)[2] == "violation second_exchange"
    skipped = session(discard(1, "6c"), discard(0, "7c"))
    assert [d.kind for d in skipped.judgements[0].before] == ["stand_pat"]
    assert verdicts(skipped)[1] == "unsure second_exchange"


def test_a_gesture_stands_pat_in_turn_until_the_seat_discards_after_all() -> None:
    knock: dict[str, object] = {"kind": "pass", "seat": 1, "data": {"gesture": True}}
    told = session(discard(0, "5c"), knock, players=3)
    assert told.match.table.hand.to_act(told.match.rules) == 2
    early = session(knock, players=3)
    assert verdicts(early) == ["ok claim_not_now"]
    assert early.match.table.hand.done == (0, 0, 0)
    after_all = session(discard(0, "5c"), knock, discard(1, "6c"), discard(2, "7c"), discard(1, "8c"), players=3)
    assert verdicts(after_all) == ["ok", "ok", "ok", "ok", "violation second_exchange"]
    assert [d.kind for d in after_all.judgements[2].before] == ["not_passed"]


def test_two_visits_are_one_exchange_up_to_the_limit() -> None:
    assert verdicts(session(discard(0, "5c"), discard(0, "6c 7c"))) == ["ok", "ok"]
    too_many = session(discard(0, "5c 6c"), discard(0, "7c 8c"))
    assert verdicts(too_many)[1] == "violation too_many_exchanged"


def test_how_a_discard_lies_is_judged_unless_it_was_seen_badly_or_is_allowed() -> None:
    faults = {"faults": ["discard_overlaps"]}
    assert verdicts(session(discard(0, "5c", data=faults))) == ["violation discard_overlaps"]
    badly = {**faults, "fault_certainty": 0.4}
    assert verdicts(session(discard(0, "5c", data=badly))) == ["ok"]
    allowed = session(discard(0, "5c", data=faults), discard_no_overlap=False)
    assert verdicts(allowed) == ["ok"]


def test_a_fault_that_was_not_seen_for_certain_is_named_and_asked_about() -> None:
    hidden = discard(0, "?", data={"faults": ["discard_not_face_up"], "fault_certainty": 0.87})
    asked = session(hidden)
    assert verdicts(asked) == ["unsure discard_not_face_up"]
    (question,) = asked.questions
    assert question.kind == "fault"
    broke, fine = ({"kind": a.kind, "of": question.of, "data": a.data} for a in question.answers)
    assert verdicts(session(hidden, broke))[0] == "violation discard_not_face_up"
    assert verdicts(session(hidden, fine))[0] == "unsure card_unread"


def test_taking_the_new_cards_is_not_told_when_nobody_saw_it() -> None:
    judged = session(discard(0, "5c"), discard(1, "6c")).judgements
    assert [j.before for j in judged] == [(), ()]


def test_a_hidden_discard_is_asked_about() -> None:
    hidden = session(discard(0, "?"))
    assert verdicts(hidden) == ["unsure card_unread"]
    assert hidden.questions[0].kind == "cards"


def test_a_discard_may_be_taken_up_again_only_if_it_lay_wrongly() -> None:
    back: dict[str, object] = {"kind": "take_back", "of": 0, "seat": 0}
    right = session(discard(0, "5c"), back)
    assert verdicts(right)[1] == "violation discard_taken_back"
    wrong = session(discard(0, "?", data={"faults": ["discard_not_face_up"]}), back, discard(0, "5c"))
    assert verdicts(wrong)[1:] == ["ok", "ok"]
    unsure = session(discard(0, "5c"), {**back, "seat_certainty": 0.5})
    assert verdicts(unsure)[1] == "unsure discard_taken_back"


def test_discards_stay_until_the_showdown() -> None:
    early = session(discard(0, "5c"), {"kind": "sweep", "cards": ["5c"]})
    assert verdicts(early)[1] == "violation discards_cleared_early"
    shows = [
        {"kind": "show", "seat": 0, "cards": ["Kc", "Kd", "8s", "8h", "3c"]},
        {"kind": "show", "seat": 1, "cards": ["Ac", "Ad", "2s", "7h", "4c"]},
    ]
    right = session(discard(0, "5c"), *shows, {"kind": "sweep", "cards": ["5c"]})
    assert verdicts(right) == ["ok"] * 4
    assert right.match.totals == (1, 0)


def test_a_show_that_is_not_five_cards_is_asked_about() -> None:
    short = session({"kind": "show", "seat": 0, "cards": ["Kc", "Kd", "8s", "8h"]})
    assert verdicts(short) == ["unsure wrong_hand_size"]
    long = session({"kind": "show", "seat": 0, "cards": ["Kc", "Kd", "8s", "8h", "3c", "4c"]})
    assert verdicts(long) == ["violation wrong_hand_size"]
