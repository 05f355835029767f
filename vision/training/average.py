"""Average two stages of one training run: `python -m vision.training.average FIRST LAST --out AVERAGE`.

Weights along one run lie in one valley, and their mean lies lower in it than either: what one stage
learned last and what the other has not yet forgotten (Izmailov et al., 2018).
"""

import argparse
from pathlib import Path
from typing import Any

import torch
from torch import nn


def average(first: nn.Module, last: nn.Module) -> None:
    """Set the weights of `last` to the mean of both; both are float32 and alike in their layers."""
    other = first.state_dict()
    mean = {k: (v + other[k]) / 2 if v.is_floating_point() else v for k, v in last.state_dict().items()}
    last.load_state_dict(mean)


def _model(checkpoint: dict[str, Any]) -> nn.Module:
    model = checkpoint["model"] if checkpoint.get("ema") is None else checkpoint["ema"]
    assert isinstance(model, nn.Module)
    return model.float()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("first", type=Path)
    parser.add_argument("last", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    first, last = (torch.load(path, map_location="cpu", weights_only=False) for path in (args.first, args.last))
    average(_model(first), _model(last))
    torch.save(last, args.out)


if __name__ == "__main__":
    main()
