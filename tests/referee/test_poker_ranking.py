"""Five-card ranking against PokerKit: the same order classes, on all 2,598,960 hands (slow) and on
a sample (always)."""

import random
from collections.abc import Iterable
from itertools import combinations

import pytest

from referee.cards import DECK
from referee.poker_hands import PokerHand, rank_hand

pokerkit = pytest.importorskip("pokerkit", reason="PokerKit (dev extra) is not installed")

WHEEL = {"A", "2", "3", "4", "5"}
Cards = tuple[str, ...]


def check_order(hands: Iterable[Cards]) -> int:
    """Every class of equal hands is one class of PokerKit's, and the classes have the same order;
    without ace-low straights only A-2-3-4-5 changes, into the hand that it otherwise is. Returns
    the number of classes."""
    lookup = pokerkit.StandardLookup()
    known = {card: pokerkit.Card(pokerkit.Rank(card[0]), pokerkit.Suit(card[1])) for card in DECK}
    theirs: dict[PokerHand, int] = {}
    for cards in hands:
        ours = rank_hand(cards, ace_low=True)
        entry = lookup.get_entry([known[card] for card in cards])
        assert theirs.setdefault(ours, entry.index) == entry.index, cards
        high = rank_hand(cards, ace_low=False)
        if {card[0] for card in cards} == WHEEL:
            flush = len({card[1] for card in cards}) == 1
            assert (high.category, high.ranks) == ("flush" if flush else "high_card", "A5432")
        else:
            assert high == ours
    ordered = [theirs[hand] for hand in sorted(theirs)]
    assert ordered == sorted(set(ordered))
    return len(ordered)


def test_a_sample_of_hands_and_all_wheels() -> None:
    rng = random.Random(20260)
    sample = [tuple(rng.sample(DECK, 5)) for _ in range(4000)]
    wheels = [
        ("A" + a, "2" + b, "3" + c, "4" + d, "5" + a) for a in "cdhs" for b in "cdhs" for c in "cdhs" for d in "cdhs"
    ]
    assert check_order([*sample, *wheels]) > 1000


@pytest.mark.slow
def test_all_hands() -> None:
    assert check_order(combinations(DECK, 5)) == 7462
