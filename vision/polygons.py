"""Convex polygons that lie on one another: shared area, and what the upper ones leave uncovered."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


def overlap(a: Floats, b: Floats) -> float:
    """Area that two convex polygons share.

    OpenCV's intersectConvexConvex finds nothing where edges lie on one line, as those of cards laid
    side by side do; so `a` is clipped by every edge of `b` (Sutherland and Hodgman, 1974).
    """
    if (a.max(0) < b.min(0)).any() or (b.max(0) < a.min(0)).any():
        return 0.0
    rest = a.astype(np.float64)
    corners = b.astype(np.float64)
    if signed_area(corners) < 0:
        corners = corners[::-1]
    for start, end in zip(corners, _following(corners), strict=True):
        side = (end[0] - start[0]) * (rest[:, 1] - start[1]) - (end[1] - start[1]) * (rest[:, 0] - start[0])
        clipped = []
        for i, point in enumerate(rest):
            j = (i + 1) % len(rest)
            if side[i] >= 0:
                clipped.append(point)
            if side[i] * side[j] < 0:
                clipped.append(point + (rest[j] - point) * (side[i] / (side[i] - side[j])))
        if len(clipped) < 3:
            return 0.0
        rest = np.array(clipped)
    return abs(signed_area(rest))


def signed_area(polygon: NDArray[np.floating]) -> float:
    """Positive when the corners go from x to y."""
    after = _following(polygon)
    return float(np.dot(polygon[:, 0], after[:, 1]) - np.dot(polygon[:, 1], after[:, 0])) / 2


def _following(polygon: NDArray[np.floating]) -> NDArray[np.floating]:
    """The corner after each one. (`np.roll` does the same in ten times the time.)"""
    return np.concatenate([polygon[1:], polygon[:1]])


def visible_fraction(quad: Floats, above: Sequence[Floats]) -> float:
    """Share of a quad that the quads lying above it leave uncovered, sampled on a 12 x 16 grid."""
    u, v = np.meshgrid((np.arange(12) + 0.5) / 12, (np.arange(16) + 0.5) / 16)
    u, v = u.reshape(-1, 1), v.reshape(-1, 1)
    points = (quad[0] * (1 - u) + quad[1] * u) * (1 - v) + (quad[3] * (1 - u) + quad[2] * u) * v
    free = np.ones(len(points), bool)
    for other in above:
        if overlap(quad, other) > 0:
            free &= ~in_convex(points.astype(np.float32), other)
    return float(free.mean())


def in_convex(points: Floats, polygon: Floats) -> NDArray[np.bool_]:
    """Which points (n, 2) lie in a convex polygon, its edge included."""
    edges = _following(polygon) - polygon
    to = points[:, None] - polygon[None]
    cross = edges[None, :, 0] * to[..., 1] - edges[None, :, 1] * to[..., 0]
    return np.asarray((cross >= 0).all(1) | (cross <= 0).all(1))
