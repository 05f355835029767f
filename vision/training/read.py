"""Train the reader: `python -m vision.training.read --crops DIR --out DIR`.

DIR holds what `vision.training.crops` (and `harvest`) wrote. Runs on a CPU or a GPU, resumes with
--resume, repeatable from its seed.
"""

import argparse
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch.utils.data import Dataset

from vision.cards import READ_CLASSES
from vision.training.crops import SIZE
from vision.training.runs import arguments, settings


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
    """A little more light, cast, blur, noise and shift than the scene had."""
    out = crop.astype(np.float32)
    if rng.random() < 0.6:
        out = (out - 128) * rng.uniform(0.6, 1.2) + 128 + rng.uniform(-40, 40)
        out = out * rng.uniform(0.88, 1.1, 3).astype(np.float32)
    if rng.random() < 0.25:
        out = np.asarray(cv2.GaussianBlur(out, (0, 0), rng.uniform(0.5, 2.2)), np.float32)
    if rng.random() < 0.5:
        matrix = cv2.getRotationMatrix2D((SIZE / 2, SIZE / 2), rng.normal(0, 4), rng.uniform(0.92, 1.1))
        matrix += rng.normal(0, 1.5, (2, 3)) * np.array([0, 0, 1])
        out = np.asarray(cv2.warpAffine(out, matrix, (SIZE, SIZE), borderMode=cv2.BORDER_REPLICATE), np.float32)
    if rng.random() < 0.25:
        out = out + rng.normal(0, rng.uniform(1, 8), out.shape).astype(np.float32)
    return np.clip(out, 0, 255).astype(np.uint8)


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
