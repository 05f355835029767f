"""Decisions of people: which are refused, which belong together, which one an undo takes back.

A decision is one event, or several that hold together (made with one tap). It is refused whole when
any part of it is impossible or when it changes nothing.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from referee.cards import UNKNOWN, sort_cards
from referee.corrections import is_correction, resolve
from referee.errors import RulesError
from referee.events import CLAIMS, Event
from referee.match import FIXED_OPTIONS, change_option
from referee.rules import Rules
from referee.session import Session
from referee.verdicts import CLAIM_CODES
from webui.rulebook import rule_words

MOST_AT_ONCE = 20
"""So many events one decision may have."""
Decision = tuple[Event, ...]
_LAID = ("play", "discard", "show")


def check(before: Session, after: Session, made: Decision) -> None:
    """Raises RulesError when the decision `made` is impossible, or changes nothing: the codes of the
    referee, `no_effect`, `no_cards`, `nobody`, `no_such_seat`, `card_twice`, `option_fixed`."""
    ids = {event.id for event in made}
    for decision in after.decisions:
        if decision.event_id in ids and decision.code is not None:
            raise RulesError(decision.code)
    for event in made:
        if event.kind == "set_option":
            _check_option(before, event)
        judged = after.judgement(event.id)
        if judged is not None and set(judged.codes) & set(CLAIM_CODES):
            raise RulesError(judged.codes[0])
    if any(event.kind in CLAIMS for event in made):
        return  # the referee has said what it makes of a claim
    old = {fact.id: fact for fact in _facts(before)}
    facts = _facts(after)
    for fact in facts:
        if old.get(fact.id) != fact:
            _check_fact(fact, old.get(fact.id), after.match.rules)
    if not _changes(before, after, made, list(old.values()) != facts):
        raise RulesError("no_effect")


def newest(decisions: Sequence[Decision], session: Session) -> Decision | None:
    """The newest decision that still holds and is no undo itself."""
    for made in reversed(decisions):
        undo = all(event.kind == "retract" for event in made)
        if not undo and not all(event.id in session.retracted for event in made):
            return made
    return None


def undoing(made: Decision) -> list[dict[str, Any]]:
    """The lines that take a decision back."""
    return [{"kind": "retract", "of": event.id} for event in reversed(made)]


def told(made: Decision, session: Session) -> dict[str, Any]:
    """What the page says about a decision of a match: {"id", "events", "kind", "of", "seat", "cards",
    "fact", "data", "rule"}; `events` is how many it has, `fact`, `seat` and `cards` are those of the
    event that it is about, as it was before."""
    main = next((event for event in reversed(made) if event.kind not in ("amend", "retract")), made[0])
    about = main if main.of is None else _about(main.of, [e for e in session.events if e.id < made[0].id])
    return {
        "id": made[0].id,
        "events": len(made),
        "kind": main.kind,
        "of": main.of,
        "seat": main.seat if about is None else about.seat,
        "cards": list(main.cards if about is None else about.cards),
        "fact": main.data.get("kind", "play") if main.kind == "insert" else None if about is None else about.kind,
        "data": dict(main.data),
        "rule": rule_words(session.setup.ruleset, main.data) if main.kind == "set_option" else None,
    }


def _about(ident: int, events: Sequence[Event]) -> Event | None:
    """An event as the corrections until then had left it."""
    return next((fact for fact in resolve(events).facts if fact.id == ident), None)


def _facts(session: Session) -> list[Event]:
    """What happened; in which order the cards of a play are named is no difference."""
    return [replace(fact, cards=sort_cards(fact.cards)) for fact in session.facts]


def _check_option(before: Session, event: Event) -> None:
    name, value = event.data.get("option"), event.data.get("value")
    if name in FIXED_OPTIONS:
        raise RulesError("option_fixed", option=name)
    changed = change_option(before.match, name, value)
    now = before.match.setup.rules(before.match.changes)
    then = changed.setup.rules(changed.changes)
    from_start = event.data.get("from") == "start"
    if now.options == then.options and not (from_start and before.match.rules.options != then.options):
        raise RulesError("no_effect")


def _check_fact(fact: Event, was: Event | None, rules: Rules) -> None:
    """A fact as people left it must be possible; what they did not touch may be unknown."""
    if fact.seat is not None and not 0 <= fact.seat < rules.seats:
        raise RulesError("no_such_seat", seat=fact.seat, seats=rules.seats)
    if fact.kind in (*_LAID, "pass") and fact.seat is None and was is None:
        raise RulesError("nobody")
    if fact.kind not in _LAID:
        return
    if not fact.cards:
        raise RulesError("no_cards")
    for card, count in Counter(fact.cards).items():
        if card != UNKNOWN and count > max(1, rules.copies(card)):
            raise RulesError("card_twice", card=card)


def _changes(before: Session, after: Session, made: Decision, facts_differ: bool) -> bool:
    """Whether anybody could tell the difference. A move that breaks a rule is a difference."""
    if not facts_differ or before.match != after.match:
        return facts_differ
    plain = [after.judgement(event.id) for event in made if not is_correction(event)]
    if len(plain) < len(made):
        return before.judgements != after.judgements
    return any(judged is None or judged.verdict != "ok" for judged in plain)
