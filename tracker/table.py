"""What lies on the table now: readings of changed places become cards that came, stayed or went."""

from dataclasses import dataclass, field

import cv2
import numpy as np

from tracker.calibration import Table
from tracker.change import Mask
from tracker.evidence import Evidence, filled
from tracker.geometry import (
    CARD_MM,
    Floats,
    angle_apart,
    area,
    card_angle,
    fit_card,
    inside,
    inverse,
    transform,
)
from tracker.lifecycle import TableCard
from tracker.votes import Vote, Votes, leading
from vision.polygons import overlap, visible_fraction
from vision.types import Box, Detection, Image

_SAME_MM, _SAME_DEG = 20.0, 14.0
"""A card read again lies within this of where it was known to lie."""
_OUTSIDE_MM = 35.0
"""A card's middle may lie this far outside its area."""
_SIZES = (0.62, 1.6)
"""Sides of a believable card, in card sizes."""
_ON_STOCK_MM = 25.0
_TOUCHED = 0.06
"""A smaller changed share of a card's place is noise or a shadow."""
_ROUGHLY = 0.3
_BARE = 0.6
_UNDONE, _THERE = 0.75, 0.3
_READABLE = 0.3
_NOTHING_LEFT = 0.2
"""Cards' worth of things in all areas below which the table is empty."""
_PIECE = 0.16
"""Changed and unexplained, in card sizes: a card that could not be read."""
_STRIP_MM = 11.0
"""Thinner unexplained pieces come from rough corners."""
_PUSHED_MM = 200.0
"""Hands that tidy the table don't push a card farther than this."""
_BELIEVED = 0.5
_MISREAD = 0.4
"""Factor on the certainty of a name that a one-deck table already shows elsewhere."""


@dataclass(slots=True)
class Visit:
    """What one visit did: cards that came, went, or only moved; `named`: lying cards whose face was
    read for the first time now."""

    new: list[TableCard] = field(default_factory=list)
    gone: list[TableCard] = field(default_factory=list)
    moved: list[TableCard] = field(default_factory=list)
    named: list[TableCard] = field(default_factory=list)

    @property
    def did_something(self) -> bool:
        """Whether anything is different now."""
        return bool(self.new or self.gone or self.moved or self.named)


@dataclass(frozen=True, slots=True)
class Reading:
    """A detection that could be a card on this table. `votes`: those of
    the looks of one visit; `indices`: those of its corners that any of the looks has shown."""

    detection: Detection
    quad_mm: Floats
    quad_px: Floats
    zone: str
    votes: Votes
    indices: tuple[Box, ...] = ()

    @property
    def name(self) -> str:
        """The name with the most votes."""
        return leading(self.votes)


