"""One fact at a time: (match, event) -> (match, judgement), for every kind of game.

Hands begin and end here. A hand that only seemed to be over, because the deal was assumed, goes on
when play goes on; after the end the next play begins a new hand once the table was cleared.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from referee import climbing, drawing
from referee.audit import audit_play, audit_show
from referee.combos import Fault, classify
from referee.errors import RulesError
from referee.events import Event
from referee.hand import Hand
from referee.judge import repeated
from referee.match import (
    ClimbingState,
    DrawState,
    Match,
    begin_hand,
    change_option,
    score_hand,
    totals_of,
)
from referee.outcome import Outcome
from referee.questions import ask_cards, ask_dispute, ask_new_hand, ask_seat
from referee.rounds import gestured
from referee.verdicts import CARD_BAR, Derived, Finding, Judgement, Level, Question


def observe(match: Match, event: Event) -> tuple[Match, Judgement]:
    """The match after a fact, and the verdict on it. Never raises."""
    if event.kind in _DECISIONS:
        return _DECISIONS[event.kind](match, event)
    if isinstance(match.table, DrawState):
        return _observe_draw(match, match.table, event)
    return _observe_climbing(match, match.table, event)


def _judgement(
    match: Match,
    event: Event,
    level: Level = "ok",
    codes: tuple[str, ...] = (),
    params: Mapping[str, object] | None = None,
    question: Question | None = None,
    before: tuple[Derived, ...] = (),
    after: tuple[Derived, ...] = (),
    findings: tuple[Finding, ...] = (),
) -> Judgement:
    return Judgement(
        event_id=event.id,
        t=event.t,
        kind=event.kind,
        seat=event.seat,
        cards=event.cards,
        verdict=level,
        codes=codes,
        params=params or {},
        question=question,
        before=before,
        after=after,
        certainty=min(event.certainty, event.seat_certainty) if event.cards else event.certainty,
        seat_certainty=event.seat_certainty,
        hand=match.hand_no,
        findings=findings,
    )


def _observe_climbing(match: Match, table: ClimbingState, event: Event) -> tuple[Match, Judgement]:
    if event.kind == "play":
        return _play(match, table, event)
    if event.kind == "show":
        return _opened_hand(match, table, event)
    if event.kind == "take_back":
        return _take_back(match, table, event)
    if event.kind == "sweep":
        return _finish(match, event, climbing.sweep(table, match.rules))
    if event.kind == "pass" and event.data.get("gesture"):
        return _finish(match, event, gestured(table, match.rules, event))
    if event.kind == "pass" and not table.hand.over:
        return _finish(match, event, climbing.passes(table, match.rules, event))
    if event.kind == "claim_pass":
        return _finish(match, event, climbing.claimed_pass(table, match.rules, event))
    return match, _judgement(match, event)


def _finish(
    match: Match, event: Event, outcome: Outcome[ClimbingState] | Outcome[DrawState], before: tuple[Derived, ...] = ()
) -> tuple[Match, Judgement]:
    """Puts the table into the match, and scores the hand if it has just ended; if it is no longer over,
    its score is taken out."""
    was_over = match.table.hand.over
    match = replace(match, table=outcome.table)
    after = outcome.after
    if outcome.table.hand.over and not was_over:
        match, ended = score_hand(match)
        after = (*after, ended)
    elif was_over and not outcome.table.hand.over:
        match = _unscored(match)
    return match, _judgement(
        match,
        event,
        outcome.level,
        outcome.codes,
        outcome.params,
        outcome.question,
        (*before, *outcome.before),
        after,
    )


def _play(match: Match, table: ClimbingState, event: Event) -> tuple[Match, Judgement]:
    said = event.data.get("new_hand")
    if said is True and (table.started or table.hand.over):
        match, begun = begin_hand(match)
        return _play_on(match, event, (begun,))
    if not table.hand.over:
        return _play_on(match, event)
    if table.swept and said is None:
        return _perhaps_new_hand(match, event, certain=not table.shaky)
    return _play_after_end(match, table, event)


def _play_on(match: Match, event: Event, before: tuple[Derived, ...] = ()) -> tuple[Match, Judgement]:
    table = match.table
    assert isinstance(table, ClimbingState)
    if table.hand.to_act is None and not table.started and match.rules.deal:
        table = _dealt_to_leader(match, table, event)
    match, judgement = _finish(match, event, climbing.play(table, match.rules, event), before)
    seat = match.rules.valid_seat(event.seat)
    if seat is None:
        return match, judgement
    findings = audit_play(table, match.rules, event, seat, match.hand_no)
    return match, replace(judgement, findings=findings) if findings else judgement


def _dealt_to_leader(match: Match, table: ClimbingState, event: Event) -> ClimbingState:
    """Where the dealer gets more cards and leads, the first to play is the dealer."""
    seat = match.rules.valid_seat(event.seat)
    if seat is None or match.rules.first_lead != "dealer" or table.hand.counts[seat] is not None:
        return table
    deal = match.rules.deal
    counts = tuple(deal[0 if s == seat else 1] for s in range(match.rules.seats))
    hand: Hand = replace(table.hand, counts=counts, to_act=seat)
    return replace(table, hand=hand)


def _play_after_end(match: Match, table: ClimbingState, event: Event) -> tuple[Match, Judgement]:
    """A play after the end, on a table that nobody was seen to clear."""
    rules, said = match.rules, event.data.get("new_hand")
    if table.resume is not None:
        outcome = climbing.play(table.resume, rules, event)
        if outcome.level == "ok" or said is False:
            return _finish(_reopened(match), event, outcome)
    if said is False:
        return match, _judgement(match, event, "violation", ("hand_over",))
    again = repeated(table.seen, event.cards, rules)
    if isinstance(classify(event.cards, rules), Fault):
        # Somebody plays on: perhaps the hand was not over, so nothing after it is certain either.
        match = replace(match, table=replace(table, shaky=True))
        return match, _judgement(match, event, "unsure", ("hand_over",), {}, ask_new_hand(event.id))
    seen_before = bool(again) and event.certainty >= CARD_BAR and not table.shaky
    return _perhaps_new_hand(match, event, certain=False, seen_before=seen_before)


def _perhaps_new_hand(
    match: Match, event: Event, certain: bool, seen_before: bool = False
) -> tuple[Match, Judgement]:
    """A play that begins a new hand: surely, when the last one ended before all eyes; else it is
    asked about, unless it is legal and lays cards that the last hand has `seen_before`."""
    ended = match
    match, begun = begin_hand(match)
    match, judgement = _play_on(match, event, (begun,))
    if certain or (seen_before and judgement.verdict == "ok"):
        return match, judgement
    match = replace(_in_doubt(match), fallback=ended)
    codes = ("hand_over", *(c for c in judgement.codes if c != "hand_over"))
    return match, replace(judgement, verdict="unsure", codes=codes, question=ask_new_hand(event.id))


def _in_doubt(match: Match) -> Match:
    """Perhaps the hand that has just begun is none: nothing that rests on it is certain."""
    table = match.table
    assert isinstance(table, ClimbingState)
    laid = table.hand.table
    hand = table.hand if laid is None else replace(table.hand, table=replace(laid, certain=False, disputed=True))
    return replace(match, table=replace(table, hand=hand, turn_certain=False, shaky=True))


def _reopened(match: Match) -> Match:
    """The hand wasn't over: it goes on."""
    assert isinstance(match.table, ClimbingState)
    assert match.table.resume is not None
    return replace(_unscored(match), table=match.table.resume, tied=())


