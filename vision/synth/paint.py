"""Paint one face of a procedural deck."""

from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards import RANKS
from vision.synth import glyphs
from vision.synth.letters import cyrillic
from vision.synth.packaged import HEIGHT, INDEX_BOXES, WIDTH
from vision.synth.style import Colour, DeckStyle

if TYPE_CHECKING:
    from vision.synth.decks import CardFace, Library

Canvas = NDArray[np.float32]
Parts = list[tuple[glyphs.Mask, float, float]]

_WIDEST_WORD = 0.55
"""A joker's word in a row is at most this much of the card's width."""
_LEFT, _RIGHT = 0.3, 0.7
_COLUMNS: dict[int, list[tuple[float, float]]] = {
    2: [(0.5, 0.2), (0.5, 0.8)],
    3: [(0.5, 0.2), (0.5, 0.5), (0.5, 0.8)],
    4: [(_LEFT, 0.2), (_RIGHT, 0.2), (_LEFT, 0.8), (_RIGHT, 0.8)],
}
_COLUMNS[5] = [*_COLUMNS[4], (0.5, 0.5)]
_COLUMNS[6] = [*_COLUMNS[4], (_LEFT, 0.5), (_RIGHT, 0.5)]
_COLUMNS[7] = [*_COLUMNS[6], (0.5, 0.35)]
_COLUMNS[8] = [*_COLUMNS[7], (0.5, 0.65)]
_COLUMNS[9] = [(x, y) for x in (_LEFT, _RIGHT) for y in (0.2, 0.4, 0.6, 0.8)] + [(0.5, 0.5)]
_COLUMNS[10] = [*_COLUMNS[9][:-1], (0.5, 0.3), (0.5, 0.7)]


def paint_face(card: str, style: DeckStyle, library: "Library", rng: np.random.Generator) -> "CardFace":
    """A suit card: corner indices, then pips, court art, a big letter or nothing in the middle."""
    ink = style.ink[card[1]]
    canvas = _blank(style)
    parts = _index_parts(card, style)
    width, _ = _extent(parts)
    court = card[0] in "JQK"
    if court and style.centre in ("art", "pips"):
        _court(canvas, library.packaged[style.art_deck][card], style, width, rng)
    elif style.centre == "big":
        mask = glyphs.resized(_rank(card[0], style), HEIGHT * 0.36)
        glyphs.stamp(canvas, mask, (WIDTH - mask.shape[1]) / 2, (HEIGHT - mask.shape[0]) / 2, ink)
    elif not court and style.centre != "none":
        _pips(canvas, card, style, width, ink)
    if style.four_corners is False and rng.random() < 0.02:
        cv2.rectangle(canvas, (8, 8), (WIDTH - 8, HEIGHT - 8), tuple(map(float, ink)), 1)
    return _with_indices(canvas, parts, style, ink)


def paint_joker(card: str, style: DeckStyle, library: "Library", rng: np.random.Generator) -> "CardFace":
    """A joker: the word (stacked, turned, in a row) or a star; X black, Y red; art in the middle."""
    ink = style.ink["s"] if card == "X" else style.ink["h"]
    if card == "Y" and np.abs(style.ink["s"] - style.ink["h"]).max() < 40:
        ink = np.array([30, 30, 210], np.float32)
    canvas = _blank(style)
    parts = _star(style) if style.joker_word == "star" else _joker_word(style, rng)
    art = library.packaged[style.art_deck]
    court = art["JQK"[rng.integers(3)] + "cdhs"[rng.integers(4)]]
    picture = court if card == "Y" else np.repeat(court.mean(2, keepdims=True), 3, 2).astype(np.uint8)
    if rng.random() < 0.4:  # other figures than courts: shuffled pieces of them
        picture = np.ascontiguousarray(picture[::-1] if rng.random() < 0.5 else picture[:, ::-1])
    _court(canvas, picture, style, _extent(parts)[0], rng)
    return _with_indices(canvas, parts, style, ink)


def _index_parts(card: str, style: DeckStyle) -> Parts:
    rank = glyphs.resized(_rank(card[0], style), style.rank_height)
    suit = glyphs.resized(style.suits[card[1]], style.suit_height)
    eight = glyphs.resized(_rank("8", style), style.rank_height)
    if style.layout == "beside":
        return [(rank, 0, 0), (suit, rank.shape[1] + style.gap, (rank.shape[0] - suit.shape[0]) / 2)]
    column = max(rank.shape[1], suit.shape[1], eight.shape[1])
    return [
        (rank, (column - rank.shape[1]) / 2, 0),
        (suit, (column - suit.shape[1]) / 2, rank.shape[0] + style.gap),
    ]


def _rank(rank: str, style: DeckStyle) -> glyphs.Mask:
    printed = style.letters.get(rank, "10" if rank == "T" else rank)
    mask = glyphs.letters(style.font if printed.isascii() else cyrillic(style.font), printed)
    stretch = style.rank_stretch * (style.ten_squeeze if rank == "T" else 1)
    mask = glyphs.resized(mask, 130, mask.shape[1] * 130 / mask.shape[0] * stretch)
    if style.bold:
        k = 2 * style.bold + 1
        padded = cv2.copyMakeBorder(mask, k, k, k, k, cv2.BORDER_CONSTANT)
        mask = glyphs.trim(cv2.dilate(padded, np.ones((k, k), np.uint8)).astype(np.uint8))
    return mask


def _star(style: DeckStyle) -> Parts:
    angle = np.arange(10) * np.pi / 5 - np.pi / 2
    radius = np.where(np.arange(10) % 2 == 0, 60, 25)
    points = np.stack([64 + radius * np.cos(angle), 64 + radius * np.sin(angle)], 1).astype(np.int32)
    mask = np.zeros((128, 128), np.uint8)
    cv2.fillPoly(mask, [points], 255, cv2.LINE_AA)
    return [(glyphs.resized(mask, style.rank_height * 0.9), 0, 0)]


