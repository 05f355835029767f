"""Masks of ranks and suit signs: letters from font files, suits from fonts or drawn curves."""

from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

Mask = NDArray[np.uint8]
"""Coverage 0..255, trimmed to its ink."""

SUIT_CHARACTERS = {"c": "\u2663", "d": "\u2666", "h": "\u2665", "s": "\u2660"}
_SIZE = 160


def trim(mask: Mask) -> Mask:
    """Cut a mask down to its ink. Raises ValueError when there is none."""
    ys, xs = np.where(mask > 40)
    if not len(ys):
        raise ValueError("empty mask")
    return mask[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]


@lru_cache(maxsize=4096)
def letters(font: Path, text: str) -> Mask:
    """The text in a font, about 120 px high. Raises ValueError when the font draws nothing."""
    face = ImageFont.truetype(str(font), _SIZE)
    page = Pillow.new("L", (_SIZE * len(text) + 160, 2 * _SIZE + 80), 0)
    ImageDraw.Draw(page).text((60, 60), text, 255, font=face)
    return trim(np.asarray(page))


@lru_cache(maxsize=64)
def has_suits(font: Path) -> bool:
    """Whether the font draws four different filled suit signs."""
    try:
        masks = [cv2.resize(letters(font, c), (32, 32)) for c in SUIT_CHARACTERS.values()]
    except (OSError, ValueError):
        return False
    different = all(
        np.abs(a.astype(int) - b).mean() > 12 for i, a in enumerate(masks) for b in masks[:i]
    )
    return different and all(m.mean() > 60 for m in masks)


def drawn_suit(suit: str, rng: np.random.Generator) -> Mask:
    """One suit sign from curves with random proportions; the same rng state, the same deck style.

    Call it four times with generators of one seed to get a deck whose signs match.
    """
    waist, stem, round_, cleft, apart, high = rng.uniform(0, 1, 6)
    stretch = rng.uniform(0.86, 1.16)
    page = np.zeros((320, 320), np.uint8)
    if suit == "d":
        bend = 0.55 + 0.6 * np.sqrt(waist)  # below 1 hollow sides, like a star's, above 1 bulging ones
        t = np.linspace(0, 2 * np.pi, 200)
        power = 2 / bend
        x = np.sign(np.cos(t)) * np.abs(np.cos(t)) ** power * (0.72 + 0.2 * round_)
        y = np.sign(np.sin(t)) * np.abs(np.sin(t)) ** power
        _fill(page, x, y)
    elif suit == "c":
        _club(page, stem, 0.36 + 0.16 * round_, 0.6 + 0.5 * apart, 1.05 + 0.75 * high, 1 + 3 * waist)
    else:
        x, y = _heart(waist, round_, cleft)
        if suit == "h":
            _fill(page, x, y)
        else:
            body = 0.72 + 0.2 * apart
            _fill(page, x, -body * y - (0.96 - body))
            _stem(page, stem, 0.05, 1 + 3 * high)
    mask = trim(page)
    return resized(mask, 200, 200 * mask.shape[1] / mask.shape[0] * stretch)


def _club(page: Mask, stem: float, radius: float, apart: float, high: float, flare: float) -> None:
    """Three lobes, from quite apart to grown together: the lower two lie `apart` radii from the
    middle, the upper one `high` radii above them."""
    side, rise = apart * radius, high * radius
    middle = rise / 2 - 0.15
    t = np.linspace(0, 2 * np.pi, 80)
    for cx, cy in ((0.0, middle - rise), (-side, middle), (side, middle)):
        _fill(page, cx + radius * np.cos(t), cy + radius * np.sin(t))
    _fill(page, np.array([0, -side, side]), np.array([middle - rise, middle, middle]))
    _stem(page, stem, middle - 0.1, flare)


def bloomed(mask: Mask, spread: float, level: float) -> Mask:
    """The mask as worn or cheap print shows it: ink runs `spread` of its height, corners get round
    and gaps close (`level` below half) or thin parts vanish (above)."""
    pad = max(4, round(2 * spread * mask.shape[0]))
    page = cv2.copyMakeBorder(mask, pad, pad, pad, pad, cv2.BORDER_CONSTANT).astype(np.float32) / 255
    soft = cv2.GaussianBlur(page, (0, 0), max(0.5, spread * mask.shape[0]))
    edge = np.clip((soft - level) * 6 + 0.5, 0, 1)
    return trim((255 * edge).astype(np.uint8))


def _heart(waist: float, round_: float, cleft: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Half a heart as a cubic Bezier from the cleft over the lobe to the tip, mirrored."""
    top = -0.55 - 0.25 * (1 - cleft)
    points = np.array(
        [[0, top], [0.25, -1.25], [0.95 + 0.12 * round_, -1.15], [0.92, -0.42]]
    ), np.array([[0.92, -0.42], [0.9, 0.05 + 0.2 * waist], [0.35 - 0.25 * waist, 0.45], [0, 1.0]])
    t = np.linspace(0, 1, 60)[:, None]
    half = np.concatenate(
        [(1 - t) ** 3 * p[0] + 3 * (1 - t) ** 2 * t * p[1] + 3 * (1 - t) * t**2 * p[2] + t**3 * p[3]
         for p in points]
    )  # fmt: skip
    x = np.concatenate([half[:, 0], -half[::-1, 0]])
    y = np.concatenate([half[:, 1], half[::-1, 1]])
    return x, y


def _stem(page: Mask, width: float, top: float, flare: float) -> None:
    """From `top` down to a foot; straight sides (`flare` 1) or more and more curved ones."""
    t = np.linspace(0, 1, 20)
    half = 0.05 + (0.07 + 0.3 * width) * t**flare
    y = top + (1 - top) * t
    _fill(page, np.concatenate([half, -half[::-1]]), np.concatenate([y, y[::-1]]))


def _fill(page: Mask, x: NDArray[np.float64], y: NDArray[np.float64]) -> None:
    scale = page.shape[0] * 0.42
    points = np.stack([x * scale, y * scale], 1) + page.shape[0] / 2
    cv2.fillPoly(page, [np.round(points * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)


def resized(mask: Mask, height: float, width: float | None = None) -> Mask:
    """Scale to a height in pixels, keeping proportions unless a width is given."""
    w = mask.shape[1] * height / mask.shape[0] if width is None else width
    size = max(2, round(w)), max(2, round(height))
    return cv2.resize(mask, size, interpolation=cv2.INTER_AREA).astype(np.uint8)


def stamp(picture: NDArray[np.float32], mask: Mask, x: float, y: float, colour: NDArray[np.float32]) -> None:
    """Paint a mask in a colour with its top left corner at x, y; clipped at the borders."""
    place, part = _clipped(picture.shape, mask, x, y)
    if part.size:
        picture[place] += (colour - picture[place]) * (part[..., None] / np.float32(255))


def cover(layer: Mask, mask: Mask, x: float, y: float) -> None:
    """Add a mask to a layer of coverage, at the same place as `stamp`."""
    place, part = _clipped(layer.shape, mask, x, y)
    if part.size:
        layer[place] = np.maximum(layer[place], part)


def _clipped(shape: tuple[int, ...], mask: Mask, x: float, y: float) -> tuple[tuple[slice, slice], Mask]:
    left, top = round(x), round(y)
    x0, y0 = max(0, left), max(0, top)
    x1, y1 = max(x0, min(shape[1], left + mask.shape[1])), max(y0, min(shape[0], top + mask.shape[0]))
    return (slice(y0, y1), slice(x0, x1)), mask[y0 - top : y1 - top, x0 - left : x1 - left]
