"""Frame by frame: real pictures of a drawn table through the whole tracker."""

from collections.abc import Sequence

import cv2
import numpy as np
import pytest
from drawn_table import FPS, NAMES, SIZE, Arm, DrawnGame, Lying, Painter, spread
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tracker.observations import DiscardObserved, Observation, PlayObserved, TakenBack, Withdrawn
from vision.types import Image


def told(observations: Sequence[Observation]) -> list[tuple[str, int | None, list[str]]]:
    return [(type(o).__name__, o.seat, sorted(c.card for c in o.cards)) for o in observations]


def phases(game: DrawnGame) -> dict[str, str]:
    return {c.name: c.phase for c in game.pipeline.top.cards}


@pytest.fixture
def game() -> DrawnGame:
    return DrawnGame.start()


@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_a_play_is_told_once_with_its_seat_soon_after_the_hand_left(game: DrawnGame, seat: int) -> None:
    (play,) = game.visit(seat, spread(["5s", "6s", "7s"], 550, 360, turn=15))
    assert told([play]) == [("PlayObserved", seat, ["5s", "6s", "7s"])]
    assert play.certainty > 0.95
    assert play.seat_certainty > 0.9
    assert game.left <= play.t < game.left + 0.5
    game.rest(2)
    assert len(game.told) == 1


def test_cards_are_told_where_they_lie(game: DrawnGame) -> None:
    lying = spread(["5s", "6s"], 550, 360, turn=40)
    (play,) = game.visit(1, lying)
    for seen in play.cards:
        true = next(c for c in lying if c.name == seen.card).quad()
        assert np.abs(seen.quad - true).max() < 4


def test_a_lying_card_keeps_the_places_of_its_indices(game: DrawnGame) -> None:
    lying = spread(["5s", "6s"], 550, 360, turn=40)
    game.visit(1, lying)
    for card in game.pipeline.top.cards:
        true = next(c for c in lying if c.name == card.name).quad()
        assert card.boxes
        for x, y, w, h in card.boxes:
            assert cv2.pointPolygonTest(true, (x + w / 2, y + h / 2), False) > 0


def test_nothing_is_read_while_nothing_changes_or_a_hand_is_there(game: DrawnGame) -> None:
    begun = game.eyes.calls
    game.rest(3)
    assert game.eyes.calls == begun == 1
    busy = [game.frame(Arm(0, 500 + 8 * (i % 9), 400 - 5 * (i % 7))) for i in range(40)]
    assert all(result.moving for result in busy)
    assert game.eyes.calls == begun
    game.visit(0, spread(["5s"], 500, 400))
    assert game.eyes.calls == begun + 1
    assert game.pipeline.inferences == game.eyes.calls


def test_only_what_changed_is_read(game: DrawnGame) -> None:
    game.visit(0, spread(["5s"], 420, 300))
    (read,) = [r.regions for r in game.results[-30:] if r.regions]
    pixels = sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in read)
    assert pixels < 0.1 * SIZE[0] * SIZE[1]


def test_a_hand_that_only_waves_brings_nothing(game: DrawnGame) -> None:
    game.visit(0, spread(["5s", "6s"], 500, 430))
    assert game.visit(3, to=(480, 300)) == []
    assert game.visit(2, to=(640, 200), stay=12) == []
    assert game.visit(1, to=(510, 430)) == []  # right over the cards
    assert phases(game) == {"5s": "settled", "6s": "settled"}


def test_a_hand_that_rests_on_the_cards_is_waited_for(game: DrawnGame) -> None:
    (play,) = game.visit(0, spread(["5s", "6s"], 500, 430), stay=30)
    assert play.t > game.left


def test_a_round_with_a_take_back_and_a_sweep(game: DrawnGame) -> None:
    game.visit(0, spread(["5s", "6s"], 500, 450))
    game.visit(1, spread(["3s", "4s"], 420, 300))
    (back,) = game.visit(1, take=["3s", "4s"])
    assert told([back]) == [("TakenBack", 1, ["3s", "4s"])]
    assert isinstance(back, TakenBack)
    assert back.of == game.told[1].id
    assert told(game.visit(2, spread(["8s", "9s"], 620, 220, turn=180))) == [("PlayObserved", 2, ["8s", "9s"])]
    assert told(game.visit(2, take=["5s", "6s", "8s", "9s"])) == [("Swept", 2, ["5s", "6s", "8s", "9s"])]
    assert game.pipeline.top.cards == []


