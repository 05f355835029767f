"""A match: hands one after the other, who leads and deals, scores, house rules that change."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from referee.draw_poker import DrawHand, hand_points, new_draw_hand, next_dealer, showdown
from referee.errors import RulesError
from referee.events import Event
from referee.hand import Hand, Laid
from referee.rules import Rules
from referee.scoring import (
    is_double_finish,
    loss,
    rank_points,
    rest_ranks,
    standing,
    team_score,
)
from referee.setup import MatchSetup
from referee.verdicts import Derived

FIXED_OPTIONS = ("teams", "players")
"""House rules that can't change in a match: sides and seats are those of its first deal."""


@dataclass(frozen=True, slots=True)
class HandResult:
    """How a hand ended: `finish` are the seats in the order of going out (the winners first),
    `points` by side (a seat, or a team), `places` of the seats if the game ranks them, `open` the
    seats whose cards left must still be shown before the points are final, `detail` the parts."""

    hand: int
    finish: tuple[int, ...]
    points: tuple[int, ...]
    places: Mapping[int, int] = field(default_factory=dict)
    open: tuple[int, ...] = ()
    detail: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Pending:
    """A play that broke a rule and still lies there: taken back, or left standing?"""

    event: Event
    code: str
    laid: Laid


@dataclass(frozen=True, slots=True)
class ClimbingState:
    """The table of a climbing game: the hand by the rules, and what is only assumed about it.

    `assumed`: the counts are those of the deal, nobody counted. `turn_certain`: the seat to act
    follows from seats that were seen. `guessed`: passes that were only inferred. `revocable`: those
    of them that rest on a gesture or on a play that doesn't stand: none, if the seat plays after all.
    `undo`: each accepted play of the round with the state before it. `seen`: cards that lay open in
    this hand, without those whose names are in doubt.
    `left`: hands that were opened at the end. `resume`: how the hand goes on if its end was
    wrongly assumed. `swept`: the table was cleared after the end. `shaky`: a play or
    a seat was in doubt, so that turns and counts may be wrong. `opener`: seat and event of the
    first play; `opened_by_card`: the holder of the start card had to make it.
    """

    hand: Hand
    assumed: bool = True
    turn_certain: bool = True
    guessed: frozenset[int] = frozenset()
    revocable: frozenset[int] = frozenset()
    pending: Pending | None = None
    undo: tuple[tuple[Event, "ClimbingState"], ...] = ()
    seen: tuple[str, ...] = ()
    round_cards: tuple[str, ...] = ()
    captured: tuple[tuple[str, ...], ...] = ()
    plays: tuple[int, ...] = ()
    left: tuple[tuple[str, ...] | None, ...] = ()
    resume: "ClimbingState | None" = None
    swept: bool = False
    started: bool = False
    shaky: bool = False
    opener: tuple[int, int] | None = None
    opened_by_card: bool = False


@dataclass(frozen=True, slots=True)
class DrawState:
    """The table of draw poker: `guessed` are seats whose standing pat was only inferred, `revocable`
    those of them that only a gesture told since the last discard; `faulty` are discards that broke
    a rule; `undo` each discard or show with the state before it."""

    hand: DrawHand
    dealer_known: bool = True
    guessed: frozenset[int] = frozenset()
    revocable: frozenset[int] = frozenset()
    faulty: frozenset[int] = frozenset()
    undo: tuple[tuple[Event, "DrawState"], ...] = ()
    started: bool = False
    swept: bool = False


@dataclass(frozen=True, slots=True)
class Match:
    """The match so far. `results` has one entry a finished hand; `totals` are by side (seat or
    team); `changes` are house rules that were changed during the match; `fallback` is the match
    before a hand that only perhaps began."""

    setup: MatchSetup
    rules: Rules
    table: ClimbingState | DrawState
    hand_no: int = 1
    dealer: int | None = None
    results: tuple[HandResult, ...] = ()
    totals: tuple[int, ...] = ()
    over: bool = False
    winners: tuple[int, ...] = ()
    tied: tuple[int, ...] = ()
    changes: Mapping[str, object] = field(default_factory=dict)
    fallback: "Match | None" = None

    @property
    def sides(self) -> int:
        """How many sides score: two teams, or every seat for itself."""
        return 2 if self.rules.teams else self.rules.seats


def new_match(setup: MatchSetup, changes: Mapping[str, object]) -> Match:
    """A match before its first event. Raises RulesError as `MatchSetup.check`."""
    setup.check()
    rules = setup.rules(changes)
    leader = setup.first_leader
    table = deal(rules, setup.dealer, leader, setup.counts, opening=True)
    sides = 2 if rules.teams else rules.seats
    return Match(setup, rules, table, 1, setup.dealer, totals=(0,) * sides, changes=changes)