def _unscored(match: Match) -> Match:
    """The match without the result of its hand."""
    if not match.results or match.results[-1].hand != match.hand_no:
        return match
    results = match.results[:-1]
    return replace(match, results=results, totals=totals_of(results, match), over=False, winners=())


def _take_back(match: Match, table: ClimbingState, event: Event) -> tuple[Match, Judgement]:
    outcome = climbing.take_back(table, match.rules, event)
    if match.fallback is not None and table.started and not outcome.table.started:
        return match.fallback, _judgement(match.fallback, event)
    if table.hand.over and not outcome.table.hand.over:
        match = _reopened(replace(match, table=replace(table, resume=outcome.table)))
    return _finish(match, event, outcome)


def _opened_hand(match: Match, table: ClimbingState, event: Event) -> tuple[Match, Judgement]:
    """A hand was laid open: after the end it says what its seat has left."""
    seat = match.rules.valid_seat(event.seat)
    if seat is None:
        question = ask_seat(event, table.hand, match.rules)
        return match, _judgement(match, event, "unsure", ("seat_unknown",), {}, question)
    findings = audit_show(table, match.rules, event, seat, match.hand_no)
    left = list(table.left)
    left[seat] = event.cards
    match = replace(match, table=replace(table, left=tuple(left)))
    after: tuple[Derived, ...] = ()
    if table.hand.over:
        match, ended = score_hand(match)
        after = (ended,)
    if not findings:
        return match, _judgement(match, event, after=after)
    codes = tuple(dict.fromkeys(finding.code for finding in findings))
    question = ask_cards(event, (), codes[0])
    return match, _judgement(match, event, "unsure", codes, findings[0].params, question, (), after, findings)


