"""Train the locator: `python -m vision.training.locate --assets DIR --out DIR`.

The same command runs on a CPU or a GPU, resumes with --resume, and is repeatable from its seed.
"""

import argparse
from pathlib import Path

from vision.synth import assets, packaged
from vision.synth.decks import Library
from vision.training.runs import arguments, settings
from vision.training.stream import SceneStream, empty_tables


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--assets", type=Path, required=True, help="cache of decks and fonts (fetched when empty)")
    parser.add_argument("--real", type=Path, help="folder of real training photos (empty tables are used)")
    parser.add_argument("--images", type=int, default=60_000, help="scenes seen in the whole run")
    parser.add_argument("--epoch", type=int, default=4_000, help="scenes between two checkpoints")
    parser.add_argument("--size", type=int, default=416)
    arguments(parser, batch=16, rate=0.001, seed=1, workers=2)
    args = parser.parse_args()
    run = settings(
        args, "yolo11n-pose.yaml", args.images, args.size,
        lrf=0.02, warmup_epochs=0.5, weight_decay=0.0005, pose=3.0, kobj=0.5,
    )  # fmt: skip
    from vision.training.targets import SceneDataset
    from vision.training.trainers import LocatorTrainer

    assets.fetch(args.assets)
    packaged.build(args.assets)
    library, photos = Library(args.assets), empty_tables(args.real)

    class Trainer(LocatorTrainer):
        loaders = args.workers
        train_data = SceneDataset(SceneStream(library, args.size, args.seed, photos), args.epoch)
        val_data = SceneDataset(SceneStream(library, args.size, args.seed + 1_000_003, photos), 64)

    Trainer(overrides=run).train()


if __name__ == "__main__":
    main()
