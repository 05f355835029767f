"""From visits to plays: what came in one visit is one play; what went is a sweep or a take-back."""

from dataclasses import dataclass, field, replace

import numpy as np

from tracker.geometry import CARD_MM, Floats
from tracker.lifecycle import TableCard
from tracker.observations import (
    DiscardObserved,
    Observation,
    PassObserved,
    PlayObserved,
    SeenCard,
    StockTouched,
    Swept,
    TakenBack,
    Withdrawn,
)
from tracker.seats import SeatGuess
from vision.polygons import overlap

_ONE_PLAY_S = 3.5
_ONE_PLAY_MM = 130.0
"""Two visits of one seat this close in time and place are one play."""
_SURE_SEAT = 0.9
_REPLACED_S = 10.0
"""So long a seat may think about what it lays for cards that it took up from its play."""
_PART_TAKEN = 0.8
"""A card that went while the rest stays may also have got under another: what is left of the play is
never accused for being without it."""

_GESTURE = 0.7
"""A hand that lays nothing mostly passes (at the stock: draws); it may also point, or reach for a glass."""

_HOLE = 1.6
_HOLE_DOUBT = 0.6
"""Cards of a row lie evenly; where the step is this many times the usual one, a card between them
was probably not read, and the play must not be accused for being short of it."""


def has_hole(quads: list[Floats]) -> bool:
    """Whether a row of at least four overlapping cards (corners in mm) has a gap in its steps."""
    if len(quads) < 4:
        return False
    middles = np.stack([q.mean(0) for q in quads])
    spread = middles - middles.mean(0)
    axis = np.linalg.svd(spread, full_matrices=False)[2][0]
    steps = np.diff(np.sort(spread @ axis))
    return bool(steps.max() < CARD_MM[1] and steps.max() > _HOLE * max(float(np.median(steps)), 5.0))


@dataclass(slots=True)
class Laid:
    """A play or discard on the table: its observation, tracks and place."""

    observation: Observation
    tracks: list[int]
    cards: list[TableCard]
    zone: str
    seat: SeatGuess
    faults: tuple[str, ...] = ()
    touched_t: float = 0.0
    """When it was laid, or a part of it was taken up."""
    taken: list[TableCard] = field(default_factory=list)
    """Cards that went while others stay, not told yet: perhaps others are laid for them."""
    taker: SeatGuess | None = None
    parted: bool = False
    """Whether a part of it was ever taken up."""