def _joker_word(style: DeckStyle, rng: np.random.Generator) -> Parts:
    if style.joker_way == "stack":
        height = style.rank_height * rng.uniform(0.38, 0.6)
        parts: Parts = []
        y = 0.0
        for letter in style.joker_word:
            mask = glyphs.resized(glyphs.letters(style.font, letter), height)
            parts.append((mask, 0, y))
            y += height * 1.15
        column = max(m.shape[1] for m, _, _ in parts)
        return [(m, (column - m.shape[1]) / 2, y) for m, _, y in parts]
    word = glyphs.letters(style.font, style.joker_word)
    widest = WIDTH * (_WIDEST_WORD if not style.four_corners else 0.6 * _WIDEST_WORD)
    height = min(style.rank_height * rng.uniform(0.38, 0.9), widest * word.shape[0] / word.shape[1])
    mask = glyphs.resized(word, height)
    if style.joker_way == "turned":
        return [(np.ascontiguousarray(np.rot90(mask, 1 if rng.random() < 0.5 else 3)), 0, 0)]
    if rng.random() < 0.5:
        return [(mask, 0, 0)]
    (star, _, _), *_ = _star(style)  # small stars around the beginning of the word
    stars: Parts = [
        (glyphs.resized(star, height * rng.uniform(0.3, 0.6)), rng.uniform(0, 0.7) * height, rng.uniform(0, 1) * height)
        for _ in range(rng.integers(1, 4))
    ]
    return [*stars, (mask, height * rng.uniform(0.8, 1.1), height * rng.uniform(0.1, 0.5))]


def _extent(parts: Parts) -> tuple[float, float]:
    return max(x + m.shape[1] for m, x, _ in parts), max(y + m.shape[0] for m, _, y in parts)


def _court(canvas: Canvas, art: NDArray[np.uint8], style: DeckStyle, index_width: float,
           rng: np.random.Generator) -> None:  # fmt: skip
    """The middle of a published court card between the index columns, in the deck's colours."""
    name = style.art_deck
    inset = INDEX_BOXES[name][2] / WIDTH + 0.03
    h, w = art.shape[:2]
    art = art[int(0.1 * h) : int(0.9 * h), int(inset * w) : int((1 - inset) * w)]
    x0 = int(np.clip(style.margin[0] + index_width + 4, 0.14 * WIDTH, 0.36 * WIDTH))
    y0 = int(rng.uniform(0.07, 0.13) * HEIGHT)
    scaled = cv2.resize(art, (WIDTH - 2 * x0, HEIGHT - 2 * y0), interpolation=cv2.INTER_AREA)
    place = slice(y0, HEIGHT - y0), slice(x0, WIDTH - x0)
    bright = scaled.astype(np.float32)
    canvas[place] = (255 - bright) * 0.7 + style.paper * 0.4 if style.dark else bright * style.paper / 255
    if style.frame:
        cv2.rectangle(canvas, (x0, y0), (WIDTH - x0, HEIGHT - y0), tuple(map(float, style.ink["s"])), 1)


def _pips(canvas: Canvas, card: str, style: DeckStyle, index_width: float, ink: Colour) -> None:
    mask = style.suits[card[1]]
    if card[0] == "A":
        big = glyphs.resized(mask, HEIGHT * (0.16 + 0.9 * style.pip_height / HEIGHT))
        glyphs.stamp(canvas, big, (WIDTH - big.shape[1]) / 2, (HEIGHT - big.shape[0]) / 2, ink)
        return
    pip = glyphs.resized(mask, style.pip_height)
    left = max(_LEFT, (style.margin[0] + index_width + 5 + pip.shape[1] / 2) / WIDTH)
    for x, y in _COLUMNS[RANKS.index(card[0]) + 2]:
        x = left if x < 0.4 else 1 - left if x > 0.6 else x
        sign = pip if y <= 0.5 else pip[::-1, ::-1]
        glyphs.stamp(canvas, sign, x * WIDTH - pip.shape[1] / 2, y * HEIGHT - pip.shape[0] / 2, ink)


def _blank(style: DeckStyle) -> Canvas:
    return np.broadcast_to(np.tile(style.paper, WIDTH), (HEIGHT, 3 * WIDTH)).reshape(HEIGHT, WIDTH, 3).copy()


def _with_indices(canvas: Canvas, parts: Parts, style: DeckStyle, ink: Colour) -> "CardFace":
    from vision.synth.decks import CardFace

    width, height = _extent(parts)
    mx, my = style.margin
    layer = np.zeros((HEIGHT, WIDTH), np.uint8)
    for mask, x, y in parts:
        glyphs.cover(layer, mask, mx + x, my + y)
        if style.four_corners:
            glyphs.cover(layer, mask, WIDTH - mx - width + x, my + y)
    corners = ["tl", "tr"] if style.four_corners else ["tl"]
    if not style.one_corner:
        layer = np.maximum(layer, layer[::-1, ::-1])
        corners += ["br", "bl"] if style.four_corners else ["br"]
    end = min(HEIGHT // 2, int(my + height) + 2)
    for rows in (slice(0, end), slice(HEIGHT - end, HEIGHT)):  # most of the card holds no index
        canvas[rows] += (ink - canvas[rows]) * (layer[rows, :, None] / np.float32(255))
    box = (mx, my, mx + width, my + height)
    return CardFace(np.clip(canvas, 0, 255).astype(np.uint8), tuple((c, box) for c in corners))