def deal(
    rules: Rules,
    dealer: int | None,
    leader: int | None,
    counts: tuple[int, ...] | None,
    opening: bool,
) -> ClimbingState | DrawState:
    """The table of a hand before its first event."""
    if rules.family == "draw":
        known = dealer is not None
        if dealer is None and leader is not None:
            dealer, known = (leader - rules.step) % rules.seats, True
        return DrawState(new_draw_hand(dealer or 0, rules), dealer_known=known)
    if rules.first_lead == "dealer":
        dealer = leader if dealer is None else dealer
        leader = dealer if leader is None else leader
    elif rules.first_lead == "left_of_dealer" and leader is None and rules.direction == "cw":
        leader = None if dealer is None else (dealer + 1) % rules.seats
    dealt: tuple[int | None, ...] = counts if counts is not None else assumed_counts(rules, dealer)
    hand = Hand(
        counts=dealt,
        to_act=leader,
        opening=opening and rules.first_lead == "holder",
        stock=_stock(rules, dealt),
    )
    nothing: tuple[tuple[str, ...], ...] = ((),) * rules.seats
    return ClimbingState(
        hand,
        assumed=counts is None,
        captured=nothing,
        plays=(0,) * rules.seats,
        left=(None,) * rules.seats,
        opened_by_card=hand.opening,
    )


def assumed_counts(rules: Rules, dealer: int | None) -> tuple[int | None, ...]:
    """Cards that the deal of the ruleset gives to each seat; None where that depends on a dealer
    whom nobody named."""
    seats = rules.seats
    if rules.deal:
        if dealer is None:
            return (None,) * seats
        return tuple(rules.deal[0 if seat == dealer else 1] for seat in range(seats))
    each, rest = divmod(rules.deck_size, seats)
    if rest == 0 or rules.leftover == "aside":
        return (each,) * seats
    if dealer is None or rules.leftover != "deal_on":
        return (None,) * seats
    step = 1 if rules.deal_direction == "cw" else -1
    extra = {(dealer + step * k) % seats for k in range(1, rest + 1)}
    return tuple(each + (seat in extra) for seat in range(seats))


def _stock(rules: Rules, counts: tuple[int | None, ...]) -> int | None:
    if rules.leftover != "stock":
        return None
    if rules.deal:
        return rules.deck_size - rules.deal[0] - rules.deal[1] * (rules.seats - 1)
    return rules.deck_size - sum(count or 0 for count in counts)


def begin_hand(match: Match, data: Mapping[str, object] | None = None) -> tuple[Match, Derived]:
    """The next hand: house rules that were changed hold from here on; `data` may name its leader,
    dealer and counts."""
    data = data or {}
    rules = match.setup.rules(match.changes)
    last = match.results[-1] if match.results and match.results[-1].hand == match.hand_no else None
    winner = last.finish[0] if last and last.finish else None
    leader, dealer, opening = None, None, False
    if rules.family == "draw":
        state = match.table
        won = last.finish if last else ()
        if isinstance(state, DrawState) and state.dealer_known:
            dealer = next_dealer(state.hand.dealer, won, rules)
    elif rules.next_hand_lead == "same_as_first" or winner is None:
        opening = True
    else:
        leader = winner
        dealer = winner if rules.next_hand_lead == "winner_is_dealer" else None
    if isinstance(match.table, ClimbingState) and match.table.shaky:
        leader, dealer = None, None
    leader = _seat(data.get("leader"), rules, leader)
    dealer = _seat(data.get("dealer"), rules, dealer)
    table = deal(rules, dealer, leader, _counts(data.get("counts"), rules), opening)
    number = match.hand_no + 1
    match = replace(match, rules=rules, table=table, hand_no=number, dealer=dealer, fallback=None)
    return match, Derived("new_hand", None, {"hand": number, "leader": leader, "dealer": dealer})


def _seat(value: object, rules: Rules, default: int | None) -> int | None:
    return value if type(value) is int and 0 <= value < rules.seats else default


def _counts(value: object, rules: Rules) -> tuple[int, ...] | None:
    if not isinstance(value, (list, tuple)) or len(value) != rules.seats:
        return None
    good = all(type(count) is int and count >= 0 for count in value)
    return tuple(int(count) for count in value) if good else None


