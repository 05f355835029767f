"""Visits become plays, discards, sweeps and take-backs."""

import math
from dataclasses import dataclass, field

import numpy as np
import pytest

from tracker.geometry import CARD_MM, Floats
from tracker.lifecycle import TableCard
from tracker.observations import (
    DiscardObserved,
    Observation,
    PlayObserved,
    Swept,
    TakenBack,
    Withdrawn,
)
from tracker.plays import PlayBook
from tracker.seats import SeatGuess
from tracker.votes import Vote


def quad_at(x: float, y: float, turn: float = 0.0) -> Floats:
    half = np.array(CARD_MM) / 2
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    return np.asarray(corners @ np.array([[c, s], [-s, c]]) + (x, y), np.float32)


@dataclass
class Table:
    """A play book and the cards it is told of."""

    book: PlayBook = field(default_factory=PlayBook)
    cards: dict[str, TableCard] = field(default_factory=dict)
    tracks: int = 0

    def card(self, name: str, x: float, y: float, zone: str = "play", score: float = 0.97) -> TableCard:
        self.tracks += 1
        quad = quad_at(x, y)
        card = TableCard(self.tracks, quad, quad, zone, self.tracks, "down" if name == "back" else "up")
        card.take({} if name in ("?", "back") else {name: Vote(score, score)}, score)
        self.cards[name] = card
        return card

    def lay(self, seat: int, t: float, *names: str, x: float = 300, y: float = 300, zone: str = "play",
            gap: float = 24) -> list[Observation]:  # fmt: skip
        cards = [self.card(name, x + gap * i, y, zone) for i, name in enumerate(names)]
        return self.book.came(cards, SeatGuess(seat, 0.95), t)

    def take(self, seat: int, t: float, *names: str, rejected: int | None = None) -> list[Observation]:
        cards = [self.cards[name] for name in names]
        for card in cards:
            card.sight("absent")
        return self.book.went(cards, SeatGuess(seat, 0.9), t, rejected)


def told(observations: list[Observation]) -> list[tuple[str, int | None, list[str]]]:
    return [(type(o).__name__, o.seat, [c.card for c in o.cards]) for o in observations]


@pytest.fixture
def table() -> Table:
    return Table()


def test_new_cards_of_a_visit_are_one_play(table: Table) -> None:
    (seen,) = table.lay(2, 4.0, "5s", "5d")
    assert isinstance(seen, PlayObserved)
    assert told([seen]) == [("PlayObserved", 2, ["5s", "5d"])]
    assert (seen.id, seen.t, seen.seat_certainty, seen.certainty) == (0, 4.0, 0.95, 0.97)
    assert [c.certainty for c in seen.cards] == [0.97, 0.97]
    assert all(c.phase == "settled" and c.play == 0 for c in table.cards.values())


def test_a_play_is_as_certain_as_its_least_certain_card(table: Table) -> None:
    cards = [table.card("5s", 300, 300), table.card("5d", 330, 300, score=0.6), table.card("?", 360, 300)]
    assert table.book.came(cards[:2], SeatGuess(0, 1.0), 1.0)[0].certainty == pytest.approx(0.6)
    assert table.book.came(cards[2:], SeatGuess(1, 1.0), 9.0)[0].certainty == 0


def test_play_and_discard_of_one_visit_are_two_observations(table: Table) -> None:
    cards = [table.card("5s", 300, 300), table.card("6s", 700, 300, "discard")]
    seen = table.book.came(cards, SeatGuess(0, 1.0), 1.0)
    assert told(seen) == [("PlayObserved", 0, ["5s"]), ("DiscardObserved", 0, ["6s"])]


def test_two_visits_of_one_seat_are_one_play_told_again(table: Table) -> None:
    (first,) = table.lay(0, 10.0, "5s", "5d")
    back, whole = table.lay(0, 12.0, "5h", x=360)
    assert isinstance(back, Withdrawn)
    assert (back.of, back.cards) == (first.id, ())
    assert told([whole]) == [("PlayObserved", 0, ["5s", "5d", "5h"])]
    assert [first.id, back.id, whole.id] == [0, 1, 2]
    assert len(table.book.laid) == 1


@pytest.mark.parametrize(
    ("seat", "t", "x", "zone"),
    [(1, 12.0, 360, "play"), (0, 14.0, 360, "play"), (0, 12.0, 520, "play"), (0, 12.0, 360, "discard")],
    ids=["another seat", "much later", "far away", "another zone"],
)
def test_what_makes_two_plays(table: Table, seat: int, t: float, x: float, zone: str) -> None:
    table.lay(0, 10.0, "5s", "5d")
    seen = table.lay(seat, t, "5h", x=x, zone=zone)
    assert len(seen) == 1
    assert told(seen)[0][2] == ["5h"]
    assert len(table.book.laid) == 2


