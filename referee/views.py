"""What one viewer may see of a session: everything that lies open, nothing that a table hides.

The table's hands stay hidden until somebody lays them open; the memory aid and the discards can be
switched off; questions go to the host, who may answer them, and to the seat that they are about.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Literal

from referee.cards import CLIMBING, DECK, JOKERS, UNKNOWN, sort_cards
from referee.hand import Laid
from referee.match import ClimbingState, DrawState, HandResult, Match
from referee.session import Session
from referee.verdicts import Question

Viewer = Literal["guest", "host"] | int
"""A guest, the host, or the player of a seat."""


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat: cards left (None if unknown), whether it passed (`guessed`: nobody saw it), its
    place once it is out, the cards that it laid open."""

    seat: int
    name: str
    cards_left: int | None
    passed: bool
    guessed: bool
    place: int | None
    shown: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class TableView:
    """A session as one viewer may see it. `seen` and `still_out` (ranks and how many of each have
    not been seen) are None when the table has no memory aid; `discards` are (seat, card)."""

    hand: int
    to_act: int | None
    on_table: Laid | None
    seats: tuple[SeatView, ...]
    stock: int | None
    discards: tuple[tuple[int, str], ...] | None
    seen: tuple[str, ...] | None
    still_out: tuple[tuple[str, int], ...] | None
    totals: tuple[int, ...]
    results: tuple[HandResult, ...]
    hand_over: bool
    match_over: bool
    winners: tuple[int, ...]
    questions: tuple[Question, ...]


def view(session: Session, viewer: Viewer) -> TableView:
    """The session as `viewer` may see it."""
    match = session.match
    table, rules = match.table, match.rules
    climbing = table if isinstance(table, ClimbingState) else None
    drawing = table if isinstance(table, DrawState) else None
    seen = _seen(match) if rules.memory_aid else None
    visible = drawing.hand.discards if drawing and rules.discards_visible else None
    return TableView(
        hand=match.hand_no,
        to_act=table.hand.to_act(rules) if isinstance(table, DrawState) else table.hand.to_act,
        on_table=climbing.hand.table if climbing else None,
        seats=tuple(_seat(match, seat, name) for seat, name in enumerate(match.setup.names)),
        stock=climbing.hand.stock if climbing else None,
        discards=visible,
        seen=seen,
        still_out=None if seen is None else still_out(match, seen),
        totals=match.totals,
        results=match.results,
        hand_over=table.hand.over,
        match_over=match.over,
        winners=match.winners,
        questions=tuple(q for q in session.questions if _concerns(session, q, viewer)),
    )


def _seat(match: Match, seat: int, name: str) -> SeatView:
    table = match.table
    if isinstance(table, DrawState):
        return SeatView(seat, name, None, False, False, None, table.hand.shown[seat])
    hand = table.hand
    return SeatView(
        seat=seat,
        name=name,
        cards_left=hand.counts[seat],
        passed=seat in hand.passed,
        guessed=seat in hand.passed and seat in table.guessed,
        place=hand.finish.index(seat) + 1 if seat in hand.finish else None,
        shown=table.left[seat],
    )


def _seen(match: Match) -> tuple[str, ...]:
    """Cards that have lain face up in this hand. Discards that the page hides are no help either."""
    table = match.table
    if isinstance(table, ClimbingState):
        opened = [card for cards in table.left for card in cards or ()]
        return sort_cards(card for card in (*table.seen, *opened) if card != UNKNOWN)
    shown = [card for cards in table.hand.shown for card in cards or ()]
    laid = [card for _, card in table.hand.discards] if match.rules.discards_visible else []
    return sort_cards(card for card in (*laid, *shown) if card != UNKNOWN)


def still_out(match: Match, seen: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """How many cards of each rank (and of each joker) have not been seen: lowest rank first."""
    rules = match.rules
    left: Counter[str] = Counter()
    for card in (*DECK, *JOKERS):
        if rules.copies(card):
            left[card[0]] += rules.copies(card)
    left.subtract(card[0] for card in seen)
    return tuple((rank, max(0, left[rank])) for rank in (*CLIMBING, *JOKERS) if rank in left)


def _concerns(session: Session, question: Question, viewer: Viewer) -> bool:
    if viewer == "host":
        return True
    if viewer == "guest":
        return False
    judged = session.judgement(question.of)
    return judged is not None and judged.seat == viewer
