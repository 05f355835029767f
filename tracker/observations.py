"""What the tracker tells: facts seen on the table, never verdicts."""

from dataclasses import dataclass

from vision.types import Quad


@dataclass(frozen=True, slots=True)
class SeenCard:
    """A card of an observation. `card` may be "?" (face down, hidden, not readable).

    `quad` are its corners in picture pixels; `certainty` the vote's confidence in the name.
    """

    card: str
    certainty: float
    quad: Quad


@dataclass(frozen=True, slots=True)
class Observation:
    """Base of all observations. `id` counts up from 0 in one run; `t` is source seconds, when it
    became known; `seat` is the seat index or None; certainties are 0..1."""

    id: int
    t: float
    seat: int | None
    seat_certainty: float
    cards: tuple[SeenCard, ...]
    certainty: float


@dataclass(frozen=True, slots=True)
class PlayObserved(Observation):
    """New cards were laid into the play area in one visit of a hand."""


@dataclass(frozen=True, slots=True)
class DiscardObserved(Observation):
    """New cards were laid into the discard area. `faults` are codes such as
    `discard_overlaps`, `discard_not_face_up`, `discard_covered`."""

    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ShowObserved(Observation):
    """A hand was laid open in front of its seat (showdown)."""


@dataclass(frozen=True, slots=True)
class Swept(Observation):
    """The cards of the round (`cards`) were cleared from the table."""


@dataclass(frozen=True, slots=True)
class TakenBack(Observation):
    """A player took a play back into the hand; `of` is the play's observation id."""

    of: int = -1


@dataclass(frozen=True, slots=True)
class PassObserved(Observation):
    """A hand of the seat whose turn it was knocked on the table or waved over it, and laid nothing."""


@dataclass(frozen=True, slots=True)
class StockTouched(Observation):
    """A hand went to the stock and left again (a draw)."""


@dataclass(frozen=True, slots=True)
class Withdrawn(Observation):
    """An earlier observation `of` was wrong and is replaced by what follows."""

    of: int = -1