class TableTop:
    """The cards that are known to lie on the table, oldest first."""

    def __init__(self, table: Table, decks: int = 1) -> None:
        self.table = table
        self.cards: list[TableCard] = []
        self.decks = decks
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
            zone = self._zone(quad, detection.face)
            if zone is not None:
                votes = {} if detection.card == "?" else {detection.card: Vote(detection.score, detection.score)}
                out.append(Reading(detection, quad, transform(to_px, quad), zone, votes, detection.boxes))
        return out

    def _zone(self, quad_mm: Floats, face: str) -> str | None:
        """The area that a card lies in; backs on the stock are the stock, no card laid."""
        middle = quad_mm.mean(0)
        stock = self.table.stock
        if face == "down" and stock is not None and inside(middle, transform(self.table.to_mm, stock), _ON_STOCK_MM):
            return None
        for zone, polygon in (("discard", self.table.discard_area), ("play", self.table.play_area)):
            if polygon is not None and inside(middle, transform(self.table.to_mm, polygon), _OUTSIDE_MM):
                return zone
        return None

    def begin(self, readings: list[Reading]) -> None:
        """What lies there at the first look. Doubtful readings are left out: nothing came yet that
        could be asked about."""
        for reading in readings:
            if reading.detection.score < _BELIEVED:
                continue
            card = self._make(reading.quad_mm, reading.quad_px, reading.zone, reading.detection.face)
            card.take(reading.votes, reading.detection.score)
            card.boxes = reading.detection.boxes
            card.sight("seen")
            self.cards.append(card)

    def apply(self, readings: list[Reading], evidence: Evidence, areas: Mask) -> Visit:
        """The state after a visit. `areas` masks the playing areas on the evidence's copy; what
        did not change is left alone."""
        visit = Visit()
        lying = list(self.cards)
        fresh = self._again(readings, evidence, visit)
        for reading in fresh:
            self._arrive(reading, evidence, visit)
        empty = self._things(evidence, areas) < _NOTHING_LEFT
        for card in reversed(lying):
            if empty or not (card.looked or card in visit.moved):
                self._missing(card, evidence, visit, empty)
        if not empty:
            self._unread(evidence, areas, visit)
        else:
            visit.new.clear()
        for card in lying:
            card.looked = False
        self.cards = [c for c in self.cards if c.phase != "gone"] + visit.new
        return visit

    def _again(self, readings: list[Reading], evidence: Evidence, visit: Visit) -> list[Reading]:
        """Match readings with cards that are known to lie there; returns the others."""
        fresh = []
        for reading in readings:
            card = self._known(reading, evidence)
            if card is not None:
                was = card.name
                card.take(reading.votes, reading.detection.score)
                card.boxes = reading.detection.boxes
                card.sight("seen")
                card.looked = True
                if was == "?" and card.name != "?":
                    card.quad_mm, card.quad_px = reading.quad_mm, reading.quad_px
                    visit.named.append(card)
            elif self._is_new(reading, evidence):
                fresh.append(reading)
        return fresh

    def _known(self, reading: Reading, evidence: Evidence) -> TableCard | None:
        """The lying card that a reading shows again; an unread one may have been placed roughly."""
        cards = [c for c in self.cards if not c.looked and c.face == reading.detection.face]
        for card in cards:
            named = reading.name in (card.name, "?") or card.name == "?"
            if named and _same_place(card.quad_mm, reading.quad_mm):
                return card
        if reading.name == "?" or self._is_new(reading, evidence):
            return None
        shared = CARD_MM[0] * CARD_MM[1] * _ROUGHLY
        return next((c for c in cards if c.name == "?" and overlap(c.quad_mm, reading.quad_mm) > shared), None)

    def _is_new(self, reading: Reading, evidence: Evidence) -> bool:
        """Whether every index of a reading lies on changed ground: an old card's lies still."""
        if evidence.share(evidence.changed, reading.quad_px) < _TOUCHED:
            return False
        corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
        boxes = [corners * np.array(b[2:], np.float32) + np.array(b[:2], np.float32) for b in reading.detection.boxes]
        return all(evidence.share(evidence.changed, box) >= _TOUCHED for box in boxes)

    def _arrive(self, reading: Reading, evidence: Evidence, visit: Visit) -> None:
        """A reading at a place where nothing was known: a moved card, or a new one."""
        name = reading.name
        same = [c for c in self.cards if c.name == name and c.face == reading.detection.face and not c.looked]
        twins = [c for c in (*self.cards, *visit.new) if c.name == name and name != "?"]
        away = [c for c in same if name != "?" and evidence.share(evidence.changed, c.quad_px) >= _TOUCHED]
        if away and len(twins) >= self.decks:
            card = away[0]
            card.quad_mm, card.quad_px, card.zone = reading.quad_mm, reading.quad_px, reading.zone
            card.take(reading.votes, reading.detection.score)
            card.boxes = reading.detection.boxes
            card.sight("seen")
            card.before = card.after = None
            visit.moved.append(card)
            return
        card = self._make(reading.quad_mm, reading.quad_px, reading.zone, reading.detection.face)
        card.take(reading.votes, reading.detection.score)
        card.boxes = reading.detection.boxes
        if len(twins) >= self.decks:
            card.doubt = _MISREAD
        visit.new.append(card)

    def _make(self, quad_mm: Floats, quad_px: Floats, zone: str, face: str) -> TableCard:
        self._tracks += 1
        return TableCard(self._tracks, quad_mm, quad_px, zone, self._tracks, face)

    def _missing(self, card: TableCard, evidence: Evidence, visit: Visit, empty: bool) -> None:
        """A known card was not read in this view: hidden, or gone? When in doubt, hidden."""
        touched = evidence.share(evidence.changed, card.quad_px)
        if empty or (touched >= _TOUCHED and self._went(card, evidence, visit)):
            card.sight("absent")
            visit.gone.append(card)
        elif touched >= _TOUCHED:
            card.sight("hidden")

    def _went(self, card: TableCard, evidence: Evidence, visit: Visit) -> bool:
        if evidence.share(evidence.bare, card.quad_px) >= _BARE:
            return True
        if card.before is None or card.after is None:
            return False
        above = [c.quad_mm for c in (*self.cards, *visit.new) if c.order > card.order and c.phase != "gone"]
        if visible_fraction(card.quad_mm, above) < _READABLE:
            return False
        besides = [c.quad_px for c in self.cards if c.looked and c.before is card.before]
        undone = evidence.undone(card.quad_px, card.before, card.after, besides)
        return undone is not None and undone >= _UNDONE

    def _things(self, evidence: Evidence, areas: Mask) -> float:
        """Area in the playing areas that is not bare table, in cards."""
        things = cv2.morphologyEx(areas & ~evidence.bare, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
        return float(np.count_nonzero(things)) / self._card_pixels(evidence.scale)

    def _unread(self, evidence: Evidence, areas: Mask, visit: Visit) -> None:
        """Changed places that hold something no reading explains become "?" cards, or the new
        place of a card that was pushed."""
        lying = [c for c in self.cards if c.phase != "gone"]
        quads = [c.quad_px * evidence.scale for c in (*lying, *visit.new)]
        left = areas & evidence.changed & ~evidence.bare
        left = np.asarray(cv2.morphologyEx(left, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8)), np.uint8)
        left = left & ~filled(left.shape, quads, grow=2)
        card = self._card_pixels(evidence.scale)
        strip = max(3, round(_STRIP_MM / CARD_MM[0] * float(np.sqrt(card * CARD_MM[0] / CARD_MM[1]))))
        left = np.asarray(cv2.morphologyEx(left, cv2.MORPH_OPEN, np.ones((strip, strip), np.uint8)), np.uint8)
        count, labels, stats, _ = cv2.connectedComponentsWithStats(left, connectivity=8)
        for i in range(1, count):
            if stats[i, cv2.CC_STAT_AREA] < _PIECE * card:
                continue
            self._piece(np.asarray(labels == i, np.uint8), evidence, visit)

    def _piece(self, piece: Mask, evidence: Evidence, visit: Visit) -> None:
        points = cv2.findNonZero(piece)
        rough = np.asarray(cv2.boxPoints(cv2.minAreaRect(points)), np.float32) / evidence.scale
        mm = transform(self.table.to_mm, rough)
        zone = self._zone(mm, "up")
        if zone is None:
            return
        quad_mm = fit_card(mm)
        quad_px = transform(inverse(self.table.to_mm), quad_mm)
        card = None if visit.new else self._pushed(quad_mm, visit)
        if card is not None:
            visit.gone.remove(card)
            card.quad_mm, card.quad_px = quad_mm, quad_px
            card.before = card.after = None
            card.boxes = ()
            card.sight("seen")
            visit.moved.append(card)
            return
        visit.new.append(self._make(quad_mm, quad_px, zone, "up"))

    def _pushed(self, quad_mm: Floats, visit: Visit) -> TableCard | None:
        """The card that went elsewhere and lies here now: beside its old place, or half under another
        card that is not far."""
        apart = {c.track: float(np.linalg.norm(c.quad_mm.mean(0) - quad_mm.mean(0))) for c in visit.gone}
        for card in sorted(visit.gone, key=lambda c: apart[c.track]):
            if overlap(card.quad_mm, quad_mm) > 0:
                return card
            over = any(overlap(c.quad_mm, quad_mm) > 0 for c in self.cards if c.phase != "gone")
            if over and apart[card.track] < _PUSHED_MM:
                return card
        return None

    def _card_pixels(self, scale: float) -> float:
        """Area of a card in the middle of the play area, in copy pixels."""
        middle = transform(self.table.to_mm, self.table.play_area.mean(0, keepdims=True))
        unit = np.array([[0, 0], [CARD_MM[0], 0], [CARD_MM[0], CARD_MM[1]], [0, CARD_MM[1]]], np.float32)
        return max(1.0, area(transform(inverse(self.table.to_mm), unit + middle)) * scale * scale)

    def remember(self, visit: Visit, before: Image, after: Image) -> None:
        """Keep the pictures before and after the cards of a visit were laid."""
        for card in visit.new:
            card.before, card.after = before, after


def _same_place(a: Floats, b: Floats) -> bool:
    near = float(np.linalg.norm(a.mean(0) - b.mean(0))) < _SAME_MM
    return near and angle_apart(card_angle(a), card_angle(b)) < _SAME_DEG and overlap(a, b) > 0