def test_the_only_play_goes_back_when_it_was_judged_illegal(game: DrawnGame) -> None:
    (play,) = game.visit(0, spread(["5s", "6s"], 500, 450))
    game.rejected = play.id
    assert told(game.visit(0, take=["5s", "6s"])) == [("TakenBack", 0, ["5s", "6s"])]


def test_a_sweep_in_two_visits(game: DrawnGame) -> None:
    game.visit(0, spread(["5s", "6s"], 500, 450))
    game.visit(1, spread(["8s", "9s"], 420, 250))
    assert game.visit(1, take=["5s", "6s"]) == []
    assert told(game.visit(1, take=["8s", "9s"])) == [("Swept", 1, ["5s", "6s", "8s", "9s"])]


def test_a_play_laid_in_two_visits_is_withdrawn_and_told_whole(game: DrawnGame) -> None:
    (first,) = game.visit(0, [Lying("5s", 500, 450)], rest=0.5)
    back, whole = game.visit(0, [Lying("6s", 540, 450)])
    assert isinstance(back, Withdrawn)
    assert back.of == first.id
    assert told([whole]) == [("PlayObserved", 0, ["5s", "6s"])]


def test_a_card_swapped_in_a_play(game: DrawnGame) -> None:
    game.visit(0, spread(["5s", "6s"], 500, 450))
    game.visit(1, spread(["8s", "9s"], 420, 250))
    assert game.visit(1, take=["9s"]) == []
    back, again = game.visit(1, [Lying("Ts", 446, 250)])
    assert isinstance(back, Withdrawn)
    assert told([again]) == [("PlayObserved", 1, ["8s", "Ts"])]


def test_a_play_laid_over_another_covers_it_and_lays_it_bare_again(game: DrawnGame) -> None:
    game.visit(0, spread(["5s"], 500, 400))
    assert told(game.visit(1, [Lying("6s", 502, 398)])) == [("PlayObserved", 1, ["6s"])]
    assert phases(game) == {"5s": "covered", "6s": "settled"}
    assert told(game.visit(1, take=["6s"])) == [("TakenBack", 1, ["6s"])]
    assert phases(game) == {"5s": "settled"}


def test_a_pushed_card_is_no_play(game: DrawnGame) -> None:
    game.visit(0, spread(["5s"], 500, 400))
    game.visit(1, spread(["8s", "9s"], 420, 220))
    game.lying = [Lying("5s", 535, 420, 12), *game.lying[1:]]
    assert game.visit(3, to=(520, 410)) == []
    place = next(c for c in game.pipeline.top.cards if c.name == "5s").quad_px.mean(0)
    assert place == pytest.approx([535, 420], abs=4)


def test_a_card_that_cannot_be_read_is_asked_about_not_left_out(game: DrawnGame) -> None:
    (play,) = game.visit(0, [Lying("5s", 500, 430), Lying("?", 560, 430)])
    assert told([play]) == [("PlayObserved", 0, ["5s", "?"])]
    assert play.certainty == 0


def test_a_face_that_is_read_later_is_told(game: DrawnGame) -> None:
    game.eyes.blind = {"6s"}
    (first,) = game.visit(0, spread(["5s", "6s"], 500, 430))
    assert told([first]) == [("PlayObserved", 0, ["5s", "?"])]
    game.eyes.blind = set()
    back, again, other = game.visit(1, spread(["8s", "9s"], 500, 360))
    assert isinstance(back, Withdrawn)
    assert back.of == first.id
    assert told([again, other]) == [("PlayObserved", 0, ["5s", "6s"]), ("PlayObserved", 1, ["8s", "9s"])]


def test_a_doubtful_face_is_looked_at_thrice_and_stays_doubtful() -> None:
    game = DrawnGame.start(score=0.7)
    (play,) = game.visit(0, spread(["5s", "6s"], 500, 430))
    assert play.certainty == pytest.approx(0.7)
    assert game.pipeline.inferences == 4  # the first look at the table, and three at the cards
    assert play.t < game.left + 0.6


