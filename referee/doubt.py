"""How sure is a verdict? A violation stands only if nothing that it rests on is in doubt.

What the rules make plausible may order the answers to a question; it never makes an illegal play
legal: a would-be violation that rests on something doubtful is a question, not "ok".
"""

from dataclasses import dataclass

from referee.cards import UNKNOWN
from referee.events import Event
from referee.judge import Ruling, repeated
from referee.match import ClimbingState
from referee.questions import ask_cards, ask_new_hand, ask_new_round, ask_passed, ask_reading, ask_seat, ask_stood
from referee.rules import Rules
from referee.verdicts import CARD_BAR, COMPARISON_CODES, DOUBT_BAR, Level, Question

_ASK_ALWAYS = ("card_not_in_deck", "duplicate_card", "needs_declaration", "card_unread")
"""An impossible card is far more likely a wrong name than a foreign card on the table."""
_SEAT_CODES = ("out_of_turn", "passed_this_round", "already_out", "more_cards_than_hand")
_TURN_ONLY = ("out_of_turn", "passed_this_round", "already_out")
"""Codes that hold whatever the cards are."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A play and what it was judged by: `before` is the table as it lay, `table` once the seat's turn
    had come; `turn_code` is what speaks against its turn, `ruling` what against its cards."""

    event: Event
    seat: int
    seat_sure: bool
    before: ClimbingState
    table: ClimbingState
    rules: Rules
    turn_code: str | None
    ruling: Ruling


def weigh(evidence: Evidence) -> tuple[Level, tuple[str, ...]]:
    """The verdict and its codes, the decisive one first."""
    doubts = _doubts(evidence)
    ruling = evidence.ruling
    codes = [code for code in (evidence.turn_code, ruling.code) if code]
    for code in codes:
        named = code in _TURN_ONLY or "duplicate_card" not in doubts
        if named and _certain(code, evidence):
            return "violation", (code, *(c for c in codes if c != code))
    codes.extend(doubt for doubt in doubts if doubt not in codes)
    laid = evidence.table.hand.table
    doubtful = laid is not None and not laid.certain and ruling.code in COMPARISON_CODES
    if ruling.code and (ruling.params.get("open") or doubtful):
        codes.append("earlier_play_open")
    return ("unsure", tuple(codes)) if codes else ("ok", ())


def _doubts(evidence: Evidence) -> list[str]:
    """Reasons to ask even about a play that is legal as it was read."""
    event, table = evidence.event, evidence.table
    doubts = []
    if event.seat != evidence.seat:
        doubts.append("seat_unknown")
    if UNKNOWN in event.cards:
        doubts.append("card_unread")
    elif event.certainty < DOUBT_BAR:
        doubts.append("card_doubtful")
    if repeated(table.seen, event.cards, evidence.rules):
        doubts.append("duplicate_card")
    laid = table.hand.table
    if laid is not None and evidence.ruling.code is None and not (laid.candidates or laid.reading):
        doubts.append("earlier_play_open")
    return doubts


def _certain(code: str, evidence: Evidence) -> bool:
    """Whether everything that the code rests on was seen for certain."""
    event, before, seat_sure = evidence.event, evidence.before, evidence.seat_sure
    if code == "out_of_turn":
        followed = before.turn_certain and not before.shaky and not _after_winner(evidence)
        return seat_sure and followed and event.seat not in before.guessed
    if code == "passed_this_round":
        known = event.seat not in before.guessed or event.data.get("passed") is True
        return seat_sure and known
    if code == "already_out":
        return seat_sure and not before.assumed
    if code in _ASK_ALWAYS or UNKNOWN in event.cards or event.certainty < CARD_BAR:
        return False
    if code in COMPARISON_CODES:
        laid = evidence.table.hand.table
        clear = laid is not None and laid.certain and not evidence.ruling.params.get("open")
        return seat_sure and clear
    return seat_sure if code in _SEAT_CODES else True


def _after_winner(evidence: Evidence) -> bool:
    """Whether the seat would lead if the winner of the round were out: without counted cards that
    may be so."""
    hand, rules = evidence.before.hand, evidence.rules
    if hand.to_act is None or not evidence.before.assumed or rules.end == "first_out":
        return False
    partner = (hand.to_act + rules.seats // 2) % rules.seats
    return evidence.seat in (hand.following(hand.to_act, rules)[0], partner)


def ask(evidence: Evidence, codes: tuple[str, ...], alternatives: tuple[tuple[str, ...], ...]) -> Question:
    """What to ask: the first thing in doubt. `alternatives` are other readings of the picture."""
    event, table, rules = evidence.event, evidence.table, evidence.rules
    laid = table.hand.table
    if "round_unclear" in codes:
        return ask_seat(event, table.hand, rules) if not evidence.seat_sure else ask_new_round(event)
    if "earlier_play_open" in codes and laid is not None:
        if laid.disputed:
            return ask_stood(laid.event_id) if laid.certain else ask_new_hand(laid.event_id)
        if laid.certain and laid.candidates:
            return ask_reading(laid, laid.candidates)
        return ask_cards(laid, (), "earlier_play_open")
    if "seat_unknown" in codes:
        return ask_seat(event, table.hand, rules)
    if "passed_this_round" in codes:
        return ask_passed(event)
    if "needs_declaration" in codes:
        return ask_reading(event, evidence.ruling.readings)
    if set(codes) & set(_SEAT_CODES) or not evidence.seat_sure:
        return ask_seat(event, table.hand, rules)
    return ask_cards(event, alternatives, codes[0])


def offer(evidence: Evidence) -> Question | None:
    """What a person may set right although nothing speaks against the play."""
    event = evidence.event
    if len(evidence.ruling.readings) > 1:
        return ask_reading(event, evidence.ruling.readings)
    if not evidence.seat_sure and not event.data.get("claimed"):
        return ask_seat(event, evidence.before.hand, evidence.rules)
    return ask_cards(event, (), "card_doubtful") if event.certainty < CARD_BAR else None
