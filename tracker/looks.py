"""One visit is read in one to three frames, at different enlargements; the readings are put together."""

from dataclasses import replace

import cv2
import numpy as np

from tracker.table import Reading
from vision.detector import Detector
from vision.regions import Region
from vision.types import Detection, Image

ZOOMS = (1.0, 1.4, 0.8)
"""Enlargement of each look, relative to the one that suits the card size: what one misses another
may read."""
MORE_ZOOMS = (*ZOOMS, 1.75, 1.0)
"""The same where cards seem to be missing, with wider margins: another cut falls differently on the
network's grid."""
_SUITED_PX = 115.0
"""Card length in pixels at which indices are read best."""
_MANY = 4
_CERTAIN, _AGREED = 0.85, 0.45
_SAME_NAME_MM, _SAME_UNREAD_MM, _SAME_PLACE_MM = 40.0, 25.0, 12.0


def read_zoomed(detector: Detector, image: Image, regions: list[Region], zoom: float) -> list[Detection]:
    """Detections in regions of a picture that are enlarged by `zoom` first; results in its pixels."""
    if abs(zoom - 1) < 0.15:
        return detector.detect(image, regions)
    found = []
    for x0, y0, x1, y1 in regions:
        piece = cv2.resize(
            image[y0:y1, x0:x1], None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA if zoom < 1 else cv2.INTER_CUBIC
        ).astype(np.uint8)
        for d in detector.detect(piece, [(0, 0, piece.shape[1], piece.shape[0])]):
            quad = np.asarray(d.quad / zoom + (x0, y0), np.float32)
            boxes = tuple((x / zoom + x0, y / zoom + y0, w / zoom, h / zoom) for x, y, w, h in d.boxes)
            found.append(replace(d, quad=quad, boxes=boxes))
    return found


def suited_zoom(card_px: float) -> float:
    """Enlargement for cards of this length in pixels."""
    return float(np.clip(_SUITED_PX / max(card_px, 1.0), 0.5, 1.6))


class Looks:
    """Readings of one visit so far: places, each with its votes."""

    def __init__(self) -> None:
        self.count = 0
        self.places: list[Reading] = []

    def add(self, readings: list[Reading]) -> None:
        """Merge one look. A place's corners are those of its best reading."""
        self.count += 1
        for reading in readings:
            twin = next((i for i, r in enumerate(self.places) if _twins(r, reading)), None)
            if twin is None:
                self.places.append(reading)
                continue
            known = self.places[twin]
            votes = dict(known.votes)
            for name, (total, best) in reading.votes.items():
                so_far, high = votes.get(name, (0.0, 0.0))
                votes[name] = (so_far + total, max(high, best))
            base = reading if _rank(reading) > _rank(known) else known
            self.places[twin] = replace(base, votes=votes)

    def believed(self) -> list[Reading]:
        """Places that most looks agree on, or that one look was certain of: a single weak reading
        among several looks is a phantom."""
        return [r for r in self.places if self._believes(r)]

    def doubted(self) -> list[Reading]:
        """The other places: perhaps a card, so the rest must not be accused without it."""
        return [r for r in self.places if not self._believes(r)]

    def _believes(self, r: Reading) -> bool:
        most = max((total for total, _ in r.votes.values()), default=0.0)
        return most >= _AGREED * self.count or _rank(r) >= _CERTAIN or r.detection.card == "?"

    def sure(self, bar: float) -> bool:
        """Whether something was read and every place's name has a score over the bar. Of a fan one
        card may be missed while its neighbours are sure: many places are looked at every time."""
        return 0 < len(self.places) < _MANY and all(r.detection.score >= bar and _rank(r) >= bar for r in self.places)


def _rank(reading: Reading) -> float:
    """Named readings before unnamed ones, then by score; a back's corners are as good as a face's."""
    named = reading.detection.card != "?" or reading.detection.face == "down"
    return reading.detection.score if named else reading.detection.score - 1


def _twins(a: Reading, b: Reading) -> bool:
    near = float(np.linalg.norm(a.quad_mm.mean(0) - b.quad_mm.mean(0)))
    if a.detection.card == b.detection.card and a.detection.card != "?":
        return near < _SAME_NAME_MM
    return near < (_SAME_UNREAD_MM if "?" in (a.detection.card, b.detection.card) else _SAME_PLACE_MM)
