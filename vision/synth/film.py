"""Filming a card table: cards and hands at given places, seen by a camera above, frame by frame."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth.background import smooth_noise
from vision.synth.decks import CardFace, Deck
from vision.synth.hand import SCALE, HandSprite
from vision.synth.scene import SceneCard, label_card, lay_card, project
from vision.types import Image, Quad

CARD_MM = (63.0, 88.0)
TABLE_MM = (880.0, 700.0)
SIZE = (1280, 720)
"""Width and height of the picture in pixels."""
_CAMERA_MM = 950.0
"""Height of the camera over the table: things that are lifted look larger by it."""


@dataclass(frozen=True, slots=True)
class CardPose:
    """A card on or over the table: centre in millimetres from the table's middle (x right, y towards the
    near seat), degrees clockwise, millimetres above the table."""

    name: str
    x: float
    y: float
    angle: float
    lift: float = 0.0


@dataclass(frozen=True, slots=True)
class HandPose:
    """Middle fingertip in table millimetres, the arm's direction in degrees clockwise from the picture's
    right, millimetres above the table."""

    sprite: HandSprite
    x: float
    y: float
    angle: float
    lift: float


class Studio:
    """A table, a deck, a light and a camera that doesn't move."""

    def __init__(self, deck: Deck, rng: np.random.Generator) -> None:
        self._deck = deck
        self._faces: dict[str, CardFace] = {}
        near = np.array([[-400, -250], [400, -250], [400, 250], [-400, 250]], np.float32)
        seen = np.array([[92, 22], [1182, 12], [1222, 714], [66, 722]], np.float32)
        self.view: NDArray[np.float64] = np.asarray(cv2.getPerspectiveTransform(near, seen), np.float64)
        self._table = _table(self.view, rng)
        xs = np.linspace(-1, 1, SIZE[0], dtype=np.float32)
        ys = np.linspace(-1, 1, SIZE[1], dtype=np.float32)[:, None]
        self._light = (1.0 - 0.1 * xs - 0.05 * ys - 0.12 * (xs * xs + ys * ys))[..., None]

    def shoot(self, lying: Sequence[CardPose], held: Sequence[CardPose], hand: HandPose | None) -> Image:
        """The picture (720, 1280, 3) before the lens: cards in laying order, held ones under the hand."""
        canvas, _ = self._lay(lying)
        if hand is not None:
            cover = self._cover(hand)
            for pose in held:
                cv2.fillConvexPoly(cover, np.round(self.quad(pose)).astype(np.int32), 1.0)
            _shade(canvas, cover, 6 + 0.55 * hand.lift, 4 + 0.16 * hand.lift, 0.42)
            owner = np.full((SIZE[1], SIZE[0]), -1, np.int16)
            for pose in held:
                quad = self.quad(pose)
                lay_card(canvas, owner, 0, self._face(pose.name).picture, quad, None, 0.95)
            self._stamp(canvas, hand)
        return np.clip(canvas * self._light, 0, 255).astype(np.uint8)

    def labels(self, lying: Sequence[CardPose]) -> list[SceneCard]:
        """What the camera sees of each card when no hand is over the table."""
        _, owner = self._lay(lying)
        return [label_card(i, p.name, self.quad(p), self._face(p.name), owner) for i, p in enumerate(lying)]

    def quad(self, pose: CardPose) -> Quad:
        """A card's corners in pixels, clockwise from the upright card's top left."""
        turn = np.deg2rad(pose.angle)
        c, s = np.cos(turn), np.sin(turn)
        half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(CARD_MM) / 2
        return self._lifted(half @ np.array([[c, s], [-s, c]]) + (pose.x, pose.y), pose.lift)

    def pixels(self, points_mm: NDArray[np.float64]) -> list[list[float]]:
        """Points on the table (n, 2) in millimetres as [x, y] in pixels."""
        return [[round(float(x), 2), round(float(y), 2)] for x, y in project(self.view, points_mm)]

    def _lifted(self, points_mm: NDArray[np.float64], lift: float) -> Quad:
        return project(self.view, points_mm * (_CAMERA_MM / (_CAMERA_MM - lift)))

    def _face(self, name: str) -> CardFace:
        if name not in self._faces:
            self._faces[name] = self._deck.face(name)
        return self._faces[name]

    def _lay(self, lying: Sequence[CardPose]) -> tuple[Image, NDArray[np.int16]]:
        canvas = self._table.copy()
        owner = np.full((SIZE[1], SIZE[0]), -1, np.int16)
        for number, pose in enumerate(lying):
            quad = self.quad(pose)
            cover = np.zeros((SIZE[1], SIZE[0]), np.float32)
            cv2.fillConvexPoly(cover, np.round(quad).astype(np.int32), 1.0)
            _shade(canvas, cover, 1.0, 2.2, 0.5)
            lay_card(canvas, owner, number, self._face(pose.name).picture, quad, None, 0.97)
        return canvas, owner

    def _warp(self, hand: HandPose) -> NDArray[np.float64]:
        """The homography from sprite pixels to picture pixels."""
        turn = np.deg2rad(hand.angle)
        c, s = np.cos(turn) / SCALE, np.sin(turn) / SCALE
        x, y = hand.sprite.tip
        grow = _CAMERA_MM / (_CAMERA_MM - hand.lift)
        place = np.array([[c, -s, hand.x - c * x + s * y], [s, c, hand.y - s * x - c * y], [0, 0, 1 / grow]])
        return np.asarray(self.view @ place, np.float64)

    def _cover(self, hand: HandPose) -> NDArray[np.float32]:
        return np.asarray(cv2.warpPerspective(hand.sprite.alpha, self._warp(hand), SIZE), np.float32)

    def _stamp(self, canvas: Image, hand: HandPose) -> None:
        alpha = self._cover(hand)[..., None]
        colour = cv2.warpPerspective(hand.sprite.picture, self._warp(hand), SIZE)
        canvas[:] = np.clip(canvas * (1 - alpha) + colour * alpha, 0, 255)


