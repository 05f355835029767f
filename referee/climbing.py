"""What is seen at the table of a climbing game, judged: turns, skipped seats, plays, sweeps.

The rules proper are in `judge.py` and `hand.py`. Here is what a camera adds: most passes are never
seen and are inferred from the seats that were skipped; a card, a seat or an earlier play may be in
doubt, and then a would-be violation is a question; an illegal play lies there until it is taken
back or the game goes on over it.
"""

from dataclasses import dataclass, replace

from referee.cards import UNKNOWN
from referee.combos import Classified, Fault, Reading, classify, highest
from referee.doubt import Evidence, ask, offer, weigh
from referee.events import Event
from referee.hand import Hand, Laid, after_pass, after_play
from referee.judge import Ruling, declared_only, explain, judge_cards, turn_obstacle
from referee.match import ClimbingState, Pending
from referee.outcome import Outcome
from referee.questions import ask_seat
from referee.rounds import close_round, drop_counts, not_passed, pass_all, pass_until
from referee.rules import Rules
from referee.verdicts import CARD_BAR, SEAT_BAR, Derived, Level


@dataclass(frozen=True, slots=True)
class _Turn:
    """The table once the seat's turn has come (seats before it passed, unseen)."""

    table: ClimbingState
    before: tuple[Derived, ...]
    code: str | None = None


def play(table: ClimbingState, rules: Rules, event: Event) -> Outcome[ClimbingState]:
    """A set was laid into the play area; the hand isn't over."""
    table = _resolve_pending(table, rules, rules.valid_seat(event.seat))
    given = rules.valid_seat(event.seat)
    seat = given if given is not None else _likely_seat(table.hand, rules)
    seat_sure = given is not None and event.seat_certainty >= SEAT_BAR
    table, wrong = not_passed(table, rules, seat)
    turn = _take_turn(table, rules, seat, event)
    turn = replace(turn, before=(*wrong, *turn.before))
    turn, ruling = _judge(turn, rules, seat, event)
    evidence = Evidence(event, seat, seat_sure, table, turn.table, rules, turn.code, ruling)
    level, codes = weigh(evidence)
    if level != "unsure" and _other_round(table, turn, rules, seat, event, level, seat_sure):
        level, codes = "unsure", (*codes, "round_unclear")
    params = explain(turn.table.hand.table, rules, seat, event.cards, ruling)
    if "out_of_turn" in codes:
        params["to_act"] = table.hand.to_act
    question = None
    if level == "unsure":
        question = ask(evidence, codes, _alternatives(event, turn.table, rules))
    elif level == "ok":
        question = offer(evidence)
    laid = _laid(event, seat, ruling, rules)
    if level == "violation" and not event.data.get("stands"):
        waiting = None if event.data.get("taken_back") else Pending(event, codes[0], laid)
        reached, before = (turn.table, turn.before) if seat_sure else (table, wrong)
        return Outcome(replace(reached, pending=waiting), level, codes, params, question, before)
    if level == "unsure" and ruling.code is not None:
        laid = _perhaps(laid, turn.table.hand.table)
    sure = seat_sure and level == "ok"
    # Whoever was seen to act had the turn: those before it passed, even if it takes the play back.
    had_turn = seat_sure and (level == "ok" or turn.table.hand.table is not None)
    after_table, after = _lay(turn.table, rules, event, laid, sure, turn.table if had_turn else table)
    return Outcome(after_table, level, codes, params, question, turn.before, after)


def _likely_seat(hand: Hand, rules: Rules) -> int:
    if hand.to_act is not None:
        return hand.to_act
    return next((s for s in range(rules.seats) if s not in hand.finish), 0)


