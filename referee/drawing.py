"""What is seen at a table of draw poker, judged: exchanges in turn, discards in the open, shows.

An announcement is heard by people, not by the camera: without one the discards themselves say how
many cards are exchanged. Standing pat is inferred when the next seat acts, and that the new cards
were taken is then taken for granted, not told: it can be seen, and nobody saw it. Faults of how a
discard lies (face down, overlapping, covering another) come with the event.
"""

from collections.abc import Sequence
from dataclasses import replace

from referee.cards import UNKNOWN
from referee.draw_poker import (
    DrawHand,
    after_announce,
    after_discard,
    after_draw,
    after_show,
    card_fault,
    judge_announce,
)
from referee.events import Event
from referee.match import DrawState
from referee.outcome import Outcome
from referee.poker_hands import hand_fault
from referee.questions import ask_cards, ask_fault, ask_passed, ask_turn
from referee.rules import Rules
from referee.verdicts import CARD_BAR, DOUBT_BAR, SEAT_BAR, Derived, Level, Question

_FAULTS = {
    "discard_not_face_up": "discard_face_up",
    "discard_overlaps": "discard_no_overlap",
    "discard_covered": "discard_no_overlap",
}
"""Faults that a house rule can allow."""
_OTHER_FAULTS = ("discard_taken_back", "discard_returned_to_stock", "discards_cleared_early")


def _reach(table: DrawState, rules: Rules, seat: int | None) -> tuple[DrawState, tuple[Derived, ...]]:
    """Finishes unseen what must have happened before `seat` exchanges (None: before the showdown):
    the cards drawn after a discard, and the seats that stood pat."""
    hand, before, guessed = table.hand, [], set(table.guessed)
    if not table.started and not table.dealer_known and seat is not None:
        hand = replace(hand, dealer=(seat - rules.step) % rules.seats)
    if seat is not None and hand.done[seat] >= rules.exchanges:
        return replace(table, hand=hand), ()
    while (current := hand.to_act(rules)) is not None and current != seat:
        if hand.discarded is None:
            before.append(Derived("stand_pat", current))
            guessed.add(current)
        hand = after_draw(hand, current)
    return replace(table, hand=hand, guessed=frozenset(guessed)), tuple(before)


def _turn_code(table: DrawState, rules: Rules, seat: int) -> str | None:
    """Whether this seat has no exchange left."""
    return "second_exchange" if table.hand.done[seat] >= rules.exchanges else None


def with_new_cards(hand: DrawHand, rules: Rules) -> DrawHand:
    """The hand once who has discarded has taken the new cards, seen or not."""
    current = hand.to_act(rules)
    return hand if current is None or hand.discarded is None else after_draw(hand, current)


def announce(table: DrawState, rules: Rules, event: Event) -> Outcome[DrawState]:
    """Somebody said how many cards will be exchanged (data.announce)."""
    seat, count = rules.valid_seat(event.seat), event.data.get("announce")
    if seat is None or type(count) is not int or count < 0:
        return Outcome(table, "unsure", ("bad_decision",))
    reached, before = _reach(table, rules, seat)
    code = judge_announce(reached.hand, rules, seat, count)
    if code:
        params = {"expected": rules.exchange_max, "got": count}
        return Outcome(table, "violation", (code,), params)
    hand = after_announce(reached.hand, rules, seat, count)
    return Outcome(replace(reached, hand=hand, started=True), before=before)


