"""What must hold for every ruleset, every house rule and every journal."""

from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from referee_strategies import CARDS, all_readings, events, journals, rules, setups

from referee.combos import Fault, classify
from referee.corrections import is_correction, resolve
from referee.events import Event, from_json, to_json
from referee.hand import Hand, Laid, after_pass, after_play
from referee.judge import can_beat, judge_pass, judge_play
from referee.ordering import beating, obstacle
from referee.rules import Rules, load_rules
from referee.session import MatchSetup, Session, advance, fold

THOROUGH = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)


@THOROUGH
@given(rules())
def test_nothing_beats_itself_and_no_two_beat_each_other(table: Rules) -> None:
    readings = all_readings(table)
    for one in readings:
        assert obstacle(one, one, table) is not None
    for index, one in enumerate(readings):
        for other in readings[index + 1 :]:
            up, down = obstacle(one, other, table), obstacle(other, one, table)
            assert up is not None or down is not None, (one, other)


@THOROUGH
@given(rules(), st.lists(st.sampled_from(CARDS), min_size=1, max_size=7), st.data())
def test_order_and_suit_never_matter(table: Rules, cards: list[str], data: st.DataObject) -> None:
    two_decks = replace(table, decks=2)
    found = classify(cards, two_decks)
    shuffled = data.draw(st.permutations(cards))
    turned = [c if c in "XY" else c[0] + {"c": "d", "d": "h", "h": "s", "s": "c"}[c[1]] for c in cards]
    assert classify(shuffled, two_decks) == found
    again = classify(turned, two_decks)
    if isinstance(found, Fault) and isinstance(again, Fault):
        assert (again.reason, again.named) == (found.reason, found.named)
    else:
        assert again == found


def _known(session: Session) -> set[int]:
    merged = {e.data.get("with") for e in session.events if e.kind == "merge"}
    deleted = {e.of for e in session.events if e.kind == "delete" and e.of is not None}
    judged = {judgement.event_id for judgement in session.judgements}
    decided = {decision.event_id for decision in session.decisions}
    starts = {e.id for e in session.events if e.kind == "set_option"}
    return judged | decided | starts | deleted | session.retracted | {m for m in merged if isinstance(m, int)}


@settings(THOROUGH, max_examples=200)
@given(setups(), journals())
def test_any_journal_is_judged_and_no_event_is_lost(setup: MatchSetup, journal: list[Event]) -> None:
    session = fold(setup, journal)
    assert {event.id for event in journal} <= _known(session)
    facts = resolve(session.events).facts
    assert [j.event_id for j in session.judgements] == [fact.id for fact in facts]
    for judgement in session.judgements:
        assert (judgement.verdict == "ok") <= (set(judgement.codes) <= {"redundant_pass"})
        assert judgement.verdict == "ok" or judgement.codes


@settings(THOROUGH, max_examples=150)
@given(setups(), journals(), st.data())
def test_a_retracted_event_never_happened(setup: MatchSetup, journal: list[Event], data: st.DataObject) -> None:
    gone = data.draw(st.sampled_from(journal))
    undo = Event(len(journal), 99.0, "retract", of=gone.id)
    with_undo = fold(setup, [*journal, undo])
    without = fold(setup, [event for event in journal if event.id != gone.id])
    assert with_undo.match == without.match
    assert with_undo.judgements == without.judgements


@settings(THOROUGH, max_examples=100)
@given(setups(), journals())
def test_one_event_at_a_time_gives_the_same_session(setup: MatchSetup, journal: list[Event]) -> None:
    session = fold(setup, [])
    for event in journal:
        session = advance(session, event)
    assert session == fold(setup, journal)


@THOROUGH
@given(setups(), journals(), events(40))
def test_an_unread_card_never_gives_a_violation(setup: MatchSetup, journal: list[Event], last: Event) -> None:
    unread = replace(last, kind="play", cards=("?", *last.cards), seat_certainty=0.5, data={})
    judged = fold(setup, [*(e for e in journal if not is_correction(e)), unread]).judgement(40)
    assert judged is not None
    assert judged.verdict != "violation"


@THOROUGH
@given(events(3))
def test_an_event_survives_the_journal(event: Event) -> None:
    assert from_json(to_json(event)) == event


@THOROUGH
@given(rules(), st.data())
def test_cards_are_conserved(table: Rules, data: st.DataObject) -> None:
    hand = Hand(counts=(6,) * table.seats, to_act=0, stock=5)
    start = sum(count or 0 for count in hand.counts) + 5
    laid = 0
    for _ in range(12):
        if hand.over or hand.to_act is None:
            break
        seat = hand.to_act
        cards = data.draw(st.lists(st.sampled_from(CARDS), min_size=1, max_size=2))
        ruling = judge_play(hand, table, seat, cards)
        if ruling.code is None:
            hand, _ = after_play(hand, table, Laid(seat, tuple(cards), ruling.reading))
            laid += len(cards)
        elif judge_pass(hand, table, seat).code is None:
            hand, _ = after_pass(hand, table, seat)
        held = sum(count or 0 for count in hand.counts)
        assert held + (hand.stock or 0) + laid == start


@settings(THOROUGH, max_examples=40)
@given(
    st.sampled_from(["upstream", "tavla", "gdy1", "gdy2", "wuma"]),
    st.lists(st.sampled_from(CARDS), min_size=1, max_size=6, unique=True),
    st.data(),
)
def test_a_hand_can_beat_the_table_exactly_when_a_part_of_it_does(
    ruleset: str, cards: list[str], data: st.DataObject
) -> None:
    table = load_rules(ruleset)
    if not table.jokers_wild:
        cards = [card for card in cards if card not in "XY"]
    lying = data.draw(st.sampled_from(all_readings(table)))
    parts = [[card for bit, card in enumerate(cards) if mask >> bit & 1] for mask in range(1, 1 << len(cards))]
    readings = [classify(part, table) for part in parts]
    possible = any(beating(lying, r, table) for r in readings if not isinstance(r, Fault))
    assert can_beat(cards, lying, table) == possible
