"""Where the cards of a scene lie: single cards, fans, rows, cascades, piles, grids."""

import math
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Placement:
    """Centre in table pixels, angle in degrees clockwise, card width in pixels."""

    x: float
    y: float
    angle: float
    width: float


def draw_layout(size: int, rng: np.random.Generator) -> list[Placement]:
    """Placements in drawing order (later ones lie on top) on a table of size x size pixels."""
    width = math.exp(rng.uniform(math.log(38), math.log(250)))
    groups = 1 if width > 150 else int(rng.integers(1, 3)) if width > 100 else int(rng.integers(1, 4)) \
        if width > 65 else int(rng.integers(2, 6))  # fmt: skip
    out: list[Placement] = []
    for _ in range(groups):
        x, y = rng.uniform(0.1, 0.9, 2) * size
        base = float(rng.choice([rng.uniform(-180, 180), rng.normal(0, 8), 90 * rng.integers(4) + rng.normal(0, 6)]))
        w = width * rng.uniform(0.92, 1.08)
        kind = rng.choice(["loose", "fan", "row", "pile", "grid"], p=[0.27, 0.27, 0.28, 0.09, 0.09])
        out += _GROUPS[kind](x, y, base, w, size, rng)
    if rng.random() < 0.15:
        order = rng.permutation(len(out))
        out = [out[i] for i in order]
    return out[:44]


def _loose(x: float, y: float, base: float, w: float, size: int, rng: np.random.Generator) -> list[Placement]:
    n = int(rng.integers(1, 9 if w < 100 else 5))
    return [
        Placement(rng.uniform(0, size), rng.uniform(0, size), base + rng.uniform(-180, 180), w) for _ in range(n)
    ]


def _fan(x: float, y: float, base: float, w: float, size: int, rng: np.random.Generator) -> list[Placement]:
    n = int(rng.integers(2, 14 if w < 90 else 9))
    step = rng.uniform(3.5, 17)
    radius = w * rng.uniform(1.1, 3.4)
    out = []
    for i in range(n):
        angle = (i - (n - 1) / 2) * step + rng.normal(0, 1)
        turn = math.radians(base + angle)
        out.append(Placement(x + radius * math.sin(turn), y - radius * math.cos(turn), base + angle, w))
    return out


def _row(x: float, y: float, base: float, w: float, size: int, rng: np.random.Generator) -> list[Placement]:
    n = int(rng.integers(2, 10 if w < 90 else 7))
    down = rng.random() < 0.35
    step = w * (rng.uniform(0.24, 0.5) if down else rng.uniform(0.16, 0.42))
    if rng.random() < 0.3:
        step = w * (rng.uniform(1.43, 1.7) if down else rng.uniform(1.02, 1.3))
    turn = math.radians(base + (90 if down else 0))
    jitter = rng.uniform(0, 5)
    sign = -1 if rng.random() < 0.2 else 1
    return [
        Placement(
            x + sign * (i - (n - 1) / 2) * step * math.cos(turn) + rng.normal(0, jitter * 0.6),
            y + sign * (i - (n - 1) / 2) * step * math.sin(turn) + rng.normal(0, jitter * 0.6),
            base + rng.normal(0, jitter),
            w,
        )
        for i in range(n)
    ]


def _pile(x: float, y: float, base: float, w: float, size: int, rng: np.random.Generator) -> list[Placement]:
    spread = rng.uniform(0.15, 0.6)
    return [
        Placement(x + rng.normal(0, spread * w), y + rng.normal(0, spread * w), base + rng.normal(0, 40), w)
        for _ in range(rng.integers(2, 9))
    ]


def _grid(x: float, y: float, base: float, w: float, size: int, rng: np.random.Generator) -> list[Placement]:
    nx, ny = int(rng.integers(2, 6)), int(rng.integers(1, 5))
    gap = rng.uniform(1.03, 1.3)
    turn = math.radians(base)
    out = []
    for j in range(ny):
        for i in range(nx):
            dx, dy = (i - (nx - 1) / 2) * w * gap, (j - (ny - 1) / 2) * w * 1.4 * gap
            out.append(
                Placement(
                    x + dx * math.cos(turn) - dy * math.sin(turn),
                    y + dx * math.sin(turn) + dy * math.cos(turn),
                    base + rng.normal(0, 1.5) + (180 if rng.random() < 0.5 else 0),
                    w,
                )
            )
    return out


_GROUPS = {"loose": _loose, "fan": _fan, "row": _row, "pile": _pile, "grid": _grid}
