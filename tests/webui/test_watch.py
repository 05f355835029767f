"""Observations become events, and events the lines of `kibitz watch`."""

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from referee.events import Event
from referee.session import MatchSetup, Session, advance, fold
from tracker.calibration import load_table
from tracker.observations import (
    DiscardObserved,
    Observation,
    PassObserved,
    PlayObserved,
    SeenCard,
    ShowObserved,
    StockTouched,
    Swept,
    TakenBack,
    Withdrawn,
)
from tracker.pipeline import StepResult, TablePipeline
from vision.regions import Region
from vision.types import Detection, Frame, Image
from webui.watch import Hint, TableWatch, watch_to_jsonl

QUAD = np.zeros((4, 2), np.float32)
DEMO_TABLE = Path(__file__).parents[2] / "webui" / "demo" / "demo.table.json"
SETUP = MatchSetup("upstream", ("Ann", "Bo", "Chen", "Dee"), {"direction": "cw"}, first_leader=0)


class NoCards:
    """Eyes that see nothing (a `Detector`): the script below tells what happens."""

    def detect(self, image: Image, regions: Sequence[Region] | None = None) -> list[Detection]:
        return []


class Scripted(TablePipeline):
    """A pipeline whose observations are given, one list a frame; hints are kept."""

    def __init__(self, script: Sequence[Sequence[Observation]]) -> None:
        super().__init__(load_table(DEMO_TABLE), NoCards())
        self._script = list(script)
        self.hints: list[tuple[int | None, int | None]] = []

    def step(
        self, frame: Frame, to_act: int | None = None, rejected: int | None = None, may_pass: int | None = None,
        may_draw: bool = False,
    ) -> StepResult:  # fmt: skip
        self.hints.append((to_act, rejected))
        self.inferences += 1
        return StepResult(tuple(self._script[frame.seq]), (), (), False)


def cards(*names: str, certainty: float = 0.97) -> tuple[SeenCard, ...]:
    return tuple(SeenCard(name, certainty, QUAD) for name in names)


def play(number: int, t: float, seat: int, *names: str, certainty: float = 0.97, sure: float = 0.99) -> PlayObserved:
    return PlayObserved(number, t, seat, sure, cards(*names, certainty=certainty), certainty)


def withdrawn(number: int, t: float, seat: int, of: int) -> Withdrawn:
    return Withdrawn(number, t, seat, 0.99, (), 1.0, of=of)


def taken_back(number: int, t: float, seat: int, of: int, *names: str) -> TakenBack:
    return TakenBack(number, t, seat, 0.99, cards(*names), 1.0, of=of)


def swept(number: int, t: float, seat: int, *names: str) -> Swept:
    return Swept(number, t, seat, 0.99, cards(*names), 1.0)


def frames(count: int) -> list[Frame]:
    image = np.zeros((720, 1280, 3), np.uint8)
    return [Frame(i, i / 10, image) for i in range(count)]


def watched(*script: Sequence[Observation]) -> tuple[list[dict[str, Any]], Scripted, Session]:
    """Lines (stats left out), pipeline and session after one frame for each list."""
    pipeline, out = Scripted(script), io.StringIO()
    session = watch_to_jsonl(frames(len(script)), TableWatch(pipeline), SETUP, out, now=lambda: 5.0)
    lines = [json.loads(text) for text in out.getvalue().splitlines()]
    assert lines[-1]["event"] == "stats"
    return lines[:-1], pipeline, session


def short(line: dict[str, Any]) -> tuple[Any, ...]:
    return line["event"], line.get("seat"), line.get("cards"), line.get("verdict"), line.get("inferred")


def test_a_play_is_one_line_of_the_contract() -> None:
    (line,), _, _ = watched([play(0, 2.83333, 0, "5s", "5d")])
    assert line == {
        "id": 0, "t": 2.833, "event": "play", "seat": 0, "cards": ["5s", "5d"], "verdict": "ok", "codes": [],
        "inferred": False, "certainty": 0.97,
    }  # fmt: skip


def test_a_line_is_as_certain_as_cards_and_seat() -> None:
    lines, _, _ = watched([play(0, 1, 0, "5s", certainty=0.93, sure=0.91)])
    assert lines[0]["certainty"] == 0.91


