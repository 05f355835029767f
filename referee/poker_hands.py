"""Five-card poker hands: category, tie-break, who wins. Suits never rank."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from referee.cards import POKER, UNKNOWN
from referee.rules import Rules

CATEGORIES = (
    "high_card",
    "pair",
    "two_pair",
    "three",
    "straight",
    "flush",
    "full_house",
    "four",
    "straight_flush",
)
"""Lowest first. A royal flush is the highest straight flush, nothing of its own."""
_SHAPES = {
    (4, 1): "four",
    (3, 2): "full_house",
    (3, 1, 1): "three",
    (2, 2, 1): "two_pair",
    (2, 1, 1, 1): "pair",
}
_HEIGHT = {rank: height for height, rank in enumerate(POKER)}
_FIVE = 3
_ACE = 12


@dataclass(frozen=True, slots=True, order=True)
class PokerHand:
    """Compares as the hands do: category first, then the ranks that break ties."""

    strength: int
    heights: tuple[int, ...]

    @property
    def category(self) -> str:
        """One of `CATEGORIES`."""
        return CATEGORIES[self.strength]

    @property
    def ranks(self) -> str:
        """The tie-break: the top card of a straight, else group ranks, then kickers ("K49")."""
        return "".join(POKER[height] for height in self.heights)


def hand_fault(cards: Sequence[str], rules: Rules) -> tuple[str, str | None] | None:
    """Why these cards are no hand: (code, card); None if they are one."""
    if not cards:
        return "empty_play", None
    for card in cards:
        if card != UNKNOWN and not rules.copies(card):
            return "card_not_in_deck", card
    for card in cards:
        if card != UNKNOWN and cards.count(card) > rules.copies(card):
            return "duplicate_card", card
    return ("wrong_hand_size", None) if len(cards) != rules.hand_size else None


def rank_hand(cards: Sequence[str], ace_low: bool) -> PokerHand:
    """The rank of five different cards; with `ace_low`, A-2-3-4-5 is the lowest straight."""
    groups = Counter(_HEIGHT[card[0]] for card in cards)
    order = sorted(groups, key=lambda height: (groups[height], height), reverse=True)
    shape = tuple(groups[height] for height in order)
    if len(order) < 5:
        return PokerHand(CATEGORIES.index(_SHAPES[shape]), tuple(order))
    top = None
    if order[0] - order[4] == 4:
        top = order[0]
    elif ace_low and order[0] == _ACE and order[1] == _FIVE:
        top = _FIVE
    flush = len({card[1] for card in cards}) == 1
    if top is not None:
        return PokerHand(CATEGORIES.index("straight_flush" if flush else "straight"), (top,))
    return PokerHand(CATEGORIES.index("flush" if flush else "high_card"), tuple(order))


def winners(hands: Sequence[PokerHand]) -> list[int]:
    """The indices of the best hands; equal hands all win."""
    best = max(hands)
    return [index for index, hand in enumerate(hands) if hand == best]
