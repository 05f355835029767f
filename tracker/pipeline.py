"""Frame by frame: glance, wait until the hands are away, read what changed, tell what happened."""

from dataclasses import dataclass, replace
from enum import Enum
from itertools import combinations

import cv2
import numpy as np

from tracker.calibration import Table
from tracker.change import Area, Change, Mask, brightness, bump, compare, relit
from tracker.corners import coincide, distinct, one_card, well_placed
from tracker.evidence import MID, Background, Evidence, filled, mid_copy
from tracker.geometry import CARD_MM, area, inverse, transform
from tracker.gestures import GestureWatch
from tracker.lifecycle import TableCard
from tracker.looks import MORE_ZOOMS, ZOOMS, Looks, read_zoomed, suited_zoom
from tracker.motion import Glance, MotionGate, changed, shrink
from tracker.observations import Observation
from tracker.plays import PlayBook, has_hole
from tracker.seats import SeatWatch
from tracker.table import TableTop, Visit
from vision.detector import Detector
from vision.regions import Region, merge_regions
from vision.types import Detection, Frame, Image

_ON_CHANGED, _WEAK_DOUBT = 0.3, 0.85
"""A weak reading on changed ground may be a card that was missed, and where cards have four indices
a card may be another's corner: the play is asked about rather than accused."""
_STILL_S = 0.18
"""So long nothing must move before a look."""
_ARM_STAYS_S = 4.0
"""An arm that lies still this long is furniture: look all the same."""
_SCENE_SHARE = 0.35
_SCENE_STAYS_S = 5.0
"""A change of more than this share of the picture is no play; when it stays, the new view becomes
the reference."""
_LIGHT = (0.5, 2.0)
"""Brightness against the reference within which cards are still read."""
_BUMP_OUTSIDE = 0.015
_SURE = 0.92
_STEP = 26


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


@dataclass(frozen=True, slots=True)
class _Still:
    """The last still view: small copy, middle copy, and the whole frame."""

    small: Image
    mid: Image
    full: Image

    @staticmethod
    def of(image: Image) -> "_Still":
        return _Still(shrink(image), mid_copy(image), image.copy())


