"""Which read indices are corners of one card, and what that card's name then is."""

import math
from dataclasses import dataclass

import numpy as np

from vision.cards import JOKERS, NOT_READABLE, READ_CLASSES
from vision.exclude import exclude
from vision.locate import Floats, Located
from vision.quads import all_apart, best_shift, clockwise
from vision.read import Readings
from vision.types import Quad

_SAME_CARD = 0.55
"""Two quads of the same name are one card when their corners are this close on average, in card
widths. Wide: in a one-deck game a second card of that name can't exist."""
_SISTERS_APART = 0.4
"""So close, opposite corners that differ in the suit of one colour only are one card, half misread."""
_APART, _OTHER, _NEAR = 1.0, 0.95, 0.6
"""Two finds are believed to be two cards by so much, and by less where their outlines are nearer than
this: what the one is says little then about what the other can't be."""
SAME_PLACE = 0.3
"""Two quads of different names fight for one card only when they are this close."""
_ONE_PLACE = 0.12
"""This close they are one card, whatever the names."""


@dataclass(frozen=True, slots=True)
class Index:
    """One read index: its best name, the reader's chances (classes,), locator's confidence, box
    x0 y0 x1 y1, card quad."""

    name: str
    chances: Floats
    confidence: float
    box: Floats
    quad: Quad

    @property
    def chance(self) -> float:
        return float(self.chances.max())


@dataclass(slots=True)
class Card:
    """A physical card: its indices, best first; their quads turned to start where the first one's starts;
    and at which of those corners each index sits. `name` and `chance` weigh what its indices were
    read as with what the other cards of the picture are; `seen` is the chance of that name by its own
    indices alone."""

    indices: list[Index]
    quads: list[Quad]
    corners: list[int]
    name: str
    chance: float
    seen: float

    def evidence(self, chance: float) -> tuple[float, float, float, float]:
        """What `Calibration` weighs: read, locate, further corners, joker."""
        return (
            _logit(chance),
            _logit(max(i.confidence for i in self.indices)),
            float(min(len(self.indices), 2) - 1),
            float(self.name in JOKERS),
        )


def _logit(chance: float) -> float:
    chance = min(max(chance, 1e-4), 1 - 1e-4)
    return math.log(chance / (1 - chance))


def group(found: Located, readings: Readings, decks: int = 1) -> list[Card]:
    """Gather the read indices of one picture into cards. `found` holds indices only."""
    indices = [
        Index(name, chances, float(confidence), box, clockwise(quad))
        for name, chances, confidence, box, quad in zip(
            readings.names, readings.chances, found.scores, found.boxes, found.quads, strict=True
        )
        if name != NOT_READABLE
    ]
    indices.sort(key=lambda i: -i.chance * i.confidence**0.3)
    cards: list[Card] = []
    waiting = [index for index in indices if not _place(index, cards)]
    for index in waiting:
        _place(index, cards, last=True)
    if cards:
        own = np.stack([_chances(card) for card in cards])
        for card, seen, weighed in zip(cards, own, exclude(own, _trust(cards), decks), strict=True):
            best = int(weighed[:-1].argmax())
            card.name, card.chance, card.seen = READ_CLASSES[best], float(weighed[best]), float(seen[best])
    return cards


def _trust(cards: list[Card]) -> Floats:
    """(n, n) how far each is believed to be another card than each other: less where their outlines,
    of which that of a single corner is rough, may be one."""
    apart = np.tril(all_apart(np.stack([card.quads[0] for card in cards])), -1)  # widths of the later one
    near = apart + apart.T < _APART
    return np.where(near, _NEAR, _OTHER).astype(np.float32)


def _chances(card: Card) -> Floats:
    """(classes,) what all its corners say; the second corner shares the first one's light and blur,
    so it counts half."""
    best, *others = (index.chances for index in card.indices)
    both = best * np.prod([np.sqrt(one) for one in others], axis=0)
    return np.asarray(both / (both.sum() + 1e-12), np.float32)


def _place(index: Index, cards: list[Card], last: bool = False) -> bool:
    """Give an index to the card that it is a corner of, or start a new card. Unless this is its last
    chance, one that may be a misread corner waits (False) for a better one of that card: of two
    cards of a pair that lie half on each other, one shows both of its own."""
    places = [(*best_shift(card.quads[0], index.quad), card) for card in cards]
    mine = [(turn, card) for turn, apart, card in places if index.name == card.name and apart < _SAME_CARD]
    misread = [
        (turn, card)
        for turn, apart, card in places
        if turn == 2 and apart < _SISTERS_APART and 2 not in card.corners and _sisters(index.name, card.name)
    ]
    if misread and not mine and not last:
        return False
    for turn, card in (*mine, *misread)[:1]:
        if turn not in card.corners and _new_corner(index, card):
            card.indices.append(index)
            card.quads.append(np.roll(index.quad, turn, 0))
            card.corners.append(turn)
        return True
    for turn, apart, card in places:
        worse = index.chance < 0.8 * card.indices[0].chance
        if apart < SAME_PLACE and turn != 0 and (worse or apart < _ONE_PLACE) and _new_corner(index, card):
            return True  # the other corner of a card that is already known, read differently
    cards.append(Card([index], [index.quad], [0], index.name, index.chance, index.chance))
    return True


def _sisters(a: str, b: str) -> bool:
    """Whether two names share rank and colour."""
    return a[0] == b[0] and len(a) == len(b) == 2 and (a[1] in "cs") == (b[1] in "cs")


def _new_corner(index: Index, card: Card) -> bool:
    centre = (index.box[:2] + index.box[2:]) / 2
    for other in card.indices:
        gap = np.abs(centre - (other.box[:2] + other.box[2:]) / 2)
        if (gap < 0.6 * (other.box[2:] - other.box[:2])).all():
            return False
    return True
