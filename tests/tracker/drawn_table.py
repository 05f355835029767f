"""A card table that is drawn, not filmed, and eyes that read the drawing.

The tracker's logic is tested on real pictures (motion, arms, lamps, bumps), but a small reader
stands in for the networks: a card's index is a patch whose hue is its name, its upper half
brighter than its lower, so that the pixels alone give name, place and turn. A patch that is partly
covered isn't read.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from tracker.calibration import Table, parse_table
from tracker.geometry import CARD_MM, Floats, inverse, transform
from tracker.observations import Observation
from tracker.pipeline import StepResult, TablePipeline
from vision.regions import Region
from vision.types import Box, Detection, Frame, Image

Corner = tuple[Floats, Box]
"""What one index tells: the card's corners and the index's own box."""
SIZE = (1280, 720)
FPS = 15.0
NAMES = ("3s", "4s", "5s", "6s", "7s", "8s", "9s", "Ts", "Js", "Qs", "Ks", "As")
"""Every one has a hue of its own."""
_HUE_STEP = 180 // len(NAMES)
_INDEX_MM, _INDEX_AT = (11.0, 22.0), (4.0, 5.0)
_SKIN = (120, 150, 195)
DOCUMENT: dict[str, object] = {
    "size": list(SIZE),
    "table_px": [[140, -140], [1140, -140], [1140, 860], [140, 860]],
    "play_area_px": [[340, 110], [840, 110], [840, 610], [340, 610]],
    "discard_area_px": [[880, 180], [1060, 180], [1060, 540], [880, 540]],
    "stock_px": [[900, 570], [1000, 570], [1000, 680], [900, 680]],
    "seats": [
        {"index": 0, "name": "S", "edge_px": [[140, 860], [1140, 860]]},
        {"index": 1, "name": "W", "edge_px": [[140, -140], [140, 860]]},
        {"index": 2, "name": "N", "edge_px": [[1140, -140], [140, -140]]},
        {"index": 3, "name": "E", "edge_px": [[1140, 860], [1140, -140]]},
    ],
}
_ENTRY = ((620.0, 800.0), (-80.0, 380.0), (640.0, -80.0), (1360.0, 350.0))
"""Where the arm of each seat comes into the picture."""


def drawn_layout() -> Table:
    """The set-up of the drawn table."""
    return parse_table(DOCUMENT)


@dataclass(frozen=True)
class Lying:
    """A card: name ("?" has no index, "back" shows its back), middle in pixels, turn in degrees."""

    name: str
    x: float
    y: float
    turn: float = 0.0

    def quad(self) -> Floats:
        """Corners in pixels, the upright card's top left first."""
        scale = 1000 / 900
        half = np.array(CARD_MM) * scale / 2
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
        c, s = math.cos(math.radians(self.turn)), math.sin(math.radians(self.turn))
        return np.asarray(corners @ np.array([[c, s], [-s, c]]) + (self.x, self.y), np.float32)


@dataclass(frozen=True)
class Arm:
    """An arm of a seat whose hand is at (x, y) pixels."""

    seat: int
    x: float
    y: float

    @staticmethod
    def towards(seat: int, x: float, y: float, way: float) -> "Arm":
        """An arm that has come `way` (0..1) from its seat to (x, y)."""
        a, b = _ENTRY[seat]
        return Arm(seat, a + (x - a) * way, b + (y - b) * way)


