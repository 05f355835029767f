"""What the eyes hand on: frames and detections."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
"""A picture, (height, width, 3), blue-green-red."""

Quad = NDArray[np.float32]
"""Four points (4, 2) in pixels: a card's corners in drawing order, starting at the corner that
carries the index that was read (top left of the upright card), then clockwise *on the card*."""

Box = tuple[float, float, float, float]
"""x, y, width, height in pixels."""

Face = Literal["up", "down"]


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture of a source. `t` is in seconds of the source's own time (media time of a file,
    monotonic time of a camera); `seq` counts the frames of the source from 0, dropped ones too."""

    seq: int
    t: float
    image: Image


@dataclass(frozen=True, slots=True)
class Detection:
    """One physical card seen in one picture.

    `card` is rank+suit ("Th"), "X"/"Y" (black/red joker) or "?" (face down, or not readable).
    `score` is the calibrated probability that the name is right, 0..1.
    `boxes` are the corner indices that were found (empty for a face-down card: see `quad`).
    `visible` is the part of the card that no other card and no edge of the picture hides, 0..1.
    """

    card: str
    score: float
    face: Face
    quad: Quad
    boxes: tuple[Box, ...]
    visible: float = 1.0

    def is_reported(self, least: float) -> bool:
        """Whether it is an answer: a name of at least this score, or face down. An unreadable face is none."""
        return self.face == "down" or (self.card != "?" and self.score >= least)