def discard(table: DrawState, rules: Rules, event: Event) -> Outcome[DrawState]:
    """Cards were laid into the discard area."""
    given = rules.valid_seat(event.seat)
    seat = given if given is not None else table.hand.to_act(rules)
    if seat is None:
        return Outcome(table, "unsure", ("seat_unknown",), {}, ask_turn(event, rules, 0))
    wrong: tuple[Derived, ...] = ()
    if seat in table.revocable:
        table = replace(table, hand=_undone(table.hand, seat), guessed=table.guessed - {seat})
        wrong = (Derived("not_passed", seat),)
    reached, before = _reach(table, rules, seat)
    before = (*wrong, *before)
    hand = reached.hand
    code = _turn_code(reached, rules, seat)
    if code and event.data.get("passed") is False:
        hand, code = _undone(hand, seat), None
    count = (hand.discarded or 0) + len(event.cards)
    codes = [code] if code else []
    if not code and count > rules.exchange_max:
        codes.append("too_many_exchanged")
    elif not code and hand.announced is not None and count > hand.announced:
        codes.append("discard_count_mismatch")
    sure_codes = [c for c in codes if _sure_turn(c, event, given, reached, seat)]
    faults, certainty = _faults(event, rules)
    sure_faults = faults if certainty >= CARD_BAR else ()
    doubts = _card_doubts(hand, rules, event, bool(faults))
    level: Level = "ok"
    if sure_codes or sure_faults:
        level = "violation"
    elif codes or faults or doubts or given is None:
        level = "unsure"
    said = (*sure_codes, *faults, *(c for c in codes if c not in sure_codes), *doubts)
    if given is None:
        said = (*said, "seat_unknown")
    params = {"expected": hand.announced or rules.exchange_max, "got": count}
    question = _question(event, said, rules, seat) if level == "unsure" else None
    faulty = reached.faulty | {event.id} if level != "ok" else reached.faulty
    after = replace(after_discard(hand, seat, event.cards), discarded=count)
    if code:
        after = replace(after, discarded=hand.discarded)
    kept = replace(reached, undo=())
    undo = (*table.undo, (event, kept))
    state = replace(reached, hand=after, undo=undo, faulty=faulty, started=True, revocable=frozenset())
    return Outcome(state, level, said, params, question, before)


def _undone(hand: DrawHand, seat: int) -> DrawHand:
    """The exchange that this seat was thought to have let go is still open."""
    done = list(hand.done)
    done[seat] -= 1
    return replace(hand, done=tuple(done))


def _sure_turn(code: str, event: Event, given: int | None, table: DrawState, seat: int) -> bool:
    if given is None or event.seat_certainty < SEAT_BAR:
        return False
    known = seat not in table.guessed or event.data.get("passed") is True
    return known if code == "second_exchange" else True


def _faults(event: Event, rules: Rules) -> tuple[tuple[str, ...], float]:
    """How the cards lie, as far as this table forbids it, and how certain that is; what was more
    likely seen wrongly than not doesn't count."""
    given = event.data.get("faults")
    certainty = event.data.get("fault_certainty", 1.0)
    if not isinstance(given, (list, tuple)) or not isinstance(certainty, (int, float)):
        return (), 1.0
    if certainty < DOUBT_BAR:
        return (), 1.0
    allowed = rules.options
    faults = tuple(
        str(fault)
        for fault in given
        if (fault in _FAULTS and allowed.get(_FAULTS[str(fault)], True)) or fault in _OTHER_FAULTS
    )
    return faults, float(certainty)


def _card_doubts(hand: DrawHand, rules: Rules, event: Event, faulty: bool) -> tuple[str, ...]:
    """Reasons to ask about the names of the cards. A card that lies face down is a fault, and its
    name is nobody's business."""
    doubts = []
    if UNKNOWN in event.cards and not faulty:
        doubts.append("card_unread")
    elif event.certainty < DOUBT_BAR and UNKNOWN not in event.cards:
        doubts.append("card_doubtful")
    fault = card_fault(hand, rules, event.cards)
    if fault:
        doubts.append(fault[0])
    return tuple(doubts)


def _question(event: Event, codes: Sequence[str], rules: Rules, seat: int) -> Question:
    if "seat_unknown" in codes or "too_many_exchanged" in codes:
        return ask_turn(event, rules, seat)
    if "second_exchange" in codes:
        return ask_passed(event)
    fault = next((code for code in codes if code in _FAULTS or code in _OTHER_FAULTS), None)
    if fault is not None:
        return ask_fault(event, fault)
    return ask_cards(event, (), codes[0] if codes else "")


