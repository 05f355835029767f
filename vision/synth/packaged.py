"""Packaged SVG decks as pictures: rasterised once into a cache, with their index boxes measured."""

import gzip
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards import NAMES
from vision.synth import assets
from vision.types import Image

WIDTH, HEIGHT = 300, 420
"""Size of a card face in pixels (63 x 88 mm)."""

_KDE_RANKS = dict(zip("A23456789TJQK", (*map(str, range(1, 11)), "jack", "queen", "king"), strict=True))
_KDE_SUITS = {"c": "club", "d": "diamond", "h": "heart", "s": "spade"}
_KDE_DECKS = ("dondorf", "gm-paris", "nicu-white")
"""The sheets that are legible international decks. (konqi belongs to the evaluation.)"""
INDEX_BOXES = {
    "heruka-2color": (12, 12, 41, 93),
    "heruka-2color-bf": (11, 12, 70, 176),
    "heruka-4color": (12, 12, 41, 93),
    "heruka-4color-bf": (11, 12, 70, 176),
    "kde-dondorf": (10, 10, 50, 103),
    "kde-gm-paris": (8, 9, 50, 100),
    "kde-nicu-white": (9, 20, 73, 192),
}
"""x0, y0, x1, y1 of the top left index in face pixels, measured on the pictures."""
TEN_WIDER = 1.16
"""A ten's index is this much wider."""
FOUR_CORNERS = ("kde-dondorf",)
_SVG = "{http://www.w3.org/2000/svg}"


def build(root: Path) -> None:
    """Rasterise every packaged deck to `root/faces/<deck>.npz` (skips what is there)."""
    (root / "faces").mkdir(parents=True, exist_ok=True)
    for name, cards in _sources(root):
        target = root / "faces" / f"{name}.npz"
        if not target.exists():
            faces = {card: _card(picture) for card, picture in cards}
            np.savez_compressed(target, **faces)  # type: ignore[arg-type]


def load(root: Path) -> dict[str, dict[str, Image]]:
    """Deck name -> card name ("7h", "back", "X", "Y") -> face (420, 300, 3)."""
    decks = {}
    for path in sorted((root / "faces").glob("*.npz")):
        with np.load(path) as data:
            decks[path.stem] = {card: data[card] for card in data.files}
    return decks


def _sources(root: Path) -> Iterator[tuple[str, Iterator[tuple[str, NDArray[np.uint8]]]]]:
    heruka, kde = (assets.folder_of(root, package) for package in assets.DECKS)
    for folder in sorted((heruka / "package" / "src" / "images").iterdir()):
        if folder.is_dir():
            yield f"heruka-{folder.name}", _heruka(folder)
    for path in sorted((kde / "usr" / "share" / "carddecks").glob("*/*.svgz")):
        name = path.parent.name.removeprefix("svg-")
        if name in _KDE_DECKS:
            yield f"kde-{name}", _kde(path)


def _heruka(folder: Path) -> Iterator[tuple[str, NDArray[np.uint8]]]:
    for card in NAMES:
        yield card, _raster((folder / f"{card.upper()}.svg").read_text(), WIDTH, HEIGHT)


def _kde(path: Path) -> Iterator[tuple[str, NDArray[np.uint8]]]:
    """Cut single cards out of a sheet: the element, its ancestors' transforms, all definitions."""
    root = ET.fromstring(gzip.decompress(path.read_bytes()))
    parents = {child: parent for parent in root.iter() for child in parent}
    by_id = {e.get("id"): e for e in root.iter() if e.get("id")}
    definitions = list(root.iter(f"{_SVG}defs"))
    wanted = {r + s: f"{_KDE_RANKS[r]}_{_KDE_SUITS[s]}" for r in _KDE_RANKS for s in _KDE_SUITS}
    for card, identifier in {**wanted, "X": "joker_black", "Y": "joker_red", "back": "back"}.items():
        element = by_id.get(identifier)
        if element is None:
            continue
        inner = element
        while (parent := parents.get(inner)) is not None and inner is not root:
            if parent is root:
                break
            outer = ET.Element(parent.tag, {k: v for k, v in parent.attrib.items() if k in ("transform", "style")})
            outer.append(inner)
            inner = outer
        page = ET.Element(root.tag, root.attrib)
        page.extend(definitions)
        page.append(inner)
        picture = _raster(ET.tostring(page, encoding="unicode"), 5200, None)
        if picture[..., 3].any():
            yield card, picture


def _raster(svg: str, width: int, height: int | None) -> NDArray[np.uint8]:
    """Render SVG text to BGRA."""
    import resvg_py

    data = resvg_py.svg_to_bytes(svg_string=svg, width=width, height=height, dpi=96, skip_system_fonts=True)
    picture = cv2.imdecode(np.frombuffer(bytes(data), np.uint8), cv2.IMREAD_UNCHANGED)
    return np.asarray(picture, np.uint8)


def _card(picture: NDArray[np.uint8]) -> Image:
    """Trim to the card, put it on white, scale to the common size."""
    ys, xs = np.where(picture[..., 3] > 128)
    picture = picture[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]
    alpha = picture[..., 3:].astype(np.float32) / 255
    flat = picture[..., :3] * alpha + 255 * (1 - alpha)
    return cv2.resize(flat.astype(np.uint8), (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA).astype(np.uint8)
