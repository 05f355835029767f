"""Labelled real photos for training, split so that scores are calibrated on photos not trained on."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np

from vision.types import Image

_HELD_OUT = 3
"""Every third photo is kept from training: a reader is surer of what it has seen."""


def photos(labels: Path, held_out: bool) -> Iterator[tuple[Image, dict[str, Any]]]:
    """(photo, its entry of labels.json) of the part for training or of the part held out from it.

    Photos that can't be read are left out.
    """
    for number, entry in enumerate(msgspec.json.decode(labels.read_bytes())):
        if (number % _HELD_OUT == 0) == held_out:
            image = cv2.imread(str(labels.parent / entry["image"]), cv2.IMREAD_COLOR)
            if image is not None:
                yield np.asarray(image, np.uint8), entry
