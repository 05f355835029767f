"""Stage one: find corner indices and face-down backs, each with its card's four corners."""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.session import Network, as_input
from vision.types import Image

Floats = NDArray[np.float32]
_STRIDE = 32
_GREY = 114


@dataclass(frozen=True, slots=True)
class Located:
    """n things found, in pixels of the whole picture, best first.

    `boxes` (n, 4) x0 y0 x1 y1; `scores` (n,); `backs` (n,) bool; `quads` (n, 4, 2), card corners
    starting at the index's own corner.
    """

    boxes: Floats
    scores: Floats
    backs: NDArray[np.bool_]
    quads: Floats

    def __len__(self) -> int:
        return len(self.scores)

    def take(self, which: NDArray[np.intp] | NDArray[np.bool_]) -> "Located":
        return Located(self.boxes[which], self.scores[which], self.backs[which], self.quads[which])

    def placed(self, x: float, y: float, scale: float) -> "Located":
        """From pixels of a scaled piece to pixels of the picture that it was cut from."""
        shift = np.array([x, y], np.float32)
        return Located(
            self.boxes / scale + np.tile(shift, 2), self.scores, self.backs, self.quads / scale + shift
        )

    @staticmethod
    def none() -> "Located":
        empty = np.zeros((0, 4), np.float32)
        return Located(empty, empty[:, 0], empty[:, 0] > 0, np.zeros((0, 4, 2), np.float32))

    @staticmethod
    def join(parts: "list[Located]") -> "Located":
        if not parts:
            return Located.none()
        return Located(
            np.concatenate([p.boxes for p in parts]), np.concatenate([p.scores for p in parts]),
            np.concatenate([p.backs for p in parts]), np.concatenate([p.quads for p in parts]),
        )  # fmt: skip


def locate(network: Network, image: Image, scale: float, least: float) -> Located:
    """Run the locator once over a piece of a picture, resized by `scale`."""
    if scale * min(image.shape[:2]) < 1:
        return Located.none()
    if abs(scale - 1) > 0.02:
        way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
        image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=way).astype(np.uint8)
    else:
        scale = 1.0
    h, w = image.shape[:2]
    padded = np.full((_round_up(h), _round_up(w), 3), _GREY, np.uint8)
    padded[:h, :w] = image
    return decode(network.run(as_input(padded)[None])[0], least).placed(0, 0, scale)


def _round_up(length: int) -> int:
    return max(_STRIDE, math.ceil(length / _STRIDE) * _STRIDE)


def decode(output: Floats, least: float) -> Located:
    """The pose head's output (4 + 2 + 4 * 3, n): centre, size, class scores, keypoints."""
    scores = output[4:6].max(0)
    output = output[:, scores >= least]
    if not output.shape[1]:
        return Located.none()
    centre, half = output[:2], output[2:4] / 2
    boxes = np.concatenate([centre - half, centre + half]).T
    found = Located(
        boxes, output[4:6].max(0), output[5] > output[4], output[6:].reshape(4, 3, -1)[:, :2].transpose(2, 0, 1)
    )
    return suppress(found)


_INSIDE, _LIKE = 0.75, 0.35


def suppress(found: Located, overlap: float = 0.45) -> Located:
    """Non-maximum suppression within each class; the best stay, ordered by score."""
    found = found.take(np.argsort(-found.scores))
    boxes, keep = found.boxes, []
    area = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    alive = np.ones(len(found), bool)
    for i in range(len(found)):
        if not alive[i]:
            continue
        keep.append(i)
        low = np.maximum(boxes[i, :2], boxes[:, :2])
        high = np.minimum(boxes[i, 2:], boxes[:, 2:])
        both = np.clip(high - low, 0, None).prod(1)
        # Against the smaller box too: two scales see the same index at different sizes. A far smaller
        # one inside may be the index alone where the other took a pip beside it along: reading tells.
        smaller, larger = np.minimum(area, area[i]), np.maximum(area, area[i])
        inside = (both > _INSIDE * smaller) & (smaller > _LIKE * larger)
        close = (both / (area + area[i] - both + 1e-9) > overlap) | inside
        alive &= ~(close & (found.backs == found.backs[i]))
    return found.take(np.array(keep, np.intp))
