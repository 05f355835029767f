"""Take a deck pack's networks apart again, to train on from them: the reverse of `pack`.

`python -m vision.training.unpack --deck models/standard --crops DIR --assets DIR --out DIR`
writes OUT/read.pt and OUT/locate.pt for `--weights` of the two training commands.

ONNX files hold convolutions with their batch normalisation folded in. Here it is unfolded: the
network's own statistics on a few batches become the normalisation's, and its scale and shift undo
them, so that the network computes what it did, and trains on like one that was never packed.
"""

import argparse
from collections.abc import Iterable
from pathlib import Path

import onnx
import torch
from torch import nn
from ultralytics.nn.modules import Conv

from vision.deck import load_deck
from vision.offline import keep_offline
from vision.synth.decks import Library
from vision.training.read import CropDataset
from vision.training.stream import SceneStream
from vision.training.targets import SceneDataset
from vision.training.trainers import CardNameModel, CardPoseModel

_BATCHES, _BATCH = 6, 128
_SCENES = 16
_LOCATE_SIZE = 416


def restore(model: nn.Module, path: Path) -> None:
    """Copy an ONNX file's weights into a fresh model; every normalisation becomes the identity.

    Raises KeyError when the file lacks a layer of the model.
    """
    graph = onnx.load(str(path)).graph
    arrays = {i.name: torch.from_numpy(onnx.numpy_helper.to_array(i).copy()) for i in graph.initializer}
    for name, module in model.named_modules():
        if isinstance(module, Conv):
            module.conv.weight.data.copy_(arrays[f"{name}.conv.weight"])
            module.bn.weight.data.fill_(1)
            module.bn.bias.data.copy_(arrays[f"{name}.conv.bias"])
            module.bn.running_mean.zero_()
            module.bn.running_var.fill_(1 - module.bn.eps)
        elif isinstance(module, (nn.Conv2d, nn.Linear)) and not name.endswith(".conv"):
            module.weight.data.copy_(arrays[f"{name}.weight"])
            if module.bias is not None:
                module.bias.data.copy_(arrays[f"{name}.bias"])


def unfold(model: nn.Module, batches: Iterable[torch.Tensor]) -> None:
    """Give every normalisation the statistics of its input on `batches` (n, 3, h, w), without
    changing what the model computes."""
    sums: dict[Conv, list[torch.Tensor]] = {}

    def note(conv: Conv):  # type: ignore[no-untyped-def]
        def hook(_: nn.Module, __: object, out: torch.Tensor) -> None:
            flat = out.detach().double().transpose(0, 1).flatten(1)
            new = [torch.tensor(float(flat.shape[1])), flat.sum(1), flat.square().sum(1)]
            sums[conv] = [a + b for a, b in zip(sums.get(conv, [torch.zeros(())] * 3), new, strict=True)]

        return hook

    hooks = [m.conv.register_forward_hook(note(m)) for m in model.modules() if isinstance(m, Conv)]
    model.eval()
    with torch.no_grad():
        for batch in batches:
            model(batch)
    for hook in hooks:
        hook.remove()
    for conv, (count, total, square) in sums.items():
        mean = total / count
        var = (square / count - mean.square()).clamp_min(1e-8)
        conv.bn.running_mean.copy_(mean)
        conv.bn.running_var.copy_(var)
        conv.bn.weight.data.copy_((var + conv.bn.eps).sqrt())
        conv.bn.bias.data.add_(mean)


def save(model: nn.Module, path: Path) -> None:
    """Write a checkpoint as ultralytics reads it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.save({"model": model.float(), "ema": None, "epoch": -1, "train_args": {}}, path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deck", type=Path, required=True)
    parser.add_argument("--crops", type=Path, required=True, help="what vision.training.crops wrote")
    parser.add_argument("--assets", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    keep_offline()
    deck = load_deck(args.deck)
    reader = CardNameModel(str(Path(__file__).with_name("reader.yaml")), nc=len(deck.about.read.classes), verbose=False)
    restore(reader, deck.read_path)
    crops = CropDataset([(args.crops, 1)], _BATCHES * _BATCH, seed=11, train=True)
    images = torch.stack([crops[i]["img"] for i in range(len(crops))])
    unfold(reader, images.split(_BATCH))
    save(reader, args.out / "read.pt")
    locator = CardPoseModel("yolo11n-pose.yaml", nc=2, ch=3, data_kpt_shape=[4, 3], verbose=False)
    restore(locator, deck.locate_path)
    scenes = SceneDataset(SceneStream(Library(args.assets), _LOCATE_SIZE, seed=11), _SCENES)
    pictures = torch.stack([scenes[i]["img"].float() / 255 for i in range(len(scenes))])
    unfold(locator, pictures.split(4))
    save(locator, args.out / "locate.pt")


if __name__ == "__main__":
    main()