def test_skipped_seats_have_passed_before_the_play_that_shows_it() -> None:
    lines, _, _ = watched([play(0, 1, 0, "5s")], [play(1, 4, 3, "8s")])
    assert [short(line) for line in lines] == [
        ("play", 0, ["5s"], "ok", False),
        ("pass", 1, [], "ok", True),
        ("pass", 2, [], "ok", True),
        ("play", 3, ["8s"], "ok", False),
    ]
    assert [line["id"] for line in lines] == [0, 1, 2, 3]
    assert [line["t"] for line in lines] == [1, 4, 4, 4]


def test_an_illegal_play_and_its_taking_back() -> None:
    lines, pipeline, _ = watched([play(0, 1, 0, "8s")], [play(1, 4, 1, "4s")], [taken_back(2, 6, 1, 1, "4s")], [])
    assert [short(line) for line in lines] == [
        ("play", 0, ["8s"], "ok", False),
        ("play", 1, ["4s"], "violation", False),
        ("take_back", 1, ["4s"], "ok", False),
    ]
    assert lines[1]["codes"] == ["not_higher"]
    assert lines[2]["of"] == lines[1]["id"]
    assert pipeline.hints == [(0, None), (1, None), (1, 1), (1, None)]


def gesture(number: int, t: float, seat: int) -> PassObserved:
    return PassObserved(number, t, seat, 0.99, (), 0.7)


def test_a_gesture_is_a_pass_that_was_seen_until_its_seat_plays_after_all() -> None:
    lines, pipeline, session = watched([play(0, 1, 0, "5s")], [gesture(1, 3, 1)], [play(2, 6, 1, "8s")], [])
    assert [short(line) for line in lines] == [
        ("play", 0, ["5s"], "ok", False),
        ("pass", 1, [], "ok", False),
        ("retract", None, None, None, None),
        ("play", 1, ["8s"], "ok", False),
    ]
    assert lines[2]["of"] == lines[1]["id"]
    assert lines[1]["certainty"] == 0.7
    assert [hint[0] for hint in pipeline.hints] == [0, 1, 2, 2]
    assert [d.kind for d in session.judgements[-1].before] == ["not_passed"]


def test_passes_before_a_play_that_is_taken_back_are_told_once() -> None:
    """The play is only asked about; the seat that was skipped had passed all the same."""
    lines, _, _ = watched(
        [play(0, 1, 0, "8s")],
        [play(1, 4, 2, "4s", certainty=0.7)],
        [taken_back(2, 6, 2, 1, "4s")],
        [play(3, 8, 2, "9s")],
    )
    assert [line["verdict"] for line in lines if line["event"] == "play"] == ["ok", "unsure", "ok"]
    assert [line["seat"] for line in lines if line["event"] == "pass"] == [1]


def test_a_skipped_seat_that_plays_once_the_play_is_taken_back_had_not_passed() -> None:
    lines, _, _ = watched(
        [play(0, 1, 0, "8s")],
        [play(1, 4, 2, "4s", certainty=0.7)],
        [taken_back(2, 6, 2, 1, "4s")],
        [play(3, 8, 1, "9s")],
    )
    assert [short(line)[:4] for line in lines[-2:]] == [("retract", None, None, None), ("play", 1, ["9s"], "ok")]
    assert lines[-2]["of"] == next(line["id"] for line in lines if line["event"] == "pass")


def test_ids_of_lines_follow_inferred_ones_and_take_backs_point_at_lines() -> None:
    """The play is observation 1, but two inferred passes stand before its line."""
    lines, _, _ = watched([play(0, 1, 0, "8s")], [play(1, 4, 3, "4s")], [taken_back(2, 6, 3, 1, "4s")])
    told = next(line for line in lines if line["cards"] == ["4s"] and line["event"] == "play")
    assert told["id"] == 3
    assert (lines[-1]["event"], lines[-1]["of"]) == ("take_back", 3)


def test_a_play_in_two_visits_is_retracted_by_its_line_and_told_again() -> None:
    lines, _, session = watched(
        [play(0, 1, 0, "8s")],
        [play(1, 4, 3, "4s")],
        [withdrawn(2, 5, 3, 1), play(3, 5, 3, "9s")],
    )
    first = next(line for line in lines if line["event"] == "retract")
    assert first == {"id": 4, "t": 5, "event": "retract", "of": 3}
    assert short(lines[-1]) == ("play", 3, ["9s"], "ok", False)
    assert [j.verdict for j in session.judgements] == ["ok", "ok"]


