"""PyTorch weights of an ultralytics model as the eyes, for those who train (needs the train extra).

Two kinds are understood. A *locator* is a pose model of the classes index and back with the card's
four corners as keypoints, as `vision.training.locate` trains it: the default pack's reader names what
it finds. A *card model* is a detection or pose model whose every class is a card ("7h", "10C", "X");
without keypoints a card's outline is its box, good enough for `kibitz detect` but not for judging
what covers what.
"""

import importlib.util
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from vision.assemble import assemble
from vision.backs import face_down
from vision.cards import LOCATE_CLASSES, NAMES, READ_CLASSES
from vision.deck import Calibration, Deck
from vision.errors import KibitzError
from vision.locate import Located, suppress
from vision.offline import keep_offline
from vision.read import Readings, read
from vision.regions import Region
from vision.session import Network, default_threads
from vision.types import Detection, Image

_LONGEST_SIDE = 1280
_CORNERS = 4
_LEAST_BACK = 0.5


class WeightsDetector:
    """A `Detector` around trusted weights. `about` is the default pack's card under the file's name."""

    def __init__(self, path: Path, deck: Deck, decks: int = 1) -> None:
        """Raises KibitzError: model_missing, train_extra_missing, model_unusable, weights_classes."""
        if not path.is_file():
            raise KibitzError("model_missing", path=str(path))
        self._model = _load(path)
        self._names = _card_names(self._model.names, path)
        self._reader = Network(deck.read_path, default_threads()) if self._names is None else None
        self._least = deck.about.locate.least_score
        calibration = deck.about.calibration if self._names is None else Calibration()
        self._decks = decks
        self.about = msgspec.structs.replace(deck.about, name=path.stem, version="pt", calibration=calibration)

    def detect(self, image: Image, regions: Sequence[Region] | None = None) -> list[Detection]:
        """See `Detector.detect`."""
        height, width = image.shape[:2]
        wanted = [(0, 0, width, height)] if regions is None else regions
        if not wanted:
            return []
        parts = [self._look(image, region) for region in wanted]
        found, classes = Located.join([part for part, _ in parts]), np.concatenate([c for _, c in parts])
        if self._reader is not None:
            found = suppress(found)
            indices = found.take(~found.backs)
            readings = read(self._reader, self.about.read, image, indices)
        else:
            indices, readings = found, self._named(classes, found.scores)
        cards = assemble(indices, readings, self.about.calibration, self._decks)
        return cards + face_down(image, found.take(found.backs & (found.scores >= _LEAST_BACK)), cards)

    def _look(self, image: Image, region: Region) -> tuple[Located, "np.ndarray[Any, Any]"]:
        """What the model finds in a region of the picture, and the classes."""
        x0, y0, x1, y1 = region
        side = min(_LONGEST_SIDE, 32 * -(-max(x1 - x0, y1 - y0) // 32))
        result = self._model.predict(
            np.ascontiguousarray(image[y0:y1, x0:x1]), imgsz=side, conf=self._least, verbose=False, device="cpu"
        )[0].numpy()
        boxes = np.asarray(result.boxes.xyxy, np.float32)
        classes = np.asarray(result.boxes.cls, np.intp)
        points = None if result.keypoints is None else np.asarray(result.keypoints.xy, np.float32)
        quads = points if points is not None and len(boxes) else boxes[:, [0, 1, 2, 1, 2, 3, 0, 3]].reshape(-1, 4, 2)
        backs = classes == 1 if self._names is None else np.zeros(len(boxes), np.bool_)
        located = Located(boxes, np.asarray(result.boxes.conf, np.float32), backs, quads)
        return located.placed(x0, y0, 1.0), classes

    def _named(self, classes: "np.ndarray[Any, Any]", scores: "np.ndarray[Any, Any]") -> Readings:
        """A card model's classes as readings as sure as their boxes."""
        names = [(self._names or [])[i] for i in classes]
        chances = np.zeros((len(names), len(READ_CLASSES)), np.float32)
        chances[np.arange(len(names)), [READ_CLASSES.index(name) for name in names]] = scores
        return Readings(names, chances)


def _load(path: Path) -> Any:
    """The ultralytics model."""
    if importlib.util.find_spec("ultralytics") is None:
        raise KibitzError("train_extra_missing", path=str(path))
    os.environ.setdefault("YOLO_VERBOSE", "false")
    # newer releases can load with PyTorch's allow-list of classes; older ones ignore this
    os.environ.setdefault("ULTRALYTICS_SAFE_LOAD", "1")
    keep_offline()
    try:
        from ultralytics import YOLO

        model = YOLO(path)
        corners = getattr(model.model, "kpt_shape", (0, 0))[0]
    except Exception as error:  # whatever is wrong with a file that PyTorch unpickles
        why = (str(error).strip().splitlines() or [type(error).__name__])[0][:160]
        raise KibitzError("model_unusable", path=str(path), why=why) from error
    if model.task not in ("detect", "pose") or (model.task == "pose" and corners != _CORNERS):
        raise KibitzError("model_unusable", path=str(path), why=f"a {model.task} model, {corners} keypoints")
    return model


def _card_names(classes: Mapping[int, str], path: Path) -> list[str] | None:
    """The cards that a model's classes name; None for a locator. Raises KibitzError `weights_classes`."""
    given = [classes[i] for i in sorted(classes)]
    if tuple(given) == LOCATE_CLASSES:
        return None
    cards = [card_name(name) for name in given]
    strange = [name for name, card in zip(given, cards, strict=True) if card is None]
    if strange:
        raise KibitzError("weights_classes", path=str(path), name=strange[0][:40], n=len(strange))
    return [card for card in cards if card is not None]


def card_name(text: str) -> str | None:
    """The card that a class means: rank and suit in either case, 10 or T; X and Y the jokers."""
    found = re.fullmatch(r"(10|[2-9TJQKA])([CDHS])|([XY])", text.strip().upper())
    if found is None:
        return None
    name = found[3] or found[1].replace("10", "T") + found[2].lower()
    return name if name in (*NAMES, "X", "Y") else None
