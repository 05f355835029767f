"""Scenes: a table, cards in perspective, hands over them, a camera; and what is visible of what."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards import JOKERS, NAMES
from vision.synth.background import draw_background
from vision.synth.decks import CardFace, Deck
from vision.synth.layout import Placement, draw_layout
from vision.synth.lens import photograph
from vision.synth.packaged import HEIGHT, WIDTH
from vision.types import Image, Quad

_CORNERS = {"tl": (0, 0), "tr": (1, 0), "br": (1, 1), "bl": (0, 1)}


@dataclass(frozen=True, slots=True)
class SceneIndex:
    """A corner index: its own four corners and the card's, both starting at the index's corner and
    going the way that makes the index upright, in pixels; `visible` is the uncovered fraction."""

    quad: Quad
    card_quad: Quad
    visible: float


@dataclass(frozen=True, slots=True)
class SceneCard:
    """A card of a scene. `name` is "back" when it lies face down; `visible` its uncovered part of
    what lies inside the picture; `box` (x0, y0, x1, y1) bounds the visible part."""

    name: str
    quad: Quad
    visible: float
    box: tuple[float, float, float, float]
    indices: tuple[SceneIndex, ...]


@dataclass(frozen=True, slots=True)
class Scene:
    picture: Image
    cards: tuple[SceneCard, ...]


def draw_scene(deck: Deck, size: int, photos: Sequence[Image], rng: np.random.Generator) -> Scene:
    """A random scene of size x size pixels with cards of one deck, and exact labels."""
    canvas = draw_background(size, photos, rng)
    owner = np.full((size, size), -1, np.int16)
    tilt = _perspective(size, rng)
    placements = draw_layout(size, rng) if rng.random() > 0.05 else []
    names = list(rng.permutation(NAMES))
    for joker in JOKERS:
        names.insert(int(rng.integers(len(names) if rng.random() < 0.6 else 8)), joker)
    down = float(rng.choice([0, 0, 0, 0.15, 0.5]))
    shadow = _Shadow.draw(rng) if rng.random() < 0.65 else None
    placed: list[tuple[str, Quad, CardFace]] = []
    for place, name in zip(placements, names, strict=False):
        shown = "back" if rng.random() < down else name
        face = deck.face(shown)
        quad = place_quad(place, tilt)
        if lay_card(canvas, owner, len(placed), face.picture, quad, shadow, rng.uniform(0.85, 1.0)):
            placed.append((shown, quad, face))
    for _ in range(rng.choice([0, 0, 0, 1, 1, 2, 4])):
        _occlude(canvas, owner, [q for _, q, _ in placed], rng)
    cards = tuple(label_card(i, n, q, f, owner) for i, (n, q, f) in enumerate(placed))
    return Scene(photograph(canvas, rng), cards)


@dataclass(frozen=True, slots=True)
class _Shadow:
    dx: float
    dy: float
    depth: float

    @staticmethod
    def draw(rng: np.random.Generator) -> "_Shadow":
        return _Shadow(rng.uniform(-5, 5), rng.uniform(-5, 5), rng.uniform(0.15, 0.6))


def place_quad(place: Placement, tilt: NDArray[np.float64]) -> Quad:
    """A placement's four corners, clockwise from the upright card's top left, in pixels."""
    height = place.width * HEIGHT / WIDTH
    turn = math.radians(place.angle)
    c, s = math.cos(turn), math.sin(turn)
    base = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (place.width / 2, height / 2)
    points = base @ np.array([[c, s], [-s, c]]) + (place.x, place.y)
    return project(tilt, points)


def project(matrix: NDArray[np.float64], points: NDArray[np.float64] | Quad) -> Quad:
    """Apply a 3x3 homography to points (n, 2)."""
    out = cv2.perspectiveTransform(np.asarray(points, np.float32).reshape(-1, 1, 2), matrix)
    return np.asarray(out.reshape(-1, 2), np.float32)


def lay_card(canvas: Image, owner: NDArray[np.int16], number: int, picture: Image, quad: Quad,
             shadow: _Shadow | None, light: float) -> bool:  # fmt: skip
    """Warp a face into the canvas and claim its pixels in `owner`. False when it lies outside."""
    size_y, size_x = canvas.shape[:2]
    low, high = np.floor(quad.min(0)).astype(int) - 3, np.ceil(quad.max(0)).astype(int) + 4
    x0, y0, x1, y1 = max(0, low[0]), max(0, low[1]), min(size_x, high[0]), min(size_y, high[1])
    if x1 - x0 < 4 or y1 - y0 < 4 or cv2.contourArea(quad) < 60:
        return False
    local = quad - np.array([x0, y0], np.float32)
    part = canvas[y0:y1, x0:x1]
    if shadow is not None:
        dark = np.zeros(part.shape[:2], np.float32)
        offset = np.array([shadow.dx, shadow.dy], np.float32)
        cv2.fillConvexPoly(dark, (local + offset).astype(np.int32), 1.0)
        soft = cv2.GaussianBlur(dark, (0, 0), 2.5)[..., None]
        part[:] = part * (1 - shadow.depth * soft)
    edge = float(np.linalg.norm(np.roll(quad, -1, 0) - quad, axis=1).max())
    while picture.shape[0] > 2 * edge:  # anti-aliasing: warp from the nearest smaller copy
        picture = cv2.pyrDown(picture).astype(np.uint8)
    h, w = picture.shape[:2]
    matrix = cv2.getPerspectiveTransform(np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32), local)
    shape = (x1 - x0, y1 - y0)
    warped = cv2.warpPerspective(picture, matrix, shape, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    mask = cv2.warpPerspective(_rounded(w, h), matrix, shape, flags=cv2.INTER_LINEAR)
    alpha = mask[..., None].astype(np.float32) / 255
    part[:] = part * (1 - alpha) + warped * (alpha * np.float32(light))
    owner[y0:y1, x0:x1][mask > 127] = number
    return True


def _rounded(w: int, h: int) -> NDArray[np.uint8]:
    mask = np.zeros((h, w), np.uint8)
    r = max(1, int(0.045 * h))
    cv2.rectangle(mask, (r, 0), (w - r - 1, h - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (w - 1, h - r - 1), 255, -1)
    for x, y in ((r, r), (w - r - 1, r), (r, h - r - 1), (w - r - 1, h - r - 1)):
        cv2.circle(mask, (x, y), r, 255, -1)
    return mask


def label_card(number: int, name: str, quad: Quad, face: CardFace, owner: NDArray[np.int16]) -> SceneCard:
    """What is visible of a laid card and of each of its indices."""
    size_y, size_x = owner.shape
    mine = owner == number
    inside = np.zeros(owner.shape, np.uint8)
    cv2.fillConvexPoly(inside, np.round(quad).astype(np.int32), 1)
    area = max(1, int(inside.sum()))
    ys, xs = np.where(mine)
    box = (float(xs.min()), float(ys.min()), xs.max() + 1.0, ys.max() + 1.0) if len(xs) else (0.0,) * 4
    corners = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32)
    matrix = np.asarray(cv2.getPerspectiveTransform(corners, quad), np.float64)
    indices = []
    for corner, (x0, y0, x1, y1) in face.indices:
        ix, card = _index_points(corner, x0, y0, x1, y1)
        points = project(matrix, ix)
        part = np.zeros(owner.shape, np.uint8)
        cv2.fillConvexPoly(part, np.round(points).astype(np.int32), 1)
        full = max(1.0, float(cv2.contourArea(points)))
        seen = float(np.count_nonzero(mine & (part > 0)))
        total = max(full, float(part.sum())) if _outside(points, size_x, size_y) else max(1.0, float(part.sum()))
        indices.append(SceneIndex(points, project(matrix, card), min(1.0, seen / total)))
    return SceneCard(name, quad, min(1.0, len(xs) / area), box, tuple(indices))


def _outside(points: Quad, width: int, height: int) -> bool:
    return bool((points < -1).any() or (points[:, 0] > width + 1).any() or (points[:, 1] > height + 1).any())


def _index_points(
    corner: str, x0: float, y0: float, x1: float, y1: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Index and card corners in face pixels for one of the four corners, in upright order."""
    index = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float64)
    card = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float64)
    size = np.array([WIDTH, HEIGHT], np.float64)
    if corner in ("tr", "bl"):  # the same upright index moved to the other side, not mirrored
        index = index + np.array([WIDTH - x0 - x1, 0.0])
        card = card[[1, 0, 3, 2]]
    if corner in ("br", "bl"):
        index, card = size - index, size - card
    return index, card