def passes(table: DrawState, rules: Rules, event: Event) -> Outcome[DrawState]:
    """A seat exchanges nothing: it said so, or its hand knocked or waved and laid nothing
    (data.gesture), which holds in its turn, until it discards after all."""
    if not event.data.get("gesture"):
        return stand_pat(table, rules, event)
    seat, hand = rules.valid_seat(event.seat), with_new_cards(table.hand, rules)
    if seat is None or hand.over or hand.announced is not None or hand.to_act(rules) != seat:
        return Outcome(table, codes=("claim_not_now",))
    outcome = stand_pat(table, rules, event)
    reached = outcome.table
    state = replace(reached, guessed=reached.guessed | {seat}, revocable=reached.revocable | {seat})
    return replace(outcome, table=state)


def stand_pat(table: DrawState, rules: Rules, event: Event) -> Outcome[DrawState]:
    """A seat exchanges nothing, or says that it is done."""
    seat = rules.valid_seat(event.seat)
    seat = seat if seat is not None else table.hand.to_act(rules)
    if seat is None or _turn_code(table, rules, seat):
        return Outcome(table)
    reached, before = _reach(table, rules, seat)
    hand = after_draw(reached.hand, seat)
    guessed = reached.guessed - {seat}
    state = replace(reached, hand=hand, guessed=guessed, started=True)
    return Outcome(state, before=before)


def claimed_pat(table: DrawState, rules: Rules, event: Event) -> Outcome[DrawState]:
    """A player tapped "I exchange nothing": in its own turn only (who has discarded takes the new cards,
    seen or not). A finger slips: it is no more ground for an accusation than what was inferred."""
    seat, hand = rules.valid_seat(event.seat), with_new_cards(table.hand, rules)
    if seat in table.revocable:  # its hand has shown it already
        return Outcome(replace(table, revocable=table.revocable - {seat}))
    if seat is None or hand.announced is not None or hand.to_act(rules) != seat:
        return Outcome(table, "unsure", ("claim_not_now",))
    outcome = stand_pat(table, rules, event)
    return replace(outcome, table=replace(outcome.table, guessed=outcome.table.guessed | {seat}))


def stock_touched(table: DrawState, rules: Rules, event: Event) -> Outcome[DrawState]:
    """A hand went to the stock: whoever it was (the dealer may hand out the cards), the exchange
    under way gets its cards. Only a number that somebody counted can be wrong."""
    hand, count = table.hand, event.data.get("count")
    current = hand.to_act(rules)
    if current is None or hand.discarded is None:
        return Outcome(table)
    if type(count) is int and count != hand.discarded:
        params = {"expected": hand.discarded, "got": count}
        return Outcome(table, "violation", ("draw_count_mismatch",), params)
    if hand.announced is not None and hand.discarded < hand.announced:
        params = {"expected": hand.announced, "got": hand.discarded}
        state = replace(table, hand=after_draw(hand, current))
        return Outcome(state, "violation", ("discard_count_mismatch",), params)
    return Outcome(replace(table, hand=after_draw(hand, current)))


def show(table: DrawState, rules: Rules, event: Event) -> Outcome[DrawState]:
    """A hand was laid open: all exchanges are over."""
    seat = rules.valid_seat(event.seat)
    if seat is None:
        return Outcome(table, "unsure", ("seat_unknown",), {}, ask_turn(event, rules, 0))
    reached, before = _reach(table, rules, None)
    hand = after_show(reached.hand, seat, ())
    codes: list[str] = []
    if UNKNOWN in event.cards:
        codes.append("card_unread")
    elif event.certainty < DOUBT_BAR:
        codes.append("card_doubtful")
    fault = hand_fault(event.cards, rules) or card_fault(hand, rules, event.cards)
    if fault:
        codes.append(fault[0])
    size = len(event.cards)
    certain = min(event.certainty, event.seat_certainty) >= CARD_BAR and UNKNOWN not in event.cards
    level: Level = "unsure" if codes else "ok"
    if codes == ["wrong_hand_size"] and certain and size > rules.hand_size:
        level = "violation"
    params = {"expected": rules.hand_size, "got": size, "card": fault[1] if fault else None}
    question = ask_cards(event, (), codes[0]) if level == "unsure" else None
    good = size == rules.hand_size and UNKNOWN not in event.cards
    laid = tuple(event.cards) if good and len(set(event.cards)) == size else None
    shown = list(hand.shown)
    shown[seat] = laid
    kept = replace(reached, undo=())
    state = replace(
        reached,
        hand=replace(hand, shown=tuple(shown)),
        undo=(*table.undo, (event, kept)),
        started=True,
    )
    return Outcome(state, level, tuple(codes), params, question, before)


