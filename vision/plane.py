"""The plane that the cards of a picture lie on: there each of them is the same rectangle.

A quad that was read off the picture has eight numbers that may be wrong, a card on a known plane three.
Points of the plane are complex numbers; a card's long side is the unit.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import Quad

Floats = NDArray[np.float64]
Points = NDArray[np.complex128]

_SHORT = 63 / 88
_UPRIGHT: Points = np.array([-_SHORT - 1j, _SHORT - 1j, _SHORT + 1j, -_SHORT + 1j], np.complex128) / 2
_ACROSS: Points = np.array([-1 - 1j * _SHORT, 1 - 1j * _SHORT, 1 + 1j * _SHORT, -1 + 1j * _SHORT], np.complex128) / 2
"""The two ways in which the first side of a quad may lie: short side first, or (indices in all four
corners) long side first."""
_WAYS = (_UPRIGHT, _ACROSS)
_FREE = ((0, 0), (0, 1), (1, 1), (2, 0), (2, 1))
"""What is left of a homography when the plane may be moved and turned: stretch, shear and horizon."""
_RIDGE: Floats = np.diag([0.006, 0.006, 0.006, 0.09, 0.09])
"""How much each of them is held back where no card tells, in misfits."""
_ROUNDS = 4
_REFERENCES = 4
_WORST = 0.2
_ROUGH = 0.02
_NOISE = 0.04


@dataclass(frozen=True, slots=True)
class Plane:
    """`matrix` is the homography from the picture's pixels to the plane."""

    matrix: Floats

    def holds(self, quads: Quad) -> NDArray[np.bool_]:
        """Whether quads (n, 4, 2) lie on this side of the plane's horizon (n,)."""
        return np.asarray((self._depth(quads) > 1e-3).all(1))

    def points(self, quads: Quad) -> Points:
        """Quads (..., 4, 2) in pixels as points (..., 4) of the plane."""
        x, y = (quads @ self.matrix[k, :2] + self.matrix[k, 2] for k in (0, 1))
        return np.asarray((x + 1j * y) / self._depth(quads), np.complex128)

    def quads(self, points: Points) -> Quad:
        """Points (n, 4) of the plane as quads (n, 4, 2) in pixels."""
        mapped = np.stack([points.real, points.imag, np.ones(points.shape)], -1) @ np.linalg.inv(self.matrix).T
        return np.ascontiguousarray(mapped[..., :2] / mapped[..., 2:], np.float32)

    def _depth(self, quads: Quad) -> Floats:
        return np.asarray(quads @ self.matrix[2, :2] + self.matrix[2, 2], np.float64)


def fit_plane(quads: Quad, weights: Floats, rough: Quad) -> tuple[Plane, Floats] | None:
    """The plane on which quads (n, 4, 2) are cards, and by how much each one isn't (n,), in card
    heights; `weights` (n, 4) tell how well each corner is known. `rough` quads (m, 4, 2) only help
    to choose. None when no quad is fit to start from.

    Of the planes that single quads tell, the one that suits most is adjusted to all.
    """
    every = np.concatenate([quads, rough])
    trust = np.concatenate([weights, np.full((len(rough), 4), _ROUGH)])
    firm = np.argsort(-weights.min(1))[:_REFERENCES]
    starts = [_plane_of(quad, card) for k in firm for quad in (quads[k], _square_on(quads[k])) for card in _WAYS]
    starts = [plane for plane in starts if plane.holds(every).all()]
    if not starts:
        return None
    worst = [np.minimum(lay(plane.points(every), trust)[1], _WORST) for plane in starts]
    plane = starts[int(np.argmin([float(trust.mean(1) @ misfits) for misfits in worst]))]
    plane = adjusted(plane, quads, weights)
    return plane, lay(plane.points(quads), weights)[1]


def adjusted(plane: Plane, quads: Quad, weights: Floats) -> Plane:
    """The plane on which quads (n, 4, 2) are cards as nearly as they can be, near one that is known.

    Gauss and Newton's steps, with weights that let outliers go. One card alone adjusts nothing.
    """
    for _ in range(_ROUNDS if len(quads) > 1 else 0):
        better = _nearer(plane, quads, weights)
        if not better.holds(quads).all():
            break
        plane = better
    return plane


