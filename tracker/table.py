"""What lies on the table now: readings of changed places become cards that came, stayed or went."""

from dataclasses import dataclass, field

import cv2
import numpy as np

from tracker.calibration import Table
from tracker.geometry import (
    CARD_MM,
    Floats,
    angle_apart,
    area,
    card_angle,
    fit_card,
    inside,
    inverse,
    overlap,
    transform,
    visible_fraction,
)
from tracker.lifecycle import TableCard
from vision.types import Detection

_SAME_MM, _SAME_DEG = 20.0, 14.0
"""A card read again lies within this of where it was known to lie."""
_OUTSIDE_MM = 35.0
"""A card's middle may lie this far outside its area."""
_SIZES = (0.62, 1.6)
"""Sides of a believable card, in card sizes."""
_GONE_CHANGE = 0.4
_READABLE = 0.3


@dataclass(slots=True)
class Visit:
    """What one visit did: cards that came, went, or only moved; `unread` changed area that no card
    explains, in card sizes."""

    new: list[TableCard] = field(default_factory=list)
    gone: list[TableCard] = field(default_factory=list)
    moved: list[TableCard] = field(default_factory=list)
    unread: float = 0.0


@dataclass(frozen=True, slots=True)
class Reading:
    """A detection that could be a card on this table."""

    detection: Detection
    quad_mm: Floats
    quad_px: Floats
    zone: str


class TableTop:
    """The cards that are known to lie on the table, oldest first."""

    def __init__(self, table: Table, decks: int = 1) -> None:
        self.table = table
        self.cards: list[TableCard] = []
        self._decks = decks
        self._tracks = 0

    def readings(self, detections: list[Detection]) -> list[Reading]:
        """Detections of card size inside a playing area, fitted to card rectangles."""
        out = []
        to_px = inverse(self.table.to_mm)
        for detection in detections:
            rough = transform(self.table.to_mm, detection.quad)
            size = np.sqrt(area(rough) / (CARD_MM[0] * CARD_MM[1]))
            if not _SIZES[0] < size < _SIZES[1]:
                continue
            quad = fit_card(rough, trusted=0 if len(detection.boxes) == 1 else None)
            zone = self._zone(quad)
            if zone is not None:
                out.append(Reading(detection, quad, transform(to_px, quad), zone))
        return out

    def _zone(self, quad_mm: Floats) -> str | None:
        middle = quad_mm.mean(0)
        for zone, polygon in (("discard", self.table.discard_area), ("play", self.table.play_area)):
            if polygon is not None and inside(middle, transform(self.table.to_mm, polygon), _OUTSIDE_MM):
                return zone
        return None

    def apply(self, readings: list[Reading], mask: np.ndarray, scale: float) -> Visit:
        """One look after a visit. `mask` is the changed area on the small copy (`scale` small per
        frame pixel). Cards outside of it are left alone."""
        visit = Visit()
        rest = self._again(readings)
        known = {c.track for c, _ in rest.seen}
        fresh = [r for r in rest.unmatched if self._touched(r.quad_px, mask, scale) > 0.25]
        lying = [c for c in self.cards if c.phase != "gone"]
        for reading in fresh:
            self._arrive(reading, lying, visit)
        for card in lying:
            if card.track not in known and card not in visit.moved:
                self._missing(card, visit, mask, scale)
        visit.unread = self._unexplained(visit, mask, scale)
        self.cards = [c for c in self.cards if c.phase != "gone"] + visit.new
        return visit

    @dataclass(slots=True)
    class _Again:
        seen: list[tuple[TableCard, Reading]]
        unmatched: list[Reading]

    def _again(self, readings: list[Reading]) -> "TableTop._Again":
        """Match readings with cards that are known to lie there."""
        out = TableTop._Again([], [])
        taken: set[int] = set()
        for reading in readings:
            match = None
            for card in self.cards:
                if card.track in taken or card.phase == "gone" or card.face != reading.detection.face:
                    continue
                if _same_place(card.quad_mm, reading.quad_mm) and (
                    reading.detection.card in (card.name, "?") or card.name == "?"
                ):
                    match = card
                    break
            if match is None:
                out.unmatched.append(reading)
            else:
                taken.add(match.track)
                match.vote(reading.detection.card, reading.detection.score)
                match.sight("seen")
                out.seen.append((match, reading))
        return out

    def _arrive(self, reading: Reading, lying: list[TableCard], visit: Visit) -> None:
        """A reading at a place where nothing was known: a moved card, or a new one."""
        name = reading.detection.card
        same = [c for c in lying if c.name == name and c.face == reading.detection.face]
        if name != "?" and len(same) >= self._decks:
            card = same[0]
            card.quad_mm, card.quad_px, card.zone = reading.quad_mm, reading.quad_px, reading.zone
            card.vote(name, reading.detection.score)
            card.sight("seen")
            visit.moved.append(card)
            return
        card = self._make(reading)
        visit.new.append(card)

    def _make(self, reading: Reading) -> TableCard:
        self._tracks += 1
        card = TableCard(self._tracks, reading.quad_mm, reading.quad_px, reading.zone, self._tracks,
                         reading.detection.face)  # fmt: skip
        card.vote(reading.detection.card, reading.detection.score)
        return card

    def _missing(self, card: TableCard, visit: Visit, mask: np.ndarray, scale: float) -> None:
        """A known card was not read in this look: hidden, or gone?"""
        touched = self._touched(card.quad_px, mask, scale)
        if touched < 0.05:
            return
        staying = [c for c in self.cards if c.phase != "gone" and c not in visit.gone] + visit.new
        above = [c.quad_mm for c in staying if c.order > card.order]
        shows = visible_fraction(card.quad_mm, above)
        if shows < _READABLE or touched < _GONE_CHANGE * min(1.0, shows):
            card.sight("hidden")
            return
        card.sight("absent")
        visit.gone.append(card)

    @staticmethod
    def _touched(quad_px: Floats, mask: np.ndarray, scale: float) -> float:
        """Share of a card's area that changed."""
        spot = np.zeros(mask.shape, np.uint8)
        cv2.fillConvexPoly(spot, np.round(quad_px * scale).astype(np.int32), 255)
        return float(np.count_nonzero(spot & mask)) / max(1, int(np.count_nonzero(spot)))

    def _unexplained(self, visit: Visit, mask: np.ndarray, scale: float) -> float:
        """Changed area inside the playing areas outside all cards that came, went or lie there."""
        left = mask.copy()
        lying = [c for c in self.cards if c.phase != "gone"]
        for card in (*visit.new, *visit.gone, *visit.moved, *lying):
            quad = np.round((card.quad_px - card.quad_px.mean(0)) * 1.15 * scale + card.quad_px.mean(0) * scale)
            cv2.fillConvexPoly(left, quad.astype(np.int32), 0)
        left = cv2.erode(left, np.ones((3, 3), np.uint8)).astype(np.uint8)
        middle = self.table.play_area.mean(0, keepdims=True)
        unit = np.array([[0, 0], [CARD_MM[0], 0], [CARD_MM[0], CARD_MM[1]], [0, CARD_MM[1]]], np.float32)
        at = transform(inverse(self.table.to_mm), unit + transform(self.table.to_mm, middle))
        return float(np.count_nonzero(left)) / max(1.0, area(at) * scale * scale)


def _same_place(a: Floats, b: Floats) -> bool:
    near = float(np.linalg.norm(a.mean(0) - b.mean(0))) < _SAME_MM
    return near and angle_apart(card_angle(a), card_angle(b)) < _SAME_DEG and overlap(a, b) > 0
