"""What players say of their own seat, while a journal is resolved: that was me, I dispute this.

A claim settles what nobody saw; against a camera that is sure, against another claim or against the
host it only raises a question. ("I pass" is a fact of its own: `climbing.py`, `drawing.py`.)
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace

from referee.events import Event
from referee.verdicts import DOUBT_BAR, SEAT_BAR

_PLAYS = ("play", "discard", "show")
"""What a seat may say was its own."""
_CLAIMED = SEAT_BAR - 0.01
"""A finger slips: a seat that only a claim names is ground for no accusation."""
_ACTS = (*_PLAYS, "pass", "claim_pass", "take_back", "draw")
"""What has a verdict that a seat may dispute."""


@dataclass(slots=True)
class Claims:
    """`said`: for each play the seats that it is of, by claims or a sure camera; `decided`: plays
    whose seat a person with the right to correct has named."""

    said: dict[int, set[int]] = field(default_factory=dict)
    decided: set[int] = field(default_factory=set)

    def hear(self, facts: list[Event], event: Event) -> str | None:
        """Applies `claim_play` or `dispute` in place; the code if it has no effect."""
        if event.seat is None:
            return "bad_decision"
        if event.kind == "dispute":
            return _dispute(facts, event)
        index = _newest(facts, _PLAYS)
        if index is None or facts[index].id != event.of:
            return "claim_not_now"
        fact = facts[index]
        if fact.id in self.decided:
            return "claim_decided"
        sure = fact.seat is not None and fact.seat_certainty >= SEAT_BAR
        said = self.said.setdefault(fact.id, {fact.seat} if sure and fact.seat is not None else set())
        if event.seat in said:
            return "claim_known"
        said.add(event.seat)
        if len(said) == 1:
            data = {**fact.data, "claimed": True}
            facts[index] = replace(fact, seat=event.seat, seat_certainty=_CLAIMED, data=data)
        else:
            data = {key: value for key, value in fact.data.items() if key != "claimed"}
            facts[index] = replace(fact, seat_certainty=min(fact.seat_certainty, DOUBT_BAR), data=data)
        return None

    def decide(self, facts: list[Event], event: Event) -> None:
        """A correction of the host has taken effect: it settles the disputes about its event."""
        about = event.of if event.kind in ("amend", "answer") else event.id
        if event.seat is not None and about is not None:
            self.decided.add(about)
        _settle(facts, lambda dispute: dispute.of == event.of)


def settle_gone(facts: list[Event]) -> None:
    """Settles the disputes about what has since become part of something else."""
    there = {fact.id for fact in facts}
    _settle(facts, lambda dispute: dispute.of not in there)


def _dispute(facts: list[Event], event: Event) -> str | None:
    newest = (_newest(facts, _PLAYS), _newest(facts, _ACTS))
    if event.of not in [facts[index].id for index in newest if index is not None]:
        return "claim_not_now"
    mine = (fact for fact in facts if fact.kind == "dispute" and fact.seat == event.seat)
    if any(fact.of == event.of and not fact.data.get("settled") for fact in mine):
        return "claim_known"
    facts.append(replace(event, cards=(), data={}))
    return None


def _newest(facts: Sequence[Event], kinds: Collection[str]) -> int | None:
    return next((index for index in range(len(facts) - 1, -1, -1) if facts[index].kind in kinds), None)


def _settle(facts: list[Event], settled: Callable[[Event], bool]) -> None:
    for index, fact in enumerate(facts):
        if fact.kind == "dispute" and settled(fact):
            facts[index] = replace(fact, data={"settled": True})