def test_what_was_inferred_from_a_play_is_retracted_with_it() -> None:
    """Otherwise the passes before it would be told twice."""
    lines, _, _ = watched(
        [play(0, 1, 0, "8s")],
        [play(1, 4, 3, "9s")],
        [withdrawn(2, 5, 3, 1), play(3, 5, 3, "Ts")],
    )
    gone = [line["of"] for line in lines if line["event"] == "retract"]
    assert gone == [3, 1, 2]
    left = [short(line) for line in lines if line["id"] not in gone and line["event"] != "retract"]
    assert left == [
        ("play", 0, ["8s"], "ok", False),
        ("pass", 1, [], "ok", True),
        ("pass", 2, [], "ok", True),
        ("play", 3, ["Ts"], "ok", False),
    ]
    assert [line["id"] for line in lines] == list(range(len(lines)))


def test_a_low_certainty_is_asked_about_never_accused() -> None:
    for certainty, sure in ((0.6, 0.99), (0.0, 0.99)):
        lines, _, _ = watched([play(0, 1, 0, "8s")], [play(1, 4, 1, "4s", certainty=certainty, sure=sure)])
        assert lines[-1]["verdict"] == "unsure"
    unread, _, _ = watched([play(0, 1, 0, "8s")], [play(1, 4, 1, "?", certainty=0.0)])
    assert unread[-1]["verdict"] == "unsure"
    assert unread[-1]["cards"] == ["?"]


def test_a_sweep_ends_the_round_and_its_winner_leads() -> None:
    lines, pipeline, _ = watched([play(0, 1, 0, "5s")], [play(1, 3, 1, "8s")], [swept(2, 6, 1, "5s", "8s")], [])
    kinds = [line["event"] for line in lines]
    assert kinds[:2] == ["play", "play"]
    assert "round_end" in kinds
    assert ("sweep", 1, ["5s", "8s"], "ok", False) in [short(line) for line in lines]
    assert [line["seat"] for line in lines if line["event"] == "pass"] == [2, 3, 0]
    assert all(line["inferred"] for line in lines if line["event"] in ("pass", "round_end"))
    assert pipeline.hints[-1] == (1, None)
    assert [line["id"] for line in lines] == list(range(len(lines)))


def test_nobody_is_known_to_have_played_without_a_seat() -> None:
    seen = PlayObserved(0, 1.0, None, 0.0, cards("5s"), 0.97)
    lines, _, _ = watched([play(5, 0.5, 0, "4s")], [seen])
    assert lines[-1]["seat"] is None
    assert lines[-1]["verdict"] != "violation"
    assert lines[-1]["certainty"] == 0


def test_lines_agree_with_the_fold_over_their_events() -> None:
    script = [[play(0, 1, 0, "5s")], [play(1, 4, 3, "8s")], [withdrawn(2, 5, 3, 1), play(3, 5, 3, "8s", "8d")]]
    _, _, session = watched(*script)
    again = fold(SETUP, session.events)
    assert again.judgements == session.judgements


def test_stats_close_the_lines() -> None:
    out, ticks = io.StringIO(), iter([10.0, 12.5])
    watch = TableWatch(Scripted([[], [], [play(0, 0.2, 0, "5s")], [], []]))
    watch_to_jsonl(frames(5), watch, SETUP, out, now=lambda: next(ticks))
    stats = json.loads(out.getvalue().splitlines()[-1])
    assert {k: v for k, v in stats.items() if k != "cpu_s"} == {
        "event": "stats", "frames": 5, "inferences": 5, "wall_s": 2.5, "media_s": 0.4,
    }  # fmt: skip
    assert 0 <= stats["cpu_s"] < 30


def test_a_source_without_frames_has_stats_only() -> None:
    out = io.StringIO()
    watch_to_jsonl([], TableWatch(Scripted([])), SETUP, out)
    (stats,) = [json.loads(text) for text in out.getvalue().splitlines()]
    assert (stats["event"], stats["frames"], stats["media_s"]) == ("stats", 0, 0)


def events(*seen: Observation, shows: bool = False, first_id: int = 0) -> list[Event]:
    watch = TableWatch(Scripted([list(seen)]), shows=shows, first_id=first_id)
    told, _ = watch.feed(frames(1)[0], Hint())
    return told


