"""Train a reader on from a shipped one, for so many seconds; can be stopped and gone on with."""

import math
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch import nn
from torch.utils.data import DataLoader
from ultralytics.nn.tasks import ClassificationModel
from ultralytics.utils.torch_utils import ModelEMA

from vision.cards import READ_CLASSES
from vision.training.read import CropDataset
from vision.training.unpack import restore, save, unfold

Sources = list[tuple[Path, int]]
"""Folders of crops, and how often one pass shows each of theirs."""

_BATCH = 128
_RATE, _LAST_RATE = 6e-4, 0.02
_WARM_UP = 0.03
"""Part of the time in which the rate rises."""
_DROPOUT = 0.1
_DECAY = 0.998
_KEPT_S = 20.0
"""Seconds between two checkpoints."""
_NO_END = 2**40


def learn(
    start: Path, sources: Sources, out: Path, seconds: float, workers: int, seed: int, told: Callable[[float], None]
) -> int:
    """Train from the ONNX file `start` until `seconds` have been spent in all, stops not counted; writes
    OUT/read.pt. `told` hears the share that is done. Returns how many crops were seen.

    A stop (KeyboardInterrupt) loses nothing: the same call goes on.
    """
    torch.manual_seed(seed)
    torch.set_num_threads(max(1, workers - 1))  # one prepares the crops
    out.mkdir(parents=True, exist_ok=True)
    lesson = _Lesson(_model(start, sources, seed), out / "lesson.pt")
    data = CropDataset(sources, _NO_END, seed, train=True)
    loader: DataLoader[Any] = DataLoader(
        data, batch_size=_BATCH, sampler=range(lesson.seen, _NO_END), num_workers=1, prefetch_factor=4,
        worker_init_fn=_one_thread,
    )  # fmt: skip
    try:
        lesson.go_on(loader, seconds, told)
    finally:
        lesson.keep()
    save(lesson.averaged.ema, out / "read.pt")
    return lesson.seen


class _Lesson:
    """The state of training: everything that is needed to go on."""

    def __init__(self, model: ClassificationModel, path: Path) -> None:
        self.model = model.to(memory_format=torch.channels_last).train()
        self.averaged = ModelEMA(self.model, decay=_DECAY, tau=100)
        self._path = path
        self._optimiser = torch.optim.AdamW(self.model.parameters(), _RATE, weight_decay=0.01)
        self.spent = 0.0
        self.seen = 0
        if path.exists():
            self._load(torch.load(path, map_location="cpu", weights_only=True))

    def go_on(self, loader: DataLoader[Any], seconds: float, told: Callable[[float], None]) -> None:
        """Train until so many seconds were spent."""
        before, kept = time.monotonic(), self.spent
        batches = iter(loader)
        # on other processors bfloat16 is emulated, and slow
        quick = torch.ops.mkldnn._is_mkldnn_bf16_supported()
        while self.spent < seconds:
            batch = next(batches)
            self._set_rate(self.spent / seconds)
            images = batch["img"].contiguous(memory_format=torch.channels_last)
            with torch.autocast("cpu", torch.bfloat16, enabled=quick):
                logits = self.model(images)
            loss = nn.functional.cross_entropy(logits.float(), batch["cls"])
            self._optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
            self._optimiser.step()
            self.averaged.update(self.model)
            self.seen += len(images)
            now = time.monotonic()
            self.spent, before = self.spent + now - before, now
            if self.spent - kept > _KEPT_S:
                self.keep()
                kept = self.spent
            told(min(1.0, self.spent / seconds))

    def keep(self) -> None:
        """Write the checkpoint, whole or not at all."""
        new = self._path.with_suffix(".new")
        state = {"model": self.model.state_dict(), "averaged": self.averaged.ema.state_dict(),
                 "updates": self.averaged.updates, "optimiser": self._optimiser.state_dict(),
                 "spent": self.spent, "seen": self.seen}  # fmt: skip
        torch.save(state, new)
        os.replace(new, self._path)

    def _load(self, state: dict[str, Any]) -> None:
        self.model.load_state_dict(state["model"])
        self.averaged.ema.load_state_dict(state["averaged"])
        self.averaged.updates = state["updates"]
        self._optimiser.load_state_dict(state["optimiser"])
        self.spent, self.seen = state["spent"], state["seen"]

    def _set_rate(self, share: float) -> None:
        fall = _LAST_RATE + (1 - _LAST_RATE) * (1 + math.cos(math.pi * share)) / 2
        for group in self._optimiser.param_groups:
            group["lr"] = _RATE * fall * min(1.0, (share + 0.001) / _WARM_UP)


def _model(start: Path, sources: Sources, seed: int) -> ClassificationModel:
    """The reader of an ONNX file as it can be trained."""
    model = ClassificationModel(str(Path(__file__).parents[1] / "reader.yaml"), nc=len(READ_CLASSES), verbose=False)
    restore(model, start)
    crops = CropDataset(sources, 6 * _BATCH, seed + 1, train=True)
    images = torch.stack([crops[i]["img"] for i in range(len(crops))])
    unfold(model, images.split(_BATCH))
    for module in model.modules():
        if isinstance(module, nn.Dropout):
            module.p = _DROPOUT
    return model


def _one_thread(_: int) -> None:
    import cv2

    cv2.setNumThreads(1)
    torch.set_num_threads(1)
