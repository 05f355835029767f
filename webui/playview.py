"""The picture that leaves this machine: the play area seen from above, all else blacked out."""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from tracker.calibration import Table
from tracker.geometry import Floats, area, transform
from vision.types import Image

_MOST_PX = 960
_QUALITY = 82


class PlayView:
    """Cuts pictures of one set-up table down to its play and discard areas.

    What lies outside (hands, faces, the room) is black before anything is encoded.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        areas = [table.play_area] + ([table.discard_area] if table.discard_area is not None else [])
        in_mm = [transform(table.to_mm, polygon) for polygon in areas]
        low = np.concatenate(in_mm).min(0)
        spread = np.concatenate(in_mm).max(0) - low
        # no larger than the camera saw it: more pixels would be made up
        seen = math.sqrt(sum(map(area, areas)) / sum(map(area, in_mm)))
        scale = min(seen, _MOST_PX / float(spread.max()))
        self.size = (max(2, round(spread[0] * scale)), max(2, round(spread[1] * scale)))
        place = np.array([[scale, 0, -low[0] * scale], [0, scale, -low[1] * scale], [0, 0, 1]])
        self._from_px: NDArray[np.float64] = place @ table.to_mm
        self._outside = np.full((self.size[1], self.size[0]), 255, np.uint8)
        for polygon in areas:
            shape = np.round(transform(self._from_px, polygon)).astype(np.int32)
            cv2.fillPoly(self._outside, [shape], (0,))
        # the edge itself mixes with what lies beyond it
        brush = np.ones((5, 5), np.uint8)
        grown = cv2.dilate(self._outside, brush, borderType=cv2.BORDER_CONSTANT, borderValue=(255,))
        self._outside = np.asarray(grown, np.uint8)

    def jpeg(self, image: Image) -> bytes:
        """The play area of a whole camera picture, as a JPEG without any metadata."""
        view = cv2.warpPerspective(image, self._from_px, self.size, flags=cv2.INTER_AREA)
        view[self._outside > 0] = 0
        _, encoded = cv2.imencode(".jpg", view, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
        return encoded.tobytes()

    def place(self, quad_px: Floats) -> list[list[float]]:
        """Points of the camera picture as fractions of this picture's width and height."""
        points = transform(self._from_px, quad_px) / np.array(self.size, np.float64)
        return [[round(float(x), 4), round(float(y), 4)] for x, y in points]
