"""Labelled pictures of drawn decks: the labels say what is there, in the form that `deck eval` reads."""

import json
from pathlib import Path

import numpy as np
import pytest

from vision.evaluate.labels import load_labels
from vision.synth.decks import CardFace, Deck
from vision.synth.packaged import HEIGHT, WIDTH
from vision.synth.scene import Scene, SceneCard, SceneIndex, draw_scene
from vision.synth.stills import kind_of, labels_of


class MarkedDeck(Deck):
    """White faces with a dark index at two opposite corners."""

    def face(self, card: str) -> CardFace:
        picture = np.full((HEIGHT, WIDTH, 3), 245, np.uint8)
        picture[20:100, 20:60] = picture[HEIGHT - 100 : HEIGHT - 20, WIDTH - 60 : WIDTH - 20] = 0
        return CardFace(picture, tuple((corner, (20, 20, 60, 100)) for corner in ("tl", "br")))


@pytest.fixture(scope="module")
def scene() -> Scene:
    scenes = (draw_scene(MarkedDeck(), 480, [], np.random.default_rng(k)) for k in range(50))
    return next(s for s in scenes if len(s.cards) > 3)


def test_every_card_in_view_is_labelled_and_the_labels_can_be_read(tmp_path: Path, scene: Scene) -> None:
    (tmp_path / "labels.json").write_text(json.dumps([labels_of(scene, "00000.jpg", "plain")]))
    (photo,) = load_labels(tmp_path)
    assert photo.complete
    assert photo.source == "plain"
    assert [o.card for o in photo.objects] == [c.name for c in scene.cards if c.visible > 0]
    for label, card in zip(photo.objects, (c for c in scene.cards if c.visible > 0), strict=True):
        assert np.allclose(label.quad, card.quad, atol=0.01)


@pytest.mark.parametrize(("visible", "side", "optional"), [(1.0, 30.0, False), (0.8, 30.0, True), (1.0, 12.0, True)])
def test_a_card_that_nobody_could_read_is_optional(visible: float, side: float, optional: bool) -> None:
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    index = SceneIndex(side * square, 100 * square, visible)
    hidden = SceneIndex(side * square, 100 * square, 0.0)
    card = SceneCard("7h", 100 * square, 0.9, (0, 0, 100, 100), (index, hidden))
    picture = np.zeros((200, 200, 3), np.uint8)
    label = labels_of(Scene(picture, (card,)), "a.jpg", "plain")["objects"][0]
    assert label["optional"] is optional
    assert label["index_visible"] == [pytest.approx(visible), 0.0]


def test_what_lies_outside_the_picture_counts_as_hidden() -> None:
    quad = np.array([[-50, 10], [50, 10], [50, 150], [-50, 150]], np.float32)
    scene = Scene(np.zeros((200, 200, 3), np.uint8), (SceneCard("back", quad, 0.8, (0, 10, 50, 150), ()),))
    label = labels_of(scene, "a.jpg", "plain")["objects"][0]
    assert label["visible_fraction"] == pytest.approx(0.4)
    assert label["optional"] is False


def test_a_deck_of_no_known_kind_is_called_other() -> None:
    assert kind_of(MarkedDeck()) == "other"