def through_lens(picture: Image, rng: np.random.Generator) -> Image:
    """A webcam's softness and noise."""
    soft = cv2.GaussianBlur(picture, (0, 0), 0.55)
    noise = cv2.GaussianBlur(rng.standard_normal(picture.shape, np.float32), (0, 0), 0.7) * 2.2
    return np.clip(soft + noise, 0, 255).astype(np.uint8)


def _shade(canvas: Image, cover: NDArray[np.float32], shift: float, soft: float, depth: float) -> None:
    """Darken the canvas where the cover's shadow falls, `shift` pixels to the lower right."""
    move = np.array([[1, 0, shift], [0, 1, 0.8 * shift]], np.float64)
    shadow = cv2.GaussianBlur(cv2.warpAffine(cover, move, SIZE), (0, 0), soft)
    canvas[:] = canvas * (1 - depth * shadow[..., None])


def _table(view: NDArray[np.float64], rng: np.random.Generator) -> Image:
    """Green cloth in a wooden rim over a dark floor, (720, 1280, 3)."""
    floor = _bgr(38, 44, 52) * (1 + 0.06 * smooth_noise(SIZE[0], 90, rng)[: SIZE[1], :, None])
    scale, rim = 1.6, 16
    width, height = (round(side * scale) for side in TABLE_MM)
    grain = cv2.resize(rng.standard_normal((500, 12), np.float32), (width, width), interpolation=cv2.INTER_CUBIC)
    top = _bgr(46, 84, 132) * (1 + 0.07 * grain[:height, :, None])
    weave = rng.standard_normal((height - 2 * rim, width - 2 * rim), np.float32) * 0.035
    weave += 0.035 * smooth_noise(width, 140, rng)[: height - 2 * rim, : width - 2 * rim]
    top[rim:-rim, rim:-rim] = _bgr(62, 104, 38) * (1 + weave[..., None])
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    placed = cv2.getPerspectiveTransform(corners, project(view, table_corners()))
    mask = cv2.warpPerspective(np.ones((height, width), np.float32), placed, SIZE)[..., None]
    laid = cv2.warpPerspective(top, placed, SIZE, flags=cv2.INTER_AREA)
    return np.clip(floor * (1 - mask) + laid * mask, 0, 255).astype(np.uint8)


def _bgr(blue: float, green: float, red: float) -> NDArray[np.float32]:
    return np.array([blue, green, red], np.float32)


def table_corners() -> NDArray[np.float64]:
    """The table's corners (4, 2) in millimetres: far left, far right, near right, near left."""
    x, y = TABLE_MM[0] / 2, TABLE_MM[1] / 2
    return np.array([[-x, -y], [x, -y], [x, y], [-x, y]])