def score_hand(match: Match) -> tuple[Match, Derived]:
    """The result of a hand that is over, put in place of an earlier result of the same hand."""
    result = _result(match)
    results = match.results
    if results and results[-1].hand == match.hand_no:
        results = results[:-1]
    results = (*results, result)
    totals = totals_of(results, match)
    state = standing(totals, len(results), match.rules)
    match = replace(
        match,
        results=results,
        totals=totals,
        over=state.over,
        winners=state.winners,
        tied=state.tied,
    )
    data: dict[str, Any] = {
        "hand": match.hand_no,
        "finish": list(result.finish),
        "points": list(result.points),
        "totals": list(totals),
        "open": list(result.open),
        "match_over": state.over,
        "winners": list(state.winners),
    }
    return match, Derived("hand_end", None, data)


def totals_of(results: tuple[HandResult, ...], match: Match) -> tuple[int, ...]:
    """The totals by side after these hands of the match."""
    totals = [0] * match.sides
    for result in results:
        for side, points in enumerate(result.points):
            totals[side] += points
        if "resets" in result.detail:
            totals[int(str(result.detail["resets"]))] = 0
    return tuple(totals)


def _result(match: Match) -> HandResult:
    if isinstance(match.table, DrawState):
        won = showdown(match.table.hand, match.rules)
        gained = hand_points(won, match.rules)
        points = tuple(gained.get(seat, 0) for seat in range(match.rules.seats))
        return HandResult(match.hand_no, won, points)
    return _climbing_result(match, match.table)


def _climbing_result(match: Match, table: ClimbingState) -> HandResult:
    rules, finish = match.rules, table.hand.finish
    seats = range(rules.seats)
    none = (0,) * match.sides
    number = match.hand_no
    if rules.scoring in ("places", "rank_points"):
        gained = rank_points(finish, rules.seats) if rules.scoring == "rank_points" else {}
        places = {seat: place for place, seat in enumerate(finish, start=1)}
        return HandResult(number, finish, tuple(gained.get(s, 0) for s in seats), places)
    if rules.scoring == "none":
        counts = table.hand.counts
        left = {s: _left_count(table, s) for s in seats if s != finish[0]}
        if rules.rest_rank == "none" or None in left.values():
            waiting = tuple(s for s in left if counts[s] is None and rules.rest_rank != "none")
            return HandResult(number, finish, none, {finish[0]: 1}, waiting)
        return HandResult(number, finish, none, rest_ranks(finish[0], _whole(left), rules))
    losers = [s for s in seats if rules.team(s) != rules.team(finish[0])]
    if rules.scoring == "winner_only":
        return HandResult(number, finish, none, {finish[0]: 1})
    waiting = tuple(s for s in losers if table.left[s] is None and table.hand.counts[s] != 0)
    cards = {s: table.left[s] or ("?",) * (_left_count(table, s) or 0) for s in seats}
    if rules.scoring == "cards_left":
        points = [0] * rules.seats
        for seat in losers:
            points[seat] = -loss(cards[seat], rules, table.plays[seat] == 0)
        points[finish[0]] = -sum(points)
        return HandResult(number, finish, tuple(points), {finish[0]: 1}, waiting)
    score = team_score(finish, cards, dict(enumerate(table.plays)), rules)
    detail: dict[str, object] = {
        "team": score.team,
        "base": score.base,
        "card_points": score.card_points,
        "multiplier": score.multiplier,
        "bonus": score.bonus,
    }
    if is_double_finish(finish, rules) and rules.double_finish_resets == "match":
        detail["resets"] = 1 - score.team
    gained = {score.team: score.total}
    return HandResult(number, finish, (gained.get(0, 0), gained.get(1, 0)), {}, waiting, detail)


def _left_count(table: ClimbingState, seat: int) -> int | None:
    shown = table.left[seat]
    return len(shown) if shown is not None else table.hand.counts[seat]


def _whole(left: Mapping[int, int | None]) -> dict[int, int]:
    return {seat: count for seat, count in left.items() if count is not None}


def change_option(match: Match, name: object, value: object) -> Match:
    """A house rule that holds from the next hand on. Raises RulesError: `unknown_option`,
    `option_out_of_range`, `player_count`."""
    if name in FIXED_OPTIONS:
        raise RulesError("bad_event", field="option", problem=f"{name} is fixed for the match")
    changes = {**match.changes, str(name): value}
    try:
        match.setup.rules(changes)
    except TypeError as problem:
        raise RulesError("bad_event", field="value", problem=str(problem)) from problem
    return replace(match, changes=changes)
