"""From read indices to detections: each card of a picture once, with all its corners, and a chance."""

import math

import numpy as np

from vision.deck import Calibration
from vision.grouping import SAME_PLACE, Card, group
from vision.locate import Floats, Located
from vision.quads import best_shift, card_width
from vision.read import Readings
from vision.types import Box, Detection, Quad

_LEAST_SCORE = 0.3
_PRINT = 0.7
"""Cards that touch are of one size: what is so much narrower inside a card is printed on it. (The size
of a card of which one corner was read is too uncertain to say so.)"""

_DEDUCED = 0.85
"""What follows only from what other cards are is no surer than this: the referee asks then, it doesn't
accuse. The others may be misread themselves."""


def score(card: Card, chance: float, calibration: Calibration) -> float:
    """The chance that the name is right, from both networks' outputs and agreeing corners; `chance`
    is what the reading says."""
    c = calibration
    weights = (c.read, c.locate, c.corners, c.joker)
    value = c.bias + sum(w * e for w, e in zip(weights, card.evidence(chance), strict=True))
    return 1 / (1 + math.exp(-value))


def assemble(found: Located, readings: Readings, calibration: Calibration, decks: int = 1) -> list[Detection]:
    """Cards of one picture, best first.

    With one deck every name comes out at most once: of two places that claim it the likelier
    keeps it; the other gets the name that it may have instead, or becomes "?" (face up, not
    readable) when none is likely. "?" cards have a score below 0.5.
    What scores less than 0.3 is left out: of such finds next to none is a card.
    """
    scored = [(_proven(card, calibration), card) for card in group(found, readings, decks)]
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
        if name == "?" and any(best_shift(d.quad, card.quads[0])[1] < SAME_PLACE for d in out):
            continue  # it lies where a named card lies: that card's other corner, misread
        value = chance if name != "?" else min(0.4, 1 - alone)
        boxes = tuple(_box(i.box) for i in card.indices)
        out.append(Detection(name, round(value, 4), "up", _join(card), boxes))
    return out


def _proven(card: Card, calibration: Calibration) -> float:
    """The chance of a card's name, as far as the card itself shows it."""
    weighed, seen = (score(card, chance, calibration) for chance in (card.chance, card.seen))
    return min(weighed, max(seen, _DEDUCED))


def _printed_on(card: Quad, quad: Quad) -> bool:
    """Whether a find is part of a card's picture: its middle in the card, and far too small."""
    if card_width(quad) > _PRINT * card_width(card):
        return False
    sides = np.roll(card, -1, 0) - card
    to = quad.mean(0) - card
    return bool((sides[:, 0] * to[:, 1] - sides[:, 1] * to[:, 0] > 0).all())


def _join(card: Card) -> Quad:
    """Weighted mean of a card's quads: each index knows its own corner best."""
    stack = np.stack(card.quads)
    weight = np.ones((len(stack), 4, 1), np.float32)
    weight[np.arange(len(stack)), card.corners] = 6
    return np.asarray((stack * weight).sum(0) / weight.sum(0), np.float32)


def _box(box: Floats) -> Box:
    return (float(box[0]), float(box[1]), float(box[2] - box[0]), float(box[3] - box[1]))
