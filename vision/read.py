"""Stage two: name the upright crop of every index."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.crop import upright_angle, upright_crop
from vision.deck import Read
from vision.locate import Located
from vision.session import Network, as_input
from vision.types import Image

_Way = tuple[float, float, float]
_FIRST: tuple[_Way, ...] = ((0.0, 0.93, 0.0), (0.0, 1.08, 0.0))
_AGAIN: tuple[_Way, ...] = (
    (-13.0, 1.0, 0.0), (13.0, 1.0, 0.0), (-27.0, 1.0, 0.0), (27.0, 1.0, 0.0), (0.0, 1.25, 0.0), (0.0, 1.0, 0.15),
)  # fmt: skip
"""(turn in degrees, size factor, way towards the card's corner in index sides) of the crops tried first,
and again where the first were unsure. Nearer to the corner an index may be whose box took a pip along."""
_SURE = 0.9
_TURNED_PRIOR = 0.93
_BATCH = 64


@dataclass(frozen=True, slots=True)
class Readings:
    """`names` (n,), the best class of each index ("-" when not readable); `chances` (n, classes)."""

    names: list[str]
    chances: NDArray[np.float32]

    @property
    def best(self) -> NDArray[np.float32]:
        return np.asarray(self.chances.max(1), np.float32) if len(self.names) else np.zeros(0, np.float32)


def read(network: Network, about: Read, image: Image, found: Located) -> Readings:
    """Read every located index of a picture (backs must have been taken out before)."""
    if not len(found):
        return Readings([], np.zeros((0, len(about.classes)), np.float32))
    chances = _try(network, about, image, found, _FIRST).mean(1)
    unsure = np.flatnonzero(chances.max(1) < _SURE)
    if len(unsure):
        again = _try(network, about, image, found.take(unsure), _AGAIN)
        ways = np.concatenate([chances[unsure, None], again], 1)
        # The way in which some card name stands out most; "not readable" must not win by a turn.
        names = ways[..., : len(about.classes) - 1].max(2)
        names[:, 1:] *= _TURNED_PRIOR
        best = names.argmax(1)
        chosen = ways[np.arange(len(unsure)), best]
        chances[unsure] = 0.5 * (chosen + ways.mean(1)) if ways.shape[1] > 1 else chosen
    return Readings([about.classes[int(i)] for i in chances.argmax(1)], chances)


def _try(network: Network, about: Read, image: Image, found: Located,
         ways: Sequence[_Way]) -> NDArray[np.float32]:  # fmt: skip
    """(n, ways, classes) chances of the crops turned, sized and moved in each way."""
    crops = []
    for box, quad in zip(found.boxes, found.quads, strict=True):
        centre, side = (box[:2] + box[2:]) / 2, float(max(box[2] - box[0], box[3] - box[1]))
        outward = (quad[0] - centre) / (np.linalg.norm(quad[0] - centre) + 1e-6)
        angle = upright_angle(quad)
        for turn, factor, towards in ways:
            x, y = (centre + towards * side * outward).tolist()
            crop = upright_crop(image, (x, y), about.factor * side * factor, angle + turn, about.size)
            crops.append(as_input(crop))
    batch = np.stack(crops)
    out = np.concatenate([network.run(batch[i : i + _BATCH]) for i in range(0, len(batch), _BATCH)])
    return out.reshape(len(found), len(ways), -1)

