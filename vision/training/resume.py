"""Going on with a stopped run, also with another length or in another place."""

from pathlib import Path

import torch


def prepare(last: Path, epochs: int) -> str:
    """Set the length of a stopped run in its checkpoint, and the folder it now lies in.

    ultralytics takes everything else from the checkpoint and ignores new arguments. The learning
    rate follows the cosine of the new length from here on. Returns the path to resume from.
    """
    checkpoint = torch.load(last, map_location="cpu", weights_only=False)
    folder = last.resolve().parent.parent
    changes = {"epochs": epochs, "project": str(folder.parent), "name": folder.name, "save_dir": str(folder)}
    checkpoint["train_args"].update(changes)
    if hasattr(checkpoint["ema"], "args"):
        for name, value in changes.items():
            setattr(checkpoint["ema"].args, name, value)
    torch.save(checkpoint, last)
    return str(last)
