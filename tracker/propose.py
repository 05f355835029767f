"""A first guess of where the table, the play area and the seats are, from one still picture.

The table's surface is told from the room by colour (GrabCut); its edges are the straight borders of
that surface. An edge that lies outside the picture is replaced by the picture's own border, so that
what is proposed is the part of the table that can be seen.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tracker.geometry import Floats, area, homography, transform
from vision.types import Detection, Image

_WIDTH = 320
_CORE = (0.25, 0.8, 0.25, 0.75)
"""Top, bottom, left and right of the part of the picture that is taken for table."""
_MEDIAN = 5
_LEVELS = (8, 21, 21)
"""Steps of lightness and of the two colour axes (6 of 255 wide about grey)."""
_LEAST_TABLE = 0.25
"""A surface smaller than this share of the picture is no table."""
_LEAST_EDGE = 0.22
"""An edge is seen when it is straight over this share of the picture's height."""
_ON_LINE = 1.5
_LEAST_TURN_DEG = 35.0
_TRIES = 400
_SPILL = 0.12
"""Share of the surface's outline that may lie beyond an edge (a floor that looks like the table)."""
_INSET = 0.04
_HANDS, _BORDER = 0.16, 0.09
"""How far the play area stays away from an edge of the table, and from where the picture ends."""
_SEAT_LENGTH = 0.5
_ROUND_STOCK = 1.35
Sides = tuple[bool, bool, bool, bool]
_UNIT: Floats = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
_DOWN = math.pi / 2


@dataclass(frozen=True, slots=True)
class Proposal:
    """A guess in pixels of the picture: `table` (4, 2) going clockwise from top left, `play_area`
    (4, 2), one edge (2, 2) a seat, clockwise as seen from above from the near side, and a `stock`
    (4, 2) where face-down cards lie. `sides_seen` says of the far, right, near and left edge of the
    table whether it is in the picture."""

    table: Floats
    play_area: Floats
    seat_edges: tuple[Floats, ...]
    stock: Floats | None
    sides_seen: Sides

    @property
    def sure(self) -> bool:
        """Whether enough of the table's edges was seen to believe the guess."""
        return sum(self.sides_seen) >= 2

    def document(self, size: tuple[int, int]) -> dict[str, Any]:
        """The guess as a table file's JSON object, for pictures of `size`; seats have no names yet."""
        edges = enumerate(self.seat_edges)
        return {
            "size": list(size),
            "table_px": points(self.table),
            "play_area_px": points(self.play_area),
            "seats": [{"index": number, "edge_px": points(edge)} for number, edge in edges],
        } | ({} if self.stock is None else {"stock_px": points(self.stock)})


def propose(image: Image, seats: int, cards: Sequence[Detection] = ()) -> Proposal:
    """Guess the set-up of the table in a picture, for so many seats. Never fails: where nothing is
    recognised the guess is a rectangle a little inside the picture."""
    height, width = image.shape[:2]
    scale = _WIDTH / width
    size = (_WIDTH, max(2, round(height * scale)))
    small = cv2.medianBlur(cv2.resize(image, size, interpolation=cv2.INTER_AREA), _MEDIAN)
    lying = np.zeros(size[::-1], np.uint8)
    for card in cards:
        cv2.fillConvexPoly(lying, np.round(card.quad * scale).astype(np.int32), 1)
    lying = np.asarray(cv2.dilate(lying, np.ones((5, 5), np.uint8)), np.uint8)
    sides = _sides(_surface(np.asarray(small, np.uint8), lying > 0))
    corners, seen = _corners(sides, size)
    table = np.asarray(corners / scale, np.float32)
    return Proposal(table, play_area(table, seen), seat_edges(table, seats), _stock(cards), seen)


def play_area(table: Floats, sides_seen: Sides) -> Floats:
    """The middle of a table (4, 2): away from the edges in the picture, where hands and held cards
    are; nearer to where the picture ends."""
    top, right, bottom, left = (_HANDS if seen else _BORDER for seen in sides_seen)
    inner = np.array([[left, top], [1 - right, top], [1 - right, 1 - bottom], [left, 1 - bottom]], np.float32)
    return transform(homography(_UNIT, table), inner)


def points(polygon: Floats) -> list[list[float]]:
    """A polygon (n, 2) for a JSON document."""
    return [[round(float(x), 1), round(float(y), 1)] for x, y in polygon]


