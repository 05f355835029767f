"""A drawn arm with its hand, palm down: volume from a height field, so that light falls on it."""

from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import Image

Floats = NDArray[np.float32]

SCALE = 2.0
"""Sprite pixels a millimetre."""
_LENGTH, _HALF = 640, 90
"""Reach of the sprite behind the fingertips, and to either side of the arm, in millimetres."""
_CUFF = -225.0

# Chains of (x, y, radius) in millimetres; x runs from the arm to the fingertips at 0, the thumb of a
# right hand lies at negative y.
_PARTS: tuple[tuple[tuple[float, float, float], ...], ...] = (
    ((-640, 0, 44), (-320, 0, 36), (-185, 0, 28), (-150, 0, 30)),
    ((-150, -8, 30), (-112, -20, 22), (-88, -29, 13)),
    ((-150, 0, 30), (-110, 0, 24), (-84, -9, 14)),
    ((-150, 8, 30), (-112, 20, 21), (-88, 11, 13)),
    ((-148, 12, 26), (-118, 28, 16), (-94, 29, 11)),
    ((-88, -29, 11.5), (-46, -31, 9.5), (-9, -20, 8)),
    ((-84, -9, 11.5), (-38, -10, 9.5), (0, -5, 8)),
    ((-88, 11, 11), (-44, 11, 9.5), (-7, 9, 7.5)),
    ((-94, 29, 9.5), (-60, 30, 8), (-28, 24, 6.5)),
    ((-150, -24, 20), (-112, -52, 13), (-76, -56, 11), (-46, -44, 8.5)),
)
_NAILS = ((-6, -19, 12), (3, -4, 5), (-4, 9, -5), (-26, 23, -12), (-44, -43, 25))
_LIGHT = np.array([-0.35, -0.45, 0.82], np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class HandSprite:
    """Colours (h, w, 3) and coverage (h, w) 0..1; the middle fingertip is at `tip` (x, y) pixels and the
    arm reaches left, `SCALE` pixels a millimetre."""

    picture: Image
    alpha: Floats
    tip: tuple[float, float]


def draw_hand(skin: tuple[float, float, float], sleeve: tuple[float, float, float]) -> HandSprite:
    """A right arm in a sleeve. Colours are blue, green, red, 0..255."""
    width, height = round((_LENGTH + 20) * SCALE), round(2 * _HALF * SCALE)
    yy, xx = np.mgrid[0:height, 0:width].astype(np.float32)
    x, y = xx / SCALE - _LENGTH, yy / SCALE - _HALF
    bare = np.max([_height(x, y, a, b) for part in _PARTS for a, b in pairwise(part)], axis=0)
    cloth = _height(x, y, (-640, 0, 60), (_CUFF, 0, 43))
    cloth = np.where(x < _CUFF, cloth * (1 + 0.03 * np.sin(x / 9 + y / 21)), 0)
    dressed = cloth > 0
    relief = cv2.GaussianBlur(np.where(dressed, cloth, bare), (0, 0), 2.0)
    slope_y, slope_x = np.gradient(relief * SCALE)
    normal = np.stack([-slope_x, -slope_y, np.ones_like(relief)], -1)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    light = np.clip(normal @ _LIGHT, 0, 1) * 0.75 + 0.33
    flush = 1 + 0.1 * np.clip((x + 60) / 60, 0, 1)[..., None] * np.array([0, 0, 1], np.float32)
    colour = np.where(dressed[..., None], np.array(sleeve, np.float32), np.array(skin, np.float32) * flush)
    for nail in _NAILS:
        _nail(colour, nail, skin)
    picture = np.clip(colour * light[..., None], 0, 255).astype(np.uint8)
    alpha = cv2.GaussianBlur(((bare > 0) | dressed).astype(np.float32), (0, 0), 1.0).astype(np.float32)
    return HandSprite(picture, alpha, (_LENGTH * SCALE, _HALF * SCALE))


def _height(x: Floats, y: Floats, a: tuple[float, ...], b: tuple[float, ...]) -> Floats:
    """Height of a tapered capsule between a and b (x, y, radius) above each point, 0 outside."""
    ax, ay, ar = a
    dx, dy, dr = b[0] - ax, b[1] - ay, b[2] - ar
    along = np.clip(((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy), 0, 1)
    squared = (ar + along * dr) ** 2 - (x - ax - along * dx) ** 2 - (y - ay - along * dy) ** 2
    return np.sqrt(np.maximum(squared, 0)).astype(np.float32)


def _nail(colour: Floats, nail: tuple[float, float, float], skin: tuple[float, float, float]) -> None:
    x, y, angle = nail
    centre = round((x + _LENGTH) * SCALE), round((y + _HALF) * SCALE)
    mask = np.zeros(colour.shape[:2], np.float32)
    cv2.ellipse(mask, centre, (round(5 * SCALE), round(4 * SCALE)), angle, 0, 360, 1.0, -1, cv2.LINE_AA)
    pale = np.array(skin, np.float32) * np.array([1.12, 1.05, 1.06], np.float32) + 6
    colour += mask[..., None] * (pale - colour)