def lay(points: Points, weights: Floats, sizes: Floats | float = 1.0) -> tuple[Points, Floats]:
    """Cards (n, 4) of these sizes (n,) laid on points (n, 4) as well as they go, and the misfits (n,)."""
    upright, across = (_moved(np.multiply.outer(sizes, card), points, weights) for card in _WAYS)
    misfits = [_misfit(points - card, weights) for card in (upright, across)]
    turned = misfits[1] < misfits[0]
    return np.where(turned[:, None], across, upright), np.minimum(*misfits)


def sizes(points: Points) -> Floats:
    """How large (n,) cards with these corners (n, 4) are."""
    across, back = points[:, 2] - points[:, 0], points[:, 3] - points[:, 1]
    return np.asarray(np.sqrt(np.abs((np.conj(across) * back).imag) / 2 / _SHORT), np.float64)


def _square_on(quad: Quad) -> Quad:
    """The quad seen from afar: a parallelogram. The horizon that a single card tells is a rough guess."""
    return np.asarray((quad + quad.mean(0) * 2 - np.roll(quad, 2, 0)) / 2, np.float32)


def _plane_of(quad: Quad, card: Points) -> Plane:
    target = np.stack([card.real, card.imag], 1).astype(np.float32)
    matrix = np.asarray(cv2.getPerspectiveTransform(quad.astype(np.float32), target), np.float64)
    centre = quad.mean(0)
    return Plane(matrix * np.sign(matrix[2, :2] @ centre + matrix[2, 2]))


def _nearer(plane: Plane, quads: Quad, weights: Floats) -> Plane:
    """One step towards the plane on which the misfits are least."""
    points = plane.points(quads)
    middle = points.mean()
    centred = np.array([[1, 0, -middle.real], [0, 1, -middle.imag], [0, 0, 1]]) @ plane.matrix
    cards, misfits = lay(points, weights)
    share = weights / (1 + (misfits[:, None] / _NOISE) ** 2)
    root = np.sqrt(share)
    away = root * (points - _moved(cards, points, share))
    points = points - middle
    x, y = points.real, points.imag
    slopes = [root * _unmoved(slope, cards, share) for slope in (x, y, 1j * y, -x * points, -y * points)]
    slope = np.stack([np.concatenate([one.real, one.imag]).ravel() for one in slopes], 1)
    start = np.concatenate([away.real, away.imag]).ravel()
    step = np.linalg.solve(slope.T @ slope + _RIDGE**2, -slope.T @ start)
    change = np.eye(3)
    for place, value in zip(_FREE, np.clip(step, -0.2, 0.2), strict=True):
        change[place] += value
    return Plane(change @ centred)


def _unmoved(slope: Points, cards: Points, weights: Floats) -> Points:
    """What is left of small moves (n, 4) of corners when cards (n, 4) follow them as far as they can."""
    share = weights / weights.sum(1, keepdims=True)
    own = cards - (share * cards).sum(1, keepdims=True)
    rest = slope - (share * slope).sum(1, keepdims=True)
    turned = 1j * own
    most = (share * np.abs(own) ** 2).sum(1, keepdims=True)
    return np.asarray(rest - (share * np.conj(turned) * rest).real.sum(1, keepdims=True) / most * turned, np.complex128)


def _moved(cards: Points, points: Points, weights: Floats) -> Points:
    """Cards (..., 4) moved and turned onto points (n, 4)."""
    share = weights / weights.sum(1, keepdims=True)
    middle, own = ((share * p).sum(1, keepdims=True) for p in (points, np.broadcast_to(cards, points.shape)))
    turn = (share * np.conj(cards - own) * (points - middle)).sum(1, keepdims=True)
    return np.asarray(middle + turn / (np.abs(turn) + 1e-12) * (cards - own), np.complex128)


def _misfit(away: Points, weights: Floats) -> Floats:
    return np.asarray(np.sqrt((weights * np.abs(away) ** 2).sum(1) / weights.sum(1)), np.float64)
