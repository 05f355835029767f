"""The upright square crop around a corner index: what the reader sees, in training and in use."""

import math

import cv2
import numpy as np

from vision.types import Image, Quad


def upright_angle(card_quad: Quad) -> float:
    """Degrees by which the card is turned clockwise, from its left and right edges' direction.

    `card_quad` starts at the index's corner: points 0 and 1 are the top edge, 3 and 2 the bottom.
    """
    down = (card_quad[3] - card_quad[0]) + (card_quad[2] - card_quad[1])
    return math.degrees(math.atan2(float(down[1]), float(down[0]))) - 90


def upright_crop(image: Image, centre: tuple[float, float], side: float, angle: float, size: int) -> Image:
    """A size x size picture of the square with this centre and side (pixels), turned upright.

    `angle` is in degrees clockwise. Shrinks with area averaging first, so that no detail aliases;
    pixels outside the image repeat its border.
    """
    cx, cy = centre
    if side > 1.6 * size:
        reach = side * 0.75
        x0, y0 = max(0, int(cx - reach)), max(0, int(cy - reach))
        part = image[y0 : int(cy + reach) + 1, x0 : int(cx + reach) + 1]
        if part.size:
            factor = 1.2 * size / side
            image = cv2.resize(part, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA).astype(np.uint8)
            cx, cy, side = (cx - x0) * factor, (cy - y0) * factor, side * factor
    turn, scale = math.radians(angle), side / size
    c, s = math.cos(turn) * scale, math.sin(turn) * scale
    half = size / 2
    matrix = np.array([[c, -s, cx - c * half + s * half], [s, c, cy - s * half - c * half]])
    return cv2.warpAffine(
        image, matrix, (size, size), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
    ).astype(np.uint8)
