"""What the two training commands share: their arguments, and a run's settings for ultralytics."""

import argparse
from pathlib import Path
from typing import Any

from vision.offline import keep_offline


def arguments(parser: argparse.ArgumentParser, **defaults: float) -> None:
    """Add the common arguments; `defaults` names batch, rate, seed and workers."""
    parser.add_argument("--out", type=Path, required=True, help="folder of the run")
    parser.add_argument("--batch", type=int, default=defaults["batch"])
    parser.add_argument("--rate", type=float, default=defaults["rate"])
    parser.add_argument("--seed", type=int, default=defaults["seed"])
    parser.add_argument("--device", default="cpu", help="cpu, or a GPU number")
    parser.add_argument("--workers", type=int, default=defaults["workers"])
    parser.add_argument("--weights", type=Path, help="start from these weights instead of from nothing")
    parser.add_argument("--resume", action="store_true", help="go on from OUT/weights/last.pt, to the length given now")


def settings(args: argparse.Namespace, model: str, seen: int, size: int, **more: float) -> dict[str, Any]:
    """ultralytics' settings of a run that shows `seen` pictures of `size` pixels in all.

    Traps: `nbs` must equal the batch, else several batches make one step; augmentation is off,
    since the data vary already and a mirrored index is impossible. Call it before ultralytics is
    imported: it keeps that from the network and its settings inside the run's folder.
    """
    keep_offline(args.out.resolve() / "settings")
    from vision.training.resume import prepare

    last = args.out / "weights" / "last.pt"
    epochs = max(1, seen // args.epoch)
    return {
        "model": str(last) if args.resume else str(args.weights or model),
        "resume": prepare(last, epochs) if args.resume else False,
        "data": "stream",
        "project": str(args.out.resolve().parent),
        "name": args.out.name,
        "exist_ok": True,
        "epochs": epochs,
        "imgsz": size,
        "batch": args.batch,
        "nbs": args.batch,
        "optimizer": "AdamW",
        "lr0": args.rate,
        "warmup_bias_lr": args.rate,
        "cos_lr": True,
        "close_mosaic": 0,
        "amp": "bf16" if args.device != "cpu" else False,
        "val": False,
        "plots": False,
        "device": args.device,
        "seed": args.seed,
        "deterministic": False,
        **more,
    }
