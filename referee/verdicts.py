"""What the referee says about an event: codes and parameters; words live in the language catalogs.

The codes are those of `CODES`. Parameters that a catalog can use with any code:
    table   the combination on the table: {"type", "key", "n", "wild", "cards", "seat"} (if any)
    played  the same for what was laid (without "type" when it is no combination)
    legal   what would have been legal: a list of {"type", "n", "above" | "exactly" | "any"}
and with single codes: named (type_not_enabled: the shape that isn't agreed here), least/most
(run_too_short, run_too_long), expected and got (counts, seats), card (duplicate_card,
card_not_in_deck, must_contain_start_card), to_act (out_of_turn: whose turn it is).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Level = Literal["ok", "violation", "unsure"]

CARD_BAR = 0.9
"""Below this certainty of the card names a would-be violation is a question. A false accusation is
the worst mistake: at the bar itself at most one accusation in ten would rest on a wrong name, and
names read over several settled frames lie far above it."""
SEAT_BAR = 0.9
"""The same for the seat: what follows from it (turn, counts, who leads) is only asked below it."""
DOUBT_BAR = 0.5
"""Below this a name is more likely wrong than right: even a legal reading is a question."""

SHAPE_CODES = (
    "run_too_long",
    "run_too_short",
    "two_not_allowed_in_run",
    "run_wraps",
    "ace_not_allowed_in_run",
    "type_not_enabled",
    "not_a_combination",
)
"""With jokers the first of these that some assignment gives is the reason."""
COMBINATION_CODES = (
    "empty_play",
    "card_not_in_deck",
    "duplicate_card",
    "joker_cannot_stand_alone",
    "joker_cannot_be_two",
    *SHAPE_CODES,
)
COMPARISON_CODES = (
    "single_two_immune",
    "lower_type",
    "wrong_type",
    "wrong_count",
    "not_higher",
    "must_be_exactly_one_higher",
)
"""Of several readings the reason that got furthest in this list is reported."""
TURN_CODES = (
    "hand_over",
    "already_out",
    "passed_this_round",
    "redundant_pass",
    "out_of_turn",
    "cannot_pass_on_lead",
    "must_beat",
    "not_in_hand",
    "more_cards_than_hand",
    "must_contain_start_card",
    "bomb_cannot_lead",
    "needs_declaration",
)
DRAW_CODES = (
    "too_many_exchanged",
    "second_exchange",
    "announcement_changed",
    "discard_before_announce",
    "discard_count_mismatch",
    "draw_before_discard",
    "draw_count_mismatch",
    "discard_not_face_up",
    "discard_overlaps",
    "discard_covered",
    "discard_taken_back",
    "discard_returned_to_stock",
    "discards_cleared_early",
    "show_too_early",
    "wrong_hand_size",
)
DOUBT_CODES = (
    "card_unread",  # a face wasn't readable
    "card_doubtful",  # a face was read, but more likely wrong than right
    "seat_unknown",  # nobody saw who did it
    "round_unclear",  # right or wrong depending on a round's end that nobody saw
    "earlier_play_open",  # depends on an earlier play that is itself in question
    "disputed",  # a player says that the verdict is wrong
)
"""Reasons to ask, never to accuse."""
DECISION_CODES = ("unknown_event", "bad_decision", "option_refused")
"""Why a person's decision had no effect."""
CLAIM_CODES = (
    "claim_not_now",  # it isn't this seat's turn, or a newer play has come
    "claim_known",  # this seat has said so already
    "claim_decided",  # the host has said who it was
)
"""Why a player's claim had no effect."""
FINDING_CODES = (
    "start_card_elsewhere",
    "card_shown_twice",
    "left_count_differs",
)
"""What a check in hindsight can find (`audit.py`)."""
CODES = (
    *COMBINATION_CODES,
    *COMPARISON_CODES,
    *TURN_CODES,
    *DRAW_CODES,
    *DOUBT_CODES,
    *DECISION_CODES,
    *CLAIM_CODES,
    *FINDING_CODES,
)

QUESTIONS = ("cards", "seat", "reading", "stood", "passed", "fault", "new_hand", "new_round", "dispute")
"""Which cards? Which seat? What do the jokers stand for? Did the earlier play stand? Did that seat
really pass? Did the discard lie wrongly? Has a new hand begun? Has a new round begun? Is the verdict
that a player disputes right?"""


@dataclass(frozen=True, slots=True)
class Answer:
    """One tap: append an `answer` event about the question's event with this seat, cards, data.

    `code` and `params` make the button's words.
    """

    code: str
    params: Mapping[str, object] = field(default_factory=dict)
    kind: str = "answer"
    seat: int | None = None
    cards: tuple[str, ...] = ()
    data: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Question:
    """What the referee wants to know about event `of`; `answers` are ordered by plausibility."""

    kind: str
    of: int
    answers: tuple[Answer, ...] = ()
    params: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Derived:
    """Something that follows from an event. `kind`, `seat`, `data`:

    pass        an inferred pass of `seat`
    not_passed  `seat` plays: it had not passed, as it was thought (a gesture, a play since taken back)
    round_end   won by `seat`; data: next_leader (or None if unknown), draws (list of seats)
    hand_end    data: hand, finish (seats), points (of this hand, by side), totals, winners
    new_hand    data: hand, leader, dealer
    stand_pat   `seat` exchanged nothing (draw poker)
    """

    kind: str
    seat: int | None = None
    data: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on one event: `before` was inferred to have happened first, `after` follows."""

    event_id: int
    t: float
    kind: str
    seat: int | None
    cards: tuple[str, ...]
    verdict: Level
    codes: tuple[str, ...] = ()
    params: Mapping[str, object] = field(default_factory=dict)
    question: Question | None = None
    before: tuple[Derived, ...] = ()
    after: tuple[Derived, ...] = ()
    certainty: float = 1.0
    seat_certainty: float = 1.0
    hand: int = 1
    findings: tuple["Finding", ...] = ()

    @property
    def inferred_passes(self) -> tuple[int, ...]:
        """Seats that must have passed, unseen, before this event."""
        return tuple(d.seat for d in self.before if d.kind == "pass" and d.seat is not None)


@dataclass(frozen=True, slots=True)
class Finding:
    """A check in hindsight: `code`, `params`, and the events that it is about."""

    code: str
    params: Mapping[str, object]
    events: tuple[int, ...]
    hand: int
