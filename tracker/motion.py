"""Motion at a glance: a small copy of every frame, compared with the one before.

While nothing moves nothing is read; while something moves only this runs.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import Image

WIDTH = 320
"""Width of the small copy in pixels."""
_STEP = 20
"""Change of brightness (0..255, largest channel) that is more than noise and compression."""
_LEAST_PIXELS = 6


def shrink(image: Image) -> Image:
    """The small copy, `WIDTH` pixels wide."""
    height = round(image.shape[0] * WIDTH / image.shape[1])
    return np.asarray(cv2.resize(image, (WIDTH, height), interpolation=cv2.INTER_AREA), np.uint8)


@dataclass(frozen=True, slots=True)
class Glance:
    """`small` copy of a frame; `moving` pixels in the watched area since the last frame; `still_s`
    seconds since the last movement there."""

    small: Image
    moving: int
    still_s: float


class MotionGate:
    """Says for every frame whether the watched area moves. `watch` is a mask of the small copy."""

    def __init__(self, watch: NDArray[np.uint8]) -> None:
        self.watch = watch
        self._last: Image | None = None
        self._moved_at: float | None = None

    def step(self, image: Image, t: float) -> Glance:
        """Look at the next frame at source time `t` in seconds."""
        small = shrink(image)
        moving = 0
        if self._last is not None:
            moving = int(np.count_nonzero(changed(small, self._last, _STEP) & self.watch))
        self._last = small
        if moving >= _LEAST_PIXELS or self._moved_at is None:
            self._moved_at = t
        return Glance(small, moving, t - self._moved_at)


def changed(a: Image, b: Image, step: int) -> NDArray[np.uint8]:
    """Mask (255 where some channel differs by more than `step`) of two pictures of one size."""
    difference = cv2.absdiff(a, b)
    b_, g, r = cv2.split(difference)
    return np.asarray(cv2.threshold(cv2.max(cv2.max(b_, g), r), step, 255, cv2.THRESH_BINARY)[1], np.uint8)
