"""The owner's deck as scenes can lay it: photographed faces, and the others composed of its signs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from vision.cards import NAMES, RANKS
from vision.synth import glyphs
from vision.synth.decks import CardFace
from vision.synth.packaged import HEIGHT, WIDTH
from vision.training.teach.gather import Face
from vision.training.teach.signs import Floats, Signs, paper_of
from vision.types import Image

Letters = dict[str, glyphs.Mask]
"""Masks of ranks and of the word JOKER in one font."""

_PHOTOGRAPHED = 0.5
"""So often a photographed card shows its photo; else its signs are put on another photographed card,
whose pips then tell nothing."""
_ALIKE = 6
"""Fonts that are most like the deck's own letters, among which one is drawn."""
_SAME_SUIT = 0.5
_OWN_PIPS = 0.65
_RIM = 6
_GRAIN = 30.0
"""Pixels so close to the paper's colour are paper."""
_SLIMMER = 1.35
_JITTER = 3.0
_SUITS_SEED = 5
_LIGHT_INKS = {"c": (225, 225, 225), "s": (225, 225, 225), "d": (60, 60, 220), "h": (60, 60, 220)}
_DARK_INKS = {"c": (35, 30, 30), "s": (35, 30, 30), "d": (40, 30, 200), "h": (40, 30, 200)}
"""Colours of suits of which no card was photographed, nor of the other suit of their colour."""
_OTHER = {"c": "s", "s": "c", "d": "h", "h": "d"}


@dataclass(frozen=True, slots=True)
class Layout:
    """Where this deck's index stands on a face (300 x 420): middle of its column, tops and heights."""

    middle: float
    rank_top: float
    rank_height: float
    rank_width: float
    suit_top: float
    suit_height: float


