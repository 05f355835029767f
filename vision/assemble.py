"""From read indices to physical cards: each card once, with all its corners, and a chance."""

import math
from dataclasses import dataclass

import numpy as np

from vision.cards import JOKERS, NOT_READABLE, READ_CLASSES
from vision.deck import Calibration
from vision.exclude import exclude
from vision.locate import Floats, Located
from vision.read import Readings
from vision.types import Box, Detection, Quad

_SAME_CARD = 0.55
"""Two quads of the same name are one card when their corners are this close on average, in card
widths. Wide: in a one-deck game a second card of that name can't exist."""
_SISTERS_APART = 0.4
"""So close, opposite corners that differ in the suit of one colour only are one card, half misread."""
_SAME_PLACE = 0.3
"""Two quads of different names fight for one card only when they are this close."""
_ONE_PLACE = 0.12
"""This close they are one card, whatever the names."""

_LEAST_SCORE = 0.3
_PRINT = 0.7
"""Cards that touch are of one size: what is so much narrower inside a card is printed on it. (The size
of a card of which one corner was read is too uncertain to say so.)"""


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
    read as with what the other cards of the picture are."""

    indices: list[Index]
    quads: list[Quad]
    corners: list[int]
    name: str
    chance: float

    def evidence(self, chance: float) -> tuple[float, float, float, float]:
        """What `Calibration` weighs: read, locate, further corners, joker."""
        return (
            _logit(chance),
            _logit(max(i.confidence for i in self.indices)),
            float(min(len(self.indices), 2) - 1),
            float(self.name in JOKERS),
        )


def clockwise(quad: Quad) -> Quad:
    """The same corners from the same start, clockwise in the picture (y down)."""
    x, y = quad[:, 0], quad[:, 1]
    area = float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))
    return quad if area >= 0 else np.ascontiguousarray(quad[[0, 3, 2, 1]])


def card_width(quad: Quad) -> float:
    """Root of the area, as the side of a 63 x 88 card in pixels."""
    x, y = quad[:, 0], quad[:, 1]
    area = abs(float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))) / 2
    return math.sqrt(area * 63 / 88) + 1e-6


def best_shift(reference: Quad, quad: Quad) -> tuple[int, float]:
    """The turn (0-3 corners) that lays `quad` on `reference`, and the mean corner distance in
    widths of the reference card. Only half turns keep a card's short side short; quarter turns
    come from indices at the other two corners."""
    distances = [
        float(np.linalg.norm(np.roll(quad, k, 0) - reference, axis=1).mean()) for k in range(4)
    ]
    k = int(np.argmin(distances))
    return k, distances[k] / card_width(reference)


def score(card: Card, chance: float, calibration: Calibration) -> float:
    """The chance that the name is right, from both networks' outputs and agreeing corners; `chance`
    is what the reading says."""
    c = calibration
    weights = (c.read, c.locate, c.corners, c.joker)
    value = c.bias + sum(w * e for w, e in zip(weights, card.evidence(chance), strict=True))
    return 1 / (1 + math.exp(-value))


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
    for index in indices:
        _place(index, cards)
    if cards:
        weighed = exclude(np.stack([_chances(card) for card in cards]), decks)
        for card, chances in zip(cards, weighed, strict=True):
            best = int(chances[:-1].argmax())
            card.name, card.chance = READ_CLASSES[best], float(chances[best])
    return cards


def _chances(card: Card) -> Floats:
    """(classes,) what all its corners say; the second corner shares the first one's light and blur,
    so it counts half."""
    best, *others = (index.chances for index in card.indices)
    both = best * np.prod([np.sqrt(one) for one in others], axis=0)
    return np.asarray(both / (both.sum() + 1e-12), np.float32)


def assemble(found: Located, readings: Readings, calibration: Calibration, decks: int = 1) -> list[Detection]:
    """Cards of one picture, best first.

    With one deck every name comes out at most once: of two places that claim it the likelier
    keeps it; the other gets the name that it may have instead, or becomes "?" (face up, not
    readable) when none is likely. "?" cards have a score below 0.5.
    What scores less than 0.3 is left out: of such finds next to none is a card.
    """
    scored = [(score(card, card.chance, calibration), card) for card in group(found, readings, decks)]
    scored.sort(key=lambda pair: -pair[0])
    out: list[Detection] = []
    for chance, card in scored:
        alone = score(card, card.indices[0].chance, calibration)
        if max(chance, alone) < _LEAST_SCORE:
            continue
        if any(len(d.boxes) > 1 and _printed_on(d.quad, card.quads[0]) for d in out):
            continue
        contested = (chance < 0.5 and chance < 0.7 * alone) or sum(d.card == card.name for d in out) >= decks
        name = "?" if contested else card.name
        if name == "?" and any(best_shift(d.quad, card.quads[0])[1] < _SAME_PLACE for d in out):
            continue  # it lies where a named card lies: that card's other corner, misread
        value = chance if name != "?" else min(0.4, 1 - alone)
        boxes = tuple(_box(i.box) for i in card.indices)
        out.append(Detection(name, round(value, 4), "up", _join(card), boxes))
    return out


def _place(index: Index, cards: list[Card]) -> None:
    """Give an index to the card that it is a corner of, or start a new card."""
    places = [(*best_shift(card.quads[0], index.quad), card) for card in cards]
    for turn, apart, card in places:
        same = index.name == card.indices[0].name and apart < _SAME_CARD
        if same or (turn == 2 and apart < _SISTERS_APART and _sisters(index.name, card.indices[0].name)):
            if _new_corner(index, card):
                card.indices.append(index)
                card.quads.append(np.roll(index.quad, turn, 0))
                card.corners.append(turn)
            return
    for turn, apart, card in places:
        worse = index.chance < 0.8 * card.indices[0].chance
        if apart < _SAME_PLACE and turn != 0 and (worse or apart < _ONE_PLACE) and _new_corner(index, card):
            return  # the other corner of a card that is already known, read differently
    cards.append(Card([index], [index.quad], [0], index.name, index.chance))


def _sisters(a: str, b: str) -> bool:
    """Whether two names share rank and colour."""
    return a[0] == b[0] and len(a) == len(b) == 2 and (a[1] in "cs") == (b[1] in "cs")


def _printed_on(card: Quad, quad: Quad) -> bool:
    """Whether a find is part of a card's picture: its middle in the card, and far too small."""
    if card_width(quad) > _PRINT * card_width(card):
        return False
    sides = np.roll(card, -1, 0) - card
    to = quad.mean(0) - card
    return bool((sides[:, 0] * to[:, 1] - sides[:, 1] * to[:, 0] > 0).all())


def _new_corner(index: Index, card: Card) -> bool:
    centre = (index.box[:2] + index.box[2:]) / 2
    for other in card.indices:
        gap = np.abs(centre - (other.box[:2] + other.box[2:]) / 2)
        if (gap < 0.6 * (other.box[2:] - other.box[:2])).all():
            return False
    return True


def _join(card: Card) -> Quad:
    """Weighted mean of a card's quads: each index knows its own corner best."""
    stack = np.stack(card.quads)
    weight = np.ones((len(stack), 4, 1), np.float32)
    weight[np.arange(len(stack)), card.corners] = 6
    return np.asarray((stack * weight).sum(0) / weight.sum(0), np.float32)


def _box(box: Floats) -> Box:
    return (float(box[0]), float(box[1]), float(box[2] - box[0]), float(box[3] - box[1]))
