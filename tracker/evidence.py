"""What the pictures say about a place, whatever the detector reads there.

A card that was laid made a difference between the picture before and the picture after. In a later
picture the pixels of that difference side with one of the two: the card is there, or it went. And
a place that looks like the bare table holds no card at all.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from tracker.change import Mask, relit
from tracker.geometry import Floats
from tracker.motion import changed
from vision.types import Image

MID = 640
"""Width in pixels of the copies that places are compared on."""
_STEP = 26
_AROUND = 4
"""Pixels of the surroundings that a guess at the covered table is made from."""
_TELLING = 0.06
"""A card that changed less than this share of its place left no evidence."""


def mid_copy(image: Image) -> Image:
    """A copy of a frame, `MID` pixels wide."""
    height = round(image.shape[0] * MID / image.shape[1])
    return np.asarray(cv2.resize(image, (MID, height), interpolation=cv2.INTER_AREA), np.uint8)


def filled(shape: tuple[int, ...], quads: list[Floats], grow: int = 0) -> Mask:
    """Mask of polygons in pixels of the mask, grown by `grow` pixels."""
    mask = np.zeros(shape[:2], np.uint8)
    for quad in quads:
        cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), 255)
    if grow:
        mask = np.asarray(cv2.dilate(mask, np.ones((2 * grow + 1, 2 * grow + 1), np.uint8)), np.uint8)
    return mask


class Background:
    """The bare table; `known` marks what was seen of it, the rest is guessed from what lies around
    it (cards that lay there before the first look). Copies are `MID` wide."""

    def __init__(self, copy: Image, areas: Mask, covered: Mask) -> None:
        self.picture = np.asarray(cv2.inpaint(copy, covered, _AROUND, cv2.INPAINT_TELEA), np.uint8)
        self.known: Mask = np.asarray(cv2.bitwise_not(covered), np.uint8)
        self._areas = areas

    def bare(self, copy: Image) -> Mask:
        """Where a copy looks like the bare table."""
        return np.asarray(cv2.bitwise_not(changed(copy, relit(self.picture, copy), _STEP)), np.uint8)

    def learn(self, copy: Image, covered: Mask) -> None:
        """Take over a still view. Inside the playing areas only slow changes are taken: a thing
        that appears there is no table."""
        drift = changed(copy, self.picture, _STEP) == 0
        fresh = (self.known == 0) | (self._areas == 0) | drift
        take = fresh & (covered == 0)
        self.picture[take] = copy[take]
        self.known[take] = 255

    def follow(self, shift: np.ndarray, areas: Mask) -> None:
        """The camera moved: `shift` maps old copy pixels to new ones."""
        size = (self.picture.shape[1], self.picture.shape[0])
        self.picture = np.asarray(cv2.warpAffine(self.picture, shift[:2], size), np.uint8)
        self.known = np.asarray(cv2.warpAffine(self.known, shift[:2], size, flags=cv2.INTER_NEAREST), np.uint8)
        self._areas = areas


@dataclass(frozen=True, slots=True)
class Evidence:
    """One view after a visit. `changed` since the last still view, `bare` like the empty table;
    `scale` copy pixels a frame pixel."""

    copy: Image
    changed: Mask
    bare: Mask
    scale: float

    def share(self, mask: Mask, quad_px: Floats) -> float:
        """Share of a card's area that a mask covers."""
        spot = filled(mask.shape, [quad_px * self.scale])
        return float(np.count_nonzero(spot & mask)) / max(1, int(np.count_nonzero(spot)))

    def undone(self, quad_px: Floats, before: Image, after: Image, besides: list[Floats]) -> float | None:
        """Share of the difference that a card made which is undone now: 1 gone, 0 still there,
        between: something else lies over it. None without evidence. `besides` are cards that came
        in the same visit and still lie there: what is under them says nothing."""
        quad = quad_px * self.scale
        x, y, w, h = cv2.boundingRect(np.round(quad).astype(np.int32))
        x0, y0 = max(0, x), max(0, y)
        x1, y1 = min(self.copy.shape[1], x + w), min(self.copy.shape[0], y + h)
        if x1 - x0 < 4 or y1 - y0 < 4:
            return None
        others = filled((y1 - y0, x1 - x0), [q * self.scale - (x0, y0) for q in besides], grow=2)
        spot = (filled((y1 - y0, x1 - x0), [quad - (x0, y0)]) > 0) & (others == 0)
        old, new = (relit(p, self.copy)[y0:y1, x0:x1].astype(np.int16) for p in (before, after))
        telling = spot & (np.abs(old - new).max(2) > _STEP)
        if int(telling.sum()) < _TELLING * max(1, int(spot.sum())):
            return None
        now = self.copy[y0:y1, x0:x1].astype(np.int16)
        back = np.abs(now - old).sum(2) < np.abs(now - new).sum(2)
        return float(back[telling].mean())