def _perspective(size: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Overhead with a little tilt, or an oblique view up to about 60 degrees, any direction."""
    source = np.array([[0, 0], [size, 0], [size, size], [0, size]], np.float32)
    wobble = rng.uniform(0, 0.08) * size
    target = source + rng.uniform(-wobble, wobble, (4, 2)).astype(np.float32)
    if rng.random() < 0.45:
        squeeze, drop = rng.uniform(0.04, 0.3) * size, rng.uniform(0, 0.42) * size
        oblique = np.array([[squeeze, drop], [size - squeeze, drop], [size, size], [0, size]], np.float32)
        target = oblique + (target - source) * 0.3
    return np.asarray(cv2.getPerspectiveTransform(source, target), np.float64)


def _occlude(canvas: Image, owner: NDArray[np.int16], quads: Sequence[Quad], rng: np.random.Generator) -> None:
    """A finger, a hand or a thing over the cards."""
    size = canvas.shape[0]
    x, y = rng.uniform(0, size, 2)
    if quads and rng.random() < 0.7:
        x, y = quads[int(rng.integers(len(quads)))].mean(0) + rng.normal(0, 25, 2)
    skins = [(120, 150, 205), (90, 120, 180), (150, 180, 225), (60, 80, 130), (40, 55, 95)]
    colour = np.array(skins[rng.integers(len(skins))], np.float32) * rng.uniform(0.7, 1.15)
    if rng.random() < 0.25:
        colour = rng.uniform(0, 255, 3).astype(np.float32)
    length, width, turn = rng.uniform(25, 170), int(rng.integers(8, 38)), rng.uniform(0, 2 * np.pi)
    end = int(x + length * math.cos(turn)), int(y + length * math.sin(turn))
    mask = np.zeros(canvas.shape[:2], np.uint8)
    cv2.line(mask, (int(x), int(y)), end, 255, width, cv2.LINE_AA)
    if rng.random() < 0.5:
        cv2.circle(mask, end, int(width * rng.uniform(1, 2.5)), 255, -1, cv2.LINE_AA)
    bx, by, bw, bh = cv2.boundingRect(mask)
    if bw < 2 or bh < 2:
        return
    part = slice(by, by + bh), slice(bx, bx + bw)
    alpha = mask[part][..., None].astype(np.float32) / 255
    shade = cv2.GaussianBlur(mask[part], (0, 0), max(2.0, width * 0.35))[..., None].astype(np.float32) / 255
    paint = colour.astype(np.float32) * (0.55 + 0.6 * shade)
    canvas[part] = np.clip(canvas[part] * (1 - alpha) + paint * alpha, 0, 255)
    owner[mask > 127] = -2