def test_a_third_visit_counts_from_the_second(table: Table) -> None:
    table.lay(0, 10.0, "5s")
    table.lay(0, 13.0, "6s", x=330)
    assert told(table.lay(0, 16.0, "7s", x=360))[-1] == ("PlayObserved", 0, ["5s", "6s", "7s"])


def test_the_newest_play_that_goes_is_taken_back(table: Table) -> None:
    table.lay(0, 1.0, "5s", "5d")
    (play,) = table.lay(1, 5.0, "4s", "4d", x=500)
    (back,) = table.take(1, 9.0, "4s", "4d")
    assert isinstance(back, TakenBack)
    assert told([back]) == [("TakenBack", 1, ["4s", "4d"])]
    assert back.of == play.id
    assert [p.observation.id for p in table.book.laid] == [0]


def test_a_part_of_a_play_that_stays_away_is_taken_back(table: Table) -> None:
    (play,) = table.lay(1, 5.0, "4s", "4d", "9c")
    assert table.take(1, 9.0, "9c") == []
    assert table.book.settle(11.0) == []
    (back,) = table.book.settle(13.0)
    assert isinstance(back, TakenBack)
    assert told([back]) == [("TakenBack", 1, ["9c"])]
    assert back.of == play.id
    assert back.certainty < 0.9
    assert table.book.settle(20.0) == []
    assert told(table.take(1, 30.0, "4s", "4d", rejected=play.id)) == [("TakenBack", 1, ["4s", "4d"])]


def test_a_card_laid_for_the_one_taken_up_belongs_to_the_play(table: Table) -> None:
    table.lay(1, 5.0, "4s", "4d", "9c")
    table.take(1, 9.0, "9c")
    assert told(table.lay(1, 11.0, "4c", x=360)) == [("Withdrawn", 1, []), ("PlayObserved", 1, ["4s", "4d", "4c"])]
    assert table.book.settle(30.0) == []


def test_a_card_laid_late_for_one_taken_up_belongs_to_the_play_too(table: Table) -> None:
    table.lay(1, 5.0, "4s", "4d", "9c")
    table.take(1, 9.0, "9c")
    table.book.settle(13.0)
    assert told(table.lay(1, 16.0, "4c", x=360))[-1] == ("PlayObserved", 1, ["4s", "4d", "4c"])


def test_a_part_taken_up_is_told_before_the_next_play(table: Table) -> None:
    table.lay(1, 5.0, "4s", "4d", "9c")
    table.take(1, 9.0, "9c")
    assert told(table.lay(2, 10.0, "8s", "8d", x=600)) == [("TakenBack", 1, ["9c"]), ("PlayObserved", 2, ["8s", "8d"])]


def test_who_clears_the_table_in_two_grabs_takes_nothing_back(table: Table) -> None:
    table.lay(1, 5.0, "4s", "4d")
    cards = [table.cards["4d"]]
    cards[0].sight("absent")
    assert table.book.went(cards, SeatGuess(3, 0.95), 9.0, None) == []
    assert table.book.settle(14.0) == []
    assert told(table.take(3, 15.0, "4s")) == [("Swept", 3, ["4s", "4d"])]


def test_the_only_play_that_goes_is_swept_unless_it_was_judged_illegal(table: Table) -> None:
    table.lay(0, 1.0, "5s", "5d")
    assert told(table.take(3, 4.0, "5s", "5d")) == [("Swept", 3, ["5s", "5d"])]
    (play,) = table.lay(0, 10.0, "6s", "6d")
    (back,) = table.take(0, 14.0, "6s", "6d", rejected=play.id)
    assert isinstance(back, TakenBack)
    assert back.of == play.id
    assert table.book.laid == []


def test_a_sweep_takes_all_plays_of_the_round(table: Table) -> None:
    table.lay(0, 1.0, "5s", "5d")
    table.lay(1, 5.0, "8s", "8d", x=500)
    assert told(table.take(1, 9.0, "5s", "5d", "8s", "8d")) == [("Swept", 1, ["5s", "5d", "8s", "8d"])]
    assert table.book.laid == []
    assert told(table.lay(1, 10.0, "9s")) == [("PlayObserved", 1, ["9s"])]


def test_a_sweep_in_two_visits_is_told_once_at_its_end(table: Table) -> None:
    table.lay(0, 1.0, "5s", "5d")
    table.lay(1, 5.0, "8s", "8d", x=500)
    assert table.take(1, 9.0, "5s", "5d") == []
    assert told(table.take(1, 10.0, "8s", "8d")) == [("Swept", 1, ["5s", "5d", "8s", "8d"])]


def test_a_sweep_that_begins_in_the_middle_of_a_play(table: Table) -> None:
    table.lay(0, 1.0, "5s", "5d")
    table.lay(1, 5.0, "8s", "8d", x=500)
    assert table.take(1, 9.0, "5d", "8s") == []
    assert told(table.take(1, 10.0, "5s", "8d")) == [("Swept", 1, ["5s", "5d", "8s", "8d"])]


