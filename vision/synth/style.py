"""The style of a procedural deck: every choice that its 54 faces share."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from vision.synth import glyphs
from vision.synth.letters import Letters, draw_letters
from vision.synth.packaged import HEIGHT, WIDTH

if TYPE_CHECKING:
    from vision.synth.decks import Library

Colour = NDArray[np.float32]


def _grey(value: float) -> Colour:
    return np.full(3, value, np.float32)


def _bgr(rng: np.random.Generator, *ranges: tuple[float, float]) -> Colour:
    return np.array([rng.uniform(*r) for r in ranges], np.float32)


@dataclass(frozen=True)
class DeckStyle:
    """Lengths in face pixels (300 x 420), colours blue-green-red."""

    font: Path
    letters: Letters
    suits: dict[str, glyphs.Mask]
    paper: Colour
    ink: dict[str, Colour]
    dark: bool
    rank_height: float
    rank_stretch: float
    suit_height: float
    gap: float
    margin: tuple[float, float]
    bold: int
    ten_squeeze: float
    layout: str
    four_corners: bool
    one_corner: bool
    centre: str
    art_deck: str
    pip_height: float
    frame: bool
    joker_word: str
    joker_way: str

    @staticmethod
    def draw(library: "Library", rng: np.random.Generator) -> "DeckStyle":
        """A random style. Index heights follow real decks: standard, large, jumbo."""
        size = rng.choice(["standard", "large", "jumbo"], p=[0.62, 0.22, 0.16])
        low, high = {"standard": (0.075, 0.12), "large": (0.12, 0.17), "jumbo": (0.17, 0.26)}[size]
        rank_height = rng.uniform(low, high) * HEIGHT
        dark = rng.random() < 0.15
        paper, ink = _dark_colours(rng) if dark else _colours(rng)
        art = [d for d in library.packaged if "Kh" in library.packaged[d]]
        font = library.fonts[rng.integers(len(library.fonts))]
        return DeckStyle(
            font=font,
            letters=draw_letters(font, rng),
            suits=_suits(library, rng),
            paper=paper,
            ink=ink,
            dark=dark,
            rank_height=rank_height,
            rank_stretch=rng.uniform(0.55, 1.1),
            suit_height=rank_height * rng.uniform(0.55, 1.05) * (0.85 if size == "jumbo" else 1),
            gap=rng.uniform(0.04, 0.3) * rank_height,
            margin=(rng.uniform(0.02, 0.075) * WIDTH, rng.uniform(0.02, 0.065) * HEIGHT),
            bold=int(rng.choice([0, 0, 0, 1, 2, 3])),
            ten_squeeze=rng.uniform(0.6, 1.0),
            layout=str(rng.choice(["below", "beside"], p=[0.95, 0.05])),
            four_corners=rng.random() < 0.24,
            one_corner=rng.random() < 0.02,
            centre=str(rng.choice(["art", "big", "pips", "none"], p=[0.62, 0.14, 0.16, 0.08])),
            art_deck=art[rng.integers(len(art))],
            pip_height=rng.uniform(0.1, 0.17) * HEIGHT,
            frame=rng.random() < 0.6,
            joker_word=str(rng.choice(["JOKER", "Joker", "star"], p=[0.5, 0.32, 0.18])),
            joker_way=str(rng.choice(["stack", "turned", "row"], p=[0.45, 0.2, 0.35])),
        )


def _suits(library: "Library", rng: np.random.Generator) -> dict[str, glyphs.Mask]:
    if library.suit_fonts and rng.random() < 0.35:
        font = library.suit_fonts[rng.integers(len(library.suit_fonts))]
        suits = {s: glyphs.letters(font, c) for s, c in glyphs.SUIT_CHARACTERS.items()}
    else:
        seed = int(rng.integers(2**31))
        suits = {s: glyphs.drawn_suit(s, np.random.default_rng(seed)) for s in "cdhs"}
    if rng.random() < 0.5:
        spread, level = rng.uniform(0.01, 0.07), rng.uniform(0.25, 0.55)
        suits = {s: glyphs.bloomed(mask, spread, level) for s, mask in suits.items()}
    return suits


def _colours(rng: np.random.Generator) -> tuple[Colour, dict[str, Colour]]:
    paper = _grey(rng.uniform(228, 255)) + _bgr(rng, (-16, 0), (-6, 2), (-4, 3))
    red = _bgr(rng, (0, 70), (0, 60), (160, 240))
    black = _grey(rng.uniform(0, 55)) + _bgr(rng, (0, 12), (0, 6), (0, 6))
    ink = {"c": black, "s": black, "d": red, "h": red}
    if rng.random() < 0.14:  # four colours: green clubs, blue or orange diamonds
        ink["c"] = _bgr(rng, (10, 90), (90, 160), (0, 60))
        orange = rng.random() < 0.3
        ink["d"] = _bgr(rng, (0, 40), (100, 170), (210, 250)) if orange else _bgr(rng, (160, 240), (50, 130), (0, 70))
    return paper, ink


def _dark_colours(rng: np.random.Generator) -> tuple[Colour, dict[str, Colour]]:
    paper = _grey(rng.uniform(6, 55)) + _bgr(rng, (0, 25), (0, 8), (0, 12))
    light = [_bgr(rng, (60, 120), (150, 200), (190, 235)), _grey(rng.uniform(150, 250)),
             _bgr(rng, (200, 240), (190, 230), (180, 230))]  # fmt: skip
    first = light[rng.integers(3)]
    second = [first, _bgr(rng, (20, 90), (20, 90), (170, 240)), light[rng.integers(3)]][rng.integers(3)]
    return paper, {"c": first, "s": first, "d": second, "h": second}