def wood(seed: int = 5) -> Image:
    """A dull table top with grain, (720, 1280, 3)."""
    rng = np.random.default_rng(seed)
    rough = rng.normal(0, 9, (SIZE[1] // 6, SIZE[0] // 24)).astype(np.float32)
    grain = cv2.resize(rough, SIZE, interpolation=cv2.INTER_CUBIC)
    fine = cv2.GaussianBlur(rng.normal(0, 12, (SIZE[1], SIZE[0])).astype(np.float32), (0, 0), 1.6)
    top = np.array([52, 74, 96], np.float32) + (grain + fine)[..., None]
    return np.asarray(np.clip(top, 0, 255), np.uint8)


class Painter:
    """Draws frames. `light` scales the brightness, `bumped` is a 2x3 movement of the camera."""

    def __init__(self, seed: int = 5) -> None:
        self._top = wood(seed)
        rng = np.random.default_rng(seed)
        self._noise = [rng.integers(-3, 4, self._top.shape, dtype=np.int16) for _ in range(3)]
        self._count = 0
        self._key: object = None
        self._kept = self._top
        self.light = 1.0
        self.bumped: np.ndarray | None = None

    def draw(self, lying: Sequence[Lying], arm: Arm | None = None) -> Image:
        """One frame, later cards on top of earlier ones."""
        self._count += 1
        noise = self._noise[self._count % len(self._noise)]
        picture = cv2.convertScaleAbs(self._scene(tuple(lying), arm), alpha=self.light)
        return np.asarray(cv2.add(picture, noise, dtype=cv2.CV_8U), np.uint8)

    def _scene(self, lying: tuple[Lying, ...], arm: Arm | None) -> Image:
        """The scene without noise, kept for as long as nothing changes."""
        key = lying, arm, None if self.bumped is None else self.bumped.tobytes()
        if key != self._key:
            picture = self._top.copy()
            for card in lying:
                _draw_card(picture, card)
            if arm is not None:
                _draw_arm(picture, arm)
            if self.bumped is not None:
                picture = np.asarray(
                    cv2.warpAffine(picture, self.bumped, SIZE, borderMode=cv2.BORDER_REFLECT), np.uint8
                )
            self._key, self._kept = key, picture
        return self._kept


def _draw_card(picture: Image, card: Lying) -> None:
    quad = card.quad()
    body = (235, 238, 240) if card.name != "back" else (150, 60, 40)
    cv2.fillConvexPoly(picture, np.round(quad).astype(np.int32), body, cv2.LINE_AA)
    cv2.polylines(picture, [np.round(quad).astype(np.int32)], True, (90, 90, 90), 1, cv2.LINE_AA)
    if card.name == "back":
        inner = (quad - quad.mean(0)) * 0.8 + quad.mean(0)
        cv2.polylines(picture, [np.round(inner).astype(np.int32)], True, (230, 230, 230), 2, cv2.LINE_AA)
        return
    if card.name == "?":
        return
    hue = NAMES.index(card.name) * _HUE_STEP
    for corners in (quad, np.roll(quad, 2, 0)):  # the index again, turned, at the other end
        across, down = (corners[1] - corners[0]) / CARD_MM[0], (corners[3] - corners[0]) / CARD_MM[1]
        for part, value in ((0, 250), (1, 150)):
            top = _INDEX_AT[1] + part * _INDEX_MM[1] / 2
            spots = [(0, 0), (1, 0), (1, 1), (0, 1)]
            patch = [
                corners[0] + across * (_INDEX_AT[0] + u * _INDEX_MM[0]) + down * (top + v * _INDEX_MM[1] / 2)
                for u, v in spots
            ]
            colour = cv2.cvtColor(np.full((1, 1, 3), (hue, 255, value), np.uint8), cv2.COLOR_HSV2BGR)[0, 0]
            points = np.round(np.array(patch) * 16).astype(np.int32)
            cv2.fillConvexPoly(picture, points, [int(v) for v in colour], cv2.LINE_AA, shift=4)


def _draw_arm(picture: Image, arm: Arm) -> None:
    start, end = np.array(_ENTRY[arm.seat]), np.array([arm.x, arm.y])
    cv2.line(picture, *(tuple(int(v) for v in p) for p in (start, end)), _SKIN, 64, cv2.LINE_AA)
    cv2.circle(picture, (int(arm.x), int(arm.y)), 46, _SKIN, -1, cv2.LINE_AA)


class DrawnEyes:
    """Reads the patches of a picture (a `Detector`). `score` is what every reading gets; `blind`
    names are seen as "?"; `calls` counts."""

    def __init__(self, score: float = 0.98) -> None:
        self.score = score
        self.blind: set[str] = set()
        self.calls = 0

    def detect(self, image: Image, regions: Sequence[Region] | None = None) -> list[Detection]:
        """Cards of the picture or of regions of it."""
        self.calls += 1
        found = []
        for x0, y0, x1, y1 in regions or [(0, 0, image.shape[1], image.shape[0])]:
            for detection in self._piece(image[y0:y1, x0:x1]):
                boxes = tuple((x + x0, y + y0, w, h) for x, y, w, h in detection.boxes)
                shift = np.array([x0, y0], np.float32)
                found.append(replace(detection, quad=detection.quad + shift, boxes=boxes))
        return found

    def _piece(self, piece: Image) -> list[Detection]:
        hsv = cv2.cvtColor(piece, cv2.COLOR_BGR2HSV)
        white = float(np.percentile(piece, 99.5)) / 240
        found: list[Detection] = []
        for number, name in enumerate(NAMES):
            away = np.abs(hsv[..., 0].astype(np.int16) - number * _HUE_STEP)
            mask = ((np.minimum(away, 180 - away) <= _HUE_STEP // 3) & (hsv[..., 1] > 190)).astype(np.uint8)
            count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
            corners = [
                index
                for i in range(1, count)
                if stats[i, cv2.CC_STAT_AREA] > 80 and (index := _index(labels == i, hsv[..., 2], white)) is not None
            ]
            found += self._cards(name, corners)
        return found + _backs(hsv)

    def _cards(self, name: str, corners: list[Corner]) -> list[Detection]:
        cards: list[list[Corner]] = []
        for corner in corners:
            twin = [c for c in cards if np.linalg.norm(c[0][0].mean(0) - corner[0].mean(0)) < 20]
            if twin:
                twin[0].append(corner)
            else:
                cards.append([corner])
        card, score = ("?", 0.3) if name in self.blind else (name, self.score)
        return [Detection(card, score, "up", c[0][0], tuple(box for _, box in c)) for c in cards]


def _index(mask: np.ndarray, value: np.ndarray, white: float) -> Corner | None:
    """The card's quad and the index's box from one patch; None if a part of it is hidden."""
    ys, xs = np.nonzero(mask)
    bright = value[ys, xs] > 200 * white
    upper, lower = int(bright.sum()), int((~bright).sum())
    if not upper or not lower or not 0.7 < upper / lower < 1.43:
        return None
    top = np.array([xs[bright].mean(), ys[bright].mean()])
    bottom = np.array([xs[~bright].mean(), ys[~bright].mean()])
    down = (bottom - top) / (_INDEX_MM[1] / 2)
    scale = float(np.linalg.norm(down))
    if abs(upper + lower - _INDEX_MM[0] * _INDEX_MM[1] * scale**2) > 0.25 * (upper + lower):
        return None
    across = np.array([down[1], -down[0]])
    middle = (top + bottom) / 2
    first = middle - across * (_INDEX_AT[0] + _INDEX_MM[0] / 2) - down * (_INDEX_AT[1] + _INDEX_MM[1] / 2)
    quad = [first + across * u * CARD_MM[0] + down * v * CARD_MM[1] for u, v in ((0, 0), (1, 0), (1, 1), (0, 1))]
    box = (float(xs.min()), float(ys.min()), float(np.ptp(xs) + 1), float(np.ptp(ys) + 1))
    return np.array(quad, np.float32), box


def _backs(hsv: Image) -> list[Detection]:
    hue, saturation, value = (hsv[..., c].astype(np.int16) for c in range(3))
    blue = ((np.abs(hue - 115) < 8) & (saturation > 150) & (value < 190)).astype(np.uint8)
    blue = np.asarray(cv2.morphologyEx(blue, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8)), np.uint8)
    outlines, _ = cv2.findContours(blue, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    quads = [cv2.boxPoints(cv2.minAreaRect(o)) for o in outlines if cv2.contourArea(o) > 1500]
    return [Detection("?", 0.95, "down", np.asarray(q, np.float32), ()) for q in quads]


@dataclass
class DrawnGame:
    """Plays on the drawn table and feeds every frame to a pipeline.

    `told` has every observation in order, `at` the source second of the next frame, and `left` when
    the last arm left the picture.
    """

    pipeline: TablePipeline
    eyes: DrawnEyes
    painter: Painter = field(default_factory=Painter)
    lying: list[Lying] = field(default_factory=list)
    told: list[Observation] = field(default_factory=list)
    results: list[StepResult] = field(default_factory=list)
    seq: int = 0
    left: float = 0.0
    to_act: int | None = None
    rejected: int | None = None
    may_pass: int | None = None
    may_draw: bool = False

    @staticmethod
    def start(*lying: Lying, score: float = 0.98, decks: int = 1, painter: Painter | None = None) -> "DrawnGame":
        """A game whose first frames show `lying`."""
        eyes = DrawnEyes(score)
        game = DrawnGame(TablePipeline(drawn_layout(), eyes, decks), eyes, painter or Painter(), list(lying))
        game.rest(0.5)
        return game

    @property
    def at(self) -> float:
        """Source seconds of the next frame."""
        return self.seq / FPS

    def frame(self, arm: Arm | None = None) -> StepResult:
        """Draw one frame and feed it."""
        image = self.painter.draw(self.lying, arm)
        frame = Frame(self.seq, self.at, image)
        result = self.pipeline.step(frame, self.to_act, self.rejected, self.may_pass, self.may_draw)
        self.told += result.observations
        self.results.append(result)
        self.seq += 1
        return result

    def rest(self, seconds: float = 1.0) -> None:
        """Nothing happens."""
        for _ in range(round(seconds * FPS)):
            self.frame()

    def visit(
        self, seat: int, lay: Sequence[Lying] = (), take: Sequence[str] = (), to: tuple[float, float] | None = None,
        stay: int = 2, rest: float = 1.0,
    ) -> list[Observation]:  # fmt: skip
        """An arm comes, takes cards by name and lays others, stays `stay` frames, leaves. What was told."""
        before = len(self.told)
        places = [(c.x, c.y) for c in lay] or [(c.x, c.y) for c in self.lying if c.name in take]
        x, y = to or (float(np.mean([p[0] for p in places])), float(np.mean([p[1] for p in places])))
        for way in _ways():
            self.frame(Arm.towards(seat, x, y, way))
        self.lying = [c for c in self.lying if c.name not in take] + list(lay)
        for _ in range(stay):
            self.frame(Arm.towards(seat, x, y, 1.0))
        for way in reversed(list(_ways())):
            self.frame(Arm.towards(seat, x, y, way))
        self.left = self.at
        self.rest(rest)
        return self.told[before:]


def _ways() -> Iterator[float]:
    yield from (0.2, 0.45, 0.7, 0.9)


def spread(names: Sequence[str], x: float, y: float, gap: float = 26.0, turn: float = 0.0) -> list[Lying]:
    """Cards laid side by side, overlapping, so that every upper left index shows."""
    return [Lying(name, x + i * gap, y, turn) for i, name in enumerate(names)]


def names_of(seen: Observation) -> list[str]:
    """The names in an observation, sorted."""
    return sorted(c.card for c in seen.cards)


def pixels_of(table: Table, quad_mm: Floats) -> Floats:
    """A quad in picture pixels."""
    return transform(inverse(table.to_mm), quad_mm)