def seat_edges(table: Floats, seats: int) -> tuple[Floats, ...]:
    """The seats' edges (2, 2) spread evenly round a table (4, 2), the first at its near (lower) side,
    the others clockwise as seen from above."""
    to_px = homography(_UNIT, table)
    edges = []
    for seat in range(seats):
        angle = _DOWN + 2 * math.pi * seat / seats
        towards = np.array([math.cos(angle), math.sin(angle)])
        middle = 0.5 + towards * 0.5 / np.abs(towards).max()
        # along the side that the middle lies on
        along = np.array([0.0, 1.0]) if abs(towards[0]) > abs(towards[1]) + 1e-9 else np.array([1.0, 0.0])
        half = along * min(_SEAT_LENGTH, 2 / seats) / 2
        edges.append(transform(to_px, np.clip(np.array([middle - half, middle + half]), 0, 1).astype(np.float32)))
    return tuple(edges)


def _surface(small: Image, cards: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """The part of a small picture that looks like its middle, cards aside: 255 there, 0 elsewhere."""
    height, width = small.shape[:2]
    top, bottom, left, right = (
        round(s * n) for s, n in zip(_CORE, (height, height, width, width), strict=True)
    )
    core = np.zeros((height, width), bool)
    core[top:bottom, left:right] = True
    if (core & ~cards).sum() > 0.2 * core.sum():
        core &= ~cards
    alike = _alike(small, core)
    mask = np.where(alike > 0.4, cv2.GC_PR_FGD, cv2.GC_PR_BGD).astype(np.uint8)
    mask[core & (alike > 0.5)] = cv2.GC_FGD
    if (alike <= 0.4).sum() > 50:
        models = np.zeros((2, 1, 65))
        cv2.grabCut(small, mask, (0, 0, 0, 0), models[0], models[1], 3, cv2.GC_INIT_WITH_MASK)
    found = (np.isin(mask, (cv2.GC_FGD, cv2.GC_PR_FGD)) | cards).astype(np.uint8)
    _, labels = cv2.connectedComponents(found)
    inside = labels[core & (found > 0)]
    if not inside.size:
        return np.zeros_like(found)
    return np.asarray((labels == np.bincount(inside).argmax()).astype(np.uint8) * 255)


def _alike(small: Image, core: NDArray[np.bool_]) -> NDArray[np.float32]:
    """How much more often a pixel's colour occurs in the core than elsewhere, 0..1."""
    lab = cv2.cvtColor(small, cv2.COLOR_BGR2LAB).astype(np.int32)
    steps = [lab[..., 0] // 32, *(np.clip((lab[..., i] - 64) // 6, 0, _LEVELS[i] - 1) for i in (1, 2))]
    colour = np.ravel_multi_index(steps, _LEVELS)
    inner, whole = (_spread(np.bincount(c.ravel(), minlength=math.prod(_LEVELS))) for c in (colour[core], colour))
    ratio = np.minimum(inner / (whole + 1e-9), 2) / 2
    return np.asarray(cv2.GaussianBlur(ratio[colour].astype(np.float32), (0, 0), 2), np.float32)


def _spread(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """A colour histogram, smoothed along its three axes, with the sum 1."""
    cube = counts.reshape(_LEVELS).astype(np.float64)
    for axis in range(3):
        line = np.moveaxis(cube, axis, 0)
        padded = np.pad(line, ((1, 1), (0, 0), (0, 0)), mode="edge")
        cube = np.moveaxis(0.25 * padded[:-2] + 0.5 * padded[1:-1] + 0.25 * padded[2:], 0, axis)
    return np.asarray(cube.ravel() / cube.sum())


Line = tuple[Floats, float]
"""A line as its outward normal n (2,) and offset d: points p with n . p = d; inside is below d."""


def _sides(surface: NDArray[np.uint8]) -> list[Line]:
    """The straight borders of the surface that lie within the picture, at most 4, longest first."""
    height, width = surface.shape
    if (surface > 0).mean() < _LEAST_TABLE:
        return []
    contours, _ = cv2.findContours(surface, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outline = max(contours, key=cv2.contourArea).reshape(-1, 2).astype(np.float32)
    free = (outline > 2).all(1) & (outline < np.array([width - 3, height - 3])).all(1)
    points = outline[free]
    middle = np.argwhere(surface > 0).mean(0)[::-1]
    sides: list[Line] = []
    random = np.random.default_rng(0)
    while len(sides) < 4 and len(points) > 1:
        line, on = _straightest(points, outline, middle, random)
        if line is None or int(on.sum()) < _LEAST_EDGE * height:
            break
        points = points[~on]
        if all(_turn(line, side) > _LEAST_TURN_DEG for side in sides):
            sides.append(line)
    return sides


def _straightest(points: Floats, outline: Floats, middle: Floats, random: np.random.Generator
                 ) -> tuple[Line | None, NDArray[np.bool_]]:  # fmt: skip
    """The line that most border points lie on and that has the surface on one side."""
    best: Line | None = None
    best_on = np.zeros(len(points), bool)
    for first, second in random.integers(0, len(points), (_TRIES, 2)):
        along = points[second] - points[first]
        length = float(np.linalg.norm(along))
        if length < 8:
            continue
        line = _through(points[first], np.array([along[1], -along[0]], np.float32) / length, middle)
        on = np.abs(points @ line[0] - line[1]) < _ON_LINE
        if on.sum() > best_on.sum() and (outline @ line[0] - line[1] > 3 * _ON_LINE).mean() < _SPILL:
            best, best_on = line, on
    if best is not None:
        vx, vy, x, y = cv2.fitLine(points[best_on], cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        best = _through(np.array([x, y], np.float32), np.array([vy, -vx], np.float32), middle)
    return best, best_on


def _through(point: Floats, normal: Floats, middle: Floats) -> Line:
    """The line through a point, its normal turned away from the middle."""
    if float(normal @ (point - middle)) < 0:
        normal = -normal
    return normal, float(normal @ point)


def _turn(a: Line, b: Line) -> float:
    """Angle between two outward normals in degrees, 0..180."""
    return math.degrees(math.acos(float(np.clip(a[0] @ b[0], -1, 1))))


def _corners(sides: list[Line], size: tuple[int, int]) -> tuple[Floats, Sides]:
    """The corners of the table, clockwise from top left, and which sides they rest on; a rectangle in
    the picture when the sides make no quadrilateral."""
    nothing = _inset(size), (False, False, False, False)
    if not sides:
        return nothing
    box = np.array(size, np.float32)
    ideal = {name: np.array(n, np.float32) for name, n in
             (("top", (0, -1)), ("right", (1, 0)), ("bottom", (0, 1)), ("left", (-1, 0)))}  # fmt: skip
    names = list(ideal)
    orders = itertools.permutations(names, len(sides))
    order = max(orders, key=lambda o: sum(float(ideal[n] @ s[0]) for n, s in zip(o, sides, strict=True)))
    known = dict(zip(order, sides, strict=True))
    seen = (names[0] in known, names[1] in known, names[2] in known, names[3] in known)
    for i in (1, 3, 0, 2):  # left and right first: near and far are laid square to both
        if names[i] not in known:
            known[names[i]] = _missing(i, names, known, ideal, box)
    lines = [known[name] for name in names]
    corners = [_meet(lines[i - 1], lines[i]) for i in range(4)]
    found = np.array([c for c in corners if c is not None], np.float32)
    inside = (np.abs(found - box / 2) < 1.5 * box).all() if len(found) == 4 else False
    if not inside or not cv2.isContourConvex(found) or area(found) < _LEAST_TABLE * area(_UNIT * box):
        return nothing
    return found, seen


def _missing(number: int, names: list[str], known: dict[str, Line], ideal: dict[str, Floats], box: Floats) -> Line:
    """A stand-in for a side outside the picture. A near or far side lies as the opposite one does, or
    square to left and right; those converge, so theirs is half way to upright. It passes through the
    middle of the picture's own border."""
    name, opposite = names[number], known.get(names[(number + 2) % 4])
    upright = ideal[name]
    if number in (1, 3):
        normal = upright if opposite is None else upright - opposite[0]
    elif opposite is not None:
        normal = -opposite[0]
    else:
        across = known[names[(number + 1) % 4]][0] - known[names[(number + 3) % 4]][0]
        normal = np.array([across[1], -across[0]], np.float32)
    normal = np.asarray(normal / np.linalg.norm(normal), np.float32)
    return normal, float(normal @ (box / 2 + upright * box / 2 * (1 - _INSET)))


def _meet(a: Line, b: Line) -> Floats | None:
    system = np.array([a[0], b[0]], np.float64)
    if abs(float(np.linalg.det(system))) < 0.1:
        return None
    return np.asarray(np.linalg.solve(system, np.array([a[1], b[1]])), np.float32)


def _inset(size: tuple[int, int]) -> Floats:
    return np.asarray((_UNIT * (1 - 2 * _INSET) + _INSET) * np.array(size, np.float32), np.float32)


def _stock(cards: Sequence[Detection]) -> Floats | None:
    """Where the best face-down card lies, with some room round it."""
    down = [card for card in cards if card.face == "down"]
    if not down:
        return None
    quad = max(down, key=lambda card: card.score).quad
    return np.asarray((quad - quad.mean(0)) * _ROUND_STOCK + quad.mean(0), np.float32)
