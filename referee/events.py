"""What the journal holds: observations of the table and decisions of people, never verdicts.

Observations (from the camera, or from a person who plays referee)
    play       `cards` laid into the play area by `seat`; `of` (also of a discard or show): the camera
               has taken that event back and tells it anew
    pass       `seat` said or tapped "pass" (most passes are never seen: the referee infers them);
               data.gesture: a hand knocked or waved in the seat's turn and laid nothing, perhaps a pass
    discard    `cards` laid into the discard area; data: faults (list of codes), fault_certainty
    show       `seat` laid its hand open (showdown, or what a loser has left)
    sweep      the cards of the round were cleared from the table
    take_back  a laid set was taken up again; `of` the event (without it: the seat's latest)
    draw       a hand went to the stock; data: count (when known)

Decisions of people
    declare    `of` an event, data.as: what its jokers stand for ("straight:6");
               or `seat` and data.announce: how many cards it will exchange
    retract    the event `of` never was in the journal (the camera takes it back, or a decision is
               undone: then its effect is gone)
    delete     the event `of`, as the decisions before this one left it, did not happen at the table
    amend      the event `of` was different: any of seat, cards, data.kind, data.as, data.faults;
               data.cards_right (the cards are as read), data.upheld (the verdict on it is right),
               data.stands (the table lets it stand though it breaks a rule), data.taken_back
               (nobody saw it go), data.passed (its seat had or had not passed before), data.out (it
               was the seat's last cards), data.new_hand, data.new_round (a new hand or round began,
               or did not begin, with it)
    answer     the same as amend, given as the answer to a question of the referee
    insert     an event that nobody saw: `seat`, `cards`, data.kind, and its place: data.before or
               data.after an event id
    split      the `cards` named were an event of their own, made by `seat`, right after `of`; data.kind
               if it was of another kind
    merge      the event data.with, of the same kind, belongs to the event `of`: one play
    reorder    the event `of` happened data.before or data.after another event
    new_hand   the next hand begins; data: leader, dealer, counts (each optional)
    set_option data.option, data.value, data.from: "next_hand" (default) or "start"
    end_match  the match is over

Claims of a player, about the player's own `seat` only; data.by names the device that it came from
    claim_pass "I pass": holds in the seat's own turn; no more ground for an accusation than a pass
               that was inferred
    claim_play "that was me": the newest play `of` is of `seat`. It names a seat that nobody saw, and
               is no ground for an accusation; of two who say so, or against a camera that is sure,
               the host decides
    dispute    "I dispute this": asks the host about the newest play or verdict `of`, and changes
               nothing; any decision of the host about `of` settles it

JSON form: {"id", "t", "kind"} and, where they differ from the default, "seat", "cards",
"certainty", "seat_certainty", "of", "data".
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from referee.cards import is_card
from referee.errors import RulesError

OBSERVATIONS = ("play", "pass", "discard", "show", "sweep", "take_back", "draw")
CORRECTIONS = ("retract", "delete", "amend", "answer", "insert", "split", "merge", "reorder")
LAID = ("play", "discard", "show")
DECISIONS = ("declare", *CORRECTIONS, "new_hand", "set_option", "end_match")
CLAIMS = ("claim_pass", "claim_play", "dispute")
KINDS = (*OBSERVATIONS, *DECISIONS, *CLAIMS)


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the journal. `id` is unique in the match, `t` is in seconds of the source's time.

    `certainty` is that of the least certain card name, `seat_certainty` that of the seat, both
    0..1; what a person says is certain (1). `of` is the event that this one is about.
    """

    id: int
    t: float
    kind: str
    seat: int | None = None
    cards: tuple[str, ...] = ()
    certainty: float = 1.0
    seat_certainty: float = 1.0
    of: int | None = None
    data: Mapping[str, object] = field(default_factory=dict)


def to_json(event: Event) -> dict[str, object]:
    """The JSON form of an event; values that equal the default are left out."""
    line: dict[str, object] = {"id": event.id, "t": event.t, "kind": event.kind}
    if event.seat is not None:
        line["seat"] = event.seat
    if event.cards:
        line["cards"] = list(event.cards)
    if event.certainty != 1.0:
        line["certainty"] = event.certainty
    if event.seat_certainty != 1.0:
        line["seat_certainty"] = event.seat_certainty
    if event.of is not None:
        line["of"] = event.of
    if event.data:
        line["data"] = dict(event.data)
    return line


def from_json(line: Mapping[str, object]) -> Event:
    """An event from its JSON form. Raises RulesError("bad_event") naming the field.

    Unknown keys are ignored, so that a newer journal can be read.
    """
    kind, cards, data = line.get("kind"), line.get("cards", []), line.get("data", {})
    if kind not in KINDS:
        raise RulesError("bad_event", field="kind", problem=f"{kind!r} is not known")
    if not isinstance(cards, (list, tuple)) or not all(is_card(c) for c in cards):
        raise RulesError("bad_event", field="cards", problem=f"{cards!r} is no list of cards")
    if not isinstance(data, Mapping):
        raise RulesError("bad_event", field="data", problem=f"{data!r} is no object")
    return Event(
        id=_whole(line, "id"),
        t=_number(line, "t", 0.0, None),
        kind=str(kind),
        seat=None if line.get("seat") is None else _whole(line, "seat"),
        cards=tuple(cards),
        certainty=_number(line, "certainty", 1.0, 1.0),
        seat_certainty=_number(line, "seat_certainty", 1.0, 1.0),
        of=None if line.get("of") is None else _whole(line, "of"),
        data=dict(data),
    )


def _whole(line: Mapping[str, object], key: str) -> int:
    value = line.get(key)
    if type(value) is not int or value < 0:
        raise RulesError("bad_event", field=key, problem=f"{value!r} is no whole number from 0")
    return value


def _number(line: Mapping[str, object], key: str, default: float, most: float | None) -> float:
    value = line.get(key, default)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not value >= 0:
        raise RulesError("bad_event", field=key, problem=f"{value!r} is no number from 0")
    if most is not None and value > most:
        raise RulesError("bad_event", field=key, problem=f"{value!r} is more than {most:g}")
    return float(value)
