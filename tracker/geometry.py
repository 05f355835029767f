"""Plane geometry of a table: homographies and card rectangles.

Cards lie in the table's plane, so a card is a rectangle of 63 x 88 mm there: `fit_card` replaces
the locator's rough corners by the best such rectangle.
"""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
CARD_MM = (63.0, 88.0)
_SIGNS = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])


def homography(source: Floats, target: Floats) -> NDArray[np.float64]:
    """The 3x3 map that takes four points (4, 2) to four others."""
    matrix = cv2.getPerspectiveTransform(source.astype(np.float32), target.astype(np.float32))
    return np.asarray(matrix, np.float64)


def inverse(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """The map back."""
    return np.asarray(np.linalg.inv(matrix), np.float64)


def transform(matrix: NDArray[np.float64], points: Floats) -> Floats:
    """Apply a homography to points (n, 2)."""
    mapped = cv2.perspectiveTransform(points.reshape(-1, 1, 2).astype(np.float32), matrix)
    return np.asarray(mapped.reshape(-1, 2), np.float32)


def area(polygon: Floats) -> float:
    """Area of a simple polygon (n, 2)."""
    return float(abs(cv2.contourArea(polygon.astype(np.float32))))


def inside(point: Floats, polygon: Floats, margin: float = 0.0) -> bool:
    """Whether a point lies in a polygon, or at most `margin` outside of it."""
    return cv2.pointPolygonTest(polygon.astype(np.float32), (float(point[0]), float(point[1])), True) >= -margin


def fit_card(quad_mm: Floats, scale: float = 1.0, trusted: int | None = None) -> Floats:
    """The 63 x 88 mm rectangle (times `scale`) nearest to four rough corners, same corner order.

    `trusted` is a corner that is known better than the others (the index's own): the rectangle
    is anchored there. The corners may start at any corner of the card: the short side is
    found from the lengths.
    """
    points = quad_mm.astype(np.float64)
    first = np.linalg.norm(points[1] - points[0]) + np.linalg.norm(points[2] - points[3])
    second = np.linalg.norm(points[3] - points[0]) + np.linalg.norm(points[2] - points[1])
    sides = CARD_MM[::-1] if first > second else CARD_MM  # the order may start on a long side
    template = _SIGNS * np.array(sides) * scale
    centre = points.mean(0)
    h = template.T @ (points - centre)
    angle = math.atan2(h[0, 1] - h[1, 0], h[0, 0] + h[1, 1])
    c, s = math.cos(angle), math.sin(angle)
    turned = template @ np.array([[c, s], [-s, c]])
    if trusted is not None:
        centre = 0.4 * centre + 0.6 * (points[trusted] - turned[trusted])
    return np.asarray(turned + centre, np.float32)


def card_angle(quad_mm: Floats) -> float:
    """Direction of a card's long axis in degrees, 0 <= angle < 180."""
    side = [quad_mm[(i + 1) % 4] - quad_mm[i] for i in range(4)]
    long_axis = side[1] if np.linalg.norm(side[1]) > np.linalg.norm(side[0]) else side[0]
    return math.degrees(math.atan2(float(long_axis[1]), float(long_axis[0]))) % 180


def angle_apart(a: float, b: float) -> float:
    """Difference of two axes in degrees, 0 <= d <= 90."""
    d = abs(a - b) % 180
    return min(d, 180 - d)
