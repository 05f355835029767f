"""What a reader must not forget while it is taught a new deck: a small file of crops that ships.

`python -m vision.training.rehearsal --assets DIR --deck models/standard --out models/rehearsal.npz`

The file holds reader crops of procedural decks with their names (drawn figures, no published art), and
masks of ranks and joker words in many fonts, with which faces are composed that nobody photographed.
It is repeatable from its seed.
"""

import argparse
from collections import Counter
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards import NOT_READABLE, RANKS, READ_CLASSES
from vision.deck import load_deck
from vision.locate import locate
from vision.session import Network
from vision.synth import assets, glyphs
from vision.synth.decks import Library, ProceduralDeck
from vision.synth.packaged import HEIGHT, WIDTH
from vision.synth.scene import draw_scene
from vision.training.crops import SIZE, cut, located, mistaken
from vision.types import Image

_SCENE = 416
_ACROSS = 24
"""Crops beside each other on the page that is compressed."""
_QUALITY = 70
_CELL = 40, 64
"""Height and width in which a letter's mask is kept."""
_SIGNS = (*RANKS, "JOKER")


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """`crops` (n, size, size, 3) and their `names` (n,), indices of READ_CLASSES; `letters`: for each
    font the masks of its ranks and of the word JOKER, each trimmed to its ink."""

    crops: NDArray[np.uint8]
    names: NDArray[np.int64]
    letters: tuple[dict[str, glyphs.Mask], ...]


class _Drawn(Library):
    """Fonts only; figures are drawn, so that no published art is in what ships."""

    @property
    def packaged(self) -> dict[str, dict[str, Image]]:  # type: ignore[override]
        return _figures()


def shipped_file() -> Path:
    """The file that ships with Kibitz."""
    return Path(str(resources.files("models"))) / "rehearsal.npz"


def load(path: Path) -> Rehearsal:
    """Read what `main` wrote."""
    with np.load(path) as data:
        page, names = _unpacked(data["crops"], cv2.IMREAD_COLOR), data["names"]
        cells, widths = _unpacked(data["letters"], cv2.IMREAD_GRAYSCALE), data["widths"]
    rows = page.shape[0] // SIZE
    crops = page.reshape(rows, SIZE, _ACROSS, SIZE, 3).transpose(0, 2, 1, 3, 4).reshape(-1, SIZE, SIZE, 3)
    height, width = _CELL
    masks = cells.reshape(-1, height, len(_SIGNS), width).transpose(0, 2, 1, 3)
    letters = tuple(
        {sign: glyphs.trim(mask[:, :wide]) for sign, mask, wide in zip(_SIGNS, font, row, strict=True) if wide}
        for font, row in zip(masks, widths, strict=True)
    )
    return Rehearsal(np.ascontiguousarray(crops[: len(names)]), names.astype(np.int64), letters)


