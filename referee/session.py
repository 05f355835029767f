"""A match as a fold over its journal.

`fold(setup, events)` is the whole referee: corrections first (`corrections.py`), then one fact after
the other (`observe.py`). `advance` adds one event to a
session and costs only that event, unless it changes the past: then everything is judged again.
Both give the same session for the same events.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from referee.corrections import Decision, clean_cards, is_correction, resolve
from referee.errors import RulesError
from referee.events import LAID, Event
from referee.match import FIXED_OPTIONS, Match, new_match
from referee.observe import observe
from referee.setup import MatchSetup
from referee.verdicts import Finding, Judgement, Question

__all__ = ["MatchSetup", "Session", "advance", "fold"]


@dataclass(frozen=True, slots=True)
class Session:
    """A match as far as it is known. `facts` are the events as corrections left them, in the order in
    which they happened; `judgements` has one entry for each of them, `decisions` one for each
    correction; `match` is the state after the last fact.
    See `views.py` for what one viewer may see of it."""

    setup: MatchSetup
    events: tuple[Event, ...]
    judgements: tuple[Judgement, ...]
    match: Match
    decisions: tuple[Decision, ...] = ()
    retracted: frozenset[int] = frozenset()
    facts: tuple[Event, ...] = ()

    def judgement(self, event_id: int) -> Judgement | None:
        """The verdict on an event; None if it is retracted, merged away, or no fact."""
        for judgement in reversed(self.judgements):
            if judgement.event_id == event_id:
                return judgement
        return None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the checks in hindsight found."""
        return tuple(finding for judgement in self.judgements for finding in judgement.findings)

    @property
    def questions(self) -> tuple[Question, ...]:
        """What the referee wants to know about the current hand, newest first, each once; what it only
        offers to set right (the play itself is fine) comes last."""
        asked: dict[tuple[str, int], Question] = {}
        offered: dict[tuple[str, int], Question] = {}
        for judgement in reversed(self.judgements):
            if judgement.hand < self.match.hand_no:
                break
            question = judgement.question
            if question is not None:
                kind = asked if judgement.verdict == "unsure" else offered
                kind.setdefault((question.kind, question.of), question)
        rest = (question for key, question in offered.items() if key not in asked)
        return (*asked.values(), *rest)


def fold(setup: MatchSetup, events: Iterable[Event]) -> Session:
    """The session of a journal. Raises RulesError only for a bad setup; any event is judged."""
    journal = tuple(clean_cards(event) for event in events)
    resolved = resolve(journal)
    match = new_match(setup, _from_start(setup, resolved.facts))
    judgements: list[Judgement] = []
    for fact in resolved.facts:
        match, judgement = observe(match, fact)
        judgements.append(judgement)
    return Session(
        setup,
        journal,
        tuple(judgements),
        match,
        resolved.decisions,
        resolved.retracted,
        resolved.facts,
    )


def advance(session: Session, event: Event) -> Session:
    """The session with one event more, equal to the fold of all its events."""
    event = clean_cards(event)
    if is_correction(event) or _tells_anew(session, event):
        return fold(session.setup, (*session.events, event))
    match, judgement = observe(session.match, event)
    judgements = (*session.judgements, judgement)
    return Session(
        session.setup,
        (*session.events, event),
        judgements,
        match,
        session.decisions,
        session.retracted,
        (*session.facts, event),
    )


def _tells_anew(session: Session, event: Event) -> bool:
    """Whether an event takes the place of an earlier one, with something in between."""
    if event.kind not in LAID or event.of is None or event.of not in session.retracted:
        return False
    return not (len(session.events) > 1 and session.events[-2].id == event.of == session.events[-1].of)


def _from_start(setup: MatchSetup, facts: Iterable[Event]) -> Mapping[str, object]:
    """House rules that people changed for the whole match; one that is refused changes nothing."""
    changes: dict[str, object] = {}
    for event in facts:
        if event.kind != "set_option" or event.data.get("from") != "start":
            continue
        if event.data.get("option") in FIXED_OPTIONS:
            continue
        wanted = {**changes, str(event.data.get("option")): event.data.get("value")}
        try:
            setup.rules(wanted)
        except (RulesError, TypeError):
            continue
        changes = wanted
    return changes