def sweep(table: DrawState, rules: Rules, event: Event) -> Outcome[DrawState]:
    """The discards were gathered: only after the showdown."""
    laid = {card for _, card in table.hand.discards}
    touched = not event.cards or bool(laid & set(event.cards)) or UNKNOWN in event.cards
    if table.hand.over:
        return Outcome(replace(table, swept=True))
    if not laid or table.hand.cleared or not touched:
        return Outcome(table)
    state = replace(table, hand=replace(table.hand, cleared=True))
    params = {"cards": list(event.cards)}
    if event.certainty < CARD_BAR:
        question = ask_cards(event, (), "discards_cleared_early")
        return Outcome(state, "unsure", ("discards_cleared_early",), params, question)
    return Outcome(state, "violation", ("discards_cleared_early",), params)


def take_back(table: DrawState, rules: Rules, event: Event) -> Outcome[DrawState]:
    """A discard was taken up again: right if it lay wrongly, else not allowed."""
    for index in range(len(table.undo) - 1, -1, -1):
        laid, kept = table.undo[index]
        if _is_target(laid, event):
            break
    else:
        return Outcome(table)
    if 0 < len(event.cards) < len(laid.cards):
        state = _with_fewer(table, index, event.cards)
    elif index == len(table.undo) - 1:
        state = replace(kept, undo=table.undo[:-1], faulty=table.faulty - {laid.id})
    else:
        state = _without(table, laid)
    if laid.kind != "discard" or laid.id in table.faulty:
        return Outcome(state)
    params = {"cards": list(laid.cards)}
    sure = min(event.certainty, event.seat_certainty) >= CARD_BAR
    level: Level = "violation" if sure else "unsure"
    question = None if sure else ask_turn(event, rules, laid.seat or 0)
    return Outcome(state, level, ("discard_taken_back",), params, question)


def _with_fewer(table: DrawState, index: int, cards: Sequence[str]) -> DrawState:
    """The discards once some of the cards of an event were taken up again, the rest stays."""
    laid, kept = table.undo[index]
    rest = list(laid.cards)
    for card in cards:
        if card in rest:
            rest.remove(card)
    less = _without(table, replace(laid, cards=tuple(cards)))
    discarded = less.hand.discarded
    if discarded is not None and index == len(table.undo) - 1:
        less = replace(less, hand=replace(less.hand, discarded=discarded - len(cards)))
    undo = (*table.undo[:index], (replace(laid, cards=tuple(rest)), kept), *table.undo[index + 1 :])
    return replace(less, undo=undo)


def _without(table: DrawState, laid: Event) -> DrawState:
    """The discards without those of an event, everything after it unchanged."""
    left = list(table.hand.discards)
    for card in laid.cards:
        for entry in left:
            if entry[1] == card:
                left.remove(entry)
                break
    undo = tuple(entry for entry in table.undo if entry[0].id != laid.id)
    return replace(table, hand=replace(table.hand, discards=tuple(left)), undo=undo)


def _is_target(laid: Event, event: Event) -> bool:
    if event.of is not None:
        return laid.id == event.of
    if event.cards and UNKNOWN not in laid.cards:
        return bool(set(event.cards) & set(laid.cards))
    return event.seat is None or laid.seat is None or event.seat == laid.seat
