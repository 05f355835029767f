"""Train the reader: `python -m vision.training.read --crops DIR --out DIR`.

DIR holds what `vision.training.crops` (and `harvest`) wrote. Runs on a CPU or a GPU, resumes with
--resume, repeatable from its seed.
"""

import argparse
import math
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch.utils.data import Dataset

from vision.cards import READ_CLASSES
from vision.training.crops import SIZE
from vision.training.runs import arguments, settings
from vision.types import Image


class CropDataset(Dataset[dict[str, Any]]):
    """Crops of part files, shuffled anew every pass; colours and sharpness varied when training."""

    def __init__(self, folders: list[tuple[Path, int]], length: int, seed: int, train: bool) -> None:
        """`folders`: (folder, how often one pass shows each of its crops)."""
        crops, names = [], []
        for folder, times in folders:
            for path in sorted(folder.glob("crops-*.npy")):
                part = np.load(path, mmap_mode="r")
                label = np.load(path.with_name(path.name.replace("crops", "names")))
                crops += [part] * times
                names += [label] * times
        self.parts, self.names = crops, names
        self.starts = np.cumsum([0, *(len(n) for n in names)])
        self.length, self.seed, self.train = length, seed, train
        self._order: tuple[int, np.ndarray] = (-1, np.zeros(0))

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int) -> dict[str, Any]:
        total = int(self.starts[-1])
        turn, place = divmod(index, total)
        if self._order[0] != turn:
            self._order = turn, np.random.default_rng([self.seed, turn]).permutation(total)
        k = int(self._order[1][place])
        part = int(np.searchsorted(self.starts, k, side="right")) - 1
        crop = self.parts[part][k - self.starts[part]]
        if self.train:
            crop = vary(crop, np.random.default_rng([self.seed, 3, index]))
        rgb = np.ascontiguousarray(crop[..., ::-1].transpose(2, 0, 1))
        return {"img": torch.from_numpy(rgb).float() / 255, "cls": int(self.names[part][k - self.starts[part]])}


def vary(crop: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """More of what small, far or hurried pictures do to an index than the scene did: shift, lost
    resolution, blur, light, sharpening, noise, compression."""
    out = crop.astype(np.float32)
    if rng.random() < 0.5:
        matrix = cv2.getRotationMatrix2D((SIZE / 2, SIZE / 2), rng.normal(0, 4), rng.uniform(0.92, 1.1))
        matrix += rng.normal(0, 1.5, (2, 3)) * np.array([0, 0, 1])
        out = np.asarray(cv2.warpAffine(out, matrix, (SIZE, SIZE), borderMode=cv2.BORDER_REPLICATE), np.float32)
    if rng.random() < 0.2:  # ink that ran, or that a bright picture eats
        spread = cv2.erode if rng.random() < 0.7 else cv2.dilate
        grown = spread(out, np.ones((3, 3), np.uint8)).astype(np.float32)
        out = out + np.float32(rng.uniform(0.3, 1.0)) * (grown - out)
    out = _soften(out, rng)
    if rng.random() < 0.6:
        out = (out - 128) * rng.uniform(0.6, 1.2) + 128 + rng.uniform(-40, 40)
        out = out * rng.uniform(0.88, 1.1, 3).astype(np.float32)
    if rng.random() < 0.07:
        out = np.repeat(out.mean(2, keepdims=True), 3, 2)
    if rng.random() < 0.15:  # cheap webcams sharpen what is soft
        out = out + np.float32(rng.uniform(0.4, 1.6)) * (out - cv2.GaussianBlur(out, (0, 0), rng.uniform(1, 3)))
    if rng.random() < 0.25:
        out = out + rng.normal(0, rng.uniform(1, 8), out.shape).astype(np.float32)
    flat = np.clip(out, 0, 255).astype(np.uint8)
    return compressed(flat, rng.integers(15, 80)) if rng.random() < 0.15 else flat


def _soften(out: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    kind = rng.random()
    if kind < 0.18:
        out = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.5, 2.4)).astype(np.float32)
    elif kind < 0.26:
        length = int(rng.integers(3, 10)) | 1
        kernel = np.zeros((length, length), np.float32)
        kernel[length // 2] = 1 / length
        turn = cv2.getRotationMatrix2D((length // 2, length // 2), rng.uniform(0, 180), 1)
        kernel = cv2.warpAffine(kernel, turn, (length, length)).astype(np.float32)
        out = cv2.filter2D(out, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REPLICATE).astype(np.float32)
    elif kind < 0.44:
        side = round(math.exp(rng.uniform(math.log(15), math.log(44))))
        small = cv2.resize(out, (side, side), interpolation=cv2.INTER_AREA)
        if rng.random() < 0.5:
            small = compressed(np.clip(small, 0, 255).astype(np.uint8), rng.integers(30, 90))
        way = cv2.INTER_CUBIC if rng.random() < 0.5 else cv2.INTER_LINEAR
        out = cv2.resize(small.astype(np.float32), (SIZE, SIZE), interpolation=way).astype(np.float32)
    return out


def compressed(picture: Image, quality: int | np.integer[Any]) -> Image:
    """The picture after JPEG compression."""
    packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(quality)])[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--crops", type=Path, required=True)
    parser.add_argument("--harvest", type=Path, help="real crops, shown --times as often")
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--passes", type=int, default=1_000_000, help="crops seen in the whole run")
    parser.add_argument("--epoch", type=int, default=50_000, help="crops between two checkpoints")
    arguments(parser, batch=128, rate=0.0015, seed=3, workers=1)
    args = parser.parse_args()
    run = settings(
        args, str(Path(__file__).with_name("reader.yaml")), args.passes, SIZE,
        lrf=0.01, warmup_epochs=0.3, weight_decay=0.01, dropout=0.1,
    )  # fmt: skip
    from vision.training.trainers import ReaderTrainer

    folders = [(args.crops, 1)] + ([(args.harvest, args.times)] if args.harvest else [])

    class Trainer(ReaderTrainer):
        loaders = args.workers
        names = READ_CLASSES
        train_data = CropDataset(folders, args.epoch, args.seed, train=True)
        val_data = CropDataset([(args.crops, 1)], 2048, args.seed, train=False)

    Trainer(overrides=run).train()


if __name__ == "__main__":
    main()
