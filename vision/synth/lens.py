"""What light, lens and camera do to a picture: shade, glare, blur, noise, compression, casts."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import Image

Floats = NDArray[np.float32]


def photograph(picture: Image, rng: np.random.Generator) -> Image:
    """The picture as a camera might deliver it. Geometry is left alone."""
    out = _light(picture.astype(np.float32), rng)
    out = _blur(out, rng)
    if rng.random() < 0.2:  # sharpening halo of cheap webcams
        out = out + np.float32(rng.uniform(0.3, 1.3)) * (out - cv2.GaussianBlur(out, (0, 0), 1.2))
    if rng.random() < 0.65:
        shape = (*out.shape[:2], 3 if rng.random() < 0.5 else 1)
        out = out + rng.standard_normal(shape, np.float32) * np.float32(rng.uniform(1, 11))
    if rng.random() < 0.05:
        out = np.repeat(out.mean(2, keepdims=True), 3, 2)
    flat = np.clip(out, 0, 255).astype(np.uint8)
    if rng.random() < 0.7:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 93))]
        packed = cv2.imencode(".jpg", flat, quality)[1]
        flat = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return flat


def _light(out: Floats, rng: np.random.Generator) -> Floats:
    h, w = out.shape[:2]
    if rng.random() < 0.6:
        angle = rng.uniform(0, 2 * np.pi)
        xs = np.cos(angle) * (np.arange(w, dtype=np.float32) / w - 0.5)
        ys = np.sin(angle) * (np.arange(h, dtype=np.float32) / h - 0.5)
        out = out * (1 + np.float32(rng.uniform(0, 0.7)) * (xs[None, :] + ys[:, None]))[..., None]
    if rng.random() < 0.2:
        small = np.zeros((h // 4, w // 4), np.float32)
        centre = int(rng.integers(w // 4)), int(rng.integers(h // 4))
        axes = int(rng.integers(3, w // 14)), int(rng.integers(3, h // 18))
        cv2.ellipse(small, centre, axes, rng.uniform(0, 180), 0, 360, 1, -1)
        small = cv2.GaussianBlur(small, (0, 0), rng.uniform(2, 8))
        glare = cv2.resize(small, (w, h), interpolation=cv2.INTER_LINEAR)
        out = out + glare[..., None] * np.float32(rng.uniform(40, 190))
    gain = rng.uniform(0.55, 1.2)
    cast = rng.uniform(0.78, 1.14, 3) if rng.random() < 0.6 else np.ones(3)
    out = (out - 128) * (gain * cast).astype(np.float32) + np.float32(128 + rng.uniform(-55, 35))
    if rng.random() < 0.5:
        out = 255 * np.power(np.clip(out, 0, 255) / 255, np.float32(rng.uniform(0.6, 1.6)))
    if rng.random() < 0.2:
        grey = out.mean(2, keepdims=True)
        out = grey + (out - grey) * np.float32(rng.uniform(0.3, 1.4))
    return np.asarray(out, np.float32)


def _blur(out: Floats, rng: np.random.Generator) -> Floats:
    kind = rng.random()
    if kind < 0.42:
        out = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.3, 1.5)).astype(np.float32)
    elif kind < 0.58:
        k = int(rng.choice([3, 5, 7, 9], p=[0.35, 0.35, 0.2, 0.1]))
        kernel = np.zeros((k, k), np.float32)
        angle = rng.uniform(0, np.pi)
        d = np.array([np.cos(angle), np.sin(angle)]) * (k // 2)
        a, b = np.round(k // 2 - d).astype(int), np.round(k // 2 + d).astype(int)
        cv2.line(kernel, tuple(map(int, a)), tuple(map(int, b)), 1.0)
        out = cv2.filter2D(out, -1, kernel / kernel.sum()).astype(np.float32)
    if rng.random() < 0.3:
        h, w = out.shape[:2]
        f = rng.uniform(0.45, 0.9)
        small = cv2.resize(out, (int(w * f), int(h * f)), interpolation=cv2.INTER_AREA)
        out = cv2.resize(small, (w, h), interpolation=cv2.INTER_LINEAR).astype(np.float32)
    return out
