"""The check-up: what the health strip says follows from the picture and the cards that lie there."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tracker.lifecycle import TableCard
from tracker.votes import Vote
from vision.deck import load_deck
from vision.detector import OnnxDetector
from vision.photo import read_photo
from vision.types import Image
from webui.checkup import Checkup

PHOTO = Path(__file__).parents[1] / "vision/data/cadyze_img_20220921_194251.jpg"


@pytest.fixture(scope="module")
def scene() -> tuple[Image, list[TableCard]]:
    """A real photo and its cards as the tracker knows them."""
    image = read_photo(PHOTO)
    found = [one for one in OnnxDetector(load_deck()).detect(image) if one.card != "?"]
    cards = []
    for number, one in enumerate(found):
        card = TableCard(number, one.quad, one.quad, "play", number, one.face, "settled", boxes=one.boxes)
        card.take({one.card: Vote(one.score, one.score)}, one.score)
        cards.append(card)
    return image, cards


def advice(image: Image, cards: list[TableCard]) -> dict[str, str | None]:
    return {check["name"]: check["advice"] for check in Checkup((14.0, 60.0)).of(image, cards)}


def test_a_good_picture_has_nothing_to_advise(scene: tuple[Image, list[TableCard]]) -> None:
    assert advice(*scene) == dict.fromkeys(("light", "glare", "focus", "motion", "index_size"))


def test_dark_and_blurred_pictures_say_what_to_do(scene: tuple[Image, list[TableCard]]) -> None:
    image, cards = scene
    assert advice((image * 0.15).astype(np.uint8), cards)["light"] == "too_dark"
    assert advice(np.asarray(cv2.GaussianBlur(image, (0, 0), 6), np.uint8), cards)["focus"] == "out_of_focus"


def test_covered_cards_and_backs_are_no_measure_of_focus(scene: tuple[Image, list[TableCard]]) -> None:
    image, cards = scene
    hidden = [replace(card, phase="covered") for card in cards]
    backs = [replace(card, face="down") for card in cards]
    assert set(advice(image, hidden)) == set(advice(image, backs)) == {"light", "glare"}


def test_it_looks_now_and_then() -> None:
    checkup = Checkup((14.0, 60.0))
    times = (100.0, 102.9, 103.0, 103.1, 112.9, 113.0, 113.1)
    assert [t for t in times if checkup.is_due(t, still=True)] == [103.0, 113.0]
    assert not checkup.is_due(130.0, still=False)
    assert checkup.is_due(130.1, still=True)


@pytest.mark.parametrize(("rate", "level"), [(25, "ok"), (8, "warning"), (3, "bad")])
def test_it_says_when_too_few_pictures_are_looked_at(
    scene: tuple[Image, list[TableCard]], rate: int, level: str
) -> None:
    checkup = Checkup((14.0, 60.0))
    due = [number for number in range(rate * 20) if checkup.is_due(number / rate, still=number % 2 == 0)]
    assert len(due) == 2
    pace = checkup.of(*scene)[0]
    assert (pace["name"], pace["level"], pace["params"]["found"]) == ("pace", level, rate)
    assert pace["advice"] == (None if level == "ok" else "few_pictures")
