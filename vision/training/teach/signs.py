"""Cut a corner's rank sign and suit sign out of a card's picture, with the deck's colours.

Rank and suit are separable: a photographed seven of diamonds teaches the deck's seven and its diamond.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth.glyphs import Mask, trim
from vision.synth.packaged import HEIGHT, WIDTH
from vision.types import Image

Floats = NDArray[np.float32]
FaceBox = tuple[float, float, float, float]
"""x0, y0, x1, y1 in pixels of a face of 300 x 420."""

_LEAST_CONTRAST = 45.0
"""How far ink must be from paper, in levels of the three colours together."""
_RING = 0.3
"""So much around the index is looked at, in sides of its box: its paper, and signs that stick out."""
_EDGE = 5
"""Pixels at the card's rim that may show the table."""
_LEAST_PART = 0.012
"""Smaller specks, in parts of the index box, are dust."""
_SOFT = 0.7
"""More pixels that are half ink, against those of ink, are a blurred picture's."""
_PROPORTION = 0.3, 1.9
"""Height of a suit sign in heights of its rank sign."""


@dataclass(frozen=True, slots=True)
class Signs:
    """An index taken apart: masks of its rank and its suit, where both lie on the face, and the colours
    (blue-green-red) of its ink and its paper."""

    rank: Mask
    suit: Mask
    rank_box: FaceBox
    suit_box: FaceBox
    ink: Floats
    paper: Floats

    @property
    def box(self) -> FaceBox:
        """Around both."""
        a, b = self.rank_box, self.suit_box
        return min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])


def cut_from_face(face: Image, around: FaceBox) -> Signs | None:
    """The signs of the top left index of a face (420, 300, 3), which lies about at `around`."""
    return cut_signs(face[: HEIGHT // 2, : WIDTH // 2], around, _EDGE)


def cut_signs(picture: Image, around: FaceBox, edge: int = 0) -> Signs | None:
    """The signs of an upright index on a picture that lies about at `around` (pixels there); None when
    they can't be told apart from paper, figures and each other. The suit must stand below its rank.
    `edge` pixels at the top and left may show the table."""
    x0, y0, x1, y1 = around
    pad_x, pad_y = _RING * (x1 - x0), _RING * (y1 - y0)
    left, top = max(edge, round(x0 - pad_x)), max(edge, round(y0 - pad_y))
    right, bottom = min(picture.shape[1], round(x1 + pad_x)), min(picture.shape[0], round(y1 + pad_y))
    if right - left < 12 or bottom - top < 20:
        return None
    part = picture[top:bottom, left:right].astype(np.float32)
    paper = paper_of(part)
    far = np.asarray(np.linalg.norm(part - paper, axis=2), np.float32)
    inner = far[max(0, round(y0) - top) : round(y1) - top, max(0, round(x0) - left) : round(x1) - left]
    full = float(np.percentile(inner, 92)) if inner.size else 0.0
    if full < _LEAST_CONTRAST:
        return None
    alpha = np.clip((far / full - 0.25) / 0.5, 0, 1)
    if np.mean((alpha > 0.15) & (alpha < 0.85)) > _SOFT * np.mean(alpha > 0.5):
        return None
    hint = x0 - left, y0 - top, x1 - left, y1 - top
    rows = _rows(alpha > 0.5, hint)
    if len(rows) != 2:
        return None
    (rank, rank_box), (suit, suit_box) = rows
    proportion = (suit_box[3] - suit_box[1]) / (rank_box[3] - rank_box[1])
    if not _PROPORTION[0] <= proportion <= _PROPORTION[1]:
        return None
    ink = np.asarray(np.median(part[(rank | suit) & (alpha > 0.9)].reshape(-1, 3), axis=0), np.float32)
    masks = [_mask(alpha, own) for own in (rank, suit)]
    boxes = [(b[0] + left, b[1] + top, b[2] + left, b[3] + top) for b in (rank_box, suit_box)]
    return Signs(masks[0], masks[1], boxes[0], boxes[1], ink, paper)


def paper_of(part: Floats) -> Floats:
    """The colour that most of an index's surroundings have: the densest one, coarsely counted."""
    flat = part.reshape(-1, 3)
    coarse = (flat / 24).astype(np.int64) @ np.array([1, 16, 256])
    values, counts = np.unique(coarse, return_counts=True)
    near = flat[coarse == values[counts.argmax()]]
    return np.asarray(np.median(near, axis=0), np.float32)


def _rows(ink: NDArray[np.bool_], hint: FaceBox) -> list[tuple[NDArray[np.bool_], FaceBox]]:
    """The pieces of ink that belong to the index, gathered into what stands side by side, from the top."""
    count, labels, stats, middles = cv2.connectedComponentsWithStats(ink.astype(np.uint8), connectivity=8)
    x0, y0, x1, y1 = hint
    grow_x, grow_y = 0.12 * (x1 - x0), 0.12 * (y1 - y0)
    rows: list[tuple[int, int, list[int]]] = []
    for k in sorted(range(1, count), key=lambda k: int(stats[k, cv2.CC_STAT_TOP])):
        x, y, w, h, area = (int(v) for v in stats[k])
        mx, my = middles[k]
        own = x0 - grow_x <= mx <= x1 + grow_x and y0 - grow_y <= my <= y1 + grow_y
        cut_off = x == 0 or y == 0 or x + w >= ink.shape[1] or y + h >= ink.shape[0]
        if not own or cut_off or area < _LEAST_PART * (x1 - x0) * (y1 - y0):
            continue
        if rows and y < rows[-1][1] - 0.35 * min(h, rows[-1][1] - rows[-1][0]):
            rows[-1] = rows[-1][0], max(rows[-1][1], y + h), [*rows[-1][2], k]
        else:
            rows.append((y, y + h, [k]))
    out = []
    for _, _, members in rows:
        mask = np.isin(labels, members)
        ys, xs = np.where(mask)
        out.append((mask, (float(xs.min()), float(ys.min()), float(xs.max() + 1), float(ys.max() + 1))))
    return out


def _mask(alpha: Floats, own: NDArray[np.bool_]) -> Mask:
    """The soft coverage of one sign, with the soft rim around its ink."""
    near = cv2.dilate(own.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    return trim((255 * alpha * near).astype(np.uint8))
