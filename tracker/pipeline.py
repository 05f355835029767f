"""Frame by frame: glance, wait until the hands are away, read what changed, tell what happened."""

from dataclasses import dataclass
from enum import Enum

import cv2
import numpy as np

from tracker.calibration import Table
from tracker.change import Area, Change, bump, compare
from tracker.geometry import CARD_MM, area, inverse, transform
from tracker.lifecycle import TableCard
from tracker.motion import MotionGate, shrink
from tracker.observations import Observation
from tracker.plays import PlayBook
from tracker.seats import SeatWatch
from tracker.table import Reading, TableTop, Visit
from vision.detector import Detector
from vision.regions import Region, merge_regions
from vision.types import Frame, Image

_STILL_S = 0.18
"""So long nothing must move before a look."""
_ARM_STAYS_S = 4.0
"""An arm that lies still this long is furniture: look all the same, with doubt."""
_LAMP_SHARE = 0.35
_LAMP_STAYS_S = 5.0
"""A change of more than this share of the picture is light, or the camera, not a play; when it
stays, the new view becomes the reference."""
_BUMP_OUTSIDE = 0.015
_LOOKS = 3
_SURE = 0.92
_DOUBTFUL_AREA = 0.35


class Mood(Enum):
    """What the pipeline is waiting for."""

    CLEAR = "clear"
    BUSY = "busy"


@dataclass(frozen=True, slots=True)
class StepResult:
    """What one frame brought. `regions` were read in this step; `moving`: hands are at work."""

    observations: tuple[Observation, ...]
    cards: tuple[TableCard, ...]
    regions: tuple[Region, ...]
    moving: bool


class TablePipeline:
    """Feed it frames in order; it calls the detector as seldom as it can."""

    def __init__(self, table: Table, detector: Detector, decks: int = 1) -> None:
        self.table = table
        self._detector = detector
        self.top = TableTop(table, decks)
        self.book = PlayBook()
        self._set_area(table)
        self._gate = MotionGate(self._area.watch)
        self._reference: Image | None = None
        self._reference_full: Image | None = None
        self._mood = Mood.CLEAR
        self._lamp_since: float | None = None
        self._pending: _Look | None = None
        self.inferences = 0

    def _set_area(self, table: Table) -> None:
        self.table = table
        self.top.table = table
        self._area = Area.of(table)
        self._seats = SeatWatch(table, self._area)

    def step(self, frame: Frame, to_act: int | None = None, rejected: int | None = None) -> StepResult:
        """Look at a frame. `to_act`: the seat whose turn it is, if known; `rejected`: observation
        id of a play that was judged illegal and still lies there."""
        glance = self._gate.step(frame.image, frame.t)
        if self._reference is None:
            return self._begin(frame)
        if glance.still_s == 0.0:
            self._mood = Mood.BUSY
            change = compare(glance.small, self._reference, self._area)
            if change.share < _LAMP_SHARE:
                self._seats.see(change.arms)
            self._pending = None
            return self._nothing(moving=True)
        if (self._mood is Mood.CLEAR and self._pending is None) or glance.still_s < _STILL_S:
            return self._nothing(moving=self._mood is Mood.BUSY)
        change = compare(glance.small, self._reference, self._area)
        if self._disturbed(frame, glance.small, change):
            return self._nothing(moving=False)
        if change.arms and glance.still_s < _ARM_STAYS_S:
            self._seats.see(change.arms)
            return self._nothing(moving=True)
        return self._look(frame, glance.small, change, to_act, rejected)

    def _begin(self, frame: Frame) -> StepResult:
        """The first frame: what lies there already was not played under our eyes."""
        self._take_reference(frame.image, shrink(frame.image))
        regions = self._regions([self._watch_box()], frame.image)
        readings = self._read(frame.image, regions)
        full = np.full(self._area.watch.shape, 255, np.uint8)
        self.top.apply(readings, full, self._area.scale)
        for card in self.top.cards:
            card.sight("seen")
        return StepResult((), tuple(self.top.cards), tuple(regions), False)

    def _look(self, frame: Frame, small: Image, change: Change, to_act: int | None,
              rejected: int | None) -> StepResult:  # fmt: skip
        """The hands are away: read the changed places, once or a few times, then decide."""
        if not change.blobs:
            self._done(frame.image, small)
            return self._nothing(moving=False)
        regions = self._regions([b.box for b in change.blobs], frame.image)
        readings = self._read(frame.image, regions)
        if self._pending is None:
            self._pending = _Look(self.top, change.mask & self._area_mask(change))
        self._pending.add(readings)
        if not self._pending.enough(self._area.scale):
            return StepResult((), tuple(self.top.cards), tuple(regions), True)
        visit = self._pending.settle(self._area.scale)
        self._pending = None
        observations = self._tell(visit, frame.t, to_act, rejected)
        self._done(frame.image, small)
        return StepResult(tuple(observations), tuple(self.top.cards), tuple(regions), False)

    def _tell(self, visit: Visit, t: float, to_act: int | None, rejected: int | None) -> list[Observation]:
        went: list[Observation] = []
        if visit.gone:
            seat = self._seats.guess([c.quad_px for c in visit.gone], None)
            went = self.book.went(visit, seat, t, rejected)
        came: list[Observation] = []
        if visit.new:
            seat = self._seats.guess([c.quad_px for c in visit.new], to_act)
            came = self.book.came(visit, seat, t)
        return went + came

    def _area_mask(self, change: Change) -> np.ndarray:
        mask = np.zeros_like(self._area.watch)
        for blob in change.blobs:
            mask |= blob.mask
        return mask

    def _done(self, image: Image, small: Image) -> None:
        self._take_reference(image, small)
        self._seats.clear()
        self._mood = Mood.CLEAR
        self._lamp_since = None

    def _take_reference(self, image: Image, small: Image) -> None:
        self._reference, self._reference_full = small, image.copy()

    def _disturbed(self, frame: Frame, small: Image, change: Change) -> bool:
        """A lamp or a bump: no play. A bump is followed; a lamp is waited for."""
        reference = self._reference_full
        if reference is None or change.outside < _BUMP_OUTSIDE:
            self._lamp_since = None
            return False
        shift = bump(frame.image, reference)
        if shift is not None and _shifts(shift, self.table.size):
            self._follow(shift, reference)
            self._lamp_since = None
            return False
        if change.share < _LAMP_SHARE:
            return False
        if self._lamp_since is None:
            self._lamp_since = frame.t
        if frame.t - self._lamp_since < _LAMP_STAYS_S:
            return True
        self._done(frame.image, small)
        return True

    def _follow(self, shift: np.ndarray, reference: Image) -> None:
        """The camera was bumped: move the set-up and the known cards along."""
        size = (reference.shape[1], reference.shape[0])
        moved = cv2.warpAffine(reference, shift[:2], size, borderMode=cv2.BORDER_REPLICATE).astype(np.uint8)
        self._set_area(self.table.moved(shift))
        self._gate.watch = self._area.watch
        for card in self.top.cards:
            card.quad_px = transform(shift, card.quad_px)
        self._take_reference(moved, shrink(moved))

    def _regions(self, boxes: list[tuple[int, int, int, int]], image: Image) -> list[Region]:
        scale = self._area.scale
        grown = [(round(a / scale), round(b / scale), round(c / scale), round(d / scale)) for a, b, c, d in boxes]
        return merge_regions(grown, (image.shape[1], image.shape[0]), margin=round(self._card_px() * 0.9))

    def _card_px(self) -> float:
        """Length of a card in the middle of the play area, in pixels."""
        middle = transform(self.table.to_mm, self.table.play_area.mean(0, keepdims=True))
        unit = np.array([[0, 0], [CARD_MM[1], 0], [CARD_MM[1], CARD_MM[1]], [0, CARD_MM[1]]], np.float32)
        return float(np.sqrt(area(transform(inverse(self.table.to_mm), unit + middle))))

    def _watch_box(self) -> tuple[int, int, int, int]:
        x, y, w, h = cv2.boundingRect(self._area.watch)
        return x, y, x + w, y + h

    def _read(self, image: Image, regions: list[Region]) -> list[Reading]:
        self.inferences += 1
        return self.top.readings(self._detector.detect(image, regions))

    def _nothing(self, moving: bool) -> StepResult:
        return StepResult((), tuple(self.top.cards), (), moving)


