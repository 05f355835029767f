"""One hand of draw poker: exchange in turn, discards in the open, showdown."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from referee.poker_hands import hand_fault, rank_hand, winners
from referee.rules import Rules


@dataclass(frozen=True, slots=True)
class DrawHand:
    """State of a hand. `done` counts the finished exchanges of each seat; `announced` and
    `discarded` belong to the exchange under way; `discards` are (seat, card); `shown` the hands
    that lie open."""

    dealer: int
    done: tuple[int, ...]
    announced: int | None = None
    discarded: int | None = None
    discards: tuple[tuple[int, str], ...] = ()
    shown: tuple[tuple[str, ...] | None, ...] = ()
    cleared: bool = False

    def order(self, rules: Rules) -> list[int]:
        """The turn order of an exchange: from the dealer's next seat, the dealer last."""
        n = len(self.done)
        return [(self.dealer + rules.step * k) % n for k in range(1, n + 1)]

    def to_act(self, rules: Rules) -> int | None:
        """Whose exchange it is; None once all have exchanged."""
        least = min(self.done)
        if least >= rules.exchanges:
            return None
        return next(seat for seat in self.order(rules) if self.done[seat] == least)

    @property
    def over(self) -> bool:
        """Every hand lies open."""
        return all(hand is not None for hand in self.shown)


def new_draw_hand(dealer: int, rules: Rules) -> DrawHand:
    """A hand before the first exchange."""
    return DrawHand(dealer, (0,) * rules.seats, shown=(None,) * rules.seats)


def _exchange_obstacle(hand: DrawHand, rules: Rules, seat: int) -> str | None:
    if hand.over:
        return "hand_over"
    if hand.done[seat] >= rules.exchanges:
        return "second_exchange"
    if seat != hand.to_act(rules):
        return "second_exchange" if hand.done[seat] > min(hand.done) else "out_of_turn"
    return None


def judge_announce(hand: DrawHand, rules: Rules, seat: int, count: int) -> str | None:
    """The code against announcing an exchange of `count` cards; None if it is fine."""
    code = _exchange_obstacle(hand, rules, seat)
    if code is None and hand.announced is not None and count != hand.announced:
        return "announcement_changed"
    if code is None and count > rules.exchange_max:
        return "too_many_exchanged"
    return code


def after_announce(hand: DrawHand, rules: Rules, seat: int, count: int) -> DrawHand:
    """An announcement of 0 is the whole exchange."""
    return _finish(hand, seat) if count == 0 else replace(hand, announced=count)


def judge_discard(
    hand: DrawHand, rules: Rules, seat: int, cards: Sequence[str], flags: Collection[str] = ()
) -> str | None:
    """The code against discarding these cards; `flags` are `face_down`, `overlaps`."""
    code = _exchange_obstacle(hand, rules, seat)
    if code is not None:
        return code
    if hand.announced is None:
        return "discard_before_announce"
    if hand.discarded is not None or len(cards) != hand.announced:
        return "discard_count_mismatch"
    fault = card_fault(hand, rules, cards)
    if fault is not None:
        return fault[0]
    if "face_down" in flags and rules.discard_face_up:
        return "discard_not_face_up"
    if "overlaps" in flags and rules.discard_no_overlap:
        return "discard_overlaps"
    return None


def card_fault(hand: DrawHand, rules: Rules, cards: Sequence[str]) -> tuple[str, str] | None:
    """Whether a card is not in the deck, or lies in the open more often than the deck has it."""
    seen = [card for _, card in hand.discards] + [c for shown in hand.shown for c in shown or ()]
    for card in cards:
        if card == "?":
            continue
        if not rules.copies(card):
            return "card_not_in_deck", card
        if seen.count(card) + cards.count(card) > rules.copies(card):
            return "duplicate_card", card
    return None


def after_discard(hand: DrawHand, seat: int, cards: Sequence[str]) -> DrawHand:
    """The discards lie on the table."""
    laid = tuple((seat, card) for card in cards)
    return replace(hand, discards=hand.discards + laid, discarded=len(cards))


def judge_draw(hand: DrawHand, rules: Rules, seat: int, count: int) -> str | None:
    """The code against drawing `count` cards."""
    code = _exchange_obstacle(hand, rules, seat)
    if code is None and hand.discarded is None:
        return "draw_before_discard"
    if code is None and count != hand.discarded:
        return "draw_count_mismatch"
    return code


def after_draw(hand: DrawHand, seat: int) -> DrawHand:
    """The exchange of this seat is finished."""
    return _finish(hand, seat)


def judge_show(hand: DrawHand, rules: Rules, seat: int, cards: Sequence[str]) -> str | None:
    """The code against laying this hand open. Turn order doesn't matter: all show together."""
    if hand.over:
        return "hand_over"
    if hand.to_act(rules) is not None:
        return "show_too_early"
    fault = hand_fault(cards, rules) or card_fault(hand, rules, cards)
    return fault[0] if fault else None


def after_show(hand: DrawHand, seat: int, cards: Sequence[str]) -> DrawHand:
    """The seat's hand lies open."""
    shown = list(hand.shown)
    shown[seat] = tuple(cards)
    return replace(hand, shown=tuple(shown))


def _finish(hand: DrawHand, seat: int) -> DrawHand:
    done = list(hand.done)
    done[seat] += 1
    return replace(hand, done=tuple(done), announced=None, discarded=None)


def showdown(hand: DrawHand, rules: Rules) -> tuple[int, ...]:
    """The winners, once every hand lies open."""
    ranked = [rank_hand(shown or (), rules.ace_low_straight) for shown in hand.shown]
    return tuple(winners(ranked))


def hand_points(won: Sequence[int], rules: Rules) -> dict[int, int]:
    """Points of a hand: each winner scores, or nobody when a tie doesn't score."""
    if len(won) > 1 and rules.tie == "no_score":
        return {}
    return dict.fromkeys(won, rules.win_points)


def next_dealer(dealer: int, won: Sequence[int], rules: Rules) -> int:
    """Who deals the next hand: the seat that the exchange began with, or the winner."""
    if rules.dealer == "winner" and won:
        return won[0]
    return (dealer + rules.step) % rules.seats
