"""From the journal to the facts: what happened, once every correction of people is applied.

Nothing is ever deleted: a correction is an event of its own, and a retraction of it brings the old
facts back. `resolve` is a pure function of the events; the order of the facts is the order in which
they happened at the table, as far as anybody knows.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from referee.cards import is_card
from referee.claims import Claims, settle_gone
from referee.events import CORRECTIONS, KINDS, LAID, Event
from referee.verdicts import DOUBT_BAR

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
    anew = _told_anew(events, gone)
    told: dict[int, tuple[Event, int]] = {}
    placed: set[int] = set()
    facts: list[Event] = []
    decisions: list[Decision] = []
    claims = Claims()
    for event in events:
        if event.id in gone:
            if is_correction(event):
                decisions.append(Decision(event.id, event.kind, event.of, "retracted"))
            elif event.id in anew:
                # what people said of it since then is about what is told in its place
                told[event.id] = (event, anew[event.id].id)
                if anew[event.id].id not in placed:
                    placed.add(anew[event.id].id)
                    facts.append(anew[event.id])
            continue
        was, event = _about_anew(event, told)
        if event.id in placed:
            continue
        if event.kind == "retract":
            known = event.of in gone
            code = None if known else "unknown_event"
            decisions.append(Decision(event.id, event.kind, event.of, code))
        elif event.kind in ("claim_play", "dispute"):
            decisions.append(Decision(event.id, event.kind, event.of, claims.hear(facts, event)))
        elif is_correction(event) and event.kind != "set_option":
            code = _apply(facts, event, was)
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


def _told_anew(events: Sequence[Event], gone: set[int]) -> dict[int, Event]:
    """For what the camera has told anew, the telling that holds: it happened when the first one did."""
    last: dict[int, Event] = {}
    laid = {event.id for event in events if event.kind in LAID}
    for event in reversed(events):
        if event.kind in LAID and event.of in gone & laid and event.of != event.id:
            holds = last.get(event.id) if event.id in gone else event
            if holds is not None and event.of is not None:
                last[event.of] = holds
    return last


def _about_anew(event: Event, told: Mapping[int, tuple[Event, int]]) -> tuple[Event | None, Event]:
    """What an event is about, by the newest telling; what it was about as it was told first, if that
    is something else."""
    if event.kind == "retract" or event.kind in LAID or not told:
        return None, event
    was, of = told.get(event.of, (None, event.of)) if event.of is not None else (None, None)
    data = {
        key: told[value][1] if key in ("before", "after", "with") and type(value) is int and value in told else value
        for key, value in event.data.items()
    }
    return was, replace(event, of=of, data=data)


def _apply(facts: list[Event], event: Event, was: Event | None = None) -> str | None:
    """Applies one correction in place; the code of the refusal if it can't be. `was`: how its event
    was told when the correction was made, if it has been told anew since."""
    if event.kind == "insert":
        return _insert(facts, event)
    index = _find(facts, event.of)
    if index is None:
        return "unknown_event"
    if event.kind == "delete":
        if was is not None and len(was.cards) != len(facts[index].cards):
            return "unknown_event"  # there is more to it than what was deleted
        del facts[index]
        return None
    if event.kind in ("amend", "answer", "declare"):
        return _amend(facts, index, event, was)
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


def _amend(facts: list[Event], index: int, event: Event, was: Event | None) -> str | None:
    """What a person says about an event is certain."""
    fact = facts[index]
    kind = event.data.get("kind", fact.kind)
    if kind not in _FACT_KINDS:
        return "bad_decision"
    data = dict(fact.data)
    if event.cards or event.data.get("cards") == [] or event.data.get("cards_right"):
        given = event.cards or event.data.get("cards") == []
        cards, certainty = _named(fact, event.cards if given else (was or fact).cards, was)
        if sorted(cards) != sorted(fact.cards):
            data.pop("as", None)  # that was said of other cards
        fact = replace(fact, cards=cards, certainty=certainty)
    if event.seat is not None:
        fact = replace(fact, seat=event.seat, seat_certainty=1.0)
    if "faults" in event.data:
        data.pop("fault_certainty", None)
    data.update({key: event.data[key] for key in _AMENDABLE if key in event.data})
    facts[index] = replace(fact, kind=str(kind), data=data)
    return None


def _named(fact: Event, cards: tuple[str, ...], was: Event | None) -> tuple[tuple[str, ...], float]:
    """The cards as a person named them, and how certain they are: of a play that has grown since it
    was named, the rest is as it was read."""
    if was is None or not cards or len(was.cards) == len(fact.cards):
        return cards, 1.0
    rest = tuple((Counter(fact.cards) - Counter(was.cards)).elements())
    if len(was.cards) + len(rest) == len(fact.cards):
        return (*cards, *rest), fact.certainty
    return fact.cards, min(fact.certainty, DOUBT_BAR)


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
    facts[index] = replace(fact, cards=tuple(rest), data=_without_reading(fact))
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
        data=_without_reading(first),
    )
    del facts[other]
    return None


def _without_reading(fact: Event) -> dict[str, object]:
    """The data of a fact whose cards have changed: what its jokers stood for was said of others."""
    return {key: value for key, value in fact.data.items() if key != "as"}


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
