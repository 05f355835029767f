"""Checks in hindsight that look at nobody's hidden hand: what a new fact says about older ones."""

from referee.cards import UNKNOWN
from referee.events import Event
from referee.judge import needs_start_card
from referee.match import ClimbingState
from referee.rules import Rules
from referee.verdicts import Finding


def audit_play(table: ClimbingState, rules: Rules, event: Event, seat: int, hand: int) -> tuple[Finding, ...]:
    """The start card turns up at another seat than the one that led: that lead was wrong."""
    opener, card = table.opener, rules.start_card
    if opener is None or card is None or card not in event.cards or seat == opener[0]:
        return ()
    opens = table.opened_by_card and rules.copies(card) == 1
    if rules.first_lead != "holder" or not opens:
        return ()
    params = {"card": card, "led": opener[0], "held": seat, "must": needs_start_card(rules)}
    return (Finding("start_card_elsewhere", params, (opener[1], event.id), hand),)


def audit_show(table: ClimbingState, rules: Rules, event: Event, seat: int, hand: int) -> tuple[Finding, ...]:
    """An opened hand against the log: no card may lie open more often than the deck has it, and the
    cards left must be as many as the plays left over."""
    findings = []
    others = [c for s, cards in enumerate(table.left) if cards and s != seat for c in cards]
    open_cards = [*table.seen, *others]
    for card in dict.fromkeys(event.cards):
        if card == UNKNOWN or not rules.copies(card):
            continue
        if open_cards.count(card) + event.cards.count(card) > rules.copies(card):
            params: dict[str, object] = {"card": card, "seat": seat}
            findings.append(Finding("card_shown_twice", params, (event.id,), hand))
    count = table.hand.counts[seat]
    if table.hand.over and count is not None and count != len(event.cards):
        params = {"expected": count, "got": len(event.cards), "seat": seat}
        findings.append(Finding("left_count_differs", params, (event.id,), hand))
    return tuple(findings)
