"""One hand of a climbing game: its state, and what an accepted play or pass changes.

Nothing here asks whether an action is legal: that is `judge.py`.
"""

from collections import Counter
from dataclasses import dataclass, replace

from referee.combos import Reading
from referee.rules import Rules


@dataclass(frozen=True, slots=True)
class Laid:
    """What lies on the table: the last accepted play of the round.

    `reading` is the one that holds (None if it isn't known), `candidates` all that are possible
    while a card is unread or jokers undeclared; `certain` is False while the names of its cards are
    in doubt; `disputed` while it isn't known whether this play or what was before it holds.
    """

    seat: int
    cards: tuple[str, ...]
    reading: Reading | None
    event_id: int = -1
    certain: bool = True
    candidates: tuple[Reading, ...] = ()
    disputed: bool = False


@dataclass(frozen=True, slots=True)
class RoundEnd:
    """A finished round: who won it, who leads next, who draws a card, in order."""

    winner: int
    next_leader: int | None
    draws: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Hand:
    """State of a hand. Seats are indices; `counts` are cards held, None when not known.

    `to_act` is None when nobody knows whose turn it is (and after the end); `passed` are the seats
    that passed in this round (with lockout) or since the last play; `opening` while the start-card
    rule is in force; `hands` are cards known to be held, None for a hidden hand.
    """

    counts: tuple[int | None, ...]
    to_act: int | None
    table: Laid | None = None
    passed: frozenset[int] = frozenset()
    finish: tuple[int, ...] = ()
    over: bool = False
    opening: bool = False
    stock: int | None = None
    hands: tuple[tuple[str, ...] | None, ...] = ()

    def following(self, seat: int, rules: Rules) -> list[int]:
        """The seats that are still in the hand, in turn order after `seat` (itself last)."""
        n, step = len(self.counts), rules.step
        order = [(seat + step * k) % n for k in range(1, n + 1)]
        return [s for s in order if s not in self.finish] if self.finish else order

    def next_to_act(self, seat: int, rules: Rules, passed: frozenset[int]) -> int | None:
        """Whose turn it is after `seat` once `passed` have passed: the next who may still answer."""
        owner = self.table.seat if self.table else None
        for other in self.following(seat, rules):
            if other != owner and not (rules.pass_lockout and other in passed):
                return other
        return None

    def waiting(self, rules: Rules) -> list[int]:
        """The seats that have yet to answer the table, in turn order after its owner."""
        if self.table is None:
            return []
        owner = self.table.seat
        return [s for s in self.following(owner, rules) if s != owner and s not in self.passed]


def after_play(hand: Hand, rules: Rules, laid: Laid) -> tuple[Hand, RoundEnd | None]:
    """The hand after an accepted play, and the round that it ended (a play can, with lockout, when
    everybody else has passed already)."""
    seat = laid.seat
    counts, hands = list(hand.counts), list(hand.hands)
    held = counts[seat]
    if held is not None:
        counts[seat] = max(0, held - len(laid.cards))
    known = hands[seat] if hands else None
    if known is not None:
        hands[seat] = tuple((Counter(known) - Counter(laid.cards)).elements())
    finish = (*hand.finish, seat) if counts[seat] == 0 else hand.finish
    hand = replace(
        hand,
        counts=tuple(counts),
        hands=tuple(hands),
        table=laid,
        finish=finish,
        opening=False,
        passed=hand.passed if rules.pass_lockout else frozenset(),
    )
    if counts[seat] == 0:
        hand = _end_if_due(hand, rules)
        if hand.over:
            return hand, None
    if not hand.waiting(rules):
        return end_round(hand, rules)
    return replace(hand, to_act=hand.next_to_act(seat, rules, hand.passed)), None


def after_pass(hand: Hand, rules: Rules, seat: int) -> tuple[Hand, RoundEnd | None]:
    """The hand after a pass, and the round that it ended."""
    passed = hand.passed | {seat}
    hand = replace(hand, passed=passed, to_act=hand.next_to_act(seat, rules, passed))
    return (hand, None) if hand.waiting(rules) else end_round(hand, rules)


def end_round(hand: Hand, rules: Rules) -> tuple[Hand, RoundEnd]:
    """The table is won by its owner: the next leader, and the draws from the stock.

    The winner leads; if he is out, his partner or the next seat with cards does.
    """
    assert hand.table is not None
    winner = hand.table.seat
    order = [winner, *hand.following(winner, rules)] if winner not in hand.finish else []
    order = order[:-1] or hand.following(winner, rules)
    leader = order[0] if order else None
    partner = (winner + len(hand.counts) // 2) % len(hand.counts)
    if winner in hand.finish and rules.out_leader == "partner" and partner in order:
        leader = partner
    draws: tuple[int, ...] = ()
    counts = list(hand.counts)
    if hand.stock:
        if rules.draw_after_round == "all_from_winner":
            draws = tuple(order[: hand.stock])
        elif rules.draw_after_round == "winner" and winner in order:
            draws = (winner,)
    for seat in draws:
        held = counts[seat]
        counts[seat] = None if held is None else held + 1
    stock = None if hand.stock is None else hand.stock - len(draws)
    hand = replace(hand, counts=tuple(counts), table=None, passed=frozenset(), to_act=leader, stock=stock)
    return hand, RoundEnd(winner, leader, draws)


def _end_if_due(hand: Hand, rules: Rules) -> Hand:
    """Ends the hand when enough players are out; the last one left takes the last place."""
    left = [s for s in range(len(hand.counts)) if s not in hand.finish]
    need = {"first_out": 1, "second_out": 2}.get(rules.end, len(hand.counts))
    if len(hand.finish) < need and len(left) > 1:
        return hand
    finish = hand.finish
    if rules.end == "last_one_left":
        finish = (*finish, *left)
    return replace(hand, finish=finish, over=True, to_act=None)
