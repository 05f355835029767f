"""PyTorch weights as eyes: what a class means as a card, and real models where the train extra is there."""

from pathlib import Path

import numpy as np
import pytest

from vision.deck import load_deck
from vision.errors import KibitzError
from vision.weights import WeightsDetector, card_name

BLACK = np.zeros((256, 320, 3), np.uint8)


@pytest.mark.parametrize(
    ("text", "card"),
    [("7h", "7h"), ("10C", "Tc"), ("tS", "Ts"), ("QS", "Qs"), ("x", "X"), ("Y", "Y"), ("1h", None), ("joker", None),
     ("index", None), ("7", None), ("7hh", None)],
)  # fmt: skip
def test_classes_that_are_cards(text: str, card: str | None) -> None:
    assert card_name(text) == card


def weights(folder: Path, kind: str, names: list[str]) -> Path:
    """An untrained model with these classes, saved as ultralytics saves one."""
    ultralytics = pytest.importorskip("ultralytics", reason="needs the training extra")
    import torch
    import yaml

    torch.manual_seed(1)
    plan = ultralytics.YOLO(f"yolo11n{kind}.yaml", verbose=False).model.yaml
    (folder / f"yolo11n{kind}.yaml").write_text(yaml.safe_dump({**plan, "nc": len(names), "kpt_shape": [4, 3]}))
    model = ultralytics.YOLO(folder / f"yolo11n{kind}.yaml", verbose=False)
    model.model.names = dict(enumerate(names))
    model.save(folder / "eyes.pt")
    return folder / "eyes.pt"


@pytest.mark.parametrize(
    ("kind", "names"), [("", ["7h", "10C", "X"]), ("-pose", ["7h", "QS"]), ("-pose", ["index", "back"])]
)
def test_a_model_of_cards_or_of_places_becomes_a_detector(tmp_path: Path, kind: str, names: list[str]) -> None:
    detector = WeightsDetector(weights(tmp_path, kind, names), load_deck())
    assert detector.about.name == "eyes"
    assert isinstance(detector.detect(BLACK), list)
    assert isinstance(detector.detect(BLACK, [(0, 0, 128, 128)]), list)
    assert detector.detect(BLACK, []) == []


def test_a_model_of_other_things_is_named(tmp_path: Path) -> None:
    with pytest.raises(KibitzError) as caught:
        WeightsDetector(weights(tmp_path, "", ["7h", "dog"]), load_deck())
    assert caught.value.code == "weights_classes"
    assert caught.value.params["name"] == "dog"