class TablePipeline:
    """Feed it frames in order; it calls the detector as seldom as it can.

    `inferences` counts the looks (calls of the detector on all changed regions of a frame).
    """

    def __init__(self, table: Table, detector: Detector, decks: int = 1) -> None:
        self.table = table
        self._detector = detector
        self.top = TableTop(table, decks)
        self.book = PlayBook()
        self._set_area(table)
        self._gate = MotionGate(self._area.watch)
        self._still: _Still | None = None
        self._background: Background | None = None
        self._mood = Mood.CLEAR
        self._scene_since: float | None = None
        self._looks: Looks | None = None
        self._four_indices = False
        """Whether some card has shown more than two of its corners' indices."""
        self.inferences = 0

    def _set_area(self, table: Table) -> None:
        self.table = table
        self.top.table = table
        self._area = Area.of(table)
        self._seats = SeatWatch(table, self._area)
        self._gestures = GestureWatch(table)
        middle = transform(table.to_mm, table.play_area.mean(0, keepdims=True))
        unit = np.array([[0, 0], [CARD_MM[1], 0], [CARD_MM[1], CARD_MM[1]], [0, CARD_MM[1]]], np.float32)
        self._card_px = float(np.sqrt(area(transform(inverse(table.to_mm), unit + middle))))
        self._mid_scale = MID / table.size[0]
        height = round(table.size[1] * self._mid_scale)
        polygons = [p for p in (table.play_area, table.discard_area) if p is not None]
        grow = round(self._card_px * self._mid_scale / 2)
        self._mid_areas = filled_polygons((height, MID), [p * self._mid_scale for p in polygons], grow)
        if table.stock is not None:
            self._mid_areas &= ~filled_polygons((height, MID), [table.stock * self._mid_scale], grow // 4)

    @property
    def still(self) -> Image | None:
        """The whole picture of the last still view, which the next visit of a hand is compared with.
        It is replaced, never changed; None before the first frame."""
        return None if self._still is None else self._still.full

    def step(
        self, frame: Frame, to_act: int | None = None, rejected: int | None = None, may_pass: int | None = None,
        may_draw: bool = False,
    ) -> StepResult:  # fmt: skip
        """Look at a frame. `to_act`: the seat whose turn it is, if known; `rejected`: observation
        id of a play that was judged illegal and still lies there; `may_pass`: the seat whose hand
        passes if it comes and lays nothing; `may_draw`: cards are drawn now, so that a hand at the
        stock means something."""
        glance = self._gate.step(frame.image, frame.t)
        self._gestures.see(glance.small, frame.t)
        result = self._follow_visit(frame, glance, to_act, rejected)
        if result.observations or self._mood is Mood.BUSY:
            return result
        lasted = self.book.settle(frame.t)
        if lasted:
            return replace(result, observations=tuple(lasted))
        gesture = self._gestures.take(frame.t)
        if gesture is None:
            return result
        if gesture.at_stock:
            return replace(result, observations=(self.book.drew(gesture.who, frame.t),)) if may_draw else result
        passes = may_pass is not None and gesture.who.seat == may_pass
        return replace(result, observations=(self.book.passed(gesture.who, frame.t),)) if passes else result

    def _follow_visit(
        self, frame: Frame, glance: Glance, to_act: int | None, rejected: int | None
    ) -> StepResult:
        """Wait until the hands are away, then look."""
        if self._still is None:
            return self._begin(frame)
        if glance.still_s == 0.0:
            self._mood = Mood.BUSY
            self._looks = None
            change = compare(glance.small, self._still.small, self._area)
            if change.share < _SCENE_SHARE:
                self._seats.see(change.arms)
            else:
                self._gestures.spend()
            return self._nothing(moving=True)
        if self._mood is Mood.CLEAR or glance.still_s < _STILL_S:
            return self._nothing(moving=self._mood is Mood.BUSY)
        light = brightness(glance.small, self._still.small)
        change = compare(glance.small, self._still.small, self._area)
        if self._disturbed(frame, change, light):
            self._gestures.spend()
            return self._nothing(moving=False)
        if change.arms and glance.still_s < _ARM_STAYS_S:
            self._seats.see(change.arms)
            return self._nothing(moving=True)
        return self._look(frame, change, to_act, rejected)

    def _begin(self, frame: Frame) -> StepResult:
        """The first frame: what lies there already was not played under our eyes."""
        still = self._still = _Still.of(frame.image)
        x, y, w, h = cv2.boundingRect(self._area.watch)
        regions = self._regions([(x, y, x + w, y + h)], frame.image, margin=0.0)
        self.top.begin(self.top.readings(self._read(frame.image, regions, 0)))
        self.book.found = list(self.top.cards)
        self._background = Background(still.mid, self._mid_areas, self._covered())
        return StepResult((), tuple(self.top.cards), tuple(regions), False)

    def _look(self, frame: Frame, change: Change, to_act: int | None, rejected: int | None) -> StepResult:
        """The hands are away: read the changed places, once or a few times, then decide."""
        assert self._still is not None
        assert self._background is not None
        if not change.blobs:
            self._done(frame.image, None)
            return self._nothing(moving=False)
        looks = self._looks = self._looks or Looks()
        margin = 0.9 if looks.count < len(ZOOMS) else 1.3
        regions = self._regions([b.box for b in change.blobs], frame.image, margin=margin)
        copy = mid_copy(frame.image)
        bare = self._background.bare(copy)
        if not self._all_bare(bare, regions):
            looks.add(self.top.readings(self._read(frame.image, regions, looks.count)))
            if looks.count < len(ZOOMS) and not looks.sure(_SURE):
                return StepResult((), tuple(self.top.cards), tuple(regions), True)
        else:
            regions = []
        differs = changed(copy, relit(self._still.mid, copy), _STEP)
        evidence = Evidence(copy, differs, bare, self._mid_scale)
        believed = distinct(looks.believed(), evidence, self.top.decks)
        if regions and looks.count < len(MORE_ZOOMS):
            fresh = [r.quad_mm for r in believed if evidence.share(differs, r.quad_px) > _ON_CHANGED]
            if has_hole(fresh):
                return StepResult((), tuple(self.top.cards), tuple(regions), True)
        visit = self.top.apply(believed, evidence, self._mid_areas)
        self._four_indices |= any(len(r.detection.boxes) > 2 and well_placed(r) == 2 for r in believed)
        doubted = [r for r in looks.doubted() if evidence.share(differs, r.quad_px) > _ON_CHANGED]
        weak = any(not any(one_card(r, card, evidence, self.top.decks) for card in believed) for r in doubted)
        if self._four_indices and not weak:
            weak = any(coincide(a, b, evidence) for a, b in combinations(believed, 2))
        if weak or visit.did_something:
            self._gestures.spend()
        observations = self._tell(visit, frame.t, to_act, rejected, _WEAK_DOUBT if weak else 1.0)
        self._done(frame.image, visit)
        return StepResult(tuple(observations), tuple(self.top.cards), tuple(regions), False)

    def _all_bare(self, bare: Mask, regions: list[Region]) -> bool:
        """Whether there is nothing to read: the changed places show the empty table only."""
        left = self._mid_areas & ~bare
        boxes = filled_boxes(left.shape, regions, self._mid_scale)
        things = cv2.morphologyEx(left & boxes, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
        return int(np.count_nonzero(things)) < 0.1 * (self._card_px * self._mid_scale) ** 2

    def _tell(self, visit: Visit, t: float, to_act: int | None, rejected: int | None,
              doubt: float) -> list[Observation]:  # fmt: skip
        told: list[Observation] = []
        if visit.gone:
            seat = self._seats.guess([c.quad_px for c in visit.gone], None)
            told += self.book.went(visit.gone, seat, t, rejected)
        elif visit.named:
            told += self.book.named(visit.named, t)
        if visit.new:
            seat = self._seats.guess([c.quad_px for c in visit.new], to_act)
            told += self.book.came(visit.new, seat, t, doubt)
        return told

    def _done(self, image: Image, visit: Visit | None) -> None:
        """A visit is over: this view is what the next one is compared with."""
        assert self._still is not None
        assert self._background is not None
        before = self._still.mid
        self._still = _Still.of(image)
        if visit is not None:
            self.top.remember(visit, before, self._still.mid)
        self._background.learn(self._still.mid, self._covered())
        self._seats.clear()
        self._looks = None
        self._mood = Mood.CLEAR
        self._scene_since = None

    def _covered(self) -> Mask:
        height = round(self.table.size[1] * self._mid_scale)
        return filled((height, MID), [c.quad_px * self._mid_scale for c in self.top.cards], grow=6)

    def _disturbed(self, frame: Frame, change: Change, light: float) -> bool:
        """A lamp or a bump: no play. A bump is followed; a lamp is waited for."""
        assert self._still is not None
        dark = not _LIGHT[0] <= light <= _LIGHT[1]
        if not dark and change.outside >= _BUMP_OUTSIDE:
            shift = bump(frame.image, self._still.full)
            if shift is not None and _shifts(shift, self.table.size):
                self._follow(shift)
                self._scene_since = None
                return False
        if not dark and change.share < _SCENE_SHARE:
            self._scene_since = None
            return False
        if self._scene_since is None:
            self._scene_since = frame.t
        if frame.t - self._scene_since >= _SCENE_STAYS_S:
            self._done(frame.image, None)
        return True

    def _follow(self, shift: np.ndarray) -> None:
        """The camera was bumped: move the set-up, the known cards and the pictures along."""
        assert self._still is not None
        assert self._background is not None
        mid_shift = shift.copy()
        mid_shift[:2, 2] *= self._mid_scale

        def moved(picture: Image, by: np.ndarray) -> Image:
            size = (picture.shape[1], picture.shape[0])
            return np.asarray(cv2.warpAffine(picture, by[:2], size, borderMode=cv2.BORDER_REPLICATE), np.uint8)

        self._set_area(self.table.moved(shift))
        self._gate.watch = self._area.watch
        seen: dict[int, Image] = {}
        for card in self.top.cards:
            card.quad_px = transform(shift, card.quad_px)
            card.boxes = ()  # where they are now is known when the card is read again
            for picture in (card.before, card.after):
                if picture is not None and id(picture) not in seen:
                    seen[id(picture)] = moved(picture, mid_shift)
            card.before = None if card.before is None else seen[id(card.before)]
            card.after = None if card.after is None else seen[id(card.after)]
        self._background.follow(mid_shift, self._mid_areas)
        self._still = _Still.of(moved(self._still.full, shift))

    def _regions(self, boxes: list[tuple[int, int, int, int]], image: Image, margin: float) -> list[Region]:
        scale = self._area.scale
        grown = [(round(a / scale), round(b / scale), round(c / scale), round(d / scale)) for a, b, c, d in boxes]
        return merge_regions(grown, (image.shape[1], image.shape[0]), margin=round(self._card_px * margin))

    def _read(self, image: Image, regions: list[Region], look: int) -> list[Detection]:
        self.inferences += 1
        return read_zoomed(self._detector, image, regions, suited_zoom(self._card_px) * MORE_ZOOMS[look])

    def _nothing(self, moving: bool) -> StepResult:
        return StepResult((), tuple(self.top.cards), (), moving)


def filled_polygons(shape: tuple[int, int], polygons: list[np.ndarray], grow: int) -> Mask:
    """Mask of simple polygons, grown by `grow` pixels."""
    mask = np.zeros(shape, np.uint8)
    for polygon in polygons:
        cv2.fillPoly(mask, [np.round(polygon).astype(np.int32)], 255)
    return np.asarray(cv2.dilate(mask, np.ones((2 * grow + 1, 2 * grow + 1), np.uint8)), np.uint8)


def filled_boxes(shape: tuple[int, ...], boxes: list[Region], scale: float) -> Mask:
    """Mask of boxes given in frame pixels."""
    mask = np.zeros(shape[:2], np.uint8)
    for x0, y0, x1, y1 in boxes:
        mask[int(y0 * scale) : int(y1 * scale) + 1, int(x0 * scale) : int(x1 * scale) + 1] = 255
    return mask


def _shifts(shift: np.ndarray, size: tuple[int, int]) -> bool:
    """Whether a camera movement is more than the noise of its estimate."""
    corners = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], np.float32)
    return float(np.abs(transform(shift, corners) - corners).max()) > 1.5
