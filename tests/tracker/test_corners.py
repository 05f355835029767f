"""Which readings of one view are one card: corners of four-index decks, fans, names read twice."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tracker.corners import distinct
from tracker.evidence import Evidence
from tracker.geometry import CARD_MM, Floats
from tracker.looks import Looks
from tracker.table import Reading
from tracker.votes import Vote
from vision.types import Box, Detection

SHAPE = (360, 640)
CORNERS = ("top left", "top right", "bottom right", "bottom left")


def quad(x: float, y: float) -> Floats:
    """An upright card whose top left corner is at (x, y); a pixel is a millimetre."""
    w, h = CARD_MM
    return np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]], np.float32)


def index(x: float, y: float, corner: str) -> Box:
    """The box of an index in a corner of such a card."""
    left, top = corner.endswith("left"), corner.startswith("top")
    return (x + 4 if left else x + CARD_MM[0] - 14, y + 5 if top else y + CARD_MM[1] - 25, 10.0, 20.0)


def reading(name: str, x: float, y: float, *boxes: Box, score: float = 0.98) -> Reading:
    place = quad(x, y)
    votes = {} if name == "?" else {name: Vote(score, score)}
    return Reading(Detection(name, score, "up", place, boxes), place, place, "play", votes, boxes)


def view(*lying: Floats, before: Sequence[Floats] = ()) -> Evidence:
    """A view in which these cards have come, and those lay there `before`."""

    def mask(quads: Sequence[Floats]) -> np.ndarray:
        drawn = np.zeros(SHAPE, np.uint8)
        for one in quads:
            cv2.fillConvexPoly(drawn, np.round(one).astype(np.int32), 255)
        return drawn

    changed = np.asarray(mask(lying), np.uint8)
    bare = np.asarray(255 - mask([*lying, *before]), np.uint8)
    return Evidence(np.zeros((*SHAPE, 3), np.uint8), changed, bare, 1.0)


def told(readings: Sequence[Reading], evidence: Evidence, decks: int = 1) -> list[dict[str, float]]:
    kept = distinct(readings, evidence, decks)
    return [{name: round(vote.best, 2) for name, vote in r.votes.items()} for r in kept]


@pytest.mark.parametrize("ghost", [(40, 0), (18, 14), (-47, 0)])
@pytest.mark.parametrize("corner", ["top right", "bottom left"])
def test_a_misread_corner_is_no_further_card(ghost: tuple[float, float], corner: str) -> None:
    card = reading("9c", 200, 100, index(200, 100, "top left"), index(200, 100, "bottom right"))
    other = reading("Qc", 200 + ghost[0], 100 + ghost[1], index(200, 100, corner), score=0.85)
    assert told([other, card], view(quad(200, 100))) == [{"9c": 0.98}]


def test_two_names_of_one_card_read_equally_surely_are_a_doubt() -> None:
    card = reading("9s", 200, 100, index(200, 100, "top left"), index(200, 100, "bottom right"))
    other = reading("9c", 203, 102, index(200, 100, "top right"), score=0.97)
    assert told([card, other], view(quad(200, 100))) == [{"9s": 0.98, "9c": 0.97}]


def test_a_corner_read_as_a_card_that_lies_crosswise_is_no_further_card() -> None:
    """The other cards of the fan lie where it would show."""
    card = reading("9s", 200, 100, index(200, 100, "bottom left"), index(200, 100, "top right"))
    across = np.array([[194, 112], [282, 112], [282, 175], [194, 175]], np.float32)
    other = replace(reading("9c", 200, 100, index(200, 100, "top left"), score=0.97), quad_mm=across, quad_px=across)
    assert told([card, other], view(quad(200, 100), quad(230, 100))) == [{"9s": 0.98, "9c": 0.97}]


def test_a_corner_that_is_not_read_is_no_further_card() -> None:
    card = reading("9c", 200, 100, index(200, 100, "top left"))
    unread = reading("?", 245, 100, index(200, 100, "top right"), score=0.0)
    assert told([card, unread], view(quad(200, 100))) == [{"9c": 0.98}]


def test_two_cards_that_each_show_two_corners_are_two_however_roughly_they_were_placed() -> None:
    four = [index(100, 100, f"{row} {side}") for row in ("top", "bottom") for side in ("left", "right")]
    upper = reading("Qh", 100, 100, *four)
    lower = reading("Qd", 100, 104, index(100, 104, "bottom left"), index(100, 104, "bottom right"))
    lying = view(quad(100, 100), quad(100, 125))
    assert told([upper, lower], lying) == [{"Qh": 0.98}, {"Qd": 0.98}]
    doubtful = reading("Qd", 100, 104, index(100, 104, "bottom left"))
    assert len(told([upper, doubtful], lying)) == 1


@pytest.mark.parametrize("step", [14, 22, 30, 47])
def test_cards_of_a_fan_stay_cards(step: int) -> None:
    places = [(150 + step * i, 100) for i in range(5)]
    fan = [
        reading(name, x, y, index(x, y, "top left"), score=0.8)
        for name, (x, y) in zip(("5c", "6d", "7s", "8h", "9s"), places, strict=True)
    ]
    assert len(told(fan, view(*(quad(x, y) for x, y in places)))) == 5


@pytest.mark.parametrize("rough", [247, 204])
def test_a_card_on_an_older_one_is_another_card(rough: int) -> None:
    """Its index lies by chance where the older one has a corner, and its place is perhaps rough."""
    older = reading("9c", 200, 100, index(200, 100, "bottom left"))
    newer = reading("Qc", rough, 100, index(247, 100, "top left"), score=0.85)
    assert len(told([older, newer], view(quad(247, 100), before=[quad(200, 100)]))) == 2


def test_one_name_at_two_corners_is_one_card_where_there_is_one_deck() -> None:
    card = reading("Kh", 200, 100, index(200, 100, "bottom left"))
    aside = reading("Kh", 247, 100, index(200, 100, "top right"))
    over = view(quad(200, 100), quad(247, 100))
    assert told([card, aside], over, decks=1) == [{"Kh": 0.98}]
    assert len(told([card, aside], over, decks=2)) == 2


def test_of_two_places_of_one_card_that_with_a_card_under_it_holds() -> None:
    card = reading("Kh", 200, 100, index(200, 100, "bottom left"))
    aside = reading("Kh", 247, 100, index(200, 100, "top right"), index(247, 100, "bottom left"))
    (kept,) = distinct([aside, card], view(quad(200, 100)), 1)
    assert kept.quad_mm[0].tolist() == [200, 100]


def looks(*each: Sequence[Reading]) -> list[Reading]:
    gathered = Looks()
    for readings in each:
        gathered.add(list(readings))
    return gathered.places


def test_neighbours_whose_places_are_rough_keep_their_own_votes() -> None:
    first = [
        reading("8h", 200, 100, index(200, 100, "top left")),
        reading("7s", 222, 100, index(222, 100, "top left")),
    ]
    rough = [
        reading("8h", 218, 100, index(200, 100, "top left")),
        reading("7s", 224, 100, index(222, 100, "top left")),
    ]
    assert [set(place.votes) for place in looks(first, rough, rough)] == [{"8h"}, {"7s"}]


def test_an_index_read_differently_by_two_looks_is_one_place_with_both_names() -> None:
    places = looks(
        [reading("6h", 200, 100, index(200, 100, "top left"), score=0.89)],
        [reading("Jh", 203, 101, index(200, 100, "top left"), score=0.97)],
    )
    assert [set(place.votes) for place in places] == [{"6h", "Jh"}]


def test_a_place_that_two_corners_agree_on_is_trusted_more() -> None:
    one = reading("9s", 212, 100, index(200, 100, "top left"), score=0.99)
    two = reading("9s", 200, 100, index(200, 100, "top left"), index(200, 100, "bottom right"), score=0.95)
    odd = reading("9s", 206, 100, index(200, 100, "top left"), index(222, 100, "bottom right"), score=0.99)
    (place,) = looks([one], [two], [odd])
    assert place.quad_mm[0].tolist() == [200, 100]


def test_an_unread_look_at_an_index_that_was_read_before_is_no_further_card() -> None:
    """Two looks have read a card by one corner each; the third reads none, and takes a neighbour's for its own."""
    places = looks(
        [reading("Kh", 200, 100, index(200, 100, "bottom right"))],
        [reading("Kh", 232, 100, index(200, 100, "top right"))],
        [reading("?", 215, 98, index(200, 100, "bottom right"), index(176, 100, "top right"), score=0.0)],
        [reading("?", 232, 100, index(200, 100, "top right"), score=0.0)],
    )
    assert [set(place.votes) for place in places] == [{"Kh"}]
