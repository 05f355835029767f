"""Answers conformance cases: one question about the rules in, the expected form of result out.

A case is a JSON object {"id", "ruleset", "kind", "options", "input"}; kinds are classify, beats,
sequence, showdown and score. Events of a sequence are strict: a rejected action changes nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from referee import draw_poker as draw
from referee.cards import parse_cards
from referee.combos import Classified, Fault, classify, highest
from referee.errors import RulesError
from referee.hand import Hand, Laid, RoundEnd, after_pass, after_play
from referee.judge import declared_only, judge_pass, judge_play
from referee.ordering import beating, furthest_obstacle
from referee.poker_hands import hand_fault, rank_hand, winners
from referee.rules import Rules, load_rules
from referee.scoring import (
    TEAM_NAMES,
    card_points,
    loss,
    rank_points,
    rest_ranks,
    standing,
    team_score,
)

Answer = dict[str, Any]
_DEFAULT_PLAYERS = 4


def answer_case(case: Mapping[str, Any]) -> Answer:
    """The result of one case. Raises RulesError: `bad_case` (problem), or as `load_rules`."""
    try:
        given = case["input"]
        rules = load_rules(case["ruleset"], case.get("options", {}), given.get("players", _DEFAULT_PLAYERS))
        kind = case["kind"]
        if kind not in ("classify", "beats", "sequence", "showdown", "score"):
            raise RulesError("bad_case", problem=f"unknown kind {kind!r}")
        return _ANSWERS[(rules.family, kind)](given, rules)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as problem:
        raise RulesError("bad_case", problem=f"{type(problem).__name__}: {problem}") from problem


def _classify(given: Mapping[str, Any], rules: Rules) -> Answer:
    found = classify(parse_cards(given["cards"]), rules)
    if isinstance(found, Fault):
        named = {"named": found.named} if found.named else {}
        return {"ok": False, "reason": found.reason, **named}
    readings = [{"type": r.type, "key": r.key, "n": r.n, "wild": r.wild} for r in found]
    more = {"needs_declaration": True} if len(found) > 1 else {}
    return {"ok": True, "readings": readings, **more}


def _beats(given: Mapping[str, Any], rules: Rules) -> Answer:
    table = declared_only(classify(parse_cards(given["table"]), rules), given.get("table_as"))
    if isinstance(table, Fault):
        raise RulesError("bad_case", problem=f"the table is no combination: {table.reason}")
    play: Classified = classify(parse_cards(given["play"]), rules)
    play = declared_only(play, given.get("play_as"))
    if isinstance(play, Fault):
        return {"beats": False, "reason": play.reason}
    top = highest(table)
    if beating(top, play, rules):
        return {"beats": True}
    return {"beats": False, "reason": furthest_obstacle(top, play, rules)}


def _sequence(given: Mapping[str, Any], rules: Rules) -> Answer:
    hand = _start(given, rules)
    verdicts: list[str] = []
    rounds: list[Answer] = []
    seen: list[str] = []
    for index, event in enumerate(given["events"]):
        seat, cards = event[0], event[1]
        if not 0 <= seat < rules.seats:
            raise RulesError("bad_case", problem=f"event {index}: no seat {seat}")
        ended: RoundEnd | None = None
        if cards == "pass":
            code = judge_pass(hand, rules, seat).code
            if code is None:
                hand, ended = after_pass(hand, rules, seat)
        else:
            declared = event[2].get("as") if len(event) > 2 else None
            laid = parse_cards(cards)
            ruling = judge_play(hand, rules, seat, laid, declared, seen)
            code = ruling.code
            if code is None:
                seen += laid
                hand, ended = after_play(hand, rules, Laid(seat, laid, ruling.reading, index))
        verdicts.append(code or "ok")
        if ended is not None:
            draws = {"draws": list(ended.draws)} if "stock" in given else {}
            rounds.append(
                {
                    "end_after": index,
                    "winner": ended.winner,
                    "next_leader": ended.next_leader,
                    **draws,
                }
            )
    result: Answer = {
        "verdicts": verdicts,
        "rounds": rounds,
        "finish": list(hand.finish),
        "hand_over": hand.over,
        "to_act": hand.to_act,
    }
    if hand.over and rules.scoring == "rank_points":
        result["scores"] = _by_seat(rank_points(hand.finish, rules.seats), rules.seats)
    if "stock" in given:
        result["stock"] = hand.stock
        result["counts"] = list(hand.counts)
    return result


def _start(given: Mapping[str, Any], rules: Rules) -> Hand:
    counts = tuple(given["counts"])
    if len(counts) != rules.seats:
        raise RulesError("bad_case", problem=f"counts needs {rules.seats} numbers")
    known = given.get("hands", {})
    hands = tuple(parse_cards(known[str(s)]) if str(s) in known else None for s in range(rules.seats))
    return Hand(
        counts=counts,
        to_act=given["leader"],
        finish=tuple(given.get("out", ())),
        opening=bool(given.get("hand_start")),
        stock=given.get("stock"),
        hands=hands,
    )


def _by_seat(points: Mapping[int, int], seats: int) -> dict[str, int]:
    return {str(seat): points.get(seat, 0) for seat in range(seats)}


def _climbing_score(given: Mapping[str, Any], rules: Rules) -> Answer:
    return _SCORES[rules.scoring](given, rules)


def _rest_rank_score(given: Mapping[str, Any], rules: Rules) -> Answer:
    left = {int(seat): count for seat, count in given.get("left_counts", {}).items()}
    ranks = rest_ranks(given["winner"], left, rules)
    return {"ranks": {str(seat): rank for seat, rank in ranks.items()}}


def _place_score(given: Mapping[str, Any], rules: Rules) -> Answer:
    totals = [0] * rules.seats
    for finish in given["hands"]:
        for seat, points in rank_points(finish, rules.seats).items():
            totals[seat] += points if rules.scoring == "rank_points" else 0
    state = standing(totals, len(given["hands"]), rules)
    result: Answer = {
        "totals": _by_seat(dict(enumerate(totals)), rules.seats),
        "match_over": state.over,
        "winners": list(state.winners),
    }
    if state.tied:
        result["tied"] = list(state.tied)
    return result


def _team_score(given: Mapping[str, Any], rules: Rules) -> Answer:
    if "hand_totals" in given:
        return _team_match(given["hand_totals"], rules)
    left = {int(seat): parse_cards(cards) for seat, cards in given["left"].items()}
    plays = {int(seat): count for seat, count in given["plays"].items()}
    score = team_score(given["out"], left, plays, rules)
    result: Answer = {
        "winning_team": TEAM_NAMES[score.team],
        "base": score.base,
        "card_points": score.card_points,
        "multiplier": score.multiplier,
        "total": score.total,
    }
    if score.bonus is not None:
        result["bonus"] = score.bonus
    if rules.captured_points and "captured" in given:
        result["captured_points"] = {team: card_points(parse_cards(cards)) for team, cards in given["captured"].items()}
    return result


def _team_match(hands: Sequence[tuple[str, int]], rules: Rules) -> Answer:
    totals = [0, 0]
    winner: str | None = None
    for team, points in hands:
        totals[TEAM_NAMES.index(team)] += points
        state = standing(totals, len(hands), rules)
        if winner is None and state.over:
            winner = TEAM_NAMES[state.winners[0]]
    named = dict(zip(TEAM_NAMES, totals, strict=True))
    return {"totals": named, "match_over": winner is not None, "winner": winner}


def _loss_score(given: Mapping[str, Any], rules: Rules) -> Answer:
    left = {int(seat): parse_cards(cards) for seat, cards in given["left"].items()}
    losers = sorted(seat for seat in left if seat != given["winner"])
    if rules.scoring == "winner_only":
        return {"winners": [given["winner"]], "losers": losers}
    losses = {str(seat): loss(left[seat], rules) for seat in losers}
    return {"losses": losses, "winner_gain": sum(losses.values())}


_SCORES: Mapping[str, Callable[[Mapping[str, Any], Rules], Answer]] = {
    "none": _rest_rank_score,
    "places": _place_score,
    "rank_points": _place_score,
    "team_cards_left": _team_score,
    "cards_left": _loss_score,
    "winner_only": _loss_score,
}


def _draw_classify(given: Mapping[str, Any], rules: Rules) -> Answer:
    cards = parse_cards(given["cards"])
    fault = hand_fault(cards, rules)
    if fault:
        return {"ok": False, "reason": fault[0]}
    hand = rank_hand(cards, rules.ace_low_straight)
    return {"ok": True, "category": hand.category, "ranks": hand.ranks}


def _showdown(given: Mapping[str, Any], rules: Rules) -> Answer:
    hands = [rank_hand(parse_cards(cards), rules.ace_low_straight) for cards in given["hands"]]
    return {"winners": winners(hands), "categories": [hand.category for hand in hands]}


def _draw_sequence(given: Mapping[str, Any], rules: Rules) -> Answer:
    hand = draw.new_draw_hand(given["dealer"], rules)
    verdicts: list[str] = []
    for seat, verb, *rest in given["events"]:
        value = rest[0] if rest else None
        flags = {name for name, on in (rest[1] if len(rest) > 1 else {}).items() if on}
        code, hand = _draw_action(hand, rules, seat, verb, value, flags)
        verdicts.append(code or "ok")
    done = hand.to_act(rules) is None
    result: Answer = {"verdicts": verdicts, "exchange_done": done}
    if hand.over:
        won = draw.showdown(hand, rules)
        result["winners"] = list(won)
        result["next_dealer"] = draw.next_dealer(hand.dealer, won, rules)
        result["scores"] = _by_seat(draw.hand_points(won, rules), rules.seats)
    return result


_ZONE_CODES = {
    "take_discard": "discard_taken_back",
    "return_to_stock": "discard_returned_to_stock",
    "cover_discard": "discard_covered",
    "clear_discards": "discards_cleared_early",
}
"""What is never allowed before the end of the hand, whoever does it and whenever."""


def _draw_action(
    hand: draw.DrawHand, rules: Rules, seat: int, verb: str, value: Any, flags: set[str]
) -> tuple[str | None, draw.DrawHand]:
    """One strict action: the code against it, and the hand after it."""
    code: str | None
    if verb == "announce":
        code = draw.judge_announce(hand, rules, seat, value)
        return code, hand if code else draw.after_announce(hand, rules, seat, value)
    if verb == "discard":
        cards = parse_cards(value)
        code = draw.judge_discard(hand, rules, seat, cards, flags)
        return code, hand if code else draw.after_discard(hand, seat, cards)
    if verb == "draw":
        code = draw.judge_draw(hand, rules, seat, value)
        return code, hand if code else draw.after_draw(hand, seat)
    if verb == "show":
        cards = parse_cards(value)
        code = draw.judge_show(hand, rules, seat, cards)
        return code, hand if code else draw.after_show(hand, seat, cards)
    if verb not in _ZONE_CODES:
        raise RulesError("bad_case", problem=f"unknown verb {verb!r}")
    if hand.over:
        return None if verb == "clear_discards" else "hand_over", hand
    return _ZONE_CODES[verb], hand


def _draw_score(given: Mapping[str, Any], rules: Rules) -> Answer:
    totals = dict.fromkeys(range(rules.seats), 0)
    for won in given["hand_winners"]:
        for seat, points in draw.hand_points(won, rules).items():
            totals[seat] += points
    return {"totals": _by_seat(totals, rules.seats)}


_ANSWERS: Mapping[tuple[str, str], Callable[[Mapping[str, Any], Rules], Answer]] = {
    ("climbing", "classify"): _classify,
    ("climbing", "beats"): _beats,
    ("climbing", "sequence"): _sequence,
    ("climbing", "score"): _climbing_score,
    ("draw", "classify"): _draw_classify,
    ("draw", "showdown"): _showdown,
    ("draw", "sequence"): _draw_sequence,
    ("draw", "score"): _draw_score,
}


def equal_results(ours: Any, expected: Any) -> bool:
    """Whether two results say the same: `readings` are compared as a set."""
    if isinstance(ours, dict) and isinstance(expected, dict) and "readings" in ours:
        same = {**expected, "readings": _as_set(expected.get("readings", []))}
        return {**ours, "readings": _as_set(ours["readings"])} == same
    return bool(ours == expected)


def _as_set(readings: Sequence[Mapping[str, object]]) -> list[list[tuple[str, str]]]:
    return sorted(sorted((k, str(v)) for k, v in reading.items()) for reading in readings)
