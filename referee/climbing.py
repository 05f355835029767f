"""What is seen at the table of a climbing game, judged: turns, skipped seats, plays, sweeps.

The rules proper are in `judge.py` and `hand.py`. Here is what a camera adds: most passes are never
seen and are inferred from the seats that were skipped; a card, a seat or an earlier play may be in
doubt, and then a would-be violation is a question; an illegal play lies there until it is taken
back or the game goes on over it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from referee.cards import UNKNOWN
from referee.combos import Classified, Fault, Reading, classify, highest
from referee.events import Event
from referee.hand import Hand, Laid, RoundEnd, after_pass, after_play, end_round
from referee.judge import Ruling, declared_only, explain, judge_cards, repeated, turn_obstacle
from referee.match import ClimbingState, Pending
from referee.questions import ask_cards, ask_passed, ask_reading, ask_seat, ask_stood
from referee.rules import Rules
from referee.verdicts import (
    CARD_BAR,
    COMPARISON_CODES,
    DOUBT_BAR,
    SEAT_BAR,
    Derived,
    Level,
    Question,
)

_ASK_ALWAYS = ("card_not_in_deck", "duplicate_card", "needs_declaration", "card_unread")
"""An impossible card is far more likely a wrong name than a foreign card on the table."""
_SEAT_CODES = ("out_of_turn", "passed_this_round", "already_out", "more_cards_than_hand")
_TURN_ONLY = ("out_of_turn", "passed_this_round", "already_out")
"""Codes that hold whatever the cards are."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an event means: the table after it, and the verdict on it."""

    table: ClimbingState
    level: Level = "ok"
    codes: tuple[str, ...] = ()
    params: Mapping[str, object] = field(default_factory=dict)
    question: Question | None = None
    before: tuple[Derived, ...] = ()
    after: tuple[Derived, ...] = ()


@dataclass(frozen=True, slots=True)
class _Turn:
    """The table once the seat's turn has come (seats before it passed, unseen)."""

    table: ClimbingState
    before: tuple[Derived, ...]
    code: str | None = None


def valid_seat(seat: int | None, rules: Rules) -> int | None:
    """The seat, or None if there is no such seat at this table."""
    return seat if seat is not None and 0 <= seat < rules.seats else None


def play(table: ClimbingState, rules: Rules, event: Event) -> Outcome:
    """A set was laid into the play area; the hand isn't over."""
    table = _resolve_pending(table, rules, valid_seat(event.seat, rules))
    given = valid_seat(event.seat, rules)
    seat = given if given is not None else _likely_seat(table.hand, rules)
    seat_sure = given is not None and event.seat_certainty >= SEAT_BAR
    turn = _take_turn(table, rules, seat, event)
    turn, ruling = _judge(turn, rules, seat, event)
    doubts = _doubts(event, given, turn.table, rules, ruling)
    level, codes = _level(event, turn, ruling, doubts, seat_sure, table)
    params = explain(turn.table.hand.table, rules, seat, event.cards, ruling)
    if "out_of_turn" in codes:
        params["to_act"] = table.hand.to_act
    question = None
    if level == "unsure":
        question = _question(event, codes, turn.table, rules, ruling)
    elif level == "ok" and len(ruling.readings) > 1:
        question = ask_reading(event, ruling.readings)
    laid = _laid(event, seat, ruling, rules)
    if level == "violation" and not event.data.get("stands"):
        waiting = None if event.data.get("taken_back") else Pending(event, codes[0], laid)
        after_table = replace(turn.table, pending=waiting)
        return Outcome(after_table, level, codes, params, question, turn.before)
    after_table, after = _lay(turn.table, rules, event, laid, seat_sure)
    return Outcome(after_table, level, codes, params, question, turn.before, after)


def _likely_seat(hand: Hand, rules: Rules) -> int:
    if hand.to_act is not None:
        return hand.to_act
    return next((s for s in range(rules.seats) if s not in hand.finish), 0)