def test_a_part_of_a_play_that_goes_is_not_told(table: Table) -> None:
    table.lay(0, 1.0, "5s", "5d")
    table.lay(1, 5.0, "8s", "8d", x=500)
    assert table.take(1, 9.0, "8d") == []
    assert len(table.book.laid) == 2


def test_a_card_swapped_in_the_newest_play_makes_it_another_play(table: Table) -> None:
    table.lay(0, 1.0, "5s", "5d")
    (play,) = table.lay(1, 5.0, "8s", "8d", x=500)
    table.take(1, 20.0, "8d")
    back, again = table.lay(1, 22.0, "9d", x=524)
    assert isinstance(back, Withdrawn)
    assert back.of == play.id
    assert told([again]) == [("PlayObserved", 1, ["8s", "9d"])]


def test_an_earlier_play_that_goes_alone_is_the_beginning_of_a_sweep(table: Table) -> None:
    for number, name in enumerate(("5s", "6s", "7s")):
        table.lay(number, 5.0 * number, name, x=200 + 150 * number)
    assert table.take(2, 20.0, "5s") == []
    assert table.take(2, 21.0, "6s") == []
    assert told(table.take(2, 22.0, "7s")) == [("Swept", 2, ["5s", "6s", "7s"])]


def test_the_surer_seat_of_a_take_back_counts(table: Table) -> None:
    table.lay(0, 1.0, "5s")
    table.lay(1, 5.0, "8s", x=500)
    for card in (table.cards["8s"],):
        card.sight("absent")
    (back,) = table.book.went([table.cards["8s"]], SeatGuess(None, 0.0), 9.0, None)
    assert (back.seat, back.seat_certainty) == (1, 0.95)


def test_cards_that_nobody_saw_being_laid_are_swept_with_the_rest(table: Table) -> None:
    table.book.found = [table.card("3s", 200, 200), table.card("4s", 230, 200)]
    table.lay(0, 1.0, "5s", x=500)
    assert told(table.take(1, 5.0, "3s", "4s", "5s")) == [("Swept", 1, ["3s", "4s", "5s"])]
    assert told(table.lay(0, 9.0, "6s")) == [("PlayObserved", 0, ["6s"])]
    assert told(table.take(1, 12.0, "6s")) == [("Swept", 1, ["6s"])]  # what was swept is forgotten


def test_a_play_over_cards_that_nobody_saw_being_laid_can_be_taken_back(table: Table) -> None:
    table.book.found = [table.card("3s", 200, 200)]
    (play,) = table.lay(0, 1.0, "5s", x=500)
    (back,) = table.take(0, 5.0, "5s")
    assert isinstance(back, TakenBack)
    assert back.of == play.id
    assert told(table.take(1, 9.0, "3s")) == [("Swept", 1, ["3s"])]


def test_a_face_read_later_changes_the_newest_play_only(table: Table) -> None:
    (first,) = table.lay(0, 1.0, "?", "5s")
    card = table.cards["?"]
    card.take({"5d": Vote(0.9, 0.9)}, 0.9)
    back, again = table.book.named([card], 3.0)
    assert isinstance(back, Withdrawn)
    assert back.of == first.id
    assert told([again]) == [("PlayObserved", 0, ["5d", "5s"])]
    table.lay(1, 9.0, "8s", x=500)
    card.take({"5h": Vote(3.0, 0.99, 3)}, 0.99)
    assert table.book.named([card], 12.0) == []


def fault(seen: list[Observation]) -> tuple[str, ...]:
    last = seen[-1]
    assert isinstance(last, DiscardObserved)
    return last.faults


def test_faults_of_discards(table: Table) -> None:
    assert fault(table.lay(0, 1.0, "5s", "6s", zone="discard", gap=80)) == ()
    assert fault(table.lay(1, 9.0, "7s", "8s", x=300, y=480, zone="discard")) == ("discard_overlaps",)
    assert fault(table.lay(2, 19.0, "9s", x=310, y=320, zone="discard")) == ("discard_covered",)
    assert fault(table.lay(0, 29.0, "back", x=600, zone="discard")) == ("discard_not_face_up",)


def test_touching_cards_do_not_overlap(table: Table) -> None:
    assert fault(table.lay(0, 1.0, "5s", "6s", zone="discard", gap=62)) == ()


def test_discards_that_go_are_taken_back_each_and_cleared_together(table: Table) -> None:
    for seat, name in enumerate(("5s", "6s", "7s")):
        table.lay(seat, 10.0 * seat, name, x=200 + 150 * seat, zone="discard")
    assert told(table.take(0, 40.0, "5s")) == [("TakenBack", 0, ["5s"])]
    assert told(table.take(2, 50.0, "6s", "7s")) == [("Swept", 2, ["6s", "7s"])]


def test_numbers_count_up_over_everything(table: Table) -> None:
    seen = table.lay(0, 1.0, "5s") + table.lay(0, 2.0, "5d", x=330) + table.take(0, 9.0, "5s", "5d")
    assert [o.id for o in seen] == list(range(4))
    assert isinstance(seen[-1], Swept)
