"""A set of cards -> its readings, or the reason why it has none.

A set without jokers has at most one reading. With jokers, every assignment of ranks to them that
gives an agreed combination is a reading; unknown cards ("?") are read the same way, as any card.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement

from referee.cards import CLIMBING, HEIGHT, JOKERS, UNKNOWN
from referee.rules import Rules
from referee.verdicts import SHAPE_CODES

TWO, ACE, THREE = HEIGHT["2"], HEIGHT["A"], HEIGHT["3"]
_KING = HEIGHT["K"]
PRIORITY = (
    "single",
    "pair",
    "triple",
    "triple_plus_one",
    "triple_plus_pair",
    "triple_plus_two",
    "triple_run",
    "triple_run_plus_two",
    "quad_plus_two",
    "straight",
    "pair_run",
    "bomb",
    "joker_bomb",
)
"""Among several readings the later one is the higher."""

MOST_UNKNOWN = 4
"""A set with more unknown cards than this could be anything: it isn't read at all."""

Counts = tuple[int, ...]
"""How many cards of each rank, in climbing order (13 numbers)."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A combination: `height` is the climbing index of its key rank, `n` its cards, `wild` how many
    of them are jokers."""

    type: str
    height: int
    n: int
    wild: int = 0

    @property
    def key(self) -> str:
        """The key rank; "Y" for the joker bomb."""
        return "Y" if self.type == "joker_bomb" else CLIMBING[self.height]

    @property
    def rank(self) -> tuple[int, int]:
        """Orders readings of one set: type first, then key."""
        return PRIORITY.index(self.type), self.height

    @property
    def is_bomb(self) -> bool:
        """Bombs and the joker bomb."""
        return self.type in ("bomb", "joker_bomb")


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a set is no combination here. `named` is the known shape that isn't agreed."""

    reason: str
    named: str | None = None
    card: str | None = None


Classified = tuple[Reading, ...] | Fault
"""Readings, highest first, or the fault."""


def classify(cards: Sequence[str], rules: Rules) -> Classified:
    """All readings of a set, highest first, or why it has none. Order and suits don't matter."""
    if not cards:
        return Fault("empty_play")
    for card in cards:
        if card != UNKNOWN and not rules.copies(card):
            return Fault("card_not_in_deck", card=card)
    if len(set(cards)) < len(cards):
        for card in cards:
            if card != UNKNOWN and cards.count(card) > rules.copies(card):
                return Fault("duplicate_card", card=card)
    jokers = sum(card in JOKERS for card in cards)
    blanks = cards.count(UNKNOWN)
    if blanks > MOST_UNKNOWN:
        return Fault("card_unread")
    if jokers == len(cards):
        if rules.joker_bomb and sorted(cards) == ["X", "Y"]:
            return (Reading("joker_bomb", TWO + 1, 2, 2),)
        if rules.joker_needs_natural or not rules.jokers_wild:
            return Fault("joker_cannot_stand_alone")
    if jokers and not rules.jokers_wild:
        return Fault("not_a_combination")
    counts = [0] * 13
    for card in cards:
        if card not in JOKERS and card != UNKNOWN:
            counts[HEIGHT[card[0]]] += 1
    if not jokers and not blanks:
        found = read_counts(tuple(counts), len(cards), rules)
        return (found,) if isinstance(found, Reading) else found
    return _with_wild(tuple(counts), jokers, blanks, rules)


def highest(readings: Sequence[Reading]) -> Reading:
    """The reading that holds when nothing was declared."""
    return max(readings, key=lambda r: r.rank)


@lru_cache(maxsize=8192)
def _with_wild(counts: Counts, jokers: int, blanks: int, rules: Rules) -> Classified:
    """Tries every assignment of ranks: jokers within their limits, unknown cards as anything."""
    readings: dict[tuple[int, int, int], Reading] = {}
    faults: set[tuple[str, str | None]] = set()
    only_by_two = False
    n = sum(counts) + jokers + blanks
    for ranks in combinations_with_replacement(range(13), jokers + blanks):
        filled = list(counts)
        for rank in ranks:
            filled[rank] += 1
        found = read_counts(tuple(filled), n, rules)
        forbidden = not rules.joker_as_two and ranks.count(TWO) > blanks
        if isinstance(found, Reading):
            if forbidden:
                only_by_two = True
            else:
                reading = Reading(found.type, found.height, n, jokers)
                readings[(*reading.rank, n)] = reading
        elif not forbidden:
            faults.add((found.reason, found.named))
    if readings:
        return tuple(sorted(readings.values(), key=lambda r: r.rank, reverse=True))
    if only_by_two:
        return Fault("joker_cannot_be_two")
    reason = min((f[0] for f in faults), key=SHAPE_CODES.index)
    named = sorted((name for r, name in faults if r == reason and name), key=PRIORITY.index)
    return Fault(reason, named[0] if named else None)


