"""Card corners to the pixel: the locator's quads are rough, the card's printed edges are not."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.quads import card_width, is_convex
from vision.types import Image, Quad

Floats = NDArray[np.float32]

REACH = 0.3
"""An edge is looked for this far from where it was guessed, in card widths."""
_STEPS = 33
_SAMPLES = 24
_ALONG: Floats = np.linspace(0.08, 0.92, _SAMPLES, dtype=np.float32)
"""Where along an edge it is sampled; the round corners are left out."""
CLEAR_STEP = 60.0
"""A step of this many grey levels counts full; more says no more."""
_LEAST_EDGE = 0.12
_DISTRUST = 0.6
"""Cost of moving an end by the whole reach, against an edge that is clear all along: two such moves cost
more than any edge is worth, so that a covered side does not run to the edge of the card above it."""
_KNOWN_CORNER = 2.5
"""The corner of an index that was read is this much better known than others."""
_LARGEST_CHANGE = 1.7


def straight_paths(steps: int, along: Floats) -> NDArray[np.intp]:
    """(steps, steps, samples): where in a profile (samples, steps) the line between two end steps passes
    at each sample; `along` (samples,) goes from 0 to 1. For `np.take`, which is fast."""
    ends = np.arange(steps, dtype=np.float32)
    passed = np.rint(ends[:, None, None] * (1 - along) + ends[None, :, None] * along)
    return (passed + steps * np.arange(len(along))).astype(np.intp)


_PATHS = straight_paths(_STEPS, _ALONG)
_MEAN: Floats = np.full(_SAMPLES, 1 / _SAMPLES, np.float32)


def smoothed(image: Image) -> Floats:
    """The grey picture in which edges are looked for."""
    return cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (0, 0), 0.8).astype(np.float32)


def lay_on_edges(
    grey: Floats, quad: Quad, known: NDArray[np.bool_], reach: float = REACH
) -> tuple[Quad, Floats]:
    """Move each side of a clockwise quad to the strongest straight edge within `reach` card widths.

    `known` (4,) are corners that need little moving. A side without an edge stays; the quad stays
    as it was when the result is no card any more. Also returns how clear an edge each side lies
    on (4,), 0..1.
    """
    furthest = reach * card_width(quad)
    offsets = np.linspace(-furthest, furthest, _STEPS, dtype=np.float32)
    cost = _DISTRUST * np.where(known, _KNOWN_CORNER, 1.0)
    starts, ends, clear = np.empty_like(quad), np.empty_like(quad), np.zeros(4, np.float32)
    for i in range(4):
        j = (i + 1) % 4
        along = quad[j] - quad[i]
        outward = np.array([along[1], -along[0]], np.float32) / (float(np.linalg.norm(along)) + 1e-6)
        first, last, clear[i] = _strongest(grey, quad[i], along, outward, offsets, float(cost[i]), float(cost[j]))
        starts[i], ends[i] = quad[i] + first * outward, quad[j] + last * outward
    corners = [_crossing(starts[i - 1], ends[i - 1], starts[i], ends[i]) for i in range(4)]
    if any(c is None for c in corners):
        return quad, np.zeros(4, np.float32)
    laid = np.array(corners, np.float32)
    change = card_width(laid) ** 2 / card_width(quad) ** 2
    if not 1 / _LARGEST_CHANGE < change < _LARGEST_CHANGE or not is_convex(laid):
        return quad, np.zeros(4, np.float32)
    return laid, clear


def _strongest(grey: Floats, start: Floats, along: Floats, outward: Floats, offsets: Floats,
               cost_first: float, cost_last: float) -> tuple[float, float, float]:  # fmt: skip
    """How far to move the two ends of a side outward so that it lies on the strongest edge, and
    how clear that edge is."""
    where = (start + _ALONG[:, None] * along)[:, None] + offsets[None, :, None] * outward
    profile = cv2.remap(
        grey, np.ascontiguousarray(where[..., 0]), np.ascontiguousarray(where[..., 1]), cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    steps = np.minimum(np.abs(np.gradient(profile, axis=1)) / CLEAR_STEP, 1.0)
    edge = np.take(steps, _PATHS) @ _MEAN
    moved = (offsets / offsets[-1]) ** 2
    worth = edge - cost_first * moved[:, None] - cost_last * moved[None, :]
    first, last = np.unravel_index(int(worth.argmax()), worth.shape)
    if edge[first, last] < _LEAST_EDGE:
        return 0.0, 0.0, 0.0
    return float(offsets[first]), float(offsets[last]), float(edge[first, last])


def _crossing(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats | None:
    """Where the lines ab and cd meet; None when they run side by side."""
    u, v, w = b - a, d - c, c - a
    across = float(u[0] * v[1] - u[1] * v[0])
    if abs(across) < 1e-3:
        return None
    return np.asarray(a + float(w[0] * v[1] - w[1] * v[0]) / across * u, np.float32)
