"""From frames to the journal's events, and `kibitz watch`: events with verdicts as JSON lines."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TextIO

from referee.drawing import with_new_cards
from referee.events import Event
from referee.match import ClimbingState
from referee.session import MatchSetup, Session, advance, fold
from tracker.observations import (
    DiscardObserved,
    Observation,
    PassObserved,
    ShowObserved,
    StockTouched,
    Swept,
    TakenBack,
    Withdrawn,
)
from tracker.pipeline import StepResult, TablePipeline
from vision.types import Frame
from webui.lines import EventLines


@dataclass(frozen=True, slots=True)
class Hint:
    """What the referee knows that helps the eyes: whose turn it is, the event id of a play that was
    judged illegal and still lies on the table, the seat whose hand passes if it comes and lays
    nothing, and whether cards are drawn now. None of them makes anything legal."""

    to_act: int | None = None
    rejected: int | None = None
    may_pass: int | None = None
    may_draw: bool = False

    @staticmethod
    def of(session: Session) -> "Hint":
        state = session.match.table
        rules = session.match.rules
        if not isinstance(state, ClimbingState):
            drawing = state.hand.discarded is not None
            return Hint(may_pass=with_new_cards(state.hand, rules).to_act(rules), may_draw=drawing)
        pending = state.pending.event.id if state.pending else None
        to_act = state.hand.to_act if state.turn_certain else None
        waits = to_act in state.hand.waiting(rules) and pending is None and not state.hand.over
        draws = rules.draw_after_round != "none" and state.hand.table is None and state.started
        return Hint(to_act, pending, to_act if waits else None, draws)


class TableWatch:
    """The camera's side: frames in, journal events out. `shows` says that cards laid into the
    play area are opened hands (draw poker). `first_id` is the id of the first event."""

    def __init__(self, pipeline: TablePipeline, shows: bool = False, first_id: int = 0) -> None:
        self.pipeline = pipeline
        self._shows = shows
        self._next = first_id
        self._events: dict[int, int] = {}
        self._withdrawn: int | None = None
        """The event just taken back, which the next one tells anew."""

    def feed(self, frame: Frame, hint: Hint) -> tuple[list[Event], StepResult]:
        """Look at a frame; the events that it completes, in order."""
        rejected = next((o for o, e in self._events.items() if e == hint.rejected), None)
        result = self.pipeline.step(frame, hint.to_act, rejected, hint.may_pass, hint.may_draw)
        return [self._event(o) for o in result.observations], result

    def _event(self, seen: Observation) -> Event:
        number = self._next
        self._next += 1
        self._events[seen.id] = number
        of = self._events.get(seen.of) if isinstance(seen, (TakenBack, Withdrawn)) else self._withdrawn
        self._withdrawn = of if isinstance(seen, Withdrawn) else None
        data: dict[str, object] = {}
        kind = self._kind(seen)
        if isinstance(seen, DiscardObserved) and seen.faults and kind == "discard":
            data = {"faults": list(seen.faults), "fault_certainty": seen.certainty}
        elif isinstance(seen, PassObserved):
            data = {"gesture": True}
        return Event(
            id=number,
            t=round(seen.t, 3),
            kind=kind,
            seat=seen.seat,
            cards=tuple(c.card for c in seen.cards),
            certainty=seen.certainty,
            seat_certainty=seen.seat_certainty,
            of=of,
            data=data,
        )

    def _kind(self, seen: Observation) -> str:
        if self._shows and isinstance(seen, DiscardObserved) and len(seen.cards) > _MOST_EXCHANGED:
            return "show"
        for form, kind in _KINDS.items():
            if isinstance(seen, form):
                return kind
        return "show" if self._shows else "play"


_MOST_EXCHANGED = 3
"""Where discards and shown hands share a place, more cards than this in one visit are a hand."""

_KINDS: dict[type[Observation], str] = {
    DiscardObserved: "discard",
    PassObserved: "pass",
    ShowObserved: "show",
    StockTouched: "draw",
    Swept: "sweep",
    TakenBack: "take_back",
    Withdrawn: "retract",
}


def watch_to_jsonl(
    frames: Iterable[Frame],
    watch: TableWatch,
    setup: MatchSetup,
    out: TextIO,
    now: Callable[[], float] = time.monotonic,
) -> Session:
    """Judge a source to its end; every event a line in `out` as soon as it is known, then stats."""
    session = fold(setup, ())
    lines = EventLines(out)
    started, cpu = now(), _cpu_s()
    count, first, last = 0, 0.0, 0.0
    for frame in frames:
        first = frame.t if count == 0 else first
        count, last = count + 1, frame.t
        events, _ = watch.feed(frame, Hint.of(session))
        for event in events:
            session = advance(session, event)
            lines.event(event, session.judgement(event.id))
    lines.stats(
        frames=count,
        inferences=watch.pipeline.inferences,
        cpu_s=round(_cpu_s() - cpu, 2),
        wall_s=round(now() - started, 2),
        media_s=round(last - first, 2),
    )
    return session


def _cpu_s() -> float:
    """CPU seconds of this process, all threads, user and system."""
    return time.process_time()
