"""Lists of cards as an owner writes them."""

import re
from collections.abc import Iterable, Iterator

from vision.cards import JOKERS, NAMES, RANKS, SUITS
from vision.errors import KibitzError

ORDER: tuple[str, ...] = (*(rank + suit for suit in SUITS for rank in "A23456789TJQK"), *JOKERS)
"""A deck as it is sorted: suit by suit, the aces first, then the jokers."""
_CARD = re.compile(r"(10|[2-9TJQKA])([CDHS])|[XY]", re.IGNORECASE)


def parse_cards(text: str) -> tuple[str, ...]:
    """The cards of "7h,10d,X", of runs within a suit ("2c-Kc", "Ac-Kc"), or "all".

    >>> parse_cards("As-3s,x")
    ('As', '2s', '3s', 'X')

    Raises KibitzError `teach_cards`.
    """
    if text.strip().lower() == "all":
        return ORDER
    return tuple(card for part in text.split(",") for card in _run(part.strip(), text))


def missing(photographed: Iterable[str]) -> tuple[str, ...]:
    """The cards of a deck of which there is no photo, in a sorted deck's order."""
    have = set(photographed)
    return tuple(card for card in ORDER if card not in have)


def in_short(cards: Iterable[str]) -> str:
    """Cards in a line, suit by suit, runs drawn together.

    >>> in_short(["As", "2s", "3s", "9s", "X"])
    'As-3s, 9s, X'
    """
    runs: list[list[str]] = []
    for card in sorted(cards, key=ORDER.index):
        place = ORDER.index(card)
        if runs and card in NAMES and ORDER.index(runs[-1][-1]) == place - 1 and runs[-1][-1][1:] == card[1:]:
            runs[-1].append(card)
        else:
            runs.append([card])
    return ", ".join(run[0] if len(run) == 1 else f"{run[0]}{'-' if len(run) > 2 else ', '}{run[-1]}" for run in runs)


def _run(part: str, text: str) -> Iterator[str]:
    first, dash, last = part.partition("-")
    start = _card(first, text)
    if not dash:
        yield start
        return
    end = _card(last, text)
    ranks = RANKS[-1] + RANKS[:-1] if start[0] == "A" else RANKS
    if start in JOKERS or end in JOKERS or start[1] != end[1] or ranks.index(start[0]) > ranks.index(end[0]):
        raise KibitzError("teach_cards", text=text[:80])
    yield from (rank + start[1] for rank in ranks[ranks.index(start[0]) : ranks.index(end[0]) + 1])


def _card(text: str, whole: str) -> str:
    found = _CARD.fullmatch(text.strip())
    if found is None:
        raise KibitzError("teach_cards", text=whole[:80])
    name = found[0].replace("10", "T")
    return name.upper() if len(name) == 1 else name[0].upper() + name[1].lower()