def save(path: Path, crops: NDArray[np.uint8], names: NDArray[np.int64], fonts: list[dict[str, glyphs.Mask]]) -> None:
    """Write crops (n, size, size, 3) with their names, and the letters of fonts."""
    rows = -(-len(crops) // _ACROSS)
    padded = np.zeros((rows * _ACROSS, SIZE, SIZE, 3), np.uint8)
    padded[: len(crops)] = crops
    page = padded.reshape(rows, _ACROSS, SIZE, SIZE, 3).transpose(0, 2, 1, 3, 4).reshape(rows * SIZE, _ACROSS * SIZE, 3)
    height, width = _CELL
    cells = np.zeros((len(fonts), height, len(_SIGNS), width), np.uint8)
    widths = np.zeros((len(fonts), len(_SIGNS)), np.uint8)
    for i, font in enumerate(fonts):
        for j, sign in enumerate(_SIGNS):
            if sign in font:
                wide = min(width, max(2, round(font[sign].shape[1] * height / font[sign].shape[0])))
                cells[i, :, j, :wide] = glyphs.resized(font[sign], height, wide)
                widths[i, j] = wide
    np.savez(
        path,
        crops=_packed(".jpg", page, cv2.IMWRITE_JPEG_QUALITY, _QUALITY),
        names=names.astype(np.uint8),
        letters=_packed(".png", cells.reshape(len(fonts) * height, -1), cv2.IMWRITE_PNG_COMPRESSION, 9),
        widths=widths,
    )


def draw(library: Library, locator: Network, each: int, seed: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """`each` crops of every class (six times as many that aren't readable), drawn scene by scene."""
    wanted = Counter(dict.fromkeys(READ_CLASSES, each)) + Counter({NOT_READABLE: 5 * each})
    crops: list[Image] = []
    names: list[int] = []
    number = 0
    while wanted.total():
        rng = np.random.default_rng([seed, number])
        scene = draw_scene(ProceduralDeck(library, rng), _SCENE, [], rng)
        found = locate(locator, scene.picture, 1.0, 0.15)
        indices = found.take(~found.backs)
        wrong = [(crop, NOT_READABLE) for crop in mistaken(scene, indices)]
        for crop, name in (*located(scene, indices, rng), *cut(scene, rng), *wrong):
            if wanted[name] > 0:
                wanted[name] -= 1
                crops.append(crop)
                names.append(READ_CLASSES.index(name))
        number += 1
    return np.stack(crops), np.array(names, np.int64)


def font_letters(fonts: list[Path]) -> list[dict[str, glyphs.Mask]]:
    """The masks of ranks and of the word JOKER, font by font; the word runs downwards, a letter below
    the other."""
    out = []
    for font in fonts:
        masks = {rank: glyphs.letters(font, "10" if rank == "T" else rank) for rank in RANKS}
        column = [glyphs.resized(glyphs.letters(font, letter), 24) for letter in "JOKER"]
        wide = max(mask.shape[1] for mask in column)
        word = np.zeros((5 * 28, wide), np.uint8)
        for i, mask in enumerate(column):
            left = (wide - mask.shape[1]) // 2
            word[28 * i : 28 * i + 24, left : left + mask.shape[1]] = mask
        out.append({**masks, "JOKER": glyphs.trim(word)})
    return out


@cache
def _figures() -> dict[str, dict[str, Image]]:
    # under the name of a deck whose figures stand where most decks have theirs
    return {"heruka-2color": {rank + suit: _figure(rank + suit) for rank in "JQK" for suit in "cdhs"}}


def _figure(card: str) -> Image:
    """Something colourful where a court card's figure would be."""
    rng = np.random.default_rng([*card.encode()])
    picture = np.full((HEIGHT, WIDTH, 3), 245, np.uint8)
    for _ in range(40):
        x, y = (int(v) for v in rng.integers(0, (WIDTH, HEIGHT)))
        axes = int(rng.integers(4, 60)), int(rng.integers(3, 30))
        colour = [(30, 30, 190), (30, 30, 30), (40, 190, 230), (160, 90, 30)][rng.integers(4)]
        cv2.ellipse(picture, (x, y), axes, float(rng.uniform(0, 180)), 0, 360, colour, int(rng.choice([-1, 2, 4])))
    return picture


def _packed(kind: str, page: NDArray[np.uint8], option: int, value: int) -> NDArray[np.uint8]:
    return np.asarray(cv2.imencode(kind, page, [option, value])[1], np.uint8)


def _unpacked(data: NDArray[np.uint8], way: int) -> NDArray[np.uint8]:
    return np.asarray(cv2.imdecode(data, way), np.uint8)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--assets", type=Path, required=True)
    parser.add_argument("--deck", type=Path, required=True, help="deck pack whose locator's mistakes are learned from")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--each", type=int, default=44, help="crops of each class")
    parser.add_argument("--seed", type=int, default=61)
    args = parser.parse_args()
    assets.fetch(args.assets)
    library = _Drawn(args.assets)
    crops, names = draw(library, Network(load_deck(args.deck).locate_path, 1), args.each, args.seed)
    save(args.out, crops, names, font_letters(library.fonts))
    print(f"{len(crops)} crops, {len(library.fonts)} fonts, {args.out.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