def test_every_observation_has_its_kind() -> None:
    seen = [
        play(0, 1, 0, "5s"),
        DiscardObserved(1, 2.0, 1, 0.9, cards("6s"), 0.95, ("discard_covered",)),
        ShowObserved(2, 3.0, 2, 0.9, cards("7s"), 0.95),
        StockTouched(3, 4.0, 3, 0.9, (), 1.0),
        swept(4, 5, 0, "5s"),
        taken_back(5, 6, 1, 1, "6s"),
        gesture(6, 7, 3),
        withdrawn(7, 8, 2, 2),
    ]
    told = events(*seen)
    assert [e.kind for e in told] == ["play", "discard", "show", "draw", "sweep", "take_back", "pass", "retract"]
    assert [e.of for e in told] == [None, None, None, None, None, 1, None, 2]
    assert told[1].data == {"faults": ["discard_covered"], "fault_certainty": 0.95}
    assert (told[1].certainty, told[1].seat_certainty, told[1].cards) == (0.95, 0.9, ("6s",))
    assert told[6].data == {"gesture": True}
    assert all(e.data == {} for e in told if e.kind not in ("discard", "pass"))


def test_what_is_told_anew_names_the_event_that_it_replaces() -> None:
    told = events(play(0, 1, 0, "5s"), withdrawn(1, 2, 0, 0), play(2, 2, 0, "5s", "5d"), play(3, 3, 1, "6s", "6d"))
    assert [e.of for e in told] == [None, 0, 0, None]


def test_events_count_on_from_the_first_id() -> None:
    told = events(play(0, 1, 0, "5s"), withdrawn(1, 2, 0, 0), play(2, 2, 0, "5s", "5d"), first_id=40)
    assert [e.id for e in told] == [40, 41, 42]
    assert told[1].of == 40


@pytest.mark.parametrize(("count", "kind"), [(1, "discard"), (3, "discard"), (4, "show"), (5, "show")])
def test_a_hand_in_the_discards_place_is_shown(count: int, kind: str) -> None:
    names = ("5s", "6s", "7s", "8s", "9s")[:count]
    (told,) = events(DiscardObserved(0, 1.0, 1, 0.9, cards(*names), 0.95, ("discard_overlaps",)), shows=True)
    assert told.kind == kind
    assert ("faults" in told.data) is (kind == "discard")
    (climbing,) = events(DiscardObserved(0, 1.0, 1, 0.9, cards(*names), 0.95), shows=False)
    assert climbing.kind == "discard"


def test_cards_in_the_play_area_of_draw_poker_are_shown_hands() -> None:
    assert [e.kind for e in events(play(0, 1, 0, "5s", "6s", "7s", "8s", "9s"), shows=True)] == ["show"]


def test_hints_are_the_turn_and_the_play_that_breaks_a_rule() -> None:
    session = fold(SETUP, ())
    assert Hint.of(session) == Hint(0, None, None)
    session = advance(session, Event(7, 1.0, "play", 0, ("8s",)))
    assert Hint.of(session) == Hint(1, None, 1)
    session = advance(session, Event(8, 2.0, "play", 1, ("4s",)))
    assert Hint.of(session) == Hint(1, 8, None)


def test_who_may_pass_at_draw_poker_is_who_exchanges_next_though_nobody_saw_cards_taken() -> None:
    session = fold(MatchSetup("drawpoker", ("A", "B", "C"), dealer=2), ())
    assert Hint.of(session) == Hint(None, None, 0)
    session = advance(session, Event(0, 1.0, "discard", 0, ("8s",)))
    assert Hint.of(session) == Hint(None, None, 1, may_draw=True)
    session = advance(session, Event(1, 2.0, "pass", 1, data={"gesture": True}))
    assert Hint.of(session) == Hint(None, None, 2)


def test_cards_are_drawn_after_a_round_where_the_game_has_it() -> None:
    session = fold(MatchSetup("gdy2", ("A", "B"), {"draw_after_round": "winner"}, first_leader=0), ())
    assert not Hint.of(session).may_draw
    session = advance(session, Event(0, 1.0, "play", 0, ("8s",)))
    assert not Hint.of(session).may_draw
    assert Hint.of(advance(session, Event(1, 2.0, "sweep", 0, ("8s",)))).may_draw


def test_a_real_pipeline_that_sees_an_empty_table_tells_nothing() -> None:
    pipeline, out = TablePipeline(load_table(DEMO_TABLE), NoCards()), io.StringIO()
    picture = cv2.GaussianBlur(np.full((720, 1280, 3), 90, np.uint8), (3, 3), 0)
    watch_to_jsonl((Frame(i, i / 15, picture) for i in range(10)), TableWatch(pipeline), SETUP, out)
    (stats,) = [json.loads(text) for text in out.getvalue().splitlines()]
    assert (stats["frames"], stats["inferences"]) == (10, 1)
