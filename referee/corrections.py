"""From the journal to the facts: what happened, once every correction of people is applied.

Nothing is ever deleted: a correction is an event of its own, and a retraction of it brings the old
facts back. `resolve` is a pure function of the events; the order of the facts is the order in which
they happened at the table, as far as anybody knows.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from referee.cards import is_card
from referee.claims import Claims, settle_gone
from referee.events import CORRECTIONS, KINDS, Event

_ABOUT_OTHERS = (*CORRECTIONS, "claim_play", "dispute")
_FACT_KINDS = tuple(kind for kind in KINDS if kind not in _ABOUT_OTHERS)
_AMENDABLE = (
    "as",
    "faults",
    "stands",
    "taken_back",
    "passed",
    "out",
    "new_hand",
    "new_round",
    "count",
    "announce",
    "option",
    "value",
    "from",
    "leader",
    "dealer",
    "counts",
)
"""Data keys that an amendment may change, besides kind, seat and cards."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of a correction or claim: `code` is None if it took effect, else why it didn't
    (`unknown_event`, `bad_decision`, `verdicts.CLAIM_CODES`); a retracted one has the code `retracted`."""

    event_id: int
    kind: str
    of: int | None
    code: str | None


@dataclass(frozen=True, slots=True)
class Resolved:
    """`facts` in the order in which they happened; `decisions` in the order of the journal;
    `retracted` are the ids that a retraction took out."""

    facts: tuple[Event, ...]
    decisions: tuple[Decision, ...]
    retracted: frozenset[int]


def is_correction(event: Event) -> bool:
    """Whether an event is about other events rather than a new one."""
    about_jokers = event.kind == "declare" and event.of is not None
    from_start = event.kind == "set_option" and event.data.get("from") == "start"
    return event.kind in _ABOUT_OTHERS or about_jokers or from_start


def resolve(events: Sequence[Event]) -> Resolved:
    """The facts of a journal. Later corrections see the effect of earlier ones."""
    gone = _retracted(events)
    facts: list[Event] = []
    decisions: list[Decision] = []
    claims = Claims()
    for event in events:
        if event.id in gone:
            if is_correction(event):
                decisions.append(Decision(event.id, event.kind, event.of, "retracted"))
        elif event.kind == "retract":
            known = event.of in gone
            code = None if known else "unknown_event"
            decisions.append(Decision(event.id, event.kind, event.of, code))
        elif event.kind in ("claim_play", "dispute"):
            decisions.append(Decision(event.id, event.kind, event.of, claims.hear(facts, event)))
        elif is_correction(event) and event.kind != "set_option":
            code = _apply(facts, event)
            decisions.append(Decision(event.id, event.kind, event.of, code))
            if code is None:
                claims.decide(facts, event)
        else:
            facts.append(event)
    settle_gone(facts)
    return Resolved(tuple(facts), tuple(decisions), frozenset(gone))


def _retracted(events: Sequence[Event]) -> set[int]:
    """Ids that an active retraction names. A retraction reaches back only, so the last is active."""
    place = {event.id: index for index, event in enumerate(events)}
    gone: set[int] = set()
    for index in range(len(events) - 1, -1, -1):
        event = events[index]
        if event.kind == "retract" and event.id not in gone:
            target = place.get(event.of) if event.of is not None else None
            if target is not None and target < index:
                gone.add(events[target].id)
    return gone


def _apply(facts: list[Event], event: Event) -> str | None:
    """Applies one correction in place; the code of the refusal if it can't be."""
    if event.kind == "insert":
        return _insert(facts, event)
    index = _find(facts, event.of)
    if index is None:
        return "unknown_event"
    if event.kind == "delete":
        del facts[index]
        return None
    if event.kind in ("amend", "answer", "declare"):
        return _amend(facts, index, event)
    if event.kind == "split":
        return _split(facts, index, event)
    if event.kind == "merge":
        return _merge(facts, index, event)
    return _reorder(facts, index, event)


def _find(facts: Sequence[Event], event_id: object) -> int | None:
    for index in range(len(facts) - 1, -1, -1):
        if facts[index].id == event_id:
            return index
    return None


def _amend(facts: list[Event], index: int, event: Event) -> str | None:
    """What a person says about an event is certain."""
    fact = facts[index]
    kind = event.data.get("kind", fact.kind)
    if kind not in _FACT_KINDS:
        return "bad_decision"
    if event.cards or event.data.get("cards") == []:
        fact = replace(fact, cards=event.cards, certainty=1.0)
    elif event.data.get("cards_right"):
        fact = replace(fact, certainty=1.0)
    if event.seat is not None:
        fact = replace(fact, seat=event.seat, seat_certainty=1.0)
    data = dict(fact.data)
    data.update({key: event.data[key] for key in _AMENDABLE if key in event.data})
    facts[index] = replace(fact, kind=str(kind), data=data)
    return None


def _insert(facts: list[Event], event: Event) -> str | None:
    kind = event.data.get("kind", "play")
    if kind not in _FACT_KINDS:
        return "bad_decision"
    place = _place(facts, event)
    if place is None:
        return "unknown_event"
    data = {key: event.data[key] for key in _AMENDABLE if key in event.data}
    facts.insert(place, replace(event, kind=str(kind), data=data))
    return None


def _place(facts: Sequence[Event], event: Event) -> int | None:
    """Where data.before or data.after puts a fact."""
    before = _find(facts, event.data.get("before"))
    if before is not None:
        return before
    after = _find(facts, event.data.get("after"))
    return None if after is None else after + 1


def _split(facts: list[Event], index: int, event: Event) -> str | None:
    """The cards named leave the event and become one of their own, under the id of the split."""
    fact = facts[index]
    kind = event.data.get("kind", fact.kind)
    if kind not in _FACT_KINDS:
        return "bad_decision"
    rest = list(fact.cards)
    for card in event.cards:
        if card not in rest:
            return "bad_decision"
        rest.remove(card)
    if not rest or not event.cards:
        return "bad_decision"
    seat = fact.seat if event.seat is None else event.seat
    certainty = fact.seat_certainty if event.seat is None else 1.0
    facts[index] = replace(fact, cards=tuple(rest))
    part = replace(
        fact,
        id=event.id,
        kind=str(kind),
        cards=event.cards,
        seat=seat,
        seat_certainty=certainty,
        data={key: event.data[key] for key in _AMENDABLE if key in event.data},
    )
    facts.insert(index + 1, part)
    return None


def _merge(facts: list[Event], index: int, event: Event) -> str | None:
    other = _find(facts, event.data.get("with"))
    if other is None:
        return "unknown_event"
    first, second = facts[index], facts[other]
    if other == index or first.kind != second.kind:
        return "bad_decision"
    facts[index] = replace(
        first,
        cards=first.cards + second.cards,
        certainty=min(first.certainty, second.certainty),
    )
    del facts[other]
    return None


def _reorder(facts: list[Event], index: int, event: Event) -> str | None:
    anchor = event.data.get("before", event.data.get("after"))
    if anchor == event.of:
        return "bad_decision"
    fact = facts.pop(index)
    place = _place(facts, event)
    if place is None:
        facts.insert(index, fact)
        return "unknown_event"
    facts.insert(place, fact)
    return None


def clean_cards(event: Event) -> Event:
    """The same event without words that are no cards (a journal written by hand may have them)."""
    if all(is_card(card) for card in event.cards):
        return event
    return replace(event, cards=tuple(card if is_card(card) else "?" for card in event.cards))
