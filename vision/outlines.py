"""The outlines of a picture's cards to the pixel: each laid on its edges, all of them on one plane."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.edges import REACH, Floats, lay_on_edges, smoothed
from vision.plane import Plane, adjusted, fit_plane, lay, sizes
from vision.polygons import overlap
from vision.quads import card_width, is_convex
from vision.types import Detection, Image, Quad

Weights = NDArray[np.float64]
Laid = tuple[Quad, Weights]
"""Quads (n, 4, 2) that lie on edges, and how well each of their corners (n, 4) is known."""

_NAMED = 0.6
"""Finds that score less may be no cards, and tell nothing of others."""
_ON_PLANE = 0.05
"""A quad that is this many card heights off a card's shape isn't laid right."""
_ALIKE = 3
"""So many cards of which one corner was read must agree to tell the plane."""
_LEAST_WIDTH = 4.0
_NEIGHBOURS = 3
_LARGEST_CHANGE = 1.7
_SIZES = 0.85, 1.18
"""Cards of a picture are of one size, but for those of another deck or on top of a pile."""
_OWN_CORNER = 6.0
_LOST = 0.3
"""A rough quad that is further off than this tells nothing of its card."""
_NEAR = 0.1
"""At last an edge is looked for this far from where a card lies on the plane, in card widths."""
_OTHER_SIDES = 0.3
"""Sides away from the read index count less: where they are covered, the edge of the card above may lie."""
_UNCLEAR = 0.02
_SURE = 0.9
_ONE_PLACE = 0.85
"""Outlines that agree so well (intersection over union) are one card's. Of cards that lie on one another,
so little shows of the lower one that its index can't be read."""


@dataclass(frozen=True, slots=True)
class Ground:
    """A picture's plane, and at which of its points (n,) cards of which sizes (n,) lie."""

    plane: Plane
    places: NDArray[np.complex128]
    sizes: Weights

    @staticmethod
    def of(plane: Plane, quads: Quad) -> "Ground":
        """The plane with cards that are known to lie there."""
        points = plane.points(quads)
        return Ground(plane, points.mean(1), sizes(points))

    def cards(self, quads: Quad, weights: Weights) -> tuple[Quad, Weights]:
        """The cards that lie where quads (n, 4, 2) do, as well as their corners are known (n, 4); and how
        far off, in card heights, the quads are (n,)."""
        points = self.plane.points(quads)
        near = np.argsort(np.abs(self.places - points.mean(1)[:, None]), 1)[:, :_NEIGHBOURS]
        laid, off = lay(points, weights, np.clip(np.median(self.sizes[near], 1), *_SIZES))
        return self.plane.quads(laid), off


def refine(image: Image, cards: Sequence[Detection]) -> list[Detection]:
    """The same face-up cards with quads laid on the edges in the picture.

    Cards of which two corners were read come first. They tell the plane and how large cards are
    there, which a covered card's far corners can't tell for themselves.
    """
    grey = smoothed(image)
    quads = [card.quad for card in cards]
    clear: list[Floats] = [np.zeros(4, np.float32) for _ in cards]
    whole = [i for i, card in enumerate(cards) if len(card.boxes) > 1]
    part = [i for i, card in enumerate(cards) if len(card.boxes) == 1]
    for i in whole:
        quads[i], clear[i] = lay_on_edges(grey, quads[i], _known(cards[i]))
    ground, laid = _ground(cards, quads, clear, whole)
    if ground is None:
        for i in part:
            quads[i], clear[i] = lay_on_edges(grey, quads[i], _known(cards[i]))
        ground, laid = _ground(cards, quads, clear, part)
    others = [i for i in (*whole, *part) if i not in laid]
    if ground is not None and others:
        firm = np.stack([quads[i] for i in laid]), corner_weights(np.stack([clear[i] for i in laid]))
        known = np.stack([_known(cards[i]) for i in others])
        moved = _lay_on_ground(grey, ground, firm, np.stack([quads[i] for i in others]), known)
        for i, quad in zip(others, moved, strict=True):
            quads[i] = quad
    return [replace(card, quad=quad) for card, quad in zip(cards, quads, strict=True)]


def one_a_place(cards: Sequence[Detection]) -> list[Detection]:
    """The cards without doubtful ones that lie where a surer one does: most are misread corners of it.
    What was read surely stays: then an outline is wrong."""
    return [
        card
        for card in cards
        if card.score >= _SURE
        or not any(other.score > card.score and _same_place(card.quad, other.quad) for other in cards)
    ]


