"""What is different from the last clear view of the table: blobs, arms, lamps, bumps."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tracker.calibration import Table
from tracker.geometry import Floats, transform
from tracker.motion import WIDTH, changed
from vision.types import Image

Mask = NDArray[np.uint8]
_STEP = 26
_ARM_REACH_MM = 70.0
"""A changed blob that leaves the playing areas by more than this is an arm, not a card."""
_LEAST_BLOB = 7
_LAMP = 0.06
"""Brightness ratio beyond which the light is taken to have changed."""


@dataclass(frozen=True, slots=True)
class Area:
    """Playing areas on the small copy: `watch` mask of all of them, `away` (h, w) millimetres of
    every pixel from the nearest one, `place` (h, w, 2) its table millimetres, `centre` mm."""

    watch: Mask
    away: Floats
    place: Floats
    centre: Floats
    scale: float

    @staticmethod
    def of(table: Table, width: int = WIDTH) -> "Area":
        """The areas on a copy that is `width` pixels wide."""
        scale = width / table.size[0]
        height = round(table.size[1] * scale)
        ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
        pixels = (np.stack([xs, ys], 2).reshape(-1, 2) + 0.5) / scale
        place = transform(table.to_mm, pixels.astype(np.float32)).reshape(height, width, 2)
        watch = np.zeros((height, width), np.uint8)
        polygons = [p for p in (table.play_area, table.discard_area, table.stock) if p is not None]
        for polygon in polygons:
            cv2.fillPoly(watch, [np.round(polygon * scale).astype(np.int32)], 255)
        distance = cv2.distanceTransform(255 - watch, cv2.DIST_L2, 5)
        step = np.linalg.norm(np.gradient(place, axis=1), axis=2)
        centre = transform(table.to_mm, table.play_area.mean(0, keepdims=True))[0]
        return Area(watch, np.asarray(distance * step, np.float32), place, centre, scale)


@dataclass(frozen=True, slots=True)
class Blob:
    """A connected changed region of the small copy; `arm`: it reaches in from outside."""

    mask: Mask
    box: tuple[int, int, int, int]
    pixels: int
    arm: bool


@dataclass(frozen=True, slots=True)
class Change:
    """Difference between a view and the reference. `share` of the whole picture changed, `outside`
    the share of the part away from the playing areas."""

    mask: Mask
    blobs: tuple[Blob, ...]
    share: float
    outside: float

    @property
    def arms(self) -> tuple[Blob, ...]:
        return tuple(b for b in self.blobs if b.arm)


def compare(small: Image, reference: Image, area: Area) -> Change:
    """Blobs that touch the playing areas and differ from the reference, its light adapted first."""
    mask = changed(small, relit(reference, small), _STEP)
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), np.uint8)
    share = float(np.count_nonzero(mask)) / mask.size
    far = area.away > _ARM_REACH_MM
    outside = float(np.count_nonzero(mask[far])) / max(1, int(far.sum()))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    blobs = []
    for i in range(1, count):
        x, y, w, h, pixels = (int(v) for v in stats[i])
        if pixels < _LEAST_BLOB:
            continue
        mine = labels[y : y + h, x : x + w] == i
        if not (mine & (area.watch[y : y + h, x : x + w] > 0)).any():
            continue
        away = area.away[y : y + h, x : x + w][mine]
        # Where the areas reach almost to the picture's edge, an arm is what touches the edge.
        at_edge = x == 0 or y == 0 or x + w == mask.shape[1] or y + h == mask.shape[0]
        arm = int((away > _ARM_REACH_MM).sum()) >= _LEAST_BLOB or at_edge
        full = np.zeros_like(mask)
        full[y : y + h, x : x + w][mine] = 255
        blobs.append(Blob(full, (x, y, x + w, y + h), pixels, arm))
    return Change(mask, tuple(blobs), share, outside)


def relit(reference: Image, small: Image) -> Image:
    """The reference under the light of the current view, where a lamp changed; else unchanged.

    The gain is a smooth field: the median over neighbouring blocks ignores cards and hands.
    """
    blocks = (20, 12)
    now = cv2.resize(small, blocks, interpolation=cv2.INTER_AREA).astype(np.float32) + 3
    then = cv2.resize(reference, blocks, interpolation=cv2.INTER_AREA).astype(np.float32) + 3
    gain = now / then
    if abs(float(np.median(gain)) - 1) < _LAMP:
        return reference
    smooth = np.dstack([cv2.medianBlur(np.ascontiguousarray(gain[..., c]), 5) for c in range(3)])
    field = cv2.resize(smooth, (reference.shape[1], reference.shape[0]), interpolation=cv2.INTER_LINEAR)
    return np.asarray(np.clip(reference * field, 0, 255), np.uint8)


def bump(view: Image, reference: Image) -> NDArray[np.float64] | None:
    """How the camera moved between two pictures of one size, as a 3x3 map from old pixels to new
    ones (turn and shift); None when they don't line up better for it."""
    size = (640, round(view.shape[0] * 640 / view.shape[1]))
    new, old = (
        np.asarray(cv2.cvtColor(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY), np.uint8)
        for picture in (view, reference)
    )
    orb = cv2.ORB.create(600)
    points_old, marks_old = orb.detectAndCompute(old, None)
    points_new, marks_new = orb.detectAndCompute(new, None)
    if marks_old is None or marks_new is None or len(points_old) < 30 or len(points_new) < 30:
        return None
    matches = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(marks_old, marks_new)
    if len(matches) < 25:
        return None
    a = np.array([points_old[m.queryIdx].pt for m in matches], np.float32)
    b = np.array([points_new[m.trainIdx].pt for m in matches], np.float32)
    moved, inliers = cv2.estimateAffinePartial2D(a, b, ransacReprojThreshold=1.5)
    if moved is None or inliers is None or int(inliers.sum()) < max(20, 0.35 * len(matches)):
        return None
    grow = float(np.hypot(moved[0, 0], moved[1, 0]))
    if abs(grow - 1) > 0.03 or np.hypot(moved[0, 2], moved[1, 2]) > 80:
        return None
    scale = view.shape[1] / 640
    full = np.eye(3, dtype=np.float64)
    full[:2] = _refined(np.asarray(moved, np.float64), old, new)
    full[:2, 2] *= scale
    return full


def _refined(rough: NDArray[np.float64], old: Mask, new: Mask) -> NDArray[np.float64]:
    """A camera movement (2, 3) to a fraction of a pixel: corners followed from where it puts them.

    Found points alone leave it wrong by a few pixels towards the edges of the picture.
    """
    corners = cv2.goodFeaturesToTrack(old, 400, 0.01, 7)
    if corners is None:
        return rough
    guess = cv2.transform(corners, rough).astype(np.float32)
    seen, status, _ = cv2.calcOpticalFlowPyrLK(
        old, new, corners, guess.copy(), winSize=(15, 15), maxLevel=1, flags=cv2.OPTFLOW_USE_INITIAL_FLOW
    )
    good = (status.ravel() == 1) & (np.linalg.norm(seen - guess, axis=2).ravel() < 3)
    if int(good.sum()) < 20:
        return rough
    fine, _ = cv2.estimateAffinePartial2D(corners[good], seen[good], ransacReprojThreshold=0.7)
    return rough if fine is None else np.asarray(fine, np.float64)


def brightness(small: Image, reference: Image) -> float:
    """How bright a view is against the reference: the median ratio over the picture's blocks."""
    blocks = [cv2.resize(p, (20, 12), interpolation=cv2.INTER_AREA) for p in (small, reference)]
    now, then = (b.astype(np.float32) + 3 for b in blocks)
    return float(np.median(now / then))
