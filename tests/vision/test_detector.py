"""The shipped model on real photos."""

from collections import Counter

import numpy as np
import pytest
from conftest import PHOTOS

from vision.deck import Deck
from vision.detector import OnnxDetector
from vision.quads import card_width
from vision.types import Image


def reported(detector: OnnxDetector, deck: Deck, image: Image) -> set[str]:
    return {d.card for d in detector.detect(image) if d.card != "?" and d.score >= deck.about.report_score}


def test_cards_of_the_photos_are_read(detector: OnnxDetector, deck: Deck, photos: dict[str, Image]) -> None:
    hits: Counter[str] = Counter()
    for name, cards in PHOTOS:
        got = reported(detector, deck, photos[name])
        hits.update(right=len(got & cards), wrong=len(got - cards), cards=len(cards))
    assert hits["right"] >= 0.95 * hits["cards"], hits
    assert hits["wrong"] == 0, hits


@pytest.mark.parametrize(("name", "cards"), PHOTOS)
def test_no_card_is_reported_twice(
    detector: OnnxDetector, photos: dict[str, Image], name: str, cards: frozenset[str]
) -> None:
    count = Counter(d.card for d in detector.detect(photos[name]) if d.card != "?")
    assert not count or max(count.values()) == 1


def test_a_quad_and_its_boxes_lie_where_the_card_lies(
    detector: OnnxDetector, deck: Deck, photos: dict[str, Image]
) -> None:
    """Four aces side by side on the webcam photo: the quads don't sit on each other."""
    image = photos["edje_cam_image8.jpg"]
    cards = [d for d in detector.detect(image) if d.card != "?" and d.score >= deck.about.report_score]
    assert len(cards) == 4
    for card in cards:
        assert card.quad.shape == (4, 2)
        assert card.quad.dtype == np.float32
        slack = 0.15 * card_width(card.quad)
        low, high = card.quad.min(0) - slack, card.quad.max(0) + slack
        for x, y, w, h in card.boxes:
            assert (low <= (x, y)).all()
            assert (high >= (x + w, y + h)).all()
    centres = np.stack([c.quad.mean(0) for c in cards])
    apart = np.linalg.norm(centres[:, None] - centres[None], axis=2) + 1e9 * np.eye(4)
    assert apart.min() > 60


def test_regions_limit_the_look(detector: OnnxDetector, deck: Deck, photos: dict[str, Image]) -> None:
    image = photos["edje_img_2566.jpg"]
    everything = detector.detect(image)
    one = next(d for d in everything if d.card == "9d")
    x0, y0 = np.maximum(one.quad.min(0) - 30, 0)
    x1, y1 = one.quad.max(0) + 30
    before = detector.runs
    some = detector.detect(image, [(int(x0), int(y0), int(x1), int(y1))])
    assert detector.runs == before + 1
    again = next(d for d in some if d.card == "9d")
    assert np.linalg.norm(again.quad.mean(0) - one.quad.mean(0)) < 20
    assert all((d.quad.mean(0) >= (x0 - 30, y0 - 30)).all() for d in some)
    assert detector.detect(image, []) == []


@pytest.mark.parametrize("shape", [(1, 1), (3, 500), (32, 32), (7, 9)])
def test_tiny_pictures_hold_no_cards(detector: OnnxDetector, shape: tuple[int, int]) -> None:
    assert detector.detect(np.full((*shape, 3), 200, np.uint8)) == []


@pytest.mark.parametrize("grey", [0, 128, 255])
def test_plain_pictures_hold_no_cards(detector: OnnxDetector, deck: Deck, grey: int) -> None:
    assert reported(detector, deck, np.full((480, 640, 3), grey, np.uint8)) == set()


def test_a_look_changes_neither_picture_nor_answer(detector: OnnxDetector, photos: dict[str, Image]) -> None:
    image = photos["edje_img_2570.jpg"].copy()
    first = detector.detect(image)
    assert np.array_equal(image, photos["edje_img_2570.jpg"])
    again = detector.detect(image)
    assert [(d.card, d.score) for d in first] == [(d.card, d.score) for d in again]