def _same_place(a: Quad, b: Quad) -> bool:
    if float(np.linalg.norm(a.mean(0) - b.mean(0))) > (1 - _ONE_PLACE) * card_width(a):
        return False
    shared = overlap(a, b)
    return shared > _ONE_PLACE * (overlap(a, a) + overlap(b, b) - shared)


def _ground(
    cards: Sequence[Detection], quads: Sequence[Quad], clear: Sequence[Floats], among: Sequence[int]
) -> tuple[Ground | None, list[int]]:
    """What plane the cards lie on, and which are laid right on it; it must be shown by some `among` them."""
    named = [i for i, card in enumerate(cards) if card.card != "?" and card.score >= _NAMED and _is_card(quads[i])]
    sure = [i for i in named if i in among]
    if not sure:
        return None, []
    rough = np.array([quads[i] for i in named if i not in among], np.float32).reshape(-1, 4, 2)
    found = fit_plane(np.stack([quads[i] for i in sure]), corner_weights(np.stack([clear[i] for i in sure])), rough)
    if found is None:
        return None, []
    plane, misfits = found
    laid = [i for i, off in zip(sure, misfits, strict=True) if off < _ON_PLANE]
    if len(laid) < (1 if len(cards[among[0]].boxes) > 1 else _ALIKE):
        return None, []
    return Ground.of(plane, np.stack([quads[i] for i in laid])), laid


def _is_card(quad: Quad) -> bool:
    return is_convex(quad) and card_width(quad) > _LEAST_WIDTH


def corner_weights(clear: Floats) -> Weights:
    """How well corners (..., 4) are known between sides (..., 4) that are so clear."""
    return np.asarray(np.minimum(clear, np.roll(clear, 1, -1)) + _UNCLEAR, np.float64)


def _lay_on_ground(
    grey: Floats, ground: Ground, firm: Laid, rough: Quad, known: NDArray[np.bool_]
) -> list[Quad]:
    """Rough quads (n, 4, 2) with corners that are known (n, 4), laid as cards on the plane that firm ones
    told and these then tell better. A quad that is too far off is laid on edges by itself."""
    fit = np.flatnonzero(ground.plane.holds(rough) & [_is_card(quad) for quad in rough])
    lying, off = ground.cards(rough[fit], np.where(known[fit], _OWN_CORNER, 1.0))
    fit, lying = fit[off <= _LOST], lying[off <= _LOST]
    found: dict[int, Quad] = {}
    if len(fit):
        laid = _near_edges(grey, ground.plane, lying, known[fit], REACH)
        plane = adjusted(ground.plane, np.concatenate([firm[0], laid[0]]), np.concatenate([firm[1], laid[1]]))
        ground = Ground.of(plane, firm[0])
        laid = _near_edges(grey, ground.plane, ground.cards(*laid)[0], known[fit], _NEAR)
        found = dict(zip(fit.tolist(), ground.cards(*laid)[0], strict=True))
    alone = {k for k in range(len(rough)) if k not in found}
    found |= {k: lay_on_edges(grey, _sized_like(rough[k], firm[0]), known[k])[0] for k in alone}
    return [found[k] for k in range(len(rough))]


def _near_edges(
    grey: Floats, plane: Plane, lying: Quad, known: NDArray[np.bool_], reach: float
) -> Laid:
    """The sides of cards (n, 4, 2) moved to the edges near them."""
    quads, weights = lying.copy(), np.empty(known.shape)
    for k, (quad, own) in enumerate(zip(lying, known, strict=True)):
        laid, clear = lay_on_edges(grey, quad, own, reach)
        quads[k] = laid if plane.holds(laid[None]).all() else quad
        beside = own | np.roll(own, -1)
        weights[k] = corner_weights(np.where(beside, clear, _OTHER_SIDES * clear)) * np.where(own, 2.0, 1.0)
    return quads, weights


def _sized_like(quad: Quad, sized: Quad) -> Quad:
    """Scale a card about its own corner to the size of the nearest cards that are known."""
    centre = quad.mean(0)
    near = sorted(sized, key=lambda q: float(np.linalg.norm(q.mean(0) - centre)))[:_NEIGHBOURS]
    factor = float(np.median([card_width(q) for q in near])) / card_width(quad)
    if not 1 / _LARGEST_CHANGE < factor < _LARGEST_CHANGE:
        return quad
    return np.asarray(quad[0] + (quad - quad[0]) * factor, np.float32)


def _known(card: Detection) -> NDArray[np.bool_]:
    """Which corners an index was read at."""
    known = np.zeros(4, bool)
    for x, y, w, h in card.boxes:
        known[int(np.linalg.norm(card.quad - (x + w / 2, y + h / 2), axis=1).argmin())] = True
    return known