def test_a_name_that_already_lies_there_is_doubtful_with_one_deck_only() -> None:
    for decks, certain in ((1, False), (2, True)):
        game = DrawnGame.start(decks=decks)
        game.visit(0, spread(["5s", "6s"], 500, 450))
        (play,) = game.visit(1, spread(["5s", "8s"], 420, 250))
        assert told([play]) == [("PlayObserved", 1, ["5s", "8s"])]
        assert (play.certainty > 0.9) is certain


def test_discards_have_faults(game: DrawnGame) -> None:
    (open_,) = game.visit(0, [Lying("5s", 930, 250)])
    (covering,) = game.visit(1, [Lying("6s", 945, 262)])
    (hidden,) = game.visit(3, [Lying("back", 1000, 420)])
    for seen, faults in ((open_, ()), (covering, ("discard_covered",)), (hidden, ("discard_not_face_up",))):
        assert isinstance(seen, DiscardObserved)
        assert seen.faults == faults


def test_backs_on_the_stock_are_no_cards_laid(game: DrawnGame) -> None:
    assert game.visit(0, [Lying("back", 950, 625)]) == []


def test_cards_that_lay_there_before_are_known_and_swept_with_the_rest() -> None:
    game = DrawnGame.start(*spread(["5s", "6s"], 500, 450))
    assert game.told == []
    assert phases(game) == {"5s": "settled", "6s": "settled"}
    game.visit(1, spread(["8s", "9s"], 420, 250))
    assert told(game.visit(3, take=["5s", "6s", "8s", "9s"])) == [("Swept", 3, ["5s", "6s", "8s", "9s"])]
    assert told(game.visit(0, spread(["Ts"], 510, 440))) == [("PlayObserved", 0, ["Ts"])]


@pytest.mark.parametrize("light", [0.3, 0.45, 0.6, 0.8])
def test_a_lamp_that_goes_and_comes_back_is_no_play(game: DrawnGame, light: float) -> None:
    game.visit(0, spread(["5s", "6s"], 500, 450))
    game.painter.light = light
    game.rest(3)
    game.painter.light = 1.0
    game.rest(1.5)
    assert len(game.told) == 1
    assert phases(game) == {"5s": "settled", "6s": "settled"}
    assert told(game.visit(1, spread(["8s", "9s"], 420, 250))) == [("PlayObserved", 1, ["8s", "9s"])]


@pytest.mark.parametrize("light", [0.6, 0.75, 1.25])
def test_a_game_goes_on_under_another_light(game: DrawnGame, light: float) -> None:
    game.visit(0, spread(["5s", "6s"], 500, 450))
    game.painter.light = light
    game.rest(1)
    assert told(game.visit(1, spread(["8s", "9s"], 420, 250))) == [("PlayObserved", 1, ["8s", "9s"])]
    assert told(game.visit(1, take=["5s", "6s", "8s", "9s"])) == [("Swept", 1, ["5s", "6s", "8s", "9s"])]


class Cloth(Painter):
    """A table with a patterned cloth: a moved camera shows."""

    def __init__(self) -> None:
        super().__init__()
        rng = np.random.default_rng(8)
        for _ in range(160):
            x, y = int(rng.integers(0, SIZE[0])), int(rng.integers(0, SIZE[1]))
            colour = [int(v) for v in np.array((52, 74, 96)) + rng.integers(-38, 39)]
            cv2.circle(self._top, (x, y), int(rng.integers(6, 26)), colour, -1, cv2.LINE_AA)


def bumped(turn: float, x: float, y: float) -> np.ndarray:
    move = cv2.getRotationMatrix2D((SIZE[0] / 2, SIZE[1] / 2), turn, 1.0)
    move[:, 2] += (x, y)
    return np.asarray(move)


@pytest.mark.parametrize("move", [(0.0, 9.0, 4.0), (0.7, -11.0, 6.0), (-1.2, 20.0, -15.0)])
def test_a_bumped_camera_is_followed(move: tuple[float, float, float]) -> None:
    game = DrawnGame.start(painter=Cloth())
    game.visit(0, spread(["5s", "6s"], 500, 450))
    game.painter.bumped = bumped(*move)
    game.rest(2)
    assert len(game.told) == 1
    assert phases(game) == {"5s": "settled", "6s": "settled"}
    for card in game.pipeline.top.cards:
        true = next(c for c in game.lying if c.name == card.name).quad()
        assert np.abs(card.quad_px - cv2.transform(true[None], game.painter.bumped)[0]).max() < 4
    assert told(game.visit(1, spread(["8s", "9s"], 420, 250))) == [("PlayObserved", 1, ["8s", "9s"])]
    assert told(game.visit(1, take=["8s", "9s"])) == [("TakenBack", 1, ["8s", "9s"])]
    assert told(game.visit(1, take=["5s", "6s"])) == [("Swept", 1, ["5s", "6s"])]


