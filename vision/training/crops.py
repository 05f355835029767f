"""Cut reader crops out of streamed scenes: `python -m vision.training.crops --out DIR`.

Crops carry the locator's errors on purpose (place, size, angle), and "not readable" examples:
covered indices and places that are no index. With --deck, what that deck's locator finds is among
them: indices as it places them, and what it takes for an index where there is none (pips, figures).
Several processes write parts side by side.
"""

import argparse
import math
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np

from vision.cards import JOKERS, NOT_READABLE, READ_CLASSES
from vision.crop import upright_angle, upright_crop
from vision.deck import load_deck
from vision.locate import Located, locate
from vision.session import Network
from vision.synth import assets, packaged
from vision.synth.decks import Library
from vision.synth.scene import Scene, SceneIndex
from vision.training.stream import SceneStream, empty_tables
from vision.types import Image

SIZE = 64
"""Side of the reader's input in pixels."""
FACTOR = 1.4
"""The crop's side is this many times the larger side of the index's box."""
_READABLE, _COVERED = 0.75, 0.45
_LEAST_SIDE = 7.0
_LEAST_MISTAKE = 0.15
"""Score of a find that is worth being told apart: a little less than what is read in use."""
_MOST = 14
"""Crops of one scene at most: scenes with few large cards must count too."""


def cut(scene: Scene, rng: np.random.Generator) -> Iterator[tuple[Image, str]]:
    """Crops of a scene with their names."""
    found: list[tuple[SceneIndex, str]] = []
    for card in scene.cards:
        for index in card.indices:
            inside = (index.quad > -2).all() and (index.quad < scene.picture.shape[0] + 2).all()
            side = float((index.quad.max(0) - index.quad.min(0)).max())
            if not inside or side < _LEAST_SIDE:
                continue
            if index.visible >= _READABLE:
                found += [(index, card.name)] * (3 if card.name in JOKERS else 1)
            elif index.visible < _COVERED and rng.random() < 0.12:
                found.append((index, NOT_READABLE))
    for k in rng.permutation(len(found))[:_MOST]:
        index, name = found[k]
        low, high = index.quad.min(0), index.quad.max(0)
        extent = high - low
        centre = (low + high) / 2 + rng.normal(0, 0.06, 2) * extent
        side = FACTOR * float(extent.max()) * math.exp(rng.normal(0, 0.1))
        spread = 22 if rng.random() < 0.08 else 6
        angle = upright_angle(index.card_quad) + rng.normal(0, spread)
        yield upright_crop(scene.picture, (float(centre[0]), float(centre[1])), side, angle, SIZE), name
    for _ in range(2):
        crop = _elsewhere(scene, rng)
        if crop is not None:
            yield crop, NOT_READABLE


def _elsewhere(scene: Scene, rng: np.random.Generator) -> Image | None:
    """A place that is no index: on a card's face, its edge, or the table."""
    size = scene.picture.shape[0]
    x, y = rng.uniform(0, size, 2)
    side = math.exp(rng.uniform(math.log(12), math.log(110)))
    if scene.cards and rng.random() < 0.8:
        quad = scene.cards[rng.integers(len(scene.cards))].quad
        u, v = rng.uniform(-0.1, 1.1, 2)
        x, y = (quad[0] * (1 - u) + quad[1] * u) * (1 - v) + (quad[3] * (1 - u) + quad[2] * u) * v
        side = float(np.linalg.norm(quad[1] - quad[0])) * rng.uniform(0.15, 0.6)
    for card in scene.cards:
        for index in card.indices:
            far = np.abs(index.quad.mean(0) - (x, y)).max()
            if far < 0.75 * float((index.quad.max(0) - index.quad.min(0)).max()):
                return None
    return upright_crop(scene.picture, (float(x), float(y)), side, rng.uniform(-180, 180), SIZE)