def _take_turn(table: ClimbingState, rules: Rules, seat: int, event: Event) -> _Turn:
    """Infers the passes before the seat's turn; the code if it can't be its turn."""
    hand = table.hand
    if seat in hand.finish and table.assumed:
        table = drop_counts(table)
        hand = table.hand
    code = turn_obstacle(hand, rules, seat, passing=False)
    if seat in hand.passed and event.data.get("passed") is False:
        hand = replace(hand, passed=hand.passed - {seat}, to_act=seat)
        return _Turn(replace(table, hand=hand), ())
    if code in ("already_out", "passed_this_round"):
        return _Turn(table, (), code)
    if hand.to_act is None or seat == hand.to_act:
        return _Turn(table, ())
    if hand.table is None:
        return _Turn(table, (), "out_of_turn")
    if seat == hand.table.seat:
        table, before = pass_all(table, rules)
        return _Turn(table, before)
    reached, before = _pass_until(table, rules, seat)
    if reached.hand.to_act != seat:
        return _Turn(table, (), "out_of_turn")
    return _Turn(reached, before)


def _pass_until(table: ClimbingState, rules: Rules, seat: int) -> tuple[ClimbingState, tuple[Derived, ...]]:
    """Everybody whose turn comes before that of `seat` has passed, unseen."""
    hand, before, guessed = table.hand, [], set(table.guessed)
    while hand.to_act is not None and hand.to_act != seat and hand.table is not None:
        skipped = hand.to_act
        hand, _ = after_pass(hand, rules, skipped)
        guessed.add(skipped)
        before.append(Derived("pass", skipped))
    return replace(table, hand=hand, guessed=frozenset(guessed)), tuple(before)


def pass_all(table: ClimbingState, rules: Rules) -> tuple[ClimbingState, tuple[Derived, ...]]:
    """Everybody who could still answer has passed, unseen: the round is over."""
    hand, before = table.hand, []
    ended: RoundEnd | None = None
    while hand.table is not None and ended is None:
        waiting = hand.waiting(rules)
        if not waiting:
            hand, ended = end_round(hand, rules)
            break
        skipped = hand.to_act if hand.to_act in waiting else waiting[0]
        before.append(Derived("pass", skipped))
        hand, ended = after_pass(hand, rules, skipped)
    table = replace(table, hand=hand, guessed=frozenset())
    if ended is not None:
        table, derived = _close_round(table, ended)
        before.append(derived)
    return table, tuple(before)


def _close_round(table: ClimbingState, ended: RoundEnd) -> tuple[ClimbingState, Derived]:
    captured = list(table.captured)
    captured[ended.winner] = captured[ended.winner] + table.round_cards
    table = replace(table, captured=tuple(captured), round_cards=(), guessed=frozenset())
    data = {"next_leader": ended.next_leader, "draws": list(ended.draws)}
    return table, Derived("round_end", ended.winner, data)


def drop_counts(table: ClimbingState) -> ClimbingState:
    """The deal was not what was assumed: nobody knows how many cards anybody holds."""
    unknown = (None,) * len(table.hand.counts)
    return replace(table, assumed=True, hand=replace(table.hand, counts=unknown, finish=()))


def _judge(turn: _Turn, rules: Rules, seat: int, event: Event) -> tuple[_Turn, Ruling]:
    """The cards against the table as far as it is known; drops an assumption that they refute."""
    ruling = _judge_cards(turn.table, rules, seat, event)
    if ruling.code == "more_cards_than_hand" and turn.table.assumed:
        turn = replace(turn, table=drop_counts(turn.table))
        ruling = _judge_cards(turn.table, rules, seat, event)
    return turn, ruling


