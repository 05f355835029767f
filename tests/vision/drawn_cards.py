"""White cards drawn on green felt at known places."""

import cv2
import numpy as np

from vision.types import Image, Quad


def table(quads: list[Quad], rng: np.random.Generator) -> Image:
    """480 x 640 pixels, the later cards on top, with a camera's noise."""
    picture = np.empty((480, 640, 3), np.float32)
    picture[:] = (60, 110, 40)
    for quad in quads:
        cv2.fillPoly(picture, [np.round(quad * 16).astype(np.int32)], (225, 230, 232), cv2.LINE_AA, 4)
        cv2.polylines(picture, [np.round(quad * 16).astype(np.int32)], True, (120, 120, 125), 1, cv2.LINE_AA, 4)
    return np.clip(picture + rng.normal(0, 4, picture.shape), 0, 255).astype(np.uint8)