def _observe_draw(match: Match, table: DrawState, event: Event) -> tuple[Match, Judgement]:
    before: tuple[Derived, ...] = ()
    fresh = event.kind in ("discard", "pass", "declare") or (event.kind == "show" and table.swept)
    wanted = event.data.get("new_hand")
    if (table.hand.over and fresh and wanted is not False) or (wanted is True and table.started):
        match, begun = begin_hand(match)
        before = (begun,)
        assert isinstance(match.table, DrawState)
        table = match.table
    return _finish(match, event, _DRAW[event.kind](table, match, event), before)


_DrawStep = Callable[[DrawState, Match, Event], Outcome[DrawState]]
_DRAW: Mapping[str, _DrawStep] = {
    "discard": lambda table, match, event: drawing.discard(table, match.rules, event),
    "pass": lambda table, match, event: drawing.passes(table, match.rules, event),
    "claim_pass": lambda table, match, event: drawing.claimed_pat(table, match.rules, event),
    "draw": lambda table, match, event: drawing.stock_touched(table, match.rules, event),
    "show": lambda table, match, event: drawing.show(table, match.rules, event),
    "play": lambda table, match, event: drawing.show(table, match.rules, event),
    "sweep": lambda table, match, event: drawing.sweep(table, match.rules, event),
    "take_back": lambda table, match, event: drawing.take_back(table, match.rules, event),
    "declare": lambda table, match, event: drawing.announce(table, match.rules, event),
}


def _new_hand(match: Match, event: Event) -> tuple[Match, Judgement]:
    """A person says that the next hand begins; data.finish is how the last one ended, if the
    referee couldn't know."""
    finish = event.data.get("finish")
    table = match.table
    after: tuple[Derived, ...] = ()
    if isinstance(table, ClimbingState) and not table.hand.over and _order(finish, match):
        assert isinstance(finish, (list, tuple))
        hand = replace(table.hand, finish=tuple(finish), over=True, to_act=None)
        match, ended = score_hand(replace(match, table=replace(table, hand=hand)))
        after = (ended,)
    if not (match.table.started or after or (match.results and match.results[-1].hand == match.hand_no)):
        # nothing has happened in this hand: it begins anew rather than being left empty
        match = replace(match, hand_no=match.hand_no - 1)
    match, begun = begin_hand(match, event.data)
    return match, _judgement(match, event, after=(*after, begun))


def _order(finish: object, match: Match) -> bool:
    if not isinstance(finish, (list, tuple)) or not finish:
        return False
    seats = range(match.rules.seats)
    return all(type(seat) is int and seat in seats for seat in finish) and len(set(finish)) == len(finish)


def _set_option(match: Match, event: Event) -> tuple[Match, Judgement]:
    name, value = event.data.get("option"), event.data.get("value")
    said = {"option": name, "value": value, "from": event.data.get("from", "next_hand")}
    try:
        match = change_option(match, name, value)
    except RulesError as refused:
        params = {**said, "reason": refused.code}
        return match, _judgement(match, event, "unsure", ("option_refused",), params)
    return match, _judgement(match, event, params=said)


def _end_match(match: Match, event: Event) -> tuple[Match, Judgement]:
    winners = match.winners
    if not winners and match.results and any(match.totals):
        best = max(match.totals)
        winners = tuple(side for side, total in enumerate(match.totals) if total == best)
    return replace(match, over=True, winners=winners), _judgement(match, event)


def _say(match: Match, event: Event) -> tuple[Match, Judgement]:
    """An announcement; only draw poker has a use for one."""
    if isinstance(match.table, DrawState):
        return _observe_draw(match, match.table, event)
    return match, _judgement(match, event)


def _dispute(match: Match, event: Event) -> tuple[Match, Judgement]:
    """A player says that the verdict on an event is wrong: the host is asked, nothing else changes."""
    params = {"about": event.of}
    if event.data.get("settled") or event.of is None:
        return match, _judgement(match, event, params=params)
    pending = match.table.pending if isinstance(match.table, ClimbingState) else None
    illegal = pending is not None and pending.event.id == event.of
    return match, _judgement(match, event, "unsure", ("disputed",), params, ask_dispute(event, event.of, illegal))


_DECISIONS: Mapping[str, Callable[[Match, Event], tuple[Match, Judgement]]] = {
    "new_hand": _new_hand,
    "set_option": _set_option,
    "end_match": _end_match,
    "declare": _say,
    "dispute": _dispute,
}
