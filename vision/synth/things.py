"""Things that lie about on a table and are no cards: cups, chips, sheets with writing, pens, coins."""

import math
import string

import cv2
import numpy as np

from vision.types import Image

Colour = tuple[float, float, float]


def draw_thing(picture: Image, rng: np.random.Generator) -> None:
    """Draw one thing somewhere on a table top."""
    side = picture.shape[0]
    x, y = (int(v) for v in rng.integers(0, side, 2))
    size = int(rng.integers(8, 110))
    kind = rng.choice(["cup", "chips", "disc", "sheet", "pen", "words"], p=[0.2, 0.1, 0.1, 0.35, 0.13, 0.12])
    if kind == "cup":
        _cup(picture, x, y, int(rng.integers(18, 80)), rng)
    elif kind == "chips":
        for _ in range(rng.integers(1, 6)):
            _chip(picture, x, y, max(8, size // 4), rng)
            x, y = x + int(rng.normal(0, size / 2)), y + int(rng.normal(0, size / 2))
    elif kind == "disc":
        width = -1 if rng.random() < 0.6 else int(rng.integers(1, 7))
        cv2.circle(picture, (x, y), size // 2, _colour(rng), width, cv2.LINE_AA)
    elif kind == "sheet":
        _sheet(picture, x, y, size, rng)
    elif kind == "pen":
        end = tuple(int(v) for v in rng.integers(0, side, 2))
        cv2.line(picture, (x, y), end, _colour(rng), int(rng.integers(1, 12)), cv2.LINE_AA)
    else:
        _write(picture, x, y, _colour(rng), 2.0, rng)


def _colour(rng: np.random.Generator) -> Colour:
    b, g, r = (float(v) for v in rng.integers(0, 256, 3))
    return b, g, r


def _cup(picture: Image, x: int, y: int, radius: int, rng: np.random.Generator) -> None:
    """A cup, glass or bowl from above or aslant: a wall, a rim, what is in it, perhaps a handle."""
    china = np.array([1, 1, 1]) * rng.uniform(150, 255) if rng.random() < 0.6 else np.array(_colour(rng))
    drinks = [(15, 25, 45), (20, 40, 70), (40, 90, 150), (60, 160, 220), (210, 220, 225), (40, 40, 40)]
    drink = np.array(drinks[rng.integers(len(drinks))]) * rng.uniform(0.6, 1.2)
    lean = rng.uniform(0, 0.35)
    turn = rng.uniform(0, 2 * math.pi)
    dx, dy = math.cos(turn) * lean * radius, math.sin(turn) * lean * radius
    flat = rng.uniform(0.75, 1.0)
    angle = math.degrees(turn) + 90
    if rng.random() < 0.6:
        way = rng.uniform(0, 2 * math.pi)
        end = int(x + 1.45 * radius * math.cos(way)), int(y + 1.45 * radius * math.sin(way))
        cv2.line(picture, (x, y), end, _tuple(china * 0.9), max(3, radius // 4), cv2.LINE_AA)
    for k in range(7):  # the wall, darker towards the foot
        part = k / 6
        centre = int(x + dx * (1 - part)), int(y + dy * (1 - part))
        axes = int(radius * (0.75 + 0.25 * part)), int(radius * (0.75 + 0.25 * part) * flat)
        cv2.ellipse(picture, centre, axes, angle, 0, 360, _tuple(china * (0.55 + 0.4 * part)), -1, cv2.LINE_AA)
    rim = rng.uniform(0.78, 0.95)
    inner = int(radius * rim), int(radius * rim * flat)
    cv2.ellipse(picture, (x, y), inner, angle, 0, 360, _tuple(china * 0.7), -1, cv2.LINE_AA)
    depth = rng.uniform(0.8, 1.0)
    surface = int(x + dx * 0.25), int(y + dy * 0.25)
    axes = int(inner[0] * depth), int(inner[1] * depth)
    cv2.ellipse(picture, surface, axes, angle, 0, 360, _tuple(drink), -1, cv2.LINE_AA)
    if rng.random() < 0.4:
        shine = rng.uniform(0, 360)
        cv2.ellipse(picture, surface, (axes[0] * 3 // 4, axes[1] * 3 // 4), shine, 0, 90,
                    _tuple(drink + 70), 2, cv2.LINE_AA)  # fmt: skip


def _chip(picture: Image, x: int, y: int, radius: int, rng: np.random.Generator) -> None:
    """A gaming chip: a disc with stripes on its edge and a plain middle."""
    ground, mark = _colour(rng), _colour(rng) if rng.random() < 0.5 else (240.0, 240.0, 240.0)
    cv2.circle(picture, (x, y), radius, ground, -1, cv2.LINE_AA)
    start, stripes = rng.uniform(0, 360), int(rng.integers(4, 9))
    for k in range(stripes):
        first = start + 360 * k / stripes
        cv2.ellipse(picture, (x, y), (radius * 9 // 10,) * 2, 0, first, first + 150 / stripes, mark,
                    max(1, radius // 5), cv2.LINE_AA)  # fmt: skip
    cv2.circle(picture, (x, y), radius * 6 // 10, mark, max(1, radius // 12), cv2.LINE_AA)


def _sheet(picture: Image, x: int, y: int, size: int, rng: np.random.Generator) -> None:
    sheet = (238.0, 243.0, 245.0) if rng.random() < 0.6 else _colour(rng)
    box = cv2.boxPoints(((x, y), (size * 2, size * rng.uniform(0.4, 2)), rng.uniform(0, 180)))
    cv2.fillPoly(picture, [box.astype(np.int32)], sheet, cv2.LINE_AA)
    for _ in range(rng.integers(0, 7)):
        ink = (20.0, 20.0, 20.0) if rng.random() < 0.6 else (40.0, 40.0, 190.0)
        dx, dy = (int(v) // 2 for v in rng.integers(-size, size, 2))
        _write(picture, x + dx, y + dy, ink, 1.2, rng)


def _write(picture: Image, x: int, y: int, colour: Colour, most: float, rng: np.random.Generator) -> None:
    alphabet = list(string.ascii_letters + string.digits + "AKQJ10987654321 ")
    text = "".join(rng.choice(alphabet, rng.integers(1, 9)))
    cv2.putText(picture, text, (x, y), int(rng.choice([0, 2, 3, 4])), rng.uniform(0.25, most), colour,
                int(rng.choice([1, 1, 2, 3])), cv2.LINE_AA)  # fmt: skip


def _tuple(colour: np.ndarray) -> Colour:
    b, g, r = (float(min(max(v, 0), 255)) for v in colour)
    return b, g, r
