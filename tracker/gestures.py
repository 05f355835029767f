"""A hand that comes and lays nothing: at the stock it draws, else it knocks or waves, perhaps a pass.

Players knock right before themselves, far from the cards, so that the whole picture is watched
here, on a tiny copy of every frame. Against what lay there calmly, an arm is a changed blob that
comes in over its seat's edge of the table, or from outside the picture.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from tracker.calibration import Table
from tracker.change import Area, Mask
from tracker.geometry import Floats, transform
from tracker.motion import changed
from tracker.seats import SeatGuess, SeatWatch
from vision.types import Image

_WIDTH = 160
"""Of the tiny copy, in pixels: a hand is some ten pixels wide."""
_STEP = 26
_CALM_S, _RENEW_S = 1.0, 0.25
"""What has not changed for so long lies there, until it changes again; how often that is renewed."""
_STAYS_S = 30.0
"""An arm that lies still for longer is furniture."""
_LEAST_REACH_MM = 60.0
"""Hands that hold cards lie at the edge: a gesture comes farther in than they."""
_LEAST_HAND_MM2 = 2500.0
_MOST_SHARE = 0.3
"""A larger part of the picture than this is no arm."""
_LEAST_S, _MOST_S = 0.2, 3.0
_GONE_S = 0.1
_AFTER_S = 0.35
"""So long after a hand has left, what it laid is known."""
_ON_STOCK = 0.1
"""A hand over this share of the stock draws a card."""
_SURE = 0.7


@dataclass(slots=True)
class _Reach:
    """An arm over the table from `since` to `last`; `chances` of the seats, summed over its frames;
    `at_stock`: it was there; `spent`: it did something else than that."""

    since: float
    last: float
    chances: Floats
    at_stock: bool = False
    spent: bool = False


@dataclass(frozen=True, slots=True)
class Gesture:
    """A hand came and left everything as it was, at `t` source seconds."""

    who: SeatGuess
    at_stock: bool
    t: float


class GestureWatch:
    """Follows the arms over the table: `see` every frame, `spend` when a visit did something, and
    `take` a hand that left everything as it was."""

    def __init__(self, table: Table) -> None:
        area = Area.of(table, _WIDTH)
        self._seats = SeatWatch(table, area)
        middles = np.stack([transform(table.to_mm, s.edge_px) for s in table.seats])
        self._inward = np.stack([_inward(edge, area) for edge in middles])
        across, down = (np.gradient(area.place, axis=axis) for axis in (1, 0))
        self._mm2 = np.abs(across[..., 0] * down[..., 1] - across[..., 1] * down[..., 0])
        self._stock: Mask = np.zeros(area.watch.shape, np.uint8)
        if table.stock is not None:
            cv2.fillPoly(self._stock, [np.round(table.stock * area.scale).astype(np.int32)], 255)
        self._calm: Image | None = None
        self._last: Image | None = None
        self._unchanged = np.zeros(area.watch.shape, np.float32)
        self._t = self._renewed = 0.0
        self._reaches: dict[int, _Reach] = {}
        self._left: Gesture | None = None

    def see(self, small: Image, t: float) -> None:
        """Look at the small copy of the next frame, at source time `t` in seconds."""
        height = round(small.shape[0] * _WIDTH / small.shape[1])
        tiny = np.asarray(cv2.resize(small, (_WIDTH, height), interpolation=cv2.INTER_AREA), np.uint8)
        if self._calm is None or self._last is None:
            self._calm, self._last, self._t = tiny.copy(), tiny, t
            return
        arms: Mask = np.zeros(tiny.shape[:2], np.uint8)
        for blob, chances in self._arms(tiny):
            seat = int(chances.argmax())
            reach = self._reaches.setdefault(seat, _Reach(t, t, np.zeros_like(chances)))
            reach.last, reach.chances = t, reach.chances + chances
            reach.at_stock |= self._at_stock(blob)
            if t - reach.since < _STAYS_S:
                arms |= blob
        for seat, reach in list(self._reaches.items()):
            if t - reach.last > _GONE_S:
                self._leave(self._reaches.pop(seat))
        self._unchanged += t - self._t
        self._unchanged[changed(tiny, self._last, _STEP) > 0] = 0
        if t - self._renewed >= _RENEW_S:
            calm = np.asarray((self._unchanged > _CALM_S) & (arms == 0), np.uint8)
            cv2.copyTo(tiny, calm, self._calm)
            self._renewed = t
        self._last, self._t = tiny, t

    def _arms(self, tiny: Image) -> list[tuple[Mask, Floats]]:
        """The arms of a frame: mask, and the chance of every seat."""
        assert self._calm is not None
        mask = cv2.morphologyEx(changed(tiny, self._calm, _STEP), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        count, labels, stats, _ = cv2.connectedComponentsWithStats(np.asarray(mask, np.uint8), connectivity=8)
        arms = []
        for i in range(1, count):
            x, y, w, h, pixels = (int(v) for v in stats[i])
            if pixels < 7 or pixels > _MOST_SHARE * mask.size:
                continue
            blob = np.asarray(np.where(labels == i, 255, 0), np.uint8)
            chances = self._seats.chances(blob)
            if chances is None:
                continue
            inward = self._inward[int(chances.argmax())]
            on_table = (blob > 0) & (inward > 0)
            at_edge = x == 0 or y == 0 or x + w == mask.shape[1] or y + h == mask.shape[0]
            if not at_edge and not ((blob > 0) & (inward <= 0)).any():
                continue
            if self._mm2[on_table].sum() < _LEAST_HAND_MM2 or inward[on_table].max() < _LEAST_REACH_MM:
                continue
            arms.append((blob, chances))
        return arms

    def _at_stock(self, arm: Mask) -> bool:
        return bool(np.count_nonzero(arm & self._stock) > _ON_STOCK * np.count_nonzero(self._stock))

    def _leave(self, reach: _Reach) -> None:
        chance = reach.chances / reach.chances.sum()
        guess = SeatGuess(int(chance.argmax()), round(float(chance.max()), 3))
        if not reach.spent and _LEAST_S <= reach.last - reach.since <= _MOST_S and guess.certainty >= _SURE:
            self._left = Gesture(guess, reach.at_stock, reach.last)

    def spend(self) -> None:
        """A visit brought something, or the picture was disturbed: the arms of now were no gesture."""
        self._left = None
        for reach in self._reaches.values():
            reach.spent = True

    def take(self, t: float) -> Gesture | None:
        """The newest gesture, once, when it is sure that it laid nothing; None most of the time."""
        if self._left is None or t - self._left.t < _AFTER_S:
            return None
        gesture, self._left = self._left, None
        return gesture


def _inward(edge_mm: Floats, area: Area) -> Floats:
    """Millimetres (h, w) of every pixel inside a table edge (2, 2); negative beyond it."""
    along = edge_mm[1] - edge_mm[0]
    normal = np.array([-along[1], along[0]]) / max(1e-6, float(np.linalg.norm(along)))
    side = 1.0 if float((area.centre - edge_mm[0]) @ normal) > 0 else -1.0
    return np.asarray((area.place - edge_mm[0]) @ normal * side, np.float32)