def _judge_cards(table: ClimbingState, rules: Rules, seat: int, event: Event) -> Ruling:
    declared = event.data.get("as")
    said = declared if isinstance(declared, str) else None
    hand, laid = table.hand, table.hand.table
    if laid is None:
        return judge_cards(hand, rules, seat, event.cards, said)
    tables = laid.candidates or (() if laid.reading is None else (laid.reading,))
    if not tables:
        blind = replace(hand, table=None, opening=False)
        return judge_cards(blind, _shape_only(rules), seat, event.cards, said)
    rulings = [
        judge_cards(replace(hand, table=replace(laid, reading=r)), rules, seat, event.cards, said) for r in tables
    ]
    legal = [ruling for ruling in rulings if ruling.code is None]
    if legal and len(legal) < len(rulings):
        if rulings[0].code is None and laid.certain and not laid.disputed:
            return rulings[0]
        code = next(r.code for r in rulings if r.code)
        return Ruling(code, legal[0].reading, {"open": True}, legal[0].readings)
    return rulings[0]


def _shape_only(rules: Rules) -> Rules:
    """The rules for cards on a table that nobody could read: only their shape counts."""
    return rules if rules.bomb_may_lead else replace(rules, bomb_may_lead=True)


def _doubts(event: Event, seat: int | None, table: ClimbingState, rules: Rules, ruling: Ruling) -> list[str]:
    """Reasons to ask even about a play that is legal as it was read."""
    doubts = []
    if seat is None:
        doubts.append("seat_unknown")
    if UNKNOWN in event.cards:
        doubts.append("card_unread")
    elif event.certainty < DOUBT_BAR:
        doubts.append("card_doubtful")
    if repeated(table.seen, event.cards, rules):
        doubts.append("duplicate_card")
    laid = table.hand.table
    if laid is not None and ruling.code is None and not (laid.candidates or laid.reading):
        doubts.append("earlier_play_open")
    return doubts


def _level(
    event: Event,
    turn: _Turn,
    ruling: Ruling,
    doubts: list[str],
    seat_sure: bool,
    before: ClimbingState,
) -> tuple[Level, tuple[str, ...]]:
    """The verdict: a violation only if nothing that it rests on is in doubt."""
    codes = [code for code in (turn.code, ruling.code) if code]
    for code in codes:
        named = code in _TURN_ONLY or "duplicate_card" not in doubts
        if named and _certain(code, event, turn.table, ruling, seat_sure, before):
            return "violation", (code, *(c for c in codes if c != code))
    codes.extend(doubt for doubt in doubts if doubt not in codes)
    laid = turn.table.hand.table
    doubtful = laid is not None and not laid.certain and ruling.code in COMPARISON_CODES
    if ruling.code and (ruling.params.get("open") or doubtful):
        codes.append("earlier_play_open")
    return ("unsure", tuple(codes)) if codes else ("ok", ())


def _certain(
    code: str,
    event: Event,
    table: ClimbingState,
    ruling: Ruling,
    seat_sure: bool,
    before: ClimbingState,
) -> bool:
    """Whether everything that the code rests on was seen for certain."""
    if code == "out_of_turn":
        return seat_sure and before.turn_certain and event.seat not in before.guessed
    if code == "passed_this_round":
        known = event.seat not in before.guessed or event.data.get("passed") is True
        return seat_sure and known
    if code == "already_out":
        return seat_sure and not before.assumed
    if code in _ASK_ALWAYS or UNKNOWN in event.cards or event.certainty < CARD_BAR:
        return False
    if code in COMPARISON_CODES:
        laid = table.hand.table
        return seat_sure and laid is not None and laid.certain and not ruling.params.get("open")
    return seat_sure if code in _SEAT_CODES else True


def _question(event: Event, codes: tuple[str, ...], table: ClimbingState, rules: Rules, ruling: Ruling) -> Question:
    """What to ask: the first thing in doubt."""
    laid = table.hand.table
    if "earlier_play_open" in codes and laid is not None:
        if laid.disputed:
            return ask_stood(laid.event_id)
        if laid.certain and laid.candidates:
            return ask_reading(laid, laid.candidates)
        return ask_cards(laid, (), "earlier_play_open")
    if "seat_unknown" in codes:
        return ask_seat(event, table.hand, rules)
    if "passed_this_round" in codes:
        return ask_passed(event)
    if "needs_declaration" in codes:
        return ask_reading(event, ruling.readings)
    if set(codes) & {"out_of_turn", "already_out"} or event.seat_certainty < SEAT_BAR:
        return ask_seat(event, table.hand, rules)
    if "more_cards_than_hand" in codes:
        return ask_seat(event, table.hand, rules)
    return ask_cards(event, _alternatives(event, table, rules), codes[0])


