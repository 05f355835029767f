"""A card's four corners in the picture: their sense, the card's size, how one lies on another."""

import math

import numpy as np
from numpy.typing import NDArray

from vision.polygons import signed_area
from vision.types import Quad


def clockwise(quad: Quad) -> Quad:
    """The same corners from the same start, clockwise in the picture (y down)."""
    return quad if signed_area(quad) >= 0 else np.ascontiguousarray(quad[[0, 3, 2, 1]])


def card_width(quad: Quad) -> float:
    """Root of the area, as the side of a 63 x 88 card in pixels."""
    return math.sqrt(abs(signed_area(quad)) * 63 / 88) + 1e-6


def is_convex(quad: Quad) -> bool:
    """Whether a clockwise quad turns the same way at each corner, as a card's outline does."""
    sides = np.roll(quad, -1, 0) - quad
    after = np.roll(sides, -1, 0)
    return bool((sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0] > 0).all())


def best_shift(reference: Quad, quad: Quad) -> tuple[int, float]:
    """The turn (0-3 corners) that lays `quad` on `reference`, and the mean corner distance in
    widths of the reference card. Only half turns keep a card's short side short; quarter turns
    come from indices at the other two corners."""
    distances = [float(np.linalg.norm(np.roll(quad, k, 0) - reference, axis=1).mean()) for k in range(4)]
    k = int(np.argmin(distances))
    return k, distances[k] / card_width(reference)


def all_apart(quads: NDArray[np.float32]) -> NDArray[np.float32]:
    """(n, n) from (n, 4, 2): the distance of `best_shift` of every quad from each, in widths of the row's."""
    widths = np.array([card_width(quad) for quad in quads], np.float32)[:, None]
    shifts = [np.linalg.norm(np.roll(quads, k, 1)[None] - quads[:, None], axis=3).mean(2) for k in range(4)]
    return np.asarray(np.min(shifts, axis=0) / widths, np.float32)
