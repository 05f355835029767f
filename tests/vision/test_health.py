"""Each trouble of a picture is told apart, on a real photo that is spoiled step by step."""

import cv2
import numpy as np
import pytest

from vision.detector import OnnxDetector
from vision.health import Check, examine
from vision.types import Detection, Image

SPAN = (14.0, 60.0)


@pytest.fixture(scope="module")
def scene(detector: OnnxDetector, photos: dict[str, Image]) -> tuple[Image, list[Detection]]:
    image = photos["cadyze_img_20220921_194251.jpg"]
    return image, [d for d in detector.detect(image) if d.card != "?"]


def checks(image: Image, cards: list[Detection], span: tuple[float, float] = SPAN) -> dict[str, Check]:
    return {c.name: c for c in examine(image, cards, span)}


def advice(image: Image, cards: list[Detection]) -> set[str]:
    return {c.advice for c in examine(image, cards, SPAN) if c.advice is not None}


def test_a_good_picture_is_all_right(scene: tuple[Image, list[Detection]]) -> None:
    found = checks(*scene)
    assert list(found) == ["light", "glare", "focus", "motion", "index_size"]
    assert {c.level for c in found.values()} == {"ok"}


def test_darkness(scene: tuple[Image, list[Detection]]) -> None:
    image, cards = scene
    dusk = (image * 0.33).astype(np.uint8)
    night = (image * 0.15).astype(np.uint8)
    assert checks(dusk, cards)["light"].level == "warning"
    assert checks(night, cards)["light"].level == "bad"
    assert advice(night, cards) == {"too_dark"}


def test_a_lamp_on_the_cards(scene: tuple[Image, list[Detection]]) -> None:
    image, cards = scene
    lamp = image.copy()
    for card in cards[:2]:
        cv2.ellipse(lamp, (card.quad.mean(0).astype(int)).tolist(), (60, 40), 20, 0, 360, (255, 255, 255), -1)
    assert "glare_on_cards" in advice(lamp, cards)
    assert checks(np.full_like(image, 255), cards)["glare"].level == "bad"


def test_defocus_and_motion_are_told_apart(scene: tuple[Image, list[Detection]]) -> None:
    image, cards = scene
    height = checks(image, cards)["index_size"].value
    soft = cv2.GaussianBlur(image, (0, 0), 0.12 * height).astype(np.uint8)
    assert advice(soft, cards) == {"out_of_focus"}
    assert checks(soft, cards)["focus"].level == "bad"
    smear = np.zeros((31, 31), np.float32)
    smear[15, : int(0.4 * height)] = 1
    moved = cv2.filter2D(image, -1, smear / smear.sum()).astype(np.uint8)
    assert "motion_blur" in advice(moved, cards)
    assert "out_of_focus" not in advice(moved, cards)


def test_card_size_says_what_is_needed(scene: tuple[Image, list[Detection]]) -> None:
    image, cards = scene
    height = round(checks(image, cards)["index_size"].value)
    small = checks(image, cards, (height * 1.2, height * 3.0))["index_size"]
    assert (small.level, small.advice) == ("warning", "cards_small")
    assert small.params["found"] == height
    assert checks(image, cards, (height * 2.0, height * 3.0))["index_size"].level == "bad"
    assert checks(image, cards, (2.0, height / 3.0))["index_size"].advice == "cards_large"


def test_without_cards_only_light_is_judged() -> None:
    felt = np.full((240, 320, 3), (60, 110, 40), np.uint8)
    assert list(checks(felt, [])) == ["light", "glare"]
