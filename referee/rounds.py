"""How a round of a climbing game goes on where nobody plays: seats that passed unseen, and its end."""

from dataclasses import replace

from referee.hand import RoundEnd, after_pass, end_round
from referee.match import ClimbingState
from referee.rules import Rules
from referee.verdicts import Derived


def pass_until(table: ClimbingState, rules: Rules, seat: int) -> tuple[ClimbingState, tuple[Derived, ...]]:
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
    disputed = table.hand.table is not None and table.hand.table.disputed
    table = replace(table, hand=hand, guessed=frozenset())
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
    table = replace(table, captured=tuple(captured), round_cards=(), guessed=frozenset())
    data = {"next_leader": ended.next_leader, "draws": list(ended.draws)}
    return table, Derived("round_end", ended.winner, data)


def drop_counts(table: ClimbingState) -> ClimbingState:
    """The deal was not what was assumed: nobody knows how many cards anybody holds."""
    unknown = (None,) * len(table.hand.counts)
    return replace(table, assumed=True, hand=replace(table.hand, counts=unknown, finish=()))
