"""What a page shows, as JSON: built anew from the session, never kept.

`referee.views` decides what a viewer may see; here it gets its JSON form and the story of the
plays. There are only codes: the page adds the words.
"""

import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from referee.cards import sort_cards
from referee.judge import describe
from referee.match import Match, totals_of
from referee.rules import load_game
from referee.session import Session
from referee.verdicts import Derived, Judgement, Question
from referee.views import SeatView, TableView, view
from webui.roles import Role
from webui.rulebook import rule_words
from webui.supervisor import Status

View = dict[str, Any]

_MENDING = ("amend", "answer", "declare", "split", "merge")
STORY = 300
"""So many of the newest plays are told on the page; the journal holds them all."""


def build(session: Session, role: Role) -> View:
    """The part of the page's state that follows from the journal."""
    match = session.match
    seen = view(session, "host" if role is Role.HOST else "guest")
    first = max(0, len(session.judgements) - STORY)
    mended = {decision.of for decision in session.decisions if decision.code is None and decision.kind in _MENDING}
    return {
        "viewer": role.name.lower(),
        "game": {
            "id": match.rules.ruleset,
            "family": match.rules.family,
            "decks": match.rules.decks,
            "name": dict(load_game(match.rules.ruleset).name),
        },
        "hand": {"number": seen.hand, "over": seen.hand_over},
        "match": {"over": seen.match_over, "winners": list(seen.winners)},
        "turn": seen.to_act,
        "lead": _lead(seen),
        "seats": [_seat(seat, match) for seat in seen.seats],
        "discards": None if seen.discards is None else [list(one) for one in seen.discards],
        "seen": _seen(seen, match),
        "scores": _scores(seen, match),
        "questions": [_question(question) for question in seen.questions],
        "entries": [
            _entry(judged, first + place, judged.event_id in mended, match)
            for place, judged in enumerate(session.judgements[first:])
        ],
    }


def camera(status: Status, role: Role) -> View:
    """How the camera does. Guests are not told where it or a file is: with its address they would see
    more than the play area."""
    told = asdict(status)
    if role < Role.HOST and status.error is not None:
        params = {key: _placeless(value) for key, value in status.error["params"].items()}
        told["error"] = {"code": status.error["code"], "params": params}
    return told


def _placeless(value: object) -> object:
    """An address without all that follows its scheme, a path without its folders."""
    if not isinstance(value, str):
        return value
    scheme, mark, _ = value.partition("://")
    return f"{scheme}://…" if mark else re.split(r"[/\\]", value)[-1]


def changes(before: View, after: View) -> View:
    """What tells a page that shows `before` to show `after`: all but the story in full, of the
    story the entries that differ and the ids of those that are gone."""
    old = {entry["id"]: entry for entry in before["entries"]}
    new = {entry["id"]: entry for entry in after["entries"]}
    return {
        **after,
        "entries": [entry for ident, entry in new.items() if old.get(ident) != entry],
        "gone": [ident for ident in old if ident not in new],
    }


def _lead(seen: TableView) -> View | None:
    laid = seen.on_table
    return None if laid is None or seen.hand_over else describe(laid.reading, sort_cards(laid.cards), laid.seat)


def _seat(seat: SeatView, match: Match) -> View:
    side = match.rules.team(seat.seat)
    ranked = match.results[-1].places if seat.place is None and match.table.hand.over and match.results else {}
    return {
        "index": seat.seat,
        "name": seat.name,
        "left": seat.cards_left,
        "place": seat.place or ranked.get(seat.seat),
        "passed": seat.passed,
        "guessed": seat.guessed,
        "shown": None if seat.shown is None else list(seat.shown),
        "score": match.totals[side] if side < len(match.totals) else None,
    }


def _seen(seen: TableView, match: Match) -> View | None:
    if seen.seen is None:
        return None
    out = [list(one) for one in seen.still_out or ()]
    return {"cards": list(seen.seen), "all": match.rules.deck_size, "out": out}


def _scores(seen: TableView, match: Match) -> View:
    sides: dict[int, list[int]] = {}
    for seat in range(match.rules.seats):
        sides.setdefault(match.rules.team(seat), []).append(seat)
    return {
        "names": [sides[side] for side in sorted(sides)],
        "hands": [list(result.points) for result in seen.results],
        "numbers": [result.hand for result in seen.results],
        "running": [list(totals_of(seen.results[: n + 1], match)) for n in range(len(seen.results))],
        "totals": list(seen.totals),
    }


def _entry(judged: Judgement, place: int, corrected: bool, match: Match) -> View:
    rule = rule_words(match.rules.ruleset, judged.params) if judged.kind == "set_option" else None
    return {
        "id": judged.event_id,
        "place": place,
        "t": judged.t,
        "kind": judged.kind,
        "seat": judged.seat,
        "cards": list(sort_cards(judged.cards)),
        "verdict": judged.verdict,
        "codes": list(judged.codes),
        "params": dict(judged.params),
        "before": [_derived(one) for one in judged.before],
        "after": [_derived(one) for one in judged.after],
        "certainty": round(judged.certainty, 3),
        "seat_certainty": round(judged.seat_certainty, 3),
        "hand": judged.hand,
        "corrected": corrected,
        **({} if rule is None else {"rule": rule}),
    }


def _question(question: Question) -> View:
    return {
        "kind": question.kind,
        "of": question.of,
        "params": dict(question.params),
        "answers": [
            {
                "code": answer.code,
                "params": dict(answer.params),
                "kind": answer.kind,
                "seat": answer.seat,
                "cards": list(answer.cards),
                "data": dict(answer.data),
            }
            for answer in question.answers
        ],
    }


def _derived(derived: Derived) -> Mapping[str, Any]:
    return {"kind": derived.kind, "seat": derived.seat, "data": dict(derived.data)}
