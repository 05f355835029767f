"""Is the picture good enough to read cards in it, and if not, what would help?

Each check gives a level, the measured value and, unless all is well, a code for what to do.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import Box, Detection, Image

Level = Literal["ok", "warning", "bad"]
CheckName = Literal["light", "glare", "focus", "motion", "index_size"]

_DARK = (80.0, 45.0)
"""Paper (without cards: the brightest things) darker than this, of 255, is dusky, or too dark."""
_CLIPPED = (0.06, 0.2)
"""Shares of the cards (without any: of the picture) that are washed out."""
_WASHED_OUT = 252
_EDGE_WIDTH = (0.15, 0.21)
"""Width of the ink's edges in index heights: soft, and where half of the cards can't be read any more
(measured on blurred photos)."""
_ONE_WAY = 1.8
"""Edges so much wider in one direction than across it were smeared by motion."""
_LEAST_BOX = 6.0
_DIRECTIONS = ((1, 0), (1, 1), (0, 1), (-1, 1))


@dataclass(frozen=True, slots=True)
class Check:
    """`value` is the measure itself: brightness 0-255, washed-out share, edge width in index
    heights, ratio of edge widths, index height in pixels. `advice` is a key of the catalogs'
    `health` section with its `params`; None when the level is ok."""

    name: CheckName
    level: Level
    value: float
    advice: str | None = None
    params: dict[str, object] = field(default_factory=dict)


def examine(image: Image, cards: Sequence[Detection], index_px: tuple[float, float]) -> list[Check]:
    """Check a still picture of the table in which `cards` were found.

    `index_px` is the span of index heights that the deck pack reads well (`deck.about.locate`).
    Focus, motion and index size need at least one card with a visible index.
    """
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    on_cards = np.zeros(grey.shape, np.uint8)
    for card in cards:
        cv2.fillConvexPoly(on_cards, np.round(card.quad).astype(np.int32), 1)
    where = on_cards > 0 if on_cards.any() else None
    checks = [_light(grey, where), _glare(image, where)]
    boxes = [b for c in cards for b in c.boxes if min(b[2:]) >= _LEAST_BOX]
    if boxes:
        height = float(np.median([max(b[2:]) for b in boxes]))
        widths = [w for b in boxes if (w := _edge_widths(grey, b)) is not None]
        if widths:
            checks += _sharpness(np.median(np.stack(widths), 0) / height)
        checks.append(_index_size(height, index_px))
    return checks


def edge_width(grey: NDArray[np.uint8], box: Box) -> float | None:
    """Width of an index's sharpest edges in index heights; None where there is no ink to be seen."""
    widths = _edge_widths(grey, box)
    return None if widths is None else float(widths.min()) / max(box[2:])


def _light(grey: NDArray[np.uint8], cards: NDArray[np.bool_] | None) -> Check:
    bright = float(np.percentile(grey, 99) if cards is None else np.percentile(grey[cards], 75))
    level = _graded(-bright, -_DARK[0], -_DARK[1])
    return Check("light", level, bright, "too_dark" if level != "ok" else None)


def _glare(image: Image, cards: NDArray[np.bool_] | None) -> Check:
    washed = np.asarray((image >= _WASHED_OUT).all(2), np.bool_)
    share = float(washed.mean() if cards is None else washed[cards].mean())
    level = _graded(share, *_CLIPPED)
    return Check("glare", level, share, "glare_on_cards" if level != "ok" else None)


def _edge_widths(grey: NDArray[np.uint8], box: Box) -> NDArray[np.float64] | None:
    """Width in pixels of the steepest edges across four directions: contrast over steepest slope.

    None where there is no ink to be seen.
    """
    x, y, w, h = (round(v) for v in box)
    patch = grey[max(0, y) : y + h, max(0, x) : x + w].astype(np.float32)
    if min(patch.shape) < _LEAST_BOX:
        return None
    low, high = np.percentile(patch, [3, 97])
    if high - low < 25:
        return None
    slopes = []
    for dx, dy in _DIRECTIONS:
        a = patch[max(0, dy) :, max(0, dx) : patch.shape[1] + min(0, dx)]
        b = patch[: patch.shape[0] - dy, max(0, -dx) : patch.shape[1] - max(0, dx)]
        slopes.append(float(np.percentile(np.abs(a - b), 97)) / float(np.hypot(dx, dy)))
    return np.asarray((high - low) / np.maximum(np.array(slopes), 1.0), np.float64)


def _sharpness(widths: NDArray[np.float64]) -> list[Check]:
    """Focus by the sharpest direction, motion by how much wider the edges across it are."""
    sharpest, across = float(widths.min()), float(widths[(int(widths.argmin()) + 2) % 4])
    ratio = across / sharpest if sharpest else 1.0
    focus = _graded(sharpest, *_EDGE_WIDTH)
    smeared = ratio > _ONE_WAY and across > _EDGE_WIDTH[0]
    motion: Level = "ok" if not smeared else _graded(across, *_EDGE_WIDTH)
    return [
        Check("focus", focus, sharpest, "out_of_focus" if focus != "ok" else None),
        Check("motion", motion, ratio, "motion_blur" if motion != "ok" else None),
    ]


def _index_size(height: float, index_px: tuple[float, float]) -> Check:
    low, high = index_px
    found: dict[str, object] = {"found": round(height), "least": round(low), "most": round(high)}
    if height < low:
        return Check("index_size", "bad" if height < 0.65 * low else "warning", height, "cards_small", found)
    if height > 2 * high:
        return Check("index_size", "warning", height, "cards_large", found)
    return Check("index_size", "ok", height)


def _graded(value: float, warning: float, bad: float) -> Level:
    return "bad" if value > bad else "warning" if value > warning else "ok"
