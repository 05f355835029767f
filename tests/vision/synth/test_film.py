"""The film of a card table: what its truth claims is what its pictures show."""

import cv2
import numpy as np
import pytest

from vision.synth.decks import CardFace, Deck
from vision.synth.film import SIZE, CardPose, HandPose, Studio
from vision.synth.hand import draw_hand
from vision.synth.packaged import HEIGHT, WIDTH
from vision.synth.visits import Film, Visit, perform
from vision.types import Image

SKIN, SLEEVE = (112, 148, 206), (122, 72, 48)
STORY = (
    Visit(0, "play", ("6s", "6h"), legal=True),
    Visit(1, "pass"),
    Visit(2, "play", ("5d",), legal=False, codes=("wrong_count",)),
    Visit(2, "take_back", ("5d",)),
    Visit(0, "sweep"),
)


class BlankDeck(Deck):
    """White faces with a black index at the top left: no fonts needed."""

    def face(self, card: str) -> CardFace:
        picture = np.full((HEIGHT, WIDTH, 3), 245, np.uint8)
        picture[20:100, 20:60] = 0
        return CardFace(picture, (("tl", (20, 20, 60, 100)),))


@pytest.fixture(scope="module")
def studio() -> Studio:
    return Studio(BlankDeck(), np.random.default_rng(1))


def performed(studio: Studio) -> Film:
    return perform(STORY, studio, np.random.default_rng(7))


def centre(picture: Image, pose: CardPose, studio: Studio) -> float:
    """Brightness in the middle of a card's place."""
    x, y = studio.quad(pose).mean(0).round().astype(int)
    return float(picture[y - 3 : y + 4, x - 3 : x + 4].mean())


def test_a_laid_card_is_seen_where_its_quad_says(studio: Studio) -> None:
    pose = CardPose("5d", 40, -30, 25)
    empty, laid = studio.shoot((), (), None), studio.shoot((pose,), (), None)
    changed = np.abs(laid.astype(int) - empty).max(2) > 40
    inside = np.zeros(changed.shape, np.uint8)
    cv2.fillConvexPoly(inside, studio.quad(pose).round().astype(np.int32), 1)
    assert np.count_nonzero(changed & (inside > 0)) / inside.sum() > 0.95
    assert np.count_nonzero(changed & (inside == 0)) < 0.02 * inside.sum()


def test_a_lifted_card_looks_larger(studio: Studio) -> None:
    flat, lifted = (cv2.contourArea(studio.quad(CardPose("5d", 0, 0, 0, lift))) for lift in (0.0, 60.0))
    assert 1.05 < lifted / flat < 1.25


def test_a_covering_card_lowers_what_is_visible(studio: Studio) -> None:
    below, above = studio.labels((CardPose("5d", 0, 0, 0), CardPose("6d", 31.5, 0, 0)))
    assert below.visible == pytest.approx(0.5, abs=0.03)
    assert above.visible > 0.96  # its corners are round
    assert below.indices[0].visible > 0.95


def test_a_hand_hides_cards_and_comes_from_its_side(studio: Studio) -> None:
    pose = CardPose("5d", 0, 0, 0)
    hand = HandPose(draw_hand(SKIN, SLEEVE), 20, 0, 0, 0)
    picture = studio.shoot((pose,), (), hand)
    assert centre(picture, pose, studio) < centre(studio.shoot((pose,), (), None), pose, studio) - 25
    without = studio.shoot((pose,), (), None)
    changed = np.abs(picture.astype(int) - without).max(2) > 25
    assert changed[:, : SIZE[0] // 4].sum() > 5 * changed[:, 3 * SIZE[0] // 4 :].sum()


def test_truth_follows_the_story(studio: Studio) -> None:
    events = performed(studio).events
    assert [(e["seat"], e["action"]) for e in events] == [(v.seat, v.action) for v in STORY]
    assert events[2]["legal"] is False
    assert events[2]["codes"] == ["wrong_count"]
    assert events[1]["visible"] is False
    assert set(events[4]["cards"]) == {"6s", "6h"}
    times = [e["t_clear"] for e in events]
    assert times == sorted(times)


def test_at_t_clear_no_hand_is_left_and_the_cards_lie(studio: Studio) -> None:
    film = performed(studio)
    visits = [event for event in film.events if event["action"] != "pass"]
    expected: list[set[str]] = [{"6s", "6h"}, {"6s", "6h", "5d"}, {"6s", "6h"}, set()]
    for event, names in zip(visits, expected, strict=True):
        lying, held, hand = film.at(event["t_clear"] + 0.01)
        assert hand is None
        assert held == ()
        assert {pose.name for pose in lying} == names


def test_from_t_settled_a_played_card_keeps_its_place(studio: Studio) -> None:
    film = performed(studio)
    play = film.events[0]
    moments = [film.at(play["t_settled"] + d) for d in (0.01, 0.2, 0.5)]
    assert moments[0][0] == moments[1][0] == moments[2][0]
    before = film.at(play["t_settled"] - 0.2)
    assert {pose.name for pose in before[1]} == {"6s", "6h"}


def test_every_card_of_a_story_lands_inside_the_picture(studio: Studio) -> None:
    film = performed(studio)
    quads = [studio.quad(pose) for _, lying in film.settled for pose in lying]
    points = np.concatenate(quads)
    assert (points >= 0).all()
    assert (points < SIZE).all()


def test_the_same_seed_gives_the_same_film(studio: Studio) -> None:
    one, other = performed(studio), performed(studio)
    assert one.events == other.events
    assert one.settled == other.settled
    again = Studio(BlankDeck(), np.random.default_rng(1))
    lying = one.settled[1][1]
    assert np.array_equal(studio.shoot(lying, (), None), again.shoot(lying, (), None))
