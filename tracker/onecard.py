"""How large the table is, from cards that lie on it: every card is 63 x 88 mm.

The four corners of the table fix its perspective up to its width and depth. The sides of a card and
its right angles give those two, whichever way it lies.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tracker.geometry import CARD_MM, Floats, fit_card, homography, transform
from vision.types import Detection

LEAST_MM, MOST_MM = 200.0, 5000.0
_MISFIT_MM = 4.0
"""Cards whose corners are this far from a card's say that the table's are not those of a rectangle."""
_MIRRORED, _CHANCE = 1.4, 0.3
"""So many times, and so much, more must be read in the picture turned over."""
Vector = NDArray[np.float64]
_UNIT: Floats = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)


@dataclass(frozen=True, slots=True)
class TableSize:
    """Width and depth between the corners in millimetres, and how far the corners of the cards are
    from those of a card at that size."""

    width_mm: float
    depth_mm: float
    misfit_mm: float

    @property
    def plausible(self) -> bool:
        """Whether the corners can be those of a rectangle on the table."""
        return self.misfit_mm <= _MISFIT_MM


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
    return TableSize(float(size[0]), float(size[1]), float(np.median([_misfit(q * size) for q in flat])))


def is_mirrored(cards: Sequence[Detection], flipped: Sequence[Detection]) -> bool:
    """Whether a picture is mirrored, by what is read in it and in the same picture turned over.

    Some letters read the same both ways, but both corners of a card are next to never read alike in
    a mirrored picture: whole cards are compared.
    """
    right, wrong = (sum(c.score for c in found if len(c.boxes) > 1) for found in (cards, flipped))
    return wrong > _MIRRORED * right + _CHANCE


def _misfit(quad: Vector) -> float:
    """Root mean square distance of the corners from those of the nearest card, in millimetres."""
    return float(np.sqrt(((quad - fit_card(quad.astype(np.float32))) ** 2).sum(1).mean()))