def read_counts(counts: Counts, n: int, rules: Rules) -> Reading | Fault:
    """The one reading of a set of `n` cards whose ranks are all known."""
    ranks = [rank for rank, count in enumerate(counts) if count]
    sizes = sorted((counts[rank] for rank in ranks), reverse=True)
    if len(ranks) == 1:
        return _of_a_kind(ranks[0], n, rules)
    if sizes[0] == sizes[-1]:
        if sizes[0] == 1 and len(ranks) >= 3:
            return _run("straight", ranks, n, rules.straight_min, rules.straight_max, rules)
        if sizes[0] == 2:
            return _run("pair_run", ranks, n, rules.pair_run_min, rules.pair_run_max, rules)
        if sizes[0] == 3:
            return _run("triple_run", ranks, n, 2, None, rules)
    return _with_kicker(counts, sizes, n, rules)


def _of_a_kind(rank: int, n: int, rules: Rules) -> Reading | Fault:
    if n == 3 and rules.triple_is_bomb:
        name = "bomb"
    elif n <= 3:
        name = ("single", "pair", "triple")[n - 1]
    elif n == 4 or n in rules.bomb_sizes:
        name = "bomb"
        if "bomb" in rules.types and n not in rules.bomb_sizes:
            return Fault("not_a_combination")
    else:
        return Fault("not_a_combination")
    return Reading(name, rank, n) if name in rules.types else Fault("type_not_enabled", name)


def _with_kicker(counts: Counts, sizes: list[int], n: int, rules: Rules) -> Reading | Fault:
    """A triple or four of a kind with other cards."""
    names: list[str] = []
    if sizes == [3, 1]:
        names = ["triple_plus_one"]
    elif sizes == [3, 2]:
        names = ["triple_plus_pair", "triple_plus_two"]
    elif sizes == [3, 1, 1] and "triple_plus_two" in rules.types:
        names = ["triple_plus_two"]
    elif sizes in ([4, 1, 1], [4, 2]):
        names = ["quad_plus_two"]
    for name in names:
        if name in rules.types:
            return Reading(name, counts.index(sizes[0]), n)
    if "triple_run_plus_two" in rules.types:
        top = _triples_top(counts, n)
        if top is not None:
            return Reading("triple_run_plus_two", top, n)
    return Fault("type_not_enabled", names[0]) if names else Fault("not_a_combination")


def _triples_top(counts: Counts, n: int) -> int | None:
    """The top rank of the highest run of triples (3..A) that carries two other cards a triple."""
    length, rest = divmod(n, 5)
    if rest or length < 2:
        return None
    for top in range(ACE, length - 2, -1):
        if all(counts[rank] >= 3 for rank in range(top - length + 1, top + 1)):
            return top
    return None


def _run(name: str, ranks: list[int], n: int, least: int, most: int | None, rules: Rules) -> Reading | Fault:
    """A run of `ranks` (ascending, each as often): legal, or adjacent in a way that isn't."""
    shape = _adjacency(ranks)
    if shape is None:
        return Fault("not_a_combination")
    if name not in rules.types:
        return Fault("type_not_enabled", name)
    top = ranks[-1]
    if shape == "low_ace" and rules.ace_low_run:
        top = ranks[-3]
    elif shape == "low_ace" or shape == "low_two" or (top == TWO and shape == "plain"):
        if shape != "plain" or not rules.two_in_runs:
            return Fault("two_not_allowed_in_run")
    elif shape == "wraps":
        return Fault("run_wraps")
    if shape == "plain" and ACE in ranks and not rules.ace_high_run:
        return Fault("ace_not_allowed_in_run")
    if len(ranks) < least:
        return Fault("run_too_short")
    if most is not None and len(ranks) > most:
        return Fault("run_too_long")
    return Reading(name, top, n)


def _adjacency(ranks: list[int]) -> str | None:
    """How ranks are adjacent: "plain" (3..A, a 2 only after the A), "low_two" (2-3-4), "low_ace"
    (A-2-3), "wraps" (round the corner otherwise), or None."""
    if ranks[-1] - ranks[0] == len(ranks) - 1:
        return "plain"
    if ranks[0] != THREE or ranks[-1] != TWO:
        return None
    gaps = [i for i in range(1, len(ranks)) if ranks[i] - ranks[i - 1] != 1]
    if len(gaps) != 1:
        return None
    after_gap = ranks[gaps[0]]
    return {TWO: "low_two", ACE: "low_ace"}.get(after_gap, "wraps")
