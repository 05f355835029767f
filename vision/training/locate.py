"""Train the locator: `python -m vision.training.locate --assets DIR --out DIR`.

The same command runs on a CPU or a GPU, resumes with --resume, and is repeatable from its seed.
"""

import argparse
import os
from pathlib import Path

from vision.synth import assets, packaged
from vision.synth.decks import Library
from vision.training.stream import SceneStream, empty_tables


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--assets", type=Path, required=True, help="cache of decks and fonts (fetched when empty)")
    parser.add_argument("--out", type=Path, required=True, help="folder of the run")
    parser.add_argument("--real", type=Path, help="folder of real training photos (empty tables are used)")
    parser.add_argument("--images", type=int, default=60_000, help="scenes seen in the whole run")
    parser.add_argument("--epoch", type=int, default=4_000, help="scenes between two checkpoints")
    parser.add_argument("--size", type=int, default=416)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--rate", type=float, default=0.001)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cpu", help="cpu, or a GPU number")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--weights", type=Path, help="start from these weights instead of from nothing")
    parser.add_argument("--resume", action="store_true", help="go on from OUT/weights/last.pt, to the length given now")
    args = parser.parse_args()
    os.environ.setdefault("YOLO_OFFLINE", "true")
    os.environ.setdefault("YOLO_CONFIG_DIR", str(args.out.resolve() / "settings"))
    Path(os.environ["YOLO_CONFIG_DIR"]).mkdir(parents=True, exist_ok=True)
    from vision.training.resume import prepare
    from vision.training.targets import SceneDataset
    from vision.training.trainers import LocatorTrainer

    assets.fetch(args.assets)
    packaged.build(args.assets)
    library, photos = Library(args.assets), empty_tables(args.real)
    last = args.out / "weights" / "last.pt"
    epochs = max(1, args.images // args.epoch)
    overrides = {
        "model": str(last) if args.resume else str(args.weights or "yolo11n-pose.yaml"),
        "resume": prepare(last, epochs) if args.resume else False,
        "data": "stream",
        "project": str(args.out.resolve().parent),
        "name": args.out.name,
        "exist_ok": True,
        "epochs": epochs,
        "imgsz": args.size,
        "batch": args.batch,
        "nbs": args.batch,
        "optimizer": "AdamW",
        "lr0": args.rate,
        "lrf": 0.02,
        "cos_lr": True,
        "warmup_epochs": 0.5,
        "warmup_bias_lr": args.rate,
        "weight_decay": 0.0005,
        "close_mosaic": 0,
        "pose": 3.0,
        "kobj": 0.5,
        "amp": "bf16" if args.device != "cpu" else False,
        "val": False,
        "plots": False,
        "device": args.device,
        "seed": args.seed,
        "deterministic": False,
    }

    class Trainer(LocatorTrainer):
        loaders = args.workers
        train_data = SceneDataset(SceneStream(library, args.size, args.seed, photos), args.epoch)
        val_data = SceneDataset(SceneStream(library, args.size, args.seed + 1_000_003, photos), 64)

    Trainer(overrides=overrides).train()


if __name__ == "__main__":
    main()
