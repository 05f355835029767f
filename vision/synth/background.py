"""Tables to lay cards on: wood, felt, cloth, plain, photographs; with things lying about."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth.things import draw_thing
from vision.types import Image

Floats = NDArray[np.float32]


def smooth_noise(size: int, scale: float, rng: np.random.Generator) -> Floats:
    """Noise (size, size) whose blobs are `scale` pixels wide, standard deviation about 1."""
    cells = max(2, int(size / scale))
    noise = rng.standard_normal((cells, cells), np.float32)
    return cv2.resize(noise, (size, size), interpolation=cv2.INTER_CUBIC).astype(np.float32)


def draw_background(size: int, photos: Sequence[Image], rng: np.random.Generator) -> Image:
    """A table top (size, size, 3). `photos` are pictures without cards."""
    kind = rng.choice(["photo", "wood", "cloth", "plain"], p=[0.2, 0.32, 0.28, 0.2])
    if kind == "photo" and photos:
        picture = _photo(size, photos[int(rng.integers(len(photos)))], rng)
    elif kind == "wood":
        picture = _wood(size, rng)
    elif kind == "cloth":
        picture = _cloth(size, rng)
    else:
        base = rng.uniform(15, 250) + rng.uniform(-30, 30, 3)
        picture = base.astype(np.float32) + smooth_noise(size, rng.uniform(30, 200), rng)[..., None] * 12
    table: Image = np.ascontiguousarray(np.clip(picture, 0, 255).astype(np.uint8))
    for _ in range(rng.choice([0, 0, 0, 1, 2, 4, 7])):
        draw_thing(table, rng)
    return table


def _photo(size: int, photo: Image, rng: np.random.Generator) -> Floats:
    factor = rng.uniform(1.0, 2.2) * size / min(photo.shape[:2]) + 0.01
    photo = cv2.resize(photo, None, fx=factor, fy=factor).astype(np.uint8)
    y = rng.integers(photo.shape[0] - size + 1)
    x = rng.integers(photo.shape[1] - size + 1)
    picture = np.rot90(photo[y : y + size, x : x + size], int(rng.integers(4))).astype(np.float32)
    if rng.random() < 0.4:
        picture = picture[..., rng.permutation(3)]
    return np.asarray(picture * rng.uniform(0.5, 1.15), np.float32)


def _wood(size: int, rng: np.random.Generator) -> Floats:
    bases = [[30, 60, 100], [60, 100, 150], [100, 150, 190], [40, 50, 70], [130, 170, 210], [25, 45, 80]]
    base = np.array(bases[rng.integers(len(bases))], np.float32) * rng.uniform(0.6, 1.25)
    rows, columns = max(2, size // int(rng.integers(2, 6))), max(2, size // int(rng.integers(40, 160)))
    grain = rng.standard_normal((rows, columns), np.float32)
    grain = cv2.resize(grain, (size, size), interpolation=cv2.INTER_CUBIC).astype(np.float32)
    shade = 1 + rng.uniform(0.05, 0.2) * grain + 0.1 * smooth_noise(size, 60, rng)
    picture: Floats = base * shade[..., None].astype(np.float32)
    if rng.random() < 0.5:
        board = int(rng.integers(40, 170))
        for y in range(int(rng.integers(board)), size, board):
            picture[max(0, y - 1) : y + 1] *= 0.6
    turned = np.ascontiguousarray(picture.transpose(1, 0, 2)) if rng.random() < 0.5 else picture
    if rng.random() < 0.4:
        centre = (size / 2, size / 2)
        turn = cv2.getRotationMatrix2D(centre, rng.uniform(0, 90), 1.45)
        return np.asarray(cv2.warpAffine(turned, turn, (size, size), borderMode=cv2.BORDER_REFLECT), np.float32)
    return turned


def _cloth(size: int, rng: np.random.Generator) -> Floats:
    colours = [(40, 110, 20), (50, 90, 30), (20, 20, 110), (110, 50, 20), (60, 60, 60), (30, 30, 30),
               (200, 200, 200), (150, 160, 170), (90, 40, 90)]  # fmt: skip
    base = np.array(colours[rng.integers(len(colours))], np.float32)
    if rng.random() < 0.35:
        base = rng.uniform(0, 255, 3).astype(np.float32)
    fine = rng.standard_normal((size, size), np.float32) * rng.uniform(0, 0.12)
    if rng.random() < 0.3:
        fine = cv2.GaussianBlur(fine, (0, 0), rng.uniform(0.6, 2)).astype(np.float32) * 3
    shade = 1 + fine + 0.08 * smooth_noise(size, rng.uniform(20, 150), rng)
    if rng.random() < 0.3:
        k = int(rng.integers(6, 60))
        yy, xx = np.mgrid[0:size, 0:size]
        checks = (xx // k + yy // k) % 2 if rng.random() < 0.5 else (xx // k) % 2
        shade = shade * (1 - rng.uniform(0.1, 0.5) * checks)
    return base * np.float32(rng.uniform(0.5, 1.3)) * shade[..., None].astype(np.float32)