class Leaning(Painter):
    """Somebody leans over half the table."""

    leaning = False

    def draw(self, lying: Sequence[Lying], arm: Arm | None = None) -> Image:
        picture = super().draw(lying, arm)
        if self.leaning:
            cv2.circle(picture, (640, 620), 420, (70, 60, 160), -1)
        return picture


def test_somebody_leaning_over_the_table_is_waited_for() -> None:
    painter = Leaning()
    game = DrawnGame.start(painter=painter)
    game.visit(0, spread(["5s", "6s"], 500, 450))
    painter.leaning = True
    game.rest(3)
    painter.leaning = False
    game.rest(1.5)
    assert len(game.told) == 1
    assert phases(game) == {"5s": "settled", "6s": "settled"}


SPOTS = ((420.0, 220.0), (620.0, 220.0), (420.0, 380.0), (620.0, 380.0), (420.0, 530.0), (620.0, 530.0))


@settings(
    max_examples=4,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # a smaller round isn't worth minutes
)
@given(
    st.lists(st.tuples(st.integers(1, 3), st.integers(1, 2), st.booleans()), min_size=3, max_size=5),
    st.permutations(NAMES),
    st.integers(-30, 30),
)
def test_any_round_is_told_as_played(moves: list[tuple[int, int, bool]], names: Sequence[str], turn: int) -> None:
    """Plays at several spots, some of them taken back; the next is always another seat's."""
    game = DrawnGame.start()
    hand, wanted, seat = list(names), [], 0
    plays: list[list[str]] = []
    for (on, count, undo), (x, y) in zip(moves, SPOTS, strict=False):
        seat = (seat + on) % 4
        cards, hand = hand[:count], hand[count:]
        game.visit(seat, spread(cards, x, y, turn=turn), rest=0.7)
        wanted.append(("PlayObserved", seat, sorted(cards)))
        if undo and plays:
            game.visit(seat, take=cards, rest=0.7)
            wanted.append(("TakenBack", seat, sorted(cards)))
        else:
            plays.append(cards)
    everything = [name for play in plays for name in play]
    if not everything:
        return
    swept = next(card for card in game.lying if card.name == everything[0])
    game.visit(2, take=everything, to=(swept.x, swept.y))
    wanted.append(("Swept", 2, sorted(everything)))
    assert told(game.told) == wanted


def test_source_time_counts_whatever_the_frame_rate() -> None:
    """Frames that were dropped change nothing but the times."""
    game = DrawnGame.start()
    game.seq = 100
    (play,) = game.visit(0, spread(["5s"], 500, 400))
    assert isinstance(play, PlayObserved)
    assert 100 / FPS < play.t < game.left + 0.5


def test_a_card_taken_up_for_good_is_told_though_the_rest_of_the_play_stays(game: DrawnGame) -> None:
    (play,) = game.visit(0, spread(["5s", "6s", "7s"], 450, 430, gap=70), rest=4.0)
    assert game.visit(0, take=["7s"], rest=1.0) == []
    before = len(game.told)
    game.rest(4)
    (back,) = game.told[before:]
    assert isinstance(back, TakenBack)
    assert told([back]) == [("TakenBack", 0, ["7s"])]
    assert back.of == play.id


def test_a_card_pushed_half_under_another_is_no_play(game: DrawnGame) -> None:
    """Its indices are hidden there."""
    five = Lying("5s", 450, 300)
    game.visit(0, [five], rest=4.0)
    game.visit(1, [Lying("6s", 620, 300)], rest=4.0)
    before = len(game.told)
    game.lying = [Lying("?", 490, 315), five]
    for way in (0.3, 0.7, 1.0, 1.0, 0.7, 0.3):
        game.frame(Arm.towards(1, 560, 310, way))
    game.rest(6)
    assert game.told[before:] == []
    assert sorted(phases(game)) == ["5s", "6s"]
