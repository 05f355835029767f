"""How large the table is, from cards that lie on it: every card is 63 x 88 mm.

The four corners of the table fix its perspective up to its width and depth. The sides of a card and
its right angles give those two, whichever way it lies.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tracker.geometry import CARD_MM, Floats, homography, transform
from vision.types import Detection

LEAST_MM, MOST_MM = 200.0, 5000.0
_SKEW_DEG = 7.0
"""Cards that look this far from square say that the corners are not those of a rectangle."""
_MIRRORED = 1.4
"""So much more must be read in the picture turned over."""
Vector = NDArray[np.float64]
_UNIT: Floats = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)


@dataclass(frozen=True, slots=True)
class TableSize:
    """Width and depth between the corners in millimetres, and by how many degrees the cards look
    skewed at that size."""

    width_mm: float
    depth_mm: float
    skew_deg: float

    @property
    def plausible(self) -> bool:
        """Whether the corners can be those of a rectangle on the table."""
        return self.skew_deg <= _SKEW_DEG


def table_size(table_px: Floats, cards: Sequence[Floats]) -> TableSize | None:
    """The size of the table with corners (4, 2) on which the cards with these quads (4, 2) lie.

    A quad starts at the corner of its index, so its first side is a short one. None when no size
    fits, or only one that no table has.
    """
    if not cards:
        return None
    to_unit = homography(table_px, _UNIT)
    flat = [transform(to_unit, quad).astype(np.float64) for quad in cards]
    rows: list[Vector] = []
    wanted: list[float] = []
    for quad in flat:
        sides = np.roll(quad, -1, 0) - quad
        for i in range(4):
            # in squares of width and depth: a side's length is known, and the next is square to it
            rows += [sides[i] ** 2 / CARD_MM[i % 2] ** 2, sides[i] * sides[(i + 1) % 4] / math.prod(CARD_MM)]
            wanted += [1.0, 0.0]
    squares = np.linalg.lstsq(np.array(rows), np.array(wanted), rcond=None)[0]
    size = np.sqrt(np.maximum(squares, 0.0))
    if (size < LEAST_MM).any() or (size > MOST_MM).any():
        return None
    return TableSize(float(size[0]), float(size[1]), max(_skew(quad * size) for quad in flat))


def is_mirrored(cards: Sequence[Detection], flipped: Sequence[Detection]) -> bool:
    """Whether a picture is mirrored, by what is read in it and in the same picture turned over.

    Some letters read the same both ways, but a card's second corner is found the right way only.
    """
    right, wrong = (sum(c.score * len(c.boxes) for c in found if c.card != "?") for found in (cards, flipped))
    return wrong >= 1 and wrong > _MIRRORED * right


def _skew(quad: Vector) -> float:
    """By how many degrees the corners of a card are off 90 on average."""
    sides = np.roll(quad, -1, 0) - quad
    sides /= np.linalg.norm(sides, axis=1, keepdims=True)
    off = np.abs((sides * np.roll(sides, -1, 0)).sum(1))
    return float(np.degrees(np.arcsin(np.clip(off, 0, 1))).mean())
