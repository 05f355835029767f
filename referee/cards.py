"""Cards as the journal writes them: rank + suit ("Th"), "X"/"Y" (black/red joker), "?" (unknown).

A card is a plain string, checked once where it enters; sets are space separated and unordered.
"""

from collections.abc import Iterable

from referee.errors import RulesError

CLIMBING = "3456789TJQKA2"
"""The climbing order, lowest first; a rank's index in it is its height."""
POKER = "23456789TJQKA"
"""The poker order, lowest first."""
SUITS = "cdhs"
JOKERS = ("X", "Y")
UNKNOWN = "?"
"""A card whose face isn't known: a legal value, never a reason for a violation."""
HEIGHT = {rank: height for height, rank in enumerate(CLIMBING)}
DECK = tuple(rank + suit for rank in CLIMBING for suit in SUITS)

_NAMES = frozenset((*DECK, *JOKERS, UNKNOWN))
_ORDER = {card: place for place, card in enumerate((*DECK, *JOKERS, UNKNOWN))}


def is_card(text: object) -> bool:
    """Whether this is a card's name ("?" included)."""
    return isinstance(text, str) and text in _NAMES


def parse_cards(text: str | Iterable[str]) -> tuple[str, ...]:
    """Cards of a space-separated text or of a list of names, in the order given.

    Raises RulesError("bad_card") naming the first word that is no card.
    """
    words = text.split() if isinstance(text, str) else list(text)
    for word in words:
        if not is_card(word):
            raise RulesError("bad_card", card=str(word))
    return tuple(words)


def sort_cards(cards: Iterable[str]) -> tuple[str, ...]:
    """The same cards in climbing order, jokers and unknown cards last."""
    return tuple(sorted(cards, key=_ORDER.__getitem__))


def format_cards(cards: Iterable[str]) -> str:
    """A set as text, in climbing order."""
    return " ".join(sort_cards(cards))
