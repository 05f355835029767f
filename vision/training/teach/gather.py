"""What an owner's photos hold for training: named crops of corner signs, whole faces, empty tables."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.assemble import assemble
from vision.cards import NAMES, NOT_READABLE, READ_CLASSES
from vision.crop import upright_angle, upright_crop
from vision.deck import Calibration, Deck
from vision.detector import OnnxDetector
from vision.edges import lay_on_edges, smoothed
from vision.evaluate.labels import LabelledPhoto
from vision.locate import Located
from vision.outlines import refine
from vision.quads import best_shift, card_width
from vision.read import Readings
from vision.synth.decks import Corner
from vision.synth.packaged import HEIGHT, WIDTH
from vision.teaching.intake import opened, shrunk
from vision.training.harvest import cut, named
from vision.training.teach.signs import FaceBox, Signs, cut_from_face, cut_signs
from vision.types import Detection, Image, Quad

_TABLE = 640
_WHOLE, _WHOLE_ONE = 0.6, 0.85
"""How clear all four edges of a whole card must be, with both of its corners read, or one."""
_LEAST_WIDTH = 56.0
_LEAST_SIGN = 32.0
_PATCH, _AROUND = 160, 1.7
"""A single index is cut out as a picture of so many pixels, whose side is so many times the index's."""
_FILLS = 0.15
"""A card whose corners are so close to the picture's, in card widths, fills it."""
_UPRIGHT: Quad = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32)


@dataclass(frozen=True, slots=True)
class Face:
    """A card that was seen whole, as a picture (420, 300, 3); where its top left index lies, at which
    corners it has one, and the index's signs if they could be cut out."""

    name: str
    picture: Image
    box: FaceBox
    corners: tuple[Corner, ...]
    signs: Signs | None


@dataclass(slots=True)
class Material:
    """`crops` (size, size, 3) with their `names`; `signs` of single indices, by the card's name; whole
    faces; pictures of tables without cards."""

    crops: list[Image] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    signs: list[tuple[str, Signs]] = field(default_factory=list)
    faces: list[Face] = field(default_factory=list)
    tables: list[Image] = field(default_factory=list)

    def add(self, other: "Material") -> None:
        """Take in what another photo holds."""
        self.crops += other.crops
        self.names += other.names
        self.signs += other.signs
        self.faces += other.faces
        self.tables += other.tables


def gather(
    deck: Deck, detector: OnnxDetector, photos: Iterable[LabelledPhoto], rng: np.random.Generator
) -> Iterator[Material]:
    """What each photo holds, photo by photo; labels that nothing fits are passed over.

    Raises KibitzError as `read_photo`.
    """
    for one in photos:
        image, photo = opened(one)
        found, readings = detector.look(image)
        names = named(found, readings, photo)
        material = Material()
        for crop, name in cut(image, found, names, rng):
            material.crops.append(crop)
            material.names.append(name)
        material.signs = list(single_signs(image, found, names))
        material.faces = list(whole_faces(image, cards_of(image, found, names, deck.about.calibration)))
        if photo.complete and not photo.objects:
            material.tables.append(shrunk(image, _TABLE))
        yield material


def single_signs(image: Image, found: Located, names: Sequence[str | None]) -> Iterator[tuple[str, Signs]]:
    """The signs of every named index that is large enough, also of cards of which little else is seen."""
    for box, quad, name in zip(found.boxes, found.quads, names, strict=True):
        extent = box[2:] - box[:2]
        if name is None or name not in NAMES or extent.max() < _LEAST_SIGN:
            continue
        centre = (box[:2] + box[2:]) / 2
        side = _AROUND * float(extent.max())
        upright = upright_crop(image, (float(centre[0]), float(centre[1])), side, upright_angle(quad), _PATCH)
        tall, wide = (share * _PATCH / _AROUND / 2 for share in (0.95, 0.45))
        middle = _PATCH / 2
        signs = cut_signs(upright, (middle - wide, middle - tall, middle + wide, middle + tall))
        if signs is not None:
            yield name, signs