def _take_turn(table: ClimbingState, rules: Rules, seat: int, event: Event) -> _Turn:
    """Infers the passes before the seat's turn; the code if it can't be its turn."""
    hand = table.hand
    if hand.table is not None and not hand.waiting(rules):  # the last pass was only a gesture
        closed, ending = pass_all(table, rules)
        turn = _take_turn(closed, rules, seat, event)
        return replace(turn, before=(*ending, *turn.before))
    if seat in hand.finish and table.assumed:
        table = drop_counts(table)
        hand = table.hand
    code = turn_obstacle(hand, rules, seat, passing=False)
    if seat in hand.passed and event.data.get("passed") is False:
        hand = replace(hand, passed=hand.passed - {seat}, to_act=seat)
        return _Turn(replace(table, hand=hand), ())
    if code == "already_out" or (code == "passed_this_round" and not event.data.get("new_round")):
        return _Turn(table, (), code)
    new_round = event.data.get("new_round") is True and hand.table is not None
    if new_round or (hand.table is not None and seat == hand.table.seat):
        table, before = pass_all(table, rules)
        right = table.hand.to_act in (seat, None)
        return _Turn(table, before, None if right else "out_of_turn")
    if hand.to_act is None or seat == hand.to_act:
        return _Turn(table, ())
    if hand.table is None:
        return _Turn(table, (), "out_of_turn")
    reached, before = pass_until(table, rules, seat)
    if reached.hand.to_act != seat:
        return _Turn(table, (), "out_of_turn")
    return _Turn(reached, before)


