"""Which card lies on which in one picture, and how much of each is in view."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.edges import CLEAR_STEP, smoothed, straight_paths
from vision.polygons import in_convex, overlap, visible_fraction
from vision.types import Detection, Image, Quad

Floats = NDArray[np.float32]

_TOUCH = 0.02
"""Cards that share less than this part of the smaller one only touch."""
_READ = 1.0
"""What a read index in the shared area weighs against a card's edge that is clear all through it: a
covered index can't be read, while a covered edge may run along something printed."""
_MISSED = 0.4
"""What an index in the shared area weighs against its card when it should be there and wasn't read."""
_APART = 0.25
"""Nearer to one that was read, in diagonals of the card, it is that one."""
_INNER = 0.92
_SAMPLES = 40
_ALONG: Floats = np.linspace(0.04, 0.96, _SAMPLES, dtype=np.float32)
_NEAR: Floats = np.arange(-3.5, 4, dtype=np.float32)
_PATHS = straight_paths(len(_NEAR) - 1, _ALONG)


def with_visible(image: Image, cards: Sequence[Detection]) -> list[Detection]:
    """The same cards, each with its `visible` part: what neither another card nor the picture's edge
    hides. Hands, things that aren't cards and faces that couldn't be read don't count."""
    over = stacking(image, cards)
    h, w = image.shape[:2]
    frame = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    out = []
    for i, card in enumerate(cards):
        above = [other.quad for other, covers in zip(cards, over[:, i], strict=True) if covers]
        visible = visible_fraction(card.quad, above)
        if not in_convex(card.quad, frame).all():
            visible *= overlap(card.quad, frame) / max(overlap(card.quad, card.quad), 1e-6)
        out.append(replace(card, visible=round(visible, 3)))
    return out


def stacking(image: Image, cards: Sequence[Detection]) -> NDArray[np.bool_]:
    """(n, n) whether card i lies on card j and they share a place.

    The clearest pairs are believed first, and what follows from them (on top of what lies on top)
    before less clear ones: ranked pairs (Tideman, 1987).
    """
    n = len(cards)
    share, higher = np.zeros((n, n), bool), np.zeros((n, n), bool)
    solid = [i for i, card in enumerate(cards) if card.face == "down" or card.card != "?"]
    pairs = []
    grey: Floats | None = None
    for i, j in combinations(solid, 2):
        a, b = cards[i], cards[j]
        if overlap(a.quad, b.quad) > _TOUCH * min(overlap(a.quad, a.quad), overlap(b.quad, b.quad)):
            grey = smoothed(image) if grey is None else grey
            share[i, j] = share[j, i] = True
            pairs.append((_shown(grey, a, b.quad) - _shown(grey, b, a.quad), i, j))
    for margin, i, j in sorted(pairs, key=lambda pair: -abs(pair[0])):
        upper, lower = (i, j) if margin > 0 else (j, i)
        if not higher[lower, upper]:
            ups, downs = higher[:, upper].copy(), higher[lower].copy()
            ups[upper] = downs[lower] = True
            higher |= np.outer(ups, downs)
    return higher & share


def _shown(grey: Floats, card: Detection, other: Quad) -> float:
    """How much of a card's own print and edge is to be seen within another card's outline."""
    inner = other.mean(0) + _INNER * (other - other.mean(0))
    seen, missed = _indices(card)
    read = _READ * float(in_convex(seen, inner).any()) - _MISSED * float(in_convex(missed, inner).any())
    worth, weight = 0.0, 0
    for start, end in zip(card.quad, np.roll(card.quad, -1, 0), strict=True):
        points = start + _ALONG[:, None] * (end - start)
        within = in_convex(points, inner)
        if within.any():
            worth += int(within.sum()) * _line(grey, points, end - start, within)
            weight += int(within.sum())
    return read + (worth / weight if weight else 0.0)


def _indices(card: Detection) -> tuple[Floats, Floats]:
    """The middles (n, 2) of a card's indices that were read, and those across from them that were not:
    every index has another one diagonally opposite."""
    seen = np.array([(x + w / 2, y + h / 2) for x, y, w, h in card.boxes], np.float32).reshape(-1, 2)
    across = 2 * card.quad.mean(0) - seen
    apart = np.linalg.norm(across[:, None] - seen[None], axis=2)
    missed = (apart > _APART * np.linalg.norm(card.quad[2] - card.quad[0])).all(1)
    return seen, across[missed]


def _line(grey: Floats, points: Floats, side: Floats, within: NDArray[np.bool_]) -> float:
    """How clear the clearest straight line near a card's side is, 0..1, over the samples `within`. A
    line, since printed figures have strong steps everywhere but none that go on straight."""
    outward = np.array([side[1], -side[0]], np.float32) / (float(np.linalg.norm(side)) + 1e-6)
    where = points[:, None] + _NEAR[None, :, None] * outward
    profile = cv2.remap(grey, np.ascontiguousarray(where[..., 0]), np.ascontiguousarray(where[..., 1]),
                        cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)  # fmt: skip
    steps = np.minimum(np.abs(np.diff(profile, axis=1)) / CLEAR_STEP, 1.0)
    return float((np.take(steps, _PATHS) @ (within / within.sum())).max())