@dataclass(slots=True)
class PlayBook:
    """The plays that lie on the table, oldest first; numbers the observations.

    `found` are cards that lay there before the first look: nobody saw who played them.
    """

    laid: list[Laid] = field(default_factory=list)
    found: list[TableCard] = field(default_factory=list)
    _next: int = 0

    def came(self, new: list[TableCard], seat: SeatGuess, t: float, doubt: float = 1.0) -> list[Observation]:
        """Observations for the new cards of a visit; `doubt` (1: none) lowers their certainty."""
        out: list[Observation] = []
        for zone in ("play", "discard"):
            cards = [c for c in new if c.zone == zone]
            if not cards:
                continue
            before = self._same_play(cards, zone, seat, t)
            if before is None:
                out += self._tell_taken(t, after_s=0.0)
            else:
                out.append(Withdrawn(self._number(), t, seat.seat, seat.certainty, (), 1.0, of=before.observation.id))
                self.laid.remove(before)
                cards = [c for c in before.cards if c.phase != "gone"] + cards
            out.append(self._lay(cards, zone, seat, t, doubt))
        return out

    def named(self, cards: list[TableCard], t: float) -> list[Observation]:
        """The newest play, told again when a face in it was read that wasn't at first. Earlier
        plays stay as they are: what came after them was judged against them."""
        if not self.laid or not any(c in self.laid[-1].cards for c in cards):
            return []
        old = self.laid.pop()
        back = Withdrawn(self._number(), t, old.seat.seat, old.seat.certainty, (), 1.0, of=old.observation.id)
        doubt = _PART_TAKEN if old.parted else 1.0
        return [back, self._lay([c for c in old.cards if c.phase != "gone"], old.zone, old.seat, t, doubt)]

    def passed(self, seat: SeatGuess, t: float) -> PassObserved:
        """A hand knocked or waved and laid nothing."""
        return PassObserved(self._number(), t, seat.seat, seat.certainty, (), _GESTURE)

    def drew(self, seat: SeatGuess, t: float) -> StockTouched:
        """A hand went to the stock and left again."""
        return StockTouched(self._number(), t, seat.seat, seat.certainty, (), _GESTURE)

    def _lay(
        self, cards: list[TableCard], zone: str, seat: SeatGuess, t: float, doubt: float = 1.0
    ) -> Observation:
        seen = _seen(cards)
        doubt *= _HOLE_DOUBT if has_hole([c.quad_mm for c in cards]) else 1.0
        certainty = round(min(c.certainty for c in cards) * doubt, 3)
        number = self._number()
        faults: tuple[str, ...] = ()
        observation: Observation
        if zone == "discard":
            faults = self._faults(cards)
            observation = DiscardObserved(number, t, seat.seat, seat.certainty, seen, certainty, faults)
        else:
            observation = PlayObserved(number, t, seat.seat, seat.certainty, seen, certainty)
        for card in cards:
            card.play = number
            if card.phase == "candidate":
                card.sight("seen")
        self.laid.append(Laid(observation, [c.track for c in cards], list(cards), zone, seat, faults, t))
        return observation

    def _faults(self, cards: list[TableCard]) -> tuple[str, ...]:
        """What a discard rule may object to: face down, lying over others' discards or each other."""
        faults = []
        if any(c.face == "down" for c in cards):
            faults.append("discard_not_face_up")
        limit = 0.04 * CARD_MM[0] * CARD_MM[1]
        others = [c for laid in self.laid if laid.zone == "discard" for c in laid.cards if c.phase != "gone"]
        if any(overlap(c.quad_mm, o.quad_mm) > limit for c in cards for o in others):
            faults.append("discard_covered")
        elif any(overlap(a.quad_mm, b.quad_mm) > limit for i, a in enumerate(cards) for b in cards[:i]):
            faults.append("discard_overlaps")
        return tuple(faults)

    def _same_play(self, cards: list[TableCard], zone: str, seat: SeatGuess, t: float) -> Laid | None:
        if not self.laid:
            return None
        last = self.laid[-1]
        longest = _REPLACED_S if last.parted else _ONE_PLAY_S
        if last.zone != zone or last.seat.seat != seat.seat or t - last.touched_t > longest:
            return None
        gap = min(float(np.linalg.norm(a.quad_mm.mean(0) - b.quad_mm.mean(0))) for a in cards for b in last.cards)
        return last if gap < _ONE_PLAY_MM else None

    def went(self, gone_cards: list[TableCard], seat: SeatGuess, t: float, rejected: int | None) -> list[Observation]:
        """Observations for the cards that a visit took away.

        `rejected` is the observation id of a play that was judged illegal: when it goes, it is
        taken back even if it was the only one on the table.
        """
        gone = {c.track for c in gone_cards}
        out: list[Observation] = []
        for zone in ("play", "discard"):
            plays = [p for p in self.laid if p.zone == zone]
            found = [c for c in self.found if c.zone == zone]
            touched = [p for p in plays if gone & set(p.tracks)]
            touched_found = any(c.track in gone for c in found)
            if not touched and not touched_found:
                continue
            everything = [*found, *(c for p in plays for c in p.cards)]
            rest = any(c.phase != "gone" for c in everything)
            last = plays[-1] if plays and touched == plays[-1:] and not touched_found else None
            if last is not None:
                last.touched_t = t
            alone = last is not None and all(c.phase == "gone" for c in last.cards)
            if last is not None and alone and (rest or last.observation.id == rejected or zone == "discard"):
                out.append(self._take_back(last, seat, t))
            elif zone == "discard" and rest and all(all(c.phase == "gone" for c in p.cards) for p in touched):
                out += [self._take_back(p, seat, t) for p in touched]
            elif last is not None and not alone and not _others_hand(seat, last.seat):
                last.taken += [c for c in last.cards if c.track in gone]
                last.taker, last.parted = seat, True
            elif not rest:
                out.append(Swept(self._number(), t, seat.seat, seat.certainty, _seen(everything), 1.0))
                self.laid = [p for p in self.laid if p.zone != zone]
                self.found = [c for c in self.found if c.zone != zone]
        return out

    def settle(self, t: float) -> list[Observation]:
        """What is told once it has lasted: cards that were taken up from the newest play for good."""
        return self._tell_taken(t, _ONE_PLAY_S)

    def _tell_taken(self, t: float, after_s: float) -> list[Observation]:
        out: list[Observation] = []
        for laid in self.laid:
            if not laid.taken or t - laid.touched_t < after_s:
                continue
            who = laid.seat if laid.taker is None or laid.taker.certainty < laid.seat.certainty else laid.taker
            cards = _seen(laid.taken)
            of = laid.observation.id
            out.append(TakenBack(self._number(), t, who.seat, who.certainty, cards, _PART_TAKEN, of=of))
            laid.cards = [c for c in laid.cards if c.phase != "gone"]
            laid.tracks = [c.track for c in laid.cards]
            laid.observation = replace(laid.observation, cards=_seen(laid.cards))
            laid.taken = []
        return out

    def _take_back(self, laid: Laid, seat: SeatGuess, t: float) -> TakenBack:
        self.laid.remove(laid)
        who = seat if seat.certainty > laid.seat.certainty else laid.seat
        cards = laid.observation.cards
        return TakenBack(self._number(), t, who.seat, who.certainty, cards, 1.0, of=laid.observation.id)

    def _number(self) -> int:
        self._next += 1
        return self._next - 1


def _seen(cards: list[TableCard]) -> tuple[SeenCard, ...]:
    return tuple(SeenCard(c.name, round(c.certainty, 3), c.quad_px) for c in cards)


def _others_hand(hand: SeatGuess, owner: SeatGuess) -> bool:
    """Whether it was surely another player who took cards up: that clears the table, in several grabs."""
    return hand.seat != owner.seat and min(hand.certainty, owner.certainty) >= _SURE_SEAT
