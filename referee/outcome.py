"""What an event means at a table, of either kind of game: the table after it, and the verdict on it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from referee.match import ClimbingState, DrawState
from referee.verdicts import Derived, Level, Question

State = TypeVar("State", ClimbingState, DrawState)


@dataclass(frozen=True, slots=True)
class Outcome(Generic[State]):
    """`before` and `after` are what follows about the time before and after the event."""

    table: State
    level: Level = "ok"
    codes: tuple[str, ...] = ()
    params: Mapping[str, object] = field(default_factory=dict)
    question: Question | None = None
    before: tuple[Derived, ...] = ()
    after: tuple[Derived, ...] = ()
