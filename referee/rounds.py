"""How a round of a climbing game goes on where nobody plays: seats that passed unseen, and its end."""

from dataclasses import replace

from referee.events import Event
from referee.hand import RoundEnd, after_pass, end_round
from referee.match import ClimbingState
from referee.outcome import Outcome
from referee.rules import Rules
from referee.verdicts import Derived


def pass_until(table: ClimbingState, rules: Rules, seat: int) -> tuple[ClimbingState, tuple[Derived, ...]]:
    """Everybody whose turn comes before that of `seat` has passed, unseen."""
    hand, before, skips = table.hand, [], set()
    while hand.to_act is not None and hand.to_act != seat and hand.table is not None:
        skipped = hand.to_act
        hand, _ = after_pass(hand, rules, skipped)
        skips.add(skipped)
        before.append(Derived("pass", skipped))
    guessed, revocable = table.guessed | skips, table.revocable | skips
    return replace(table, hand=hand, guessed=guessed, revocable=revocable), tuple(before)


def not_passed(table: ClimbingState, rules: Rules, seat: int) -> tuple[ClimbingState, tuple[Derived, ...]]:
    """`seat` plays although it was taken to have passed: if that pass is revocable, it was none, nor
    were the revocable ones of the seats after it."""
    laid = table.hand.table
    if laid is None or seat not in table.revocable:
        return table, ()
    order = table.hand.following(laid.seat, rules)
    wrong = [s for s in order[order.index(seat) :] if s in table.revocable]
    hand = replace(table.hand, passed=table.hand.passed - set(wrong), to_act=seat)
    table = replace(table, hand=hand, guessed=table.guessed - set(wrong), revocable=table.revocable - set(wrong))
    return table, tuple(Derived("not_passed", s) for s in wrong)


def gestured(table: ClimbingState, rules: Rules, event: Event) -> Outcome[ClimbingState]:
    """A hand knocked or waved in its seat's turn and laid nothing: taken for a pass until the seat plays
    after all. It ends no round: that shows when the table is swept or the next play is a lead."""
    seat, hand = rules.valid_seat(event.seat), table.hand
    waits = seat is not None and hand.to_act == seat and seat in hand.waiting(rules)
    if seat is None or not waits or hand.over or table.pending is not None:
        return Outcome(table, codes=("claim_not_now",))
    passed = hand.passed | {seat}
    hand = replace(hand, passed=passed, to_act=hand.next_to_act(seat, rules, passed))
    guessed = table.guessed | {seat}
    if not hand.waiting(rules):
        leads, _ = end_round(hand, rules)
        hand, guessed = replace(hand, to_act=leads.to_act), guessed | passed
    return Outcome(replace(table, hand=hand, guessed=guessed, revocable=table.revocable | {seat}))


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
    disputed = table.hand.table is not None and table.hand.table.disputed
    table = replace(table, hand=hand, guessed=frozenset(), revocable=frozenset())
    if ended is not None:
        table, derived = close_round(table, ended)
        if disputed:
            table = replace(table, hand=replace(table.hand, to_act=None), turn_certain=False)
            derived = replace(derived, data={**derived.data, "next_leader": None})
        before.append(derived)
    return table, tuple(before)


def close_round(table: ClimbingState, ended: RoundEnd) -> tuple[ClimbingState, Derived]:
    """The round's cards go to its winner."""
    captured = list(table.captured)
    captured[ended.winner] = captured[ended.winner] + table.round_cards
    table = replace(table, captured=tuple(captured), round_cards=(), guessed=frozenset(), revocable=frozenset())
    data = {"next_leader": ended.next_leader, "draws": list(ended.draws)}
    return table, Derived("round_end", ended.winner, data)


def drop_counts(table: ClimbingState) -> ClimbingState:
    """The deal was not what was assumed: nobody knows how many cards anybody holds."""
    unknown = (None,) * len(table.hand.counts)
    return replace(table, assumed=True, hand=replace(table.hand, counts=unknown, finish=()))