def located(scene: Scene, found: Located, rng: np.random.Generator) -> Iterator[tuple[Image, str]]:
    """Crops of the indices that were located, placed and turned as the locator did. Its errors are
    no bell curves: dark, blurred and crowded indices are where it errs. `found` holds indices only."""
    middles = (found.boxes[:, :2] + found.boxes[:, 2:]) / 2
    crops = []
    for card in scene.cards:
        for index in card.indices:
            low, high = index.quad.min(0), index.quad.max(0)
            apart = np.abs(middles - (low + high) / 2) / (high - low)
            if index.visible < _READABLE or (high - low).max() < _LEAST_SIDE or not (apart < 0.4).all(1).any():
                continue
            k = int(np.where((apart < 0.4).all(1), found.scores, -1).argmax())
            extent = found.boxes[k, 2:] - found.boxes[k, :2]
            centre = middles[k] + rng.normal(0, 0.02, 2) * extent
            side = FACTOR * float(extent.max()) * math.exp(rng.normal(0, 0.08))
            angle = upright_angle(found.quads[k]) + rng.normal(0, 2)
            crop = upright_crop(scene.picture, (float(centre[0]), float(centre[1])), side, angle, SIZE)
            crops += [(crop, card.name)] * (3 if card.name in JOKERS else 1)
    yield from (crops[k] for k in rng.permutation(len(crops))[:_MOST])


def mistaken(scene: Scene, found: Located) -> Iterator[Image]:
    """Crops of what was located where no index is to be seen. `found` holds indices only."""
    size = scene.picture.shape[0]
    indices = [index for card in scene.cards for index in card.indices if index.visible >= _COVERED]
    middles = np.array([index.quad.mean(0) for index in indices]).reshape(-1, 2)
    extents = np.array([index.quad.max(0) - index.quad.min(0) for index in indices]).reshape(-1, 2)
    for box, quad in zip(found.boxes, found.quads, strict=True):
        centre, extent = (box[:2] + box[2:]) / 2, box[2:] - box[:2]
        near = (np.abs(middles - centre) < 0.5 * (extents + extent)).all(1).any() if len(middles) else False
        if not near and extent.max() >= _LEAST_SIDE and (centre > 0).all() and (centre < size).all():
            side = FACTOR * float(extent.max())
            yield upright_crop(scene.picture, (float(centre[0]), float(centre[1])), side, upright_angle(quad), SIZE)


def _write_part(
    root: Path, out: Path, real: Path | None, deck: Path | None, seed: int, first: int, last: int
) -> int:
    cv2.setNumThreads(1)
    locator = Network(load_deck(deck).locate_path, 1) if deck else None
    stream = SceneStream(Library(root), 416, seed, empty_tables(real))
    crops: list[Image] = []
    names: list[int] = []
    for i in range(first, last):
        scene = stream.scene(i)
        for crop, name in cut(scene, np.random.default_rng([seed, 2, i])):
            crops.append(crop)
            names.append(READ_CLASSES.index(name))
        if locator is not None:
            found = locate(locator, scene.picture, 1.0, _LEAST_MISTAKE)
            indices = found.take(~found.backs)
            wrong = [(crop, NOT_READABLE) for crop in mistaken(scene, indices)]
            for crop, name in (*located(scene, indices, np.random.default_rng([seed, 4, i])), *wrong):
                crops.append(crop)
                names.append(READ_CLASSES.index(name))
    np.save(out / f"names-{first:08d}.npy", np.array(names, np.int64))
    part = out / f"part-{first:08d}.npy"
    np.save(part, np.stack(crops))
    part.rename(out / f"crops-{first:08d}.npy")  # a part that exists is whole
    return last - first


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--assets", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--real", type=Path, help="folder of real training photos (empty tables are used)")
    parser.add_argument("--deck", type=Path, help="deck pack whose locator's mistakes are learned from")
    parser.add_argument("--scenes", type=int, default=30_000)
    parser.add_argument("--part", type=int, default=500, help="scenes in one part file")
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    from tqdm import tqdm  # only training machines have it

    assets.fetch(args.assets)
    packaged.build(args.assets)
    args.out.mkdir(parents=True, exist_ok=True)
    todo = [
        (args.assets, args.out, args.real, args.deck, args.seed, first, min(first + args.part, args.scenes))
        for first in range(0, args.scenes, args.part)
        if not (args.out / f"crops-{first:08d}.npy").exists()
    ]
    with get_context("spawn").Pool(args.workers) as pool, tqdm(total=args.scenes, unit="scene") as bar:
        for result in [pool.apply_async(_write_part, part) for part in todo]:
            bar.update(result.get())


if __name__ == "__main__":
    main()
