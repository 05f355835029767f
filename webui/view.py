"""What a page shows, as JSON: built anew from the session, never kept.

Everything in it lies open on the table, so guests and host see the same cards; what only the host
gets are the answers to questions. Words are added by the page: here are only codes.
"""

from collections.abc import Mapping
from typing import Any

from referee.draw_poker import DrawHand
from referee.hand import Hand
from referee.judge import describe
from referee.match import ClimbingState, DrawState, Match
from referee.rules import load_game
from referee.session import Session
from referee.verdicts import Derived, Judgement, Question
from webui.roles import Role

View = dict[str, Any]


def build(session: Session, role: Role) -> View:
    """The part of the page's state that follows from the journal."""
    match = session.match
    state = match.table
    return {
        "viewer": role.name.lower(),
        "game": {"id": match.rules.ruleset, "name": dict(load_game(match.rules.ruleset).name)},
        "hand": {"number": match.hand_no, "over": state.hand.over},
        "match": {"over": match.over, "winners": list(match.winners)},
        "turn": _turn(match),
        "lead": _lead(state) if isinstance(state, ClimbingState) else None,
        "discards": [list(one) for one in _discards(match)],
        "seats": _seats(match),
        "seen": _seen(match),
        "scores": _scores(match),
        "questions": [_question(question, role) for question in session.questions],
        "entries": [_entry(judged, place) for place, judged in enumerate(session.judgements)],
    }


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


def _turn(match: Match) -> int | None:
    hand = match.table.hand
    return hand.to_act if isinstance(hand, Hand) else hand.to_act(match.rules)


def _lead(state: ClimbingState) -> View | None:
    table = state.hand.table
    if table is None or state.hand.over:
        return None
    return describe(table.reading, table.cards, table.seat)


def _seats(match: Match) -> list[View]:
    hand = match.table.hand
    places = match.results[-1].places if match.results and hand.over else {}
    seats = []
    for index, name in enumerate(match.setup.names):
        place, left, passed = places.get(index), None, False
        if isinstance(hand, Hand):
            left, passed = hand.counts[index], index in hand.passed
            if index in hand.finish:
                place = hand.finish.index(index) + 1
        side = match.rules.team(index)
        score = match.totals[side] if side < len(match.totals) else None
        seats.append(
            {
                "index": index,
                "name": name,
                "left": left,
                "place": place,
                "passed": passed,
                "score": score,
            }
        )
    return seats


def _seen(match: Match) -> View | None:
    if not match.rules.memory_aid:
        return None
    state = match.table
    if isinstance(state, DrawState):
        shown = [card for cards in state.hand.shown for card in cards or ()]
        cards = [card for _, card in _discards(match)] + shown
    else:
        cards = list(state.seen)
    known = [card for card in cards if card != "?"]
    return {"cards": known, "all": match.rules.deck_size}


def _discards(match: Match) -> tuple[tuple[int, str], ...]:
    hand = match.table.hand
    if isinstance(hand, DrawHand) and match.rules.discards_visible:
        return hand.discards
    return ()


def _scores(match: Match) -> View:
    sides: dict[int, list[int]] = {}
    for seat in range(match.rules.seats):
        sides.setdefault(match.rules.team(seat), []).append(seat)
    return {
        "names": [sides[side] for side in sorted(sides)],
        "hands": [list(result.points) for result in match.results],
        "totals": list(match.totals),
    }


def _entry(judged: Judgement, place: int) -> View:
    return {
        "id": judged.event_id,
        "place": place,
        "t": judged.t,
        "kind": judged.kind,
        "seat": judged.seat,
        "cards": list(judged.cards),
        "verdict": judged.verdict,
        "codes": list(judged.codes),
        "params": dict(judged.params),
        "before": [_derived(one) for one in judged.before],
        "after": [_derived(one) for one in judged.after],
        "certainty": round(judged.certainty, 3),
        "hand": judged.hand,
    }


def _question(question: Question, role: Role) -> View:
    answers = question.answers if role is Role.HOST else ()
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
            for answer in answers
        ],
    }


def _derived(derived: Derived) -> Mapping[str, Any]:
    return {"kind": derived.kind, "seat": derived.seat, "data": dict(derived.data)}