def _other_round(
    table: ClimbingState, turn: _Turn, rules: Rules, seat: int, event: Event, level: Level, seat_sure: bool
) -> bool:
    """Whether the verdict hangs on a round's end that nobody saw. A wrong answer to the table may be
    a right lead, when its owner is out (then somebody else leads) or the seats are in doubt; and a
    right lead of a doubtful owner may be somebody else's wrong answer."""
    laid = table.hand.table
    if laid is None or "new_round" in event.data:
        return False
    if level == "ok":
        ended = turn.table.hand.table is None
        sure = seat_sure and table.turn_certain
        return ended and not sure and _judge_cards(table, rules, seat, event).code is not None
    if laid.seat not in table.hand.finish and not table.shaky:
        return False
    closed, _ = pass_all(table, rules)
    leads = table.shaky or closed.hand.to_act in (seat, None)
    return leads and _judge_cards(closed, rules, seat, event).code is None


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
    if laid is None or (laid.reading is not None and not laid.candidates):
        return judge_cards(hand, rules, seat, event.cards, said)
    if not laid.candidates:
        blind = replace(hand, table=None, opening=False)
        return judge_cards(blind, _shape_only(rules), seat, event.cards, said)
    rulings = [
        judge_cards(replace(hand, table=replace(laid, reading=r)), rules, seat, event.cards, said)
        for r in laid.candidates
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


def _alternatives(event: Event, table: ClimbingState, rules: Rules) -> tuple[tuple[str, ...], ...]:
    """Other readings of the picture (data.alternatives), those that would be legal first."""
    given = event.data.get("alternatives")
    if not isinstance(given, (list, tuple)):
        return ()
    sets = [tuple(str(card) for card in cards) for cards in given if isinstance(cards, (list, tuple))]
    seat = rules.valid_seat(event.seat) or 0
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
    table: ClimbingState, rules: Rules, event: Event, laid: Laid, sure: bool, before: ClimbingState
) -> tuple[ClimbingState, tuple[Derived, ...]]:
    """The table after a play that stands; unless that is `sure`, turns and counts are in doubt.
    `before` is the table to go back to when it is taken back."""
    undo = table.undo if table.hand.table is not None else ()
    plain = not before.undo and before.pending is None and before.resume is None
    kept = before if plain else replace(before, undo=(), pending=None, resume=None)
    hand = _admit(table.hand, laid, event)
    plays = list(table.plays)
    plays[laid.seat] += 1
    named = laid.certain and not laid.disputed
    known = tuple(card for card in laid.cards if card != UNKNOWN) if named else ()
    after_hand, ended = after_play(hand, rules, laid)
    table = replace(
        table,
        hand=after_hand,
        assumed=table.assumed or not sure,
        shaky=table.shaky or not sure,
        turn_certain=sure,
        guessed=table.guessed if rules.pass_lockout else frozenset(),
        revocable=frozenset(),
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
    table, derived = close_round(table, ended)
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
    corrected = (tuple(counts), finish, hand.passed - {seat})
    if corrected == (hand.counts, hand.finish, hand.passed):
        return hand
    return replace(hand, counts=corrected[0], finish=corrected[1], passed=corrected[2])


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
    laid = _perhaps(pending.laid, table.hand.table)
    stood, _ = _lay(back, rules, pending.event, laid, False, back)
    return back if stood.hand.over else stood


def _perhaps(laid: Laid, below: Laid | None) -> Laid:
    """A play that perhaps didn't stand: the table is this one or the one below it."""
    if laid.reading is None or (below is not None and below.reading is None):
        return replace(laid, reading=None, candidates=(), disputed=True)
    if below is None or below.reading is None:
        return replace(laid, disputed=True)
    return replace(laid, candidates=(laid.reading, below.reading), disputed=True)


def passes(table: ClimbingState, rules: Rules, event: Event) -> Outcome[ClimbingState]:
    """Somebody said or tapped "pass"; the hand isn't over."""
    given = rules.valid_seat(event.seat)
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
        guessed, revocable = table.guessed - {seat}, table.revocable - {seat}
        return Outcome(replace(table, guessed=guessed, revocable=revocable), codes=("redundant_pass",))
    revocable = table.revocable
    table, before = pass_until(table, rules, seat)
    after_hand, ended = after_pass(table.hand, rules, seat)
    doubtful = event.seat_certainty < SEAT_BAR or given is None
    guessed = table.guessed | {seat} if doubtful else table.guessed - {seat}
    table = replace(table, hand=after_hand, guessed=guessed, revocable=revocable)
    if doubtful:
        table = replace(table, turn_certain=False, shaky=True)
    if ended is None:
        return Outcome(table, before=before)
    table, derived = close_round(table, ended)
    return Outcome(table, before=before, after=(derived,))


def claimed_pass(table: ClimbingState, rules: Rules, event: Event) -> Outcome[ClimbingState]:
    """A player tapped "I pass": it passes in its own turn only. A finger slips, so that this is no more
    ground for an accusation than a pass that was inferred."""
    seat, hand = rules.valid_seat(event.seat), table.hand
    if seat in table.revocable and not hand.over:  # its hand has shown it already, or it is skipped
        return Outcome(replace(table, revocable=table.revocable - {seat}))
    if seat is None or hand.over or hand.to_act not in (seat, None) or seat not in hand.waiting(rules):
        return Outcome(table, "unsure", ("claim_not_now",))
    outcome = passes(table, rules, event)
    after = outcome.table
    if seat in after.hand.passed:
        after = replace(after, guessed=after.guessed | {seat})
    else:  # it ended the round, and nobody else knows that
        after = replace(after, turn_certain=False)
    return replace(outcome, table=after)


def sweep(table: ClimbingState, rules: Rules) -> Outcome[ClimbingState]:
    """The table was cleared: everybody else passed, and its owner won the round."""
    if table.hand.over:
        return Outcome(replace(table, swept=True))
    table = _resolve_pending(table, rules, None)
    if table.hand.table is None:
        return Outcome(replace(table, undo=()))
    table, derived = pass_all(table, rules)
    ends = derived[-1:]
    return Outcome(replace(table, undo=()), before=derived[:-1], after=ends)


def take_back(table: ClimbingState, rules: Rules, event: Event) -> Outcome[ClimbingState]:
    """A play was taken up again: the table is as before it, and its seat acts again. If only some
    of its cards were, the rest is the play."""
    target, kept = _taken(table, event)
    if target is None or kept is None:
        return Outcome(table)
    rest = list(target.cards)
    for card in event.cards:
        if card in rest:
            rest.remove(card)
    if rest and 0 < len(event.cards) < len(target.cards) and len(rest) < len(target.cards):
        certainty = min(target.certainty, event.certainty)
        return play(kept, rules, replace(target, cards=tuple(rest), certainty=certainty))
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
