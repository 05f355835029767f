"""One visit is read in one to three frames, at different enlargements; the readings are put together."""

from dataclasses import replace

import cv2
import numpy as np

from tracker.corners import joined_indices, shared_box, well_placed
from tracker.table import Reading
from tracker.votes import together
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
_SAME_NAME_MM, _SAME_UNREAD_MM = 40.0, 25.0


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
        """Merge one look, which tells each place once. A place's corners are those of its best reading."""
        self.count += 1
        told: set[int] = set()
        for reading in sorted(readings, key=_rank, reverse=True):
            twin = self._place_of(reading, told)
            if twin is None:
                self.places.append(reading)
                told.add(len(self.places) - 1)
                continue
            if reading.name != "?":
                told.add(twin)
            known = self.places[twin]
            votes = together(known.votes, reading.votes)
            base = max(known, reading, key=lambda r: (_rank(r) >= 0, well_placed(r), _rank(r)))
            indices = joined_indices(known, reading) if reading.name != "?" else known.indices
            self.places[twin] = replace(base, votes=votes, indices=indices)

    def _place_of(self, reading: Reading, told: set[int]) -> int | None:
        """The place that a reading shows again: the one of its name, or which has the same index, or
        (unread) the nearest. What this look has told already shows no other named card."""
        fits = {i: fit for i, place in enumerate(self.places) if (fit := _fit(place, reading))}
        if reading.name != "?":
            fits = {i: fit for i, fit in fits.items() if i not in told}
        return max(fits, key=lambda i: fits[i]) if fits else None

    def believed(self) -> list[Reading]:
        """Places that most looks agree on, or that one look was certain of: a single weak reading
        among several looks is a phantom."""
        return [r for r in self.places if self._believes(r)]

    def doubted(self) -> list[Reading]:
        """The other places: perhaps a card, so the rest must not be accused without it."""
        return [r for r in self.places if not self._believes(r)]

    def _believes(self, r: Reading) -> bool:
        most = max((vote.total for vote in r.votes.values()), default=0.0)
        best = max((vote.best for vote in r.votes.values()), default=0.0)
        return most >= _AGREED * self.count or best >= _CERTAIN or r.detection.card == "?"

    def sure(self, bar: float) -> bool:
        """Whether something was read and every place's name has a score over the bar. Of a fan one
        card may be missed while its neighbours are sure: many places are looked at every time."""
        return 0 < len(self.places) < _MANY and all(r.detection.score >= bar and _rank(r) >= bar for r in self.places)


def _rank(reading: Reading) -> float:
    """Named readings before unnamed ones, then by score; a back's corners are as good as a face's."""
    named = reading.detection.card != "?" or reading.detection.face == "down"
    return reading.detection.score if named else reading.detection.score - 1


def _fit(place: Reading, reading: Reading) -> tuple[int, float] | None:
    """How well a reading of another look fits a place; None if it is another card's."""
    near = float(np.linalg.norm(place.quad_mm.mean(0) - reading.quad_mm.mean(0)))
    same = place.name == reading.name != "?"
    unread = "?" in (place.name, reading.name)
    box = shared_box(place, reading)
    if same and (box or near < _SAME_NAME_MM):
        return (3 if box else 2), -near
    if box:
        return 1, -near
    return (0, -near) if unread and near < _SAME_UNREAD_MM else None