def settled(faces: Sequence[Face]) -> list[Face]:
    """The same faces; where one's signs couldn't be cut out, they are looked for where the deck has them:
    the box around a turned card's index is too large to tell."""
    boxes = [face.signs.box for face in faces if face.signs]
    if not boxes:
        return list(faces)
    usual = tuple(float(v) for v in np.median(np.array(boxes), axis=0))
    around = usual[0], usual[1], usual[2], usual[3]
    out = []
    for face in faces:
        signs = face.signs or cut_from_face(face.picture, around) or cut_from_face(_turned(face.picture), around)
        out.append(replace(face, signs=signs, box=signs.box if signs else around))
    return out


def _turned(picture: Image) -> Image:
    return np.ascontiguousarray(picture[::-1, ::-1])


def cards_of(
    image: Image, found: Located, names: Sequence[str | None], calibration: Calibration
) -> list[Detection]:
    """The cards of a photo by the names of their corners, with outlines laid on the edges."""
    own = np.array([k for k, name in enumerate(names) if name not in (None, NOT_READABLE)], np.intp)
    called = [str(names[k]) for k in own]
    chances = np.zeros((len(own), len(READ_CLASSES)), np.float32)
    for row, name in zip(chances, called, strict=True):
        row[READ_CLASSES.index(name)] = 1
    return refine(image, assemble(found.take(own), Readings(called, chances), calibration))


def whole_faces(image: Image, cards: Sequence[Detection]) -> Iterator[Face]:
    """The faces of the cards that lie in full view, all four edges clear."""
    grey = smoothed(image)
    height, width = image.shape[:2]
    for card in cards:
        if card.card == "?" or card_width(card.quad) < _LEAST_WIDTH:
            continue
        if _edges_clear(grey, card, width, height):
            yield face_of(image, card)
        elif (filling := _filling(card.quad, width, height)) is not None:
            yield face_of(image, replace(card, quad=filling))


def _edges_clear(grey: NDArray[np.float32], card: Detection, width: int, height: int) -> bool:
    """Whether all four edges of a card are in the picture, and clear."""
    if (card.quad < 1).any() or (card.quad > (width - 1, height - 1)).any():
        return False
    clear = float(lay_on_edges(grey, card.quad, np.zeros(4, bool))[1].min())
    return clear >= (_WHOLE if len(card.boxes) > 1 else _WHOLE_ONE)


def _filling(quad: Quad, width: int, height: int) -> Quad | None:
    """The picture's corners in the card's order, when the card fills the picture as on a scan."""
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    turn, _ = best_shift(quad, frame)
    frame = np.roll(frame, turn, 0)
    return frame if np.abs(quad - frame).max() < _FILLS * card_width(frame) else None


def face_of(image: Image, card: Detection) -> Face:
    """A card's picture, upright, and its index there."""
    matrix = np.asarray(cv2.getPerspectiveTransform(card.quad, _UPRIGHT), np.float64)
    picture = np.asarray(cv2.warpPerspective(image, matrix, (WIDTH, HEIGHT), flags=cv2.INTER_AREA), np.uint8)
    boxes = [_on_face(box, matrix) for box in card.boxes]
    corners = tuple(dict.fromkeys(corner for corner, _ in boxes))
    box = next(box for corner, box in sorted(boxes, key=lambda pair: pair[0] != "tl"))
    signs = cut_from_face(picture, box)
    if not {"tr", "bl"} & set(corners):
        corners = ("tl", "br")
    return Face(card.card, picture, signs.box if signs else box, corners, signs)


def _on_face(box: tuple[float, float, float, float], matrix: NDArray[np.float64]) -> tuple[Corner, FaceBox]:
    """At which corner of a face an index lies, and where it would lie at the top left."""
    x, y, w, h = box
    points = np.array([[[x, y]], [[x + w, y]], [[x + w, y + h]], [[x, y + h]]], np.float32)
    on_face = cv2.perspectiveTransform(points, matrix)[:, 0]
    middle = on_face.mean(0)
    right, low = middle[0] > WIDTH / 2, middle[1] > HEIGHT / 2
    if right:
        on_face[:, 0] = WIDTH - on_face[:, 0]
    if low:
        on_face[:, 1] = HEIGHT - on_face[:, 1]
    corner = ("b" if low else "t") + ("r" if right else "l")
    (x0, y0), (x1, y1) = on_face.min(0), on_face.max(0)
    return corner, (max(0.0, float(x0)), max(0.0, float(y0)), float(x1), float(y1))
