"""Questions of the referee, with answers that are one tap each (see `verdicts.QUESTIONS`)."""

from collections.abc import Sequence

from referee.combos import Reading
from referee.events import Event
from referee.hand import Hand, Laid
from referee.judge import describe
from referee.rules import Rules
from referee.verdicts import Answer, Question


def _id(about: Event | Laid) -> int:
    return about.id if isinstance(about, Event) else about.event_id


def ask_cards(about: Event | Laid, alternatives: Sequence[tuple[str, ...]], why: str) -> Question:
    """Which cards are these? As read, one of the alternatives, or named by hand."""
    right = Answer("as_read", {"cards": list(about.cards)}, data={"cards_right": True})
    others = [Answer("cards", {"cards": list(cards)}, cards=cards) for cards in alternatives]
    known = "?" not in about.cards
    answers = (*others, right) if known else tuple(others)
    return Question("cards", _id(about), answers, {"why": why, "cards": list(about.cards)})


def ask_seat(event: Event, hand: Hand, rules: Rules) -> Question:
    """Who did it? The seat to act first, then the others in turn order."""
    return ask_turn(event, rules, hand.to_act or 0, hand.finish)


def ask_turn(event: Event, rules: Rules, start: int, out: Sequence[int] = ()) -> Question:
    """Who did it? `start` first, then the others in turn order, without those who are out."""
    order = [(start + rules.step * k) % rules.seats for k in range(rules.seats)]
    answers = tuple(Answer("seat", {"seat": s}, seat=s) for s in order if s not in out)
    return Question("seat", event.id, answers, {"seat": event.seat})


def ask_reading(about: Event | Laid, readings: Sequence[Reading]) -> Question:
    """What do the jokers stand for?"""
    answers = tuple(Answer("reading", describe(r, about.cards), data={"as": f"{r.type}:{r.key}"}) for r in readings)
    return Question("reading", _id(about), answers, {"cards": list(about.cards)})


def ask_stood(event_id: int) -> Question:
    """Did the earlier, illegal play stand, or was it taken back unseen?"""
    answers = (
        Answer("stands", data={"stands": True}),
        Answer("taken_back", data={"taken_back": True}),
    )
    return Question("stood", event_id, answers)


def ask_passed(event: Event) -> Question:
    """Had this seat really passed before it played?"""
    answers = (
        Answer("did_not_pass", {"seat": event.seat}, data={"passed": False}),
        Answer("had_passed", {"seat": event.seat}, data={"passed": True}),
    )
    return Question("passed", event.id, answers, {"seat": event.seat})


def ask_fault(event: Event, fault: str) -> Question:
    """Did the cards really lie as the rules forbid?"""
    answers = (
        Answer("faulty", data={"faults": [fault]}),
        Answer("faultless", data={"faults": []}),
    )
    return Question("fault", event.id, answers)


def ask_new_round(event: Event) -> Question:
    """Had everybody passed, so that this play leads a new round?"""
    answers = (
        Answer("new_round", data={"new_round": True}),
        Answer("same_round", data={"new_round": False}),
    )
    return Question("new_round", event.id, answers)


def ask_new_hand(event_id: int) -> Question:
    """Has a new hand begun with this play?"""
    answers = (
        Answer("new_hand", data={"new_hand": True}),
        Answer("same_hand", data={"new_hand": False}),
    )
    return Question("new_hand", event_id, answers)


def ask_dispute(dispute: Event, about: int, illegal: bool) -> Question:
    """Is the verdict right that a player disputes? `illegal`: it is on a play that breaks a rule."""
    answers = [Answer("upheld", data={"upheld": True})]
    if illegal:
        answers.append(Answer("stands", data={"stands": True}))
    return Question("dispute", about, tuple(answers), {"seat": dispute.seat})
