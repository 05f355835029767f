"""Short ways to write a match down: events, plays, and what a session makes of them."""

from typing import Any

from referee.events import Event, from_json
from referee.match import ClimbingState
from referee.session import MatchSetup, Session, fold


def events(*lines: dict[str, object]) -> list[Event]:
    """Events with ids and times in order."""
    return [from_json({"t": float(n), **line, "id": n}) for n, line in enumerate(lines)]


def play(seat: int | None, cards: str, **more: object) -> dict[str, object]:
    return {"kind": "play", "seat": seat, "cards": cards.split(), **more}


SWEEP: dict[str, object] = {"kind": "sweep"}


def table(session: Session) -> ClimbingState:
    state = session.match.table
    assert isinstance(state, ClimbingState)
    return state


def upstream(*lines: dict[str, object], **setup: Any) -> Session:
    """A match of four at Upstream with five cards each, unless `setup` says otherwise."""
    fields: dict[str, Any] = {"counts": (5, 5, 5, 5), "first_leader": 0, **setup}
    return fold(MatchSetup("upstream", ("A", "B", "C", "D"), **fields), events(*lines))


def verdicts(session: Session) -> list[str]:
    return [" ".join((judged.verdict, *judged.codes)) for judged in session.judgements]