@dataclass
class TaughtDeck:
    """A `vision.synth.decks.Deck` of photographed faces. `signs` are those of all indices by their card's
    name; `letters` are those of fonts, for ranks that no photo shows. Needs at least one face with signs."""

    faces: Sequence[Face]
    signs: Sequence[tuple[str, Signs]]
    letters: Sequence[Letters]
    rng: np.random.Generator
    _made: dict[str, CardFace] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._signed = [face for face in self.faces if face.signs is not None]
        on_faces = [(face.name, face.signs) for face in self._signed if face.signs is not None]
        self._signs = [(name, signs) for name, signs in (*on_faces, *self.signs) if name in NAMES]
        self.layout = layout_of([signs for _, signs in on_faces])
        self._letters = like_photographed(self._signs, self.letters, self.rng)
        self._paper = np.median([signs.paper for _, signs in on_faces], axis=0)

    def face(self, card: str) -> CardFace:
        """See `vision.synth.decks.Deck`."""
        if card not in self._made:
            self._made[card] = self._make(card)
        return self._made[card]

    def _make(self, card: str) -> CardFace:
        if card == "back":
            return CardFace(_plain_back(self.rng))
        own = [face for face in self.faces if face.name == card]
        if own and (self.rng.random() < _PHOTOGRAPHED or card not in NAMES):
            face = own[int(self.rng.integers(len(own)))]
            return CardFace(face.picture, tuple((corner, face.box) for corner in face.corners))
        return self._composed(card)

    def _composed(self, card: str) -> CardFace:
        """This card's signs in the corners of another card's photo, or of paper with this card's pips: what
        stands beside an index in a few photos must not become a sign of the suit."""
        suit = card[1] if card in NAMES else {"X": "s", "Y": "h"}[card]
        base = self._base(suit)
        own_pips = card in NAMES and self.rng.random() < (_OWN_PIPS if card[0] not in "JQK" else _OWN_PIPS / 2)
        picture = (_emptied(base) if own_pips else _erased(base)).astype(np.float32)
        shade = self.rng.normal(0, 2 * _JITTER) + self.rng.normal(0, _JITTER, 3)
        ink = np.asarray(self.ink(suit) + shade, np.float32)
        if own_pips:
            self._lay_pips(picture, card, ink)
        if card == "Y" and np.abs(self.ink("s") - self.ink("h")).max() < 40:
            ink = np.array([30, 30, 210], np.float32)
        parts = self._index(card)
        layer = np.zeros((HEIGHT, WIDTH), np.uint8)
        for mask, x, y in parts:
            glyphs.cover(layer, mask, x, y)
        corners = base.corners
        both = layer.copy()
        if "tr" in corners:
            shifted = np.zeros_like(layer)
            right = max(x + mask.shape[1] for mask, x, _ in parts)
            left = min(x for _, x, _ in parts)
            for mask, x, y in parts:
                glyphs.cover(shifted, mask, WIDTH - left - right + x, y)
            both = np.maximum(both, shifted)
        both = np.maximum(both, both[::-1, ::-1])
        picture += (ink - picture) * (both[..., None] / np.float32(255))
        ys, xs = np.where(layer > 40)
        box = float(xs.min()), float(ys.min()), float(xs.max() + 1), float(ys.max() + 1)
        return CardFace(np.clip(picture, 0, 255).astype(np.uint8), tuple((corner, box) for corner in corners))

    def _lay_pips(self, picture: Floats, card: str, ink: Floats) -> None:
        """Pips where decks have them; a court card gets some, since its figure isn't known."""
        count = int(self.rng.integers(4, 11)) if card[0] in "JQK" else RANKS.index(card[0]) + 2
        pip = glyphs.resized(self._suit(card[1]), HEIGHT * float(self.rng.uniform(0.09, 0.16)))
        if card[0] == "A":
            pip, count = glyphs.resized(pip, HEIGHT * float(self.rng.uniform(0.12, 0.4))), 1
        left = float(self.rng.uniform(0.26, 0.33))
        for x, y in _pips(count, left):
            sign = pip if y <= 0.5 else pip[::-1, ::-1]
            glyphs.stamp(picture, sign, x * WIDTH - pip.shape[1] / 2, y * HEIGHT - pip.shape[0] / 2, ink)

    def ink(self, suit: str) -> Floats:
        """The colour of a suit: as photographed, else as its colour's other suit, else as decks have it."""
        for wanted in (suit, _OTHER[suit]):
            seen = [signs.ink for name, signs in self._signs if name[1] == wanted]
            if seen:
                return np.asarray(np.median(seen, axis=0), np.float32)
        usual = _DARK_INKS if self._paper.mean() > 110 else _LIGHT_INKS
        return np.array(usual[suit], np.float32)

    def _base(self, suit: str) -> Face:
        """A photographed card to put other signs on, of the same suit more often than not."""
        same = [face for face in self._signed if face.name.endswith(suit)]
        fitting = same if same and self.rng.random() < _SAME_SUIT else self._signed
        return fitting[int(self.rng.integers(len(fitting)))]

    def _index(self, card: str) -> list[tuple[glyphs.Mask, float, float]]:
        """The masks of an index and where on the face they stand."""
        at = self.layout
        grow = float(self.rng.uniform(0.95, 1.05))
        if card not in NAMES:
            word = glyphs.resized(self._letters["JOKER"], at.rank_height * self.rng.uniform(2.0, 3.2))
            return [(word, at.middle - word.shape[1] / 2, at.rank_top)]
        rank = self._rank(card[0], at.rank_height * grow)
        suit = glyphs.resized(self._suit(card[1]), at.suit_height * grow)
        return [
            (rank, max(2.0, at.middle - rank.shape[1] / 2), at.rank_top),
            (suit, at.middle - suit.shape[1] / 2, at.suit_top),
        ]

    def _rank(self, rank: str, height: float) -> glyphs.Mask:
        own = usual([signs.rank for name, signs in self._signs if name[0] == rank])
        if own:
            return glyphs.resized(own[int(self.rng.integers(len(own)))], height)
        mask = self._letters[rank]
        widest = self.layout.rank_width * (1.6 if rank == "T" else 1.3)
        return glyphs.resized(mask, height, min(widest, mask.shape[1] * height / mask.shape[0]))

    def _suit(self, suit: str) -> glyphs.Mask:
        own = usual([signs.suit for name, signs in self._signs if name[1] == suit])
        if own:
            return own[int(self.rng.integers(len(own)))]
        return glyphs.drawn_suit(suit, np.random.default_rng(_SUITS_SEED))


def usual(masks: Sequence[glyphs.Mask]) -> list[glyphs.Mask]:
    """Those of one sign's masks that are about as slim as most of them: others were seen from the side, and
    scenes tilt cards themselves."""
    slim = [mask.shape[1] / mask.shape[0] for mask in masks]
    middle = float(np.median(slim)) if slim else 1.0
    return [mask for mask, own in zip(masks, slim, strict=True) if 1 / _SLIMMER < own / middle < _SLIMMER]


