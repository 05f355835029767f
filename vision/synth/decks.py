"""Decks that never existed: fonts, sizes, spacings, colours, layouts, jokers and backs at random.

A face is a picture with the boxes of its corner indices; the names are known, so labels are free.
"""

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards import NAMES
from vision.synth import assets, glyphs, packaged
from vision.synth.packaged import HEIGHT, WIDTH
from vision.types import Image

Corner = str
"""tl, tr, br or bl: where on the upright card an index sits."""


@dataclass(frozen=True, slots=True)
class CardFace:
    """A card's picture (420, 300, 3) and its indices as (corner, (x0, y0, x1, y1)), where the box
    is that of the same index at the top left; the other corners are its rotations or mirrors."""

    picture: Image
    indices: tuple[tuple[Corner, tuple[float, float, float, float]], ...] = ()


@dataclass(frozen=True)
class Library:
    """Fonts and packaged faces that procedural decks draw on. `fetch` of `assets` must have run."""

    root: Path

    @cached_property
    def fonts(self) -> list[Path]:
        return [f for f in assets.font_files(self.root) if "symbols" not in f.name]

    @cached_property
    def suit_fonts(self) -> list[Path]:
        return [f for f in assets.font_files(self.root) if glyphs.has_suits(f)]

    @cached_property
    def packaged(self) -> dict[str, dict[str, Image]]:
        return packaged.load(self.root)


class Deck(Protocol):
    """A source of faces."""

    def face(self, card: str) -> CardFace:
        """The face of "7h", "X", "Y" or "back"."""
        ...


@dataclass
class PackagedDeck:
    """A published deck, tinted a little."""

    library: Library
    rng: np.random.Generator
    name: str = field(init=False)

    def __post_init__(self) -> None:
        self.name = str(self.rng.choice(sorted(packaged.INDEX_BOXES)))
        self._tint = self.rng.uniform(0.86, 1.0, 3)
        self._back = draw_back(self.library, self.rng)
        self._jokers = ProceduralDeck(self.library, self.rng)

    def face(self, card: str) -> CardFace:
        if card == "back":
            return CardFace(self._back)
        if card in "XY":
            return self._jokers.face(card)
        x0, y0, x1, y1 = packaged.INDEX_BOXES[self.name]
        if card[0] == "T":
            x1 = int(x0 + (x1 - x0) * packaged.TEN_WIDER)
        corners = ("tl", "br", "tr", "bl") if self.name in packaged.FOUR_CORNERS else ("tl", "br")
        picture = (self.library.packaged[self.name][card] * self._tint).astype(np.uint8)
        return CardFace(picture, tuple((c, (x0, y0, x1, y1)) for c in corners))


class ProceduralDeck:
    """A deck whose style is drawn from `rng` once; faces are painted when first asked for."""

    def __init__(self, library: Library, rng: np.random.Generator) -> None:
        from vision.synth.style import DeckStyle

        self.library = library
        self.style = DeckStyle.draw(library, rng)
        self._seed = int(rng.integers(2**31))
        self._faces: dict[str, CardFace] = {}

    def face(self, card: str) -> CardFace:
        if card not in self._faces:
            from vision.synth.paint import paint_face, paint_joker

            rng = np.random.default_rng([self._seed, (*NAMES, "X", "Y", "back").index(card)])
            if card == "back":
                self._faces[card] = CardFace(draw_back(self.library, rng))
            elif card in "XY":
                self._faces[card] = paint_joker(card, self.style, self.library, rng)
            else:
                self._faces[card] = paint_face(card, self.style, self.library, rng)
        return self._faces[card]


def draw_deck(library: Library, rng: np.random.Generator) -> Deck:
    """A random deck: mostly procedural, sometimes a published one."""
    if rng.random() < 0.2:
        return PackagedDeck(library, rng)
    return ProceduralDeck(library, rng)


def draw_back(library: Library, rng: np.random.Generator) -> Image:
    """A card back: a published one recoloured, or a pattern inside a border."""
    published = [d["back"] for d in library.packaged.values() if "back" in d]
    if published and rng.random() < 0.3:
        picture = published[rng.integers(len(published))][..., rng.permutation(3)]
        return np.clip(picture * rng.uniform(0.5, 1.3, 3), 0, 255).astype(np.uint8)
    picture = np.full((HEIGHT, WIDTH, 3), rng.uniform(215, 255), np.float32)
    border = int(rng.choice([0, 0, 10, 16, 24]))
    ink = rng.uniform(0, 255, 3).astype(np.float32)
    plain = np.full(3, 240, np.float32)
    paper: NDArray[np.float32] = rng.uniform(0, 255, 3).astype(np.float32) if rng.random() < 0.4 else plain
    field_ = _pattern(rng)[..., None]
    inner = slice(border, HEIGHT - border), slice(border, WIDTH - border)
    picture[inner] = (paper * (1 - field_) + ink * field_)[inner]
    if rng.random() < 0.35:
        cv2.circle(picture, (WIDTH // 2, HEIGHT // 2), int(rng.integers(20, 90)),
                   tuple(map(float, paper)), int(rng.choice([-1, 3, 8])), cv2.LINE_AA)  # fmt: skip
    return np.clip(picture, 0, 255).astype(np.uint8)


def _pattern(rng: np.random.Generator) -> NDArray[np.float32]:
    yy, xx = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
    k = float(rng.choice([7, 10, 15, 22, 34]))
    kind = rng.integers(6)
    if kind == 0:
        mask = (xx // k + yy // k) % 2
    elif kind == 1:
        mask = ((xx + yy) // k) % 2
    elif kind == 2:
        mask = np.sin(xx / k * 2) * np.sin(yy / k * 2) > 0.2
    elif kind == 3:
        mask = (np.hypot(xx - WIDTH / 2, yy - HEIGHT / 2) // k) % 2
    elif kind == 4:
        mask = np.abs(xx % k - k / 2) + np.abs(yy % k - k / 2) < k / 3
    else:
        mask = np.ones_like(xx)
    return np.asarray(mask, np.float32)
