"""Who did it: arms seen while something moved, the place of the cards, whose turn it is.

Every arm is a blob that reaches into the playing areas; its far part points at a seat. An arm
counts for a card by how often it lay over the card's place.
"""

from collections import deque
from dataclasses import dataclass

import cv2
import numpy as np

from tracker.calibration import Table
from tracker.change import Area, Blob, Mask
from tracker.geometry import Floats, transform

_SPREAD_DEG = 24.0
_TURN_WEIGHT = 1.6
_LONGEST = 240
"""Frames of arms that are remembered in one visit."""


@dataclass(frozen=True, slots=True)
class SeatGuess:
    """The likeliest seat and its certainty 0..1; None when nothing was seen."""

    seat: int | None
    certainty: float


@dataclass(frozen=True, slots=True)
class _ArmView:
    mask: np.ndarray
    seats: Floats


class SeatWatch:
    """Remembers the arms of one visit."""

    def __init__(self, table: Table, area: Area) -> None:
        self._area = area
        ends = np.stack([transform(table.to_mm, s.edge_px).mean(0) for s in table.seats])
        self._bearing = _angles(ends - area.centre)
        self._views: deque[_ArmView] = deque(maxlen=_LONGEST)

    def clear(self) -> None:
        """Forget the arms: a new visit begins."""
        self._views.clear()

    def see(self, arms: tuple[Blob, ...]) -> None:
        """Remember the arms of one frame."""
        for arm in arms:
            chance = self.chances(arm.mask)
            if chance is not None:
                self._views.append(_ArmView(cv2.dilate(arm.mask, np.ones((5, 5), np.uint8)), chance))

    def chances(self, arm: Mask) -> Floats | None:
        """Chance of every seat from the direction of the arm's far part; None when too little."""
        away = np.where(arm > 0, self._area.away, 0)
        far = away > max(8.0, 0.6 * float(away.max()))
        if int(far.sum()) < 5:
            return None
        middle = self._area.place[far].mean(0) - self._area.centre
        apart = (_angles(middle[None]) - self._bearing + 180) % 360 - 180
        chance = np.exp(-0.5 * (apart / _SPREAD_DEG) ** 2) + 1e-4
        return np.asarray(chance / chance.sum(), np.float32)

    def guess(self, quads_px: list[Floats], to_act: int | None) -> SeatGuess:
        """Who moved the cards at these places (pixels of the frame)."""
        spot = np.zeros(self._area.watch.shape, np.uint8)
        for quad in quads_px:
            cv2.fillConvexPoly(spot, np.round(quad * self._area.scale).astype(np.int32), 255)
        size = max(1, int(np.count_nonzero(spot)))
        total = np.zeros(len(self._bearing), np.float64)
        for view in self._views:
            share = np.count_nonzero(view.mask & spot) / size
            if share > 0.03:
                total += view.seats * min(1.0, 2 * share)
        if total.sum() < 0.05:
            # No arm seen over the cards: only the turn order is left, and that is a guess.
            return SeatGuess(to_act, 0.5 if to_act is not None else 0.0)
        chance = total / total.sum()
        if to_act is not None:
            weight = np.ones_like(chance)
            weight[to_act] = _TURN_WEIGHT
            chance = chance * weight / (chance * weight).sum()
        seat = int(chance.argmax())
        return SeatGuess(seat, round(float(chance[seat]), 3))


def _angles(vectors: Floats) -> Floats:
    return np.asarray(np.degrees(np.arctan2(vectors[:, 1], vectors[:, 0])), np.float32)
