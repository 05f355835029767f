"""ultralytics' trainers, fed from streams, and made quick on a CPU.

Why subclasses: (1) samples come from the scene stream instead of files, a new part of it every
epoch, so nothing is seen twice and a run resumes where it stopped; (2) on a CPU, bfloat16 with
channels-last memory trains five times faster where the CPU has bfloat16 instructions, and
ultralytics applies channels-last on CUDA only; (3) OKS loss divides by the index's small box, so
far card corners get no gradient: a Charbonnier loss keeps pulling them at any distance.
"""

from collections.abc import Iterator
from typing import Any

import torch
from torch import nn
from torch.utils.data import DataLoader, Sampler
from ultralytics.data.dataset import YOLODataset
from ultralytics.models.yolo.classify import ClassificationTrainer
from ultralytics.models.yolo.pose import PoseTrainer
from ultralytics.nn.tasks import ClassificationModel, PoseModel
from ultralytics.utils.loss import v8PoseLoss


class EpochSampler(Sampler[int]):
    """Indices of epoch e of a stream: e * length ... (e + 1) * length - 1."""

    def __init__(self, length: int) -> None:
        self.length = length
        self.epoch = 0

    def __len__(self) -> int:
        return self.length

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.epoch * self.length, (self.epoch + 1) * self.length))


class CornerLoss(nn.Module):
    """Charbonnier distance of keypoints in units of the index box's root area.

    Linear far away, quadratic within `softness`; arguments as ultralytics' `KeypointLoss`.
    """

    softness = 0.12

    def forward(self, predicted: torch.Tensor, truth: torch.Tensor, mask: torch.Tensor,
                area: torch.Tensor) -> torch.Tensor:  # fmt: skip
        square = (predicted[..., :2].float() - truth[..., :2].float()).pow(2).sum(-1)
        relative = square / (area.float() + 1e-9)
        loss = (relative + self.softness**2).sqrt() - self.softness
        share = mask.shape[1] / (mask.sum(1).float() + 1e-9)
        return (share.view(-1, 1) * loss * mask).mean()


def quick_forward(forward: Any, x: torch.Tensor, training: bool) -> Any:
    """Run a forward pass in bfloat16 when training on a CPU; results come back as float32.

    ultralytics itself refuses bfloat16 autocast outside CUDA.
    """
    if x.device.type != "cpu" or not training:
        return forward(x)
    with torch.autocast("cpu", torch.bfloat16):
        return _as_float(forward(x))


def _as_float(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value.float() if value.is_floating_point() else value
    if isinstance(value, dict):
        return {k: _as_float(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_as_float(v) for v in value)
    return value


class CardPoseModel(PoseModel):
    """ultralytics' pose model with the corner loss and the quick forward pass."""

    def predict(self, x: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
        def forward(y: torch.Tensor) -> Any:
            return super(CardPoseModel, self).predict(y, *args, **kwargs)

        return quick_forward(forward, x, self.training)

    def init_criterion(self) -> v8PoseLoss:
        criterion = v8PoseLoss(self)
        criterion.keypoint_loss = CornerLoss()
        return criterion


class _Streamed:
    """What both trainers share; mixed in before ultralytics' class."""

    train_data: Any
    val_data: Any
    """Map-style datasets; indices of the first go up with the epochs, without end."""
    loaders: int
    """Worker processes (ultralytics sets its own `workers` to 0 on a CPU)."""

    def loader(self, batch: int, train: bool) -> DataLoader[Any]:
        if self.device.type == "cpu":  # type: ignore[attr-defined]
            self.model.to(memory_format=torch.channels_last)  # type: ignore[attr-defined]
        data = self.train_data if train else self.val_data
        workers = self.loaders if train else 0
        sampler = EpochSampler(len(data))
        loader: DataLoader[Any] = DataLoader(
            data, batch_size=batch, sampler=sampler, num_workers=workers,
            persistent_workers=workers > 0, prefetch_factor=4 if workers else None,
            collate_fn=self.collate, worker_init_fn=_one_thread, drop_last=train,
        )  # fmt: skip
        if train:
            self.add_callback("on_train_epoch_start", lambda t: setattr(sampler, "epoch", t.epoch))  # type: ignore[attr-defined]
        return loader

    collate: Any = None

    def final_eval(self) -> None:
        """None: the run is judged on real photos by the project's own evaluation."""

    def nhwc_batch(self, batch: dict[str, Any]) -> dict[str, Any]:
        batch["img"] = batch["img"].contiguous(memory_format=torch.channels_last)
        return batch


def _one_thread(_: int) -> None:
    import cv2

    cv2.setNumThreads(1)
    torch.set_num_threads(1)


class LocatorTrainer(_Streamed, PoseTrainer):
    """Trains the locator; set `train_data` and `val_data` on a subclass or with `locate.train`."""

    collate = staticmethod(YOLODataset.collate_fn)

    def get_dataset(self) -> dict[str, Any]:
        return {"train": "stream", "val": "stream", "nc": 2, "names": {0: "index", 1: "back"},
                "kpt_shape": [4, 3], "channels": 3}  # fmt: skip

    def get_model(self, cfg: Any = None, weights: Any = None, verbose: bool = True) -> PoseModel:
        model = CardPoseModel(cfg, nc=2, ch=3, data_kpt_shape=[4, 3], verbose=verbose)
        if weights:
            model.load(weights)
        return model

    def get_dataloader(self, dataset_path: str, batch_size: int = 16, rank: int = 0,
                       mode: str = "train") -> DataLoader[Any]:  # fmt: skip
        return self.loader(batch_size, mode == "train")

    def preprocess_batch(self, batch: dict[str, Any]) -> dict[str, Any]:
        return self.nhwc_batch(super().preprocess_batch(batch))

    def set_class_weights(self) -> None:
        """All classes count the same (ultralytics would read label files for this)."""


class CardNameModel(ClassificationModel):
    """ultralytics' classifier with the quick forward pass."""

    def predict(self, x: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
        def forward(y: torch.Tensor) -> Any:
            return super(CardNameModel, self).predict(y, *args, **kwargs)

        return quick_forward(forward, x, self.training)


class ReaderTrainer(_Streamed, ClassificationTrainer):
    """Trains the reader; `train_data` and `val_data` yield {"img": float CHW, "cls": int}."""

    names: tuple[str, ...]

    def get_model(self, cfg: Any = None, weights: Any = None, verbose: bool = True) -> ClassificationModel:
        model = CardNameModel(cfg, nc=len(self.names), ch=3, verbose=verbose)
        if weights:
            model.load(weights)
        for module in model.modules():
            if isinstance(module, nn.Dropout):
                module.p = self.args.dropout
        return model

    def get_dataset(self) -> dict[str, Any]:
        return {"train": "stream", "val": "stream", "nc": len(self.names),
                "names": dict(enumerate(self.names)), "channels": 3}  # fmt: skip

    def get_dataloader(self, dataset_path: str, batch_size: int = 16, rank: int = 0,
                       mode: str = "train") -> DataLoader[Any]:  # fmt: skip
        return self.loader(batch_size, mode == "train")

    def preprocess_batch(self, batch: dict[str, Any]) -> dict[str, Any]:
        return self.nhwc_batch(super().preprocess_batch(batch))