def layout_of(signs: Sequence[Signs]) -> Layout:
    """The middle values of the indices that were cut out."""
    rank = np.median([s.rank_box for s in signs], axis=0)
    suit = np.median([s.suit_box for s in signs], axis=0)
    return Layout(
        middle=float(rank[0] + rank[2] + suit[0] + suit[2]) / 4,
        rank_top=float(rank[1]),
        rank_height=float(rank[3] - rank[1]),
        rank_width=float(rank[2] - rank[0]),
        suit_top=float(suit[1]),
        suit_height=float(suit[3] - suit[1]),
    )


def like_photographed(
    signs: Sequence[tuple[str, Signs]], letters: Sequence[Letters], rng: np.random.Generator
) -> Letters:
    """One of the fonts whose letters are most like the photographed ones."""
    seen = {name[0]: one.rank for name, one in signs}

    def apart(font: Letters) -> float:
        pairs = [(mask, font[rank]) for rank, mask in seen.items()]
        return float(np.mean([_difference(a, b) for a, b in pairs])) if pairs else 0.0

    nearest = sorted(letters, key=apart)[:_ALIKE]
    return nearest[int(rng.integers(len(nearest)))]


def _difference(a: glyphs.Mask, b: glyphs.Mask) -> float:
    small = [cv2.resize(mask, (24, 32), interpolation=cv2.INTER_AREA).astype(np.float32) for mask in (a, b)]
    return float(np.abs(small[0] - small[1]).mean())


def _pips(count: int, left: float) -> Iterator[tuple[float, float]]:
    """Where `count` pips stand, in parts of the face: in two columns, and the rest in the middle."""
    side = {1: 0, 2: 0, 3: 0, 4: 2, 5: 2, 6: 3, 7: 3, 8: 3, 9: 4, 10: 4}[count]
    for y in np.linspace(0.2, 0.8, side) if side else ():
        yield left, float(y)
        yield 1 - left, float(y)
    middle = count - 2 * side
    reach = 0.3 if side == 0 else 0.17
    single = 0.35 if side == 3 else 0.5  # a seven's stands higher
    for y in np.linspace(0.5 - reach, 0.5 + reach, middle) if middle > 1 else [single] * middle:
        yield 0.5, float(y)


def _emptied(face: Face) -> Image:
    """The face with paper all over but for its rim."""
    inner = slice(_RIM, HEIGHT - _RIM), slice(_RIM, WIDTH - _RIM)
    out = face.picture.copy()
    pixels = face.picture[inner].astype(np.float32)
    paper = face.signs.paper if face.signs is not None else paper_of(pixels)
    plain = pixels[np.linalg.norm(pixels - paper, axis=2) < _GRAIN]
    if not len(plain):
        plain = paper[None]
    rng = np.random.default_rng(len(plain))
    out[inner] = cv2.GaussianBlur(plain[rng.integers(len(plain), size=out[inner].shape[:2])], (3, 3), 0)
    return out


def _erased(face: Face) -> Image:
    """The face's picture with paper where its indices are: pixels around each that are paper, mixed, so
    that the grain and the light stay."""
    out = face.picture.copy()
    x0, y0, x1, y1 = (round(v) for v in face.box)
    spots = {"tl": (x0, y0, x1, y1), "br": (WIDTH - x1, HEIGHT - y1, WIDTH - x0, HEIGHT - y0),
             "tr": (WIDTH - x1, y0, WIDTH - x0, y1), "bl": (x0, HEIGHT - y1, x1, HEIGHT - y0)}  # fmt: skip
    rng = np.random.default_rng([x0, y0])
    for corner in face.corners:
        left, top, right, bottom = spots[corner]
        place = slice(max(0, top - 4), bottom + 4), slice(max(0, left - 4), right + 4)
        around = face.picture[max(0, top - 10) : bottom + 10, max(0, left - 10) : right + 10].astype(np.float32)
        paper = paper_of(around)
        plain = around[np.linalg.norm(around - paper, axis=2) < _GRAIN]
        patch = plain[rng.integers(len(plain), size=out[place].shape[:2])]
        out[place] = cv2.GaussianBlur(patch, (3, 3), 0).astype(np.uint8)
    return out


def _plain_back(rng: np.random.Generator) -> Image:
    """A card back: one colour with a pale border; the reader never looks at it."""
    picture = np.full((HEIGHT, WIDTH, 3), 235, np.uint8)
    picture[12:-12, 12:-12] = rng.integers(0, 255, 3)
    return picture