def _alternatives(event: Event, table: ClimbingState, rules: Rules) -> tuple[tuple[str, ...], ...]:
    """Other readings of the picture (data.alternatives), those that would be legal first."""
    given = event.data.get("alternatives")
    if not isinstance(given, (list, tuple)):
        return ()
    sets = [tuple(str(card) for card in cards) for cards in given if isinstance(cards, (list, tuple))]
    seat = event.seat if event.seat is not None else 0
    ranked = [
        (_judge_cards(table, rules, seat, replace(event, cards=cards)).code is not None, index)
        for index, cards in enumerate(sets)
    ]
    return tuple(sets[index] for _, index in sorted(ranked))


def _laid(event: Event, seat: int, ruling: Ruling, rules: Rules) -> Laid:
    """The play as it lies on the table: what it counts as, if that is known."""
    declared = event.data.get("as")
    found: Classified = ruling.readings
    if not found:
        said = declared if isinstance(declared, str) else None
        found = declared_only(classify(event.cards, rules), said)
    readings: tuple[Reading, ...] = () if isinstance(found, Fault) else tuple(found)
    sure = event.certainty >= CARD_BAR and UNKNOWN not in event.cards
    reading = ruling.reading or (highest(readings) if readings else None)
    return Laid(seat, event.cards, reading, event.id, sure, readings if len(readings) > 1 else ())


def _lay(
    table: ClimbingState, rules: Rules, event: Event, laid: Laid, seat_sure: bool
) -> tuple[ClimbingState, tuple[Derived, ...]]:
    """The table after a play that stands."""
    undo = table.undo if table.hand.table is not None else ()
    kept = replace(table, undo=(), pending=None, resume=None)
    hand = _admit(table.hand, laid, event)
    plays = list(table.plays)
    plays[laid.seat] += 1
    known = tuple(card for card in laid.cards if card != UNKNOWN)
    after_hand, ended = after_play(hand, rules, laid)
    table = replace(
        table,
        hand=after_hand,
        turn_certain=seat_sure,
        guessed=table.guessed if rules.pass_lockout else frozenset(),
        pending=None,
        undo=(*undo, (event, kept)),
        seen=table.seen + known,
        round_cards=table.round_cards + known,
        plays=tuple(plays),
        resume=None,
        started=True,
        opener=table.opener or (laid.seat, event.id),
    )
    if after_hand.over and table.assumed and not event.data.get("out"):
        unknown: tuple[int | None, ...] = (None,) * rules.seats
        open_hand, _ = after_play(replace(hand, counts=unknown, finish=()), rules, laid)
        table = replace(table, resume=replace(table, hand=open_hand))
    if ended is None:
        return table, ()
    table, derived = _close_round(table, ended)
    return table, (derived,)


def _admit(hand: Hand, laid: Laid, event: Event) -> Hand:
    """The hand, corrected by what the play itself proves: the seat held these cards, was not out
    and had not passed."""
    seat = laid.seat
    counts = list(hand.counts)
    held = counts[seat]
    if event.data.get("out"):
        counts[seat] = len(laid.cards)
    elif held is not None and held < len(laid.cards):
        counts[seat] = None
    finish = tuple(s for s in hand.finish if s != seat)
    return replace(hand, counts=tuple(counts), finish=finish, passed=hand.passed - {seat})


def _resolve_pending(table: ClimbingState, rules: Rules, seat: int | None) -> ClimbingState:
    """The game goes on after an illegal play: its seat acts again (taken back, unseen), or another
    seat does, and then nobody knows whether the play stood: both tables are possible."""
    pending = table.pending
    if pending is None:
        return table
    back = replace(table, pending=None)
    rightful = pending.code == "out_of_turn" and seat == table.hand.to_act
    if seat == pending.laid.seat or rightful or pending.code == "already_out":
        return back
    laid, old = pending.laid, table.hand.table
    readings = tuple(r for r in (laid.reading, old.reading if old else None) if r is not None)
    if laid.reading is None or (old is not None and old.reading is None):
        laid = replace(laid, reading=None, candidates=(), disputed=True)
    elif old is not None:
        laid = replace(laid, candidates=readings, disputed=True)
    stood, _ = _lay(back, rules, pending.event, laid, seat_sure=True)
    return back if stood.hand.over else stood