def _shifts(shift: np.ndarray, size: tuple[int, int]) -> bool:
    """Whether a camera movement is more than the noise of its estimate."""
    corners = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], np.float32)
    return float(np.abs(transform(shift, corners) - corners).max()) > 1.5


class _Look:
    """Up to a few looks at the places that one visit changed, added up."""

    def __init__(self, top: TableTop, mask: np.ndarray) -> None:
        self._top, self._mask = top, mask
        self._best: list[Reading] = []
        self.looks = 0

    def add(self, readings: list[Reading]) -> None:
        """Merge one look: a place keeps its likeliest reading; agreeing looks raise nothing, since
        frames of a still picture repeat the same mistake."""
        self.looks += 1
        for reading in readings:
            twin = next((i for i, r in enumerate(self._best) if _twins(r, reading)), None)
            if twin is None:
                self._best.append(reading)
            elif reading.detection.score > self._best[twin].detection.score:
                self._best[twin] = reading

    def enough(self, scale: float) -> bool:
        """Whether another look is not worth its time."""
        if self.looks >= _LOOKS:
            return True
        sure = all(r.detection.score >= _SURE or r.detection.face == "down" for r in self._best)
        return sure and bool(self._best) and self._unread(scale) < _DOUBTFUL_AREA

    def _unread(self, scale: float) -> float:
        left = self._mask.copy()
        for reading in self._best:
            quad = reading.quad_px * scale
            cv2.fillConvexPoly(left, np.round((quad - quad.mean(0)) * 1.15 + quad.mean(0)).astype(np.int32), 0)
        for card in self._top.cards:
            cv2.fillConvexPoly(left, np.round(card.quad_px * scale).astype(np.int32), 0)
        sizes = [area(r.quad_px) * scale * scale for r in self._best] or [1e9]
        return float(np.count_nonzero(left)) / float(np.median(sizes))

    def settle(self, scale: float) -> Visit:
        """Apply what was seen to the table."""
        return self._top.apply(self._best, self._mask, scale)


def _twins(a: Reading, b: Reading) -> bool:
    near = float(np.linalg.norm(a.quad_mm.mean(0) - b.quad_mm.mean(0)))
    if a.detection.card == b.detection.card and a.detection.card != "?":
        return near < 40
    if "?" in (a.detection.card, b.detection.card):
        return near < 25
    return near < 12