def passes(table: ClimbingState, rules: Rules, event: Event) -> Outcome:
    """Somebody said or tapped "pass"; the hand isn't over."""
    given = valid_seat(event.seat, rules)
    table = _resolve_pending(table, rules, given)
    hand = table.hand
    seat = given if given is not None else hand.to_act
    if seat is None or (hand.table is None and hand.to_act != seat):
        return Outcome(table)
    code = turn_obstacle(hand, rules, seat, passing=True)
    if code == "cannot_pass_on_lead":
        sure = given is not None and event.seat_certainty >= SEAT_BAR and table.turn_certain
        level: Level = "violation" if sure and table.started else "unsure"
        question = None if level == "violation" else ask_seat(event, hand, rules)
        params = explain(None, rules, seat, (), Ruling(code))
        return Outcome(table, level, (code,), params, question)
    if hand.table is None or seat == hand.table.seat or seat in hand.finish:
        return Outcome(table)
    if seat in hand.passed:
        guessed = table.guessed - {seat}
        return Outcome(replace(table, guessed=guessed), codes=("redundant_pass",))
    table, before = _pass_until(table, rules, seat)
    after_hand, ended = after_pass(table.hand, rules, seat)
    doubtful = event.seat_certainty < SEAT_BAR or given is None
    guessed = table.guessed | {seat} if doubtful else table.guessed - {seat}
    table = replace(table, hand=after_hand, guessed=guessed)
    if ended is None:
        return Outcome(table, before=before)
    table, derived = _close_round(table, ended)
    return Outcome(table, before=before, after=(derived,))


def sweep(table: ClimbingState, rules: Rules) -> Outcome:
    """The table was cleared: everybody else passed, and its owner won the round."""
    if table.hand.over:
        return Outcome(replace(table, swept=True))
    disputed = table.pending is not None
    table = _resolve_pending(table, rules, None)
    if table.hand.table is None:
        return Outcome(replace(table, undo=()))
    table, derived = pass_all(table, rules)
    if disputed:
        hand = replace(table.hand, to_act=None)
        table = replace(table, hand=hand, turn_certain=False)
        last = derived[-1]
        unknown = replace(last, data={**last.data, "next_leader": None})
        derived = (*derived[:-1], unknown)
    ends = derived[-1:]
    return Outcome(replace(table, undo=()), before=derived[:-1], after=ends)


def take_back(table: ClimbingState, rules: Rules, event: Event) -> Outcome:
    """A play was taken up again: the table is as before it, and its seat acts again. If only some
    of its cards were, the rest is the play."""
    target, kept = _taken(table, event)
    if target is None or kept is None:
        return Outcome(table)
    rest = list(target.cards)
    for card in event.cards:
        if card in rest:
            rest.remove(card)
    if rest and event.cards and len(rest) < len(target.cards):
        return play(kept, rules, replace(target, cards=tuple(rest)))
    return Outcome(kept)


def _taken(table: ClimbingState, event: Event) -> tuple[Event | None, ClimbingState | None]:
    """The play that was taken back, and the table before it."""
    pending = table.pending
    if pending is not None and _is_target(pending.event, event):
        return pending.event, replace(table, pending=None)
    if table.undo and _is_target(table.undo[-1][0], event):
        target, kept = table.undo[-1]
        return target, replace(kept, undo=table.undo[:-1])
    return None, None


def _is_target(laid: Event, event: Event) -> bool:
    if event.of is not None:
        return laid.id == event.of
    if event.cards:
        return bool(set(event.cards) & set(laid.cards))
    return event.seat is None or laid.seat is None or event.seat == laid.seat
