"""Does this beat that, and if not, why not (the relation `beats` of every ruleset)."""

from collections.abc import Sequence

from referee.combos import TWO, Reading
from referee.rules import Rules
from referee.verdicts import COMPARISON_CODES

_CLASS = {
    "single": 0,
    "pair": 1,
    "triple": 2,
    "pair_run": 3,
    "straight": 3,
    "bomb": 4,
    "joker_bomb": 4,
}
"""Classes of `follow_mode=hierarchy`, lowest first; other shapes count as a straight."""


def obstacle(table: Reading, play: Reading, rules: Rules) -> str | None:
    """Why `play` doesn't beat `table`; None if it does.

    Irreflexive and asymmetric under every set of options (not transitive with `exact_next`).
    """
    immune = rules.single_two_immune and table.type == "single" and table.height == TWO
    if immune and play.type != "single":
        return "single_two_immune"
    if play.is_bomb and table.type == "triple" and not rules.bomb_beats_triple:
        return "wrong_type"
    if play.is_bomb and table.is_bomb:
        return _bombs(table, play, rules)
    if rules.follow_mode == "hierarchy":
        difference = _CLASS.get(play.type, 3) - _CLASS.get(table.type, 3)
        if difference:
            return "lower_type" if difference < 0 else None
    elif rules.follow_mode == "same_type_or_bomb" and play.is_bomb:
        return None
    if play.type != table.type:
        return "wrong_type"
    if play.n != table.n:
        if play.type == "straight" and rules.longer_run_beats_shorter:
            return None if play.n > table.n else "not_higher"
        return "wrong_count"
    if play.height <= table.height:
        return "not_higher"
    return _jump(table, play, rules.exact_next, rules)


def _bombs(table: Reading, play: Reading, rules: Rules) -> str | None:
    if table.type == "joker_bomb" or play.type == "joker_bomb":
        return "not_higher" if table.type == "joker_bomb" else None
    if play.n != table.n:
        return None if play.n > table.n else "not_higher"
    if play.height == table.height and rules.pure_bomb_beats_wild and table.wild and not play.wild:
        return None
    if play.height <= table.height:
        return "not_higher"
    exact = rules.exact_next | {"bomb"} if rules.bomb_compare == "exactly_one" else rules.exact_next
    return _jump(table, play, exact, rules)


def _jump(table: Reading, play: Reading, exact: frozenset[str], rules: Rules) -> str | None:
    """A higher play of the same type: is the step small enough?"""
    if play.type not in exact or play.height == table.height + 1:
        return None
    if play.height == TWO and play.type in rules.two_tops:
        return None
    return "must_be_exactly_one_higher"


def beating(table: Reading, plays: Sequence[Reading], rules: Rules) -> tuple[Reading, ...]:
    """Those readings of a set that beat the table."""
    return tuple(play for play in plays if obstacle(table, play, rules) is None)


def furthest_obstacle(table: Reading, plays: Sequence[Reading], rules: Rules) -> str:
    """The reason to report when none of the readings beats the table."""
    reasons = [obstacle(table, play, rules) or "" for play in plays]
    return max(reasons, key=COMPARISON_CODES.index)


def answers(table: Reading | None, rules: Rules) -> list[dict[str, object]]:
    """What kinds of play would be legal on `table` (a lead: None), without looking at any hand.

    Each is {"type", "n"} with "above" (any higher rank), "exactly" (that rank) or "any" (rank; with
    "longer": of `n` cards or more).
    """
    if table is None:
        names = [t for t in sorted(rules.types) if t != "bomb" or rules.bomb_may_lead]
        return [{"type": name, "any": True} for name in names]
    found: list[dict[str, object]] = []
    same: dict[str, object] = {"type": table.type, "n": table.n}
    exact = table.type in rules.exact_next or (table.type == "bomb" and rules.bomb_compare == "exactly_one")
    if any(
        obstacle(table, Reading(table.type, height, table.n), rules) is None
        for height in range(table.height + 1, TWO + 1)
    ):
        if exact and table.height + 1 <= TWO:
            found.append({**same, "exactly": "3456789TJQKA2"[table.height + 1]})
            if table.type in rules.two_tops and table.height + 1 < TWO:
                found.append({**same, "exactly": "2"})
        else:
            found.append({**same, "above": table.key})
    if table.type == "straight" and rules.longer_run_beats_shorter:
        found.append({"type": "straight", "n": table.n + 1, "longer": table.n, "any": True})
    if table.type == "bomb" and any(size > table.n for size in rules.bomb_sizes):
        found.append({"type": "bomb", "n": table.n + 1, "longer": table.n, "any": True})
    if not table.is_bomb and "bomb" in rules.types and rules.bomb_sizes:
        bomb = Reading("bomb", TWO, rules.bomb_sizes[0])
        if obstacle(table, bomb, rules) is None:
            found.append({"type": "bomb", "any": True})
    if rules.follow_mode == "hierarchy":
        rest = sorted(rules.types - {"bomb"})
        higher = [name for name in rest if _CLASS.get(name, 3) > _CLASS.get(table.type, 3)]
        found.extend({"type": name, "any": True} for name in higher)
    if rules.joker_bomb and table.type != "joker_bomb":
        found.append({"type": "joker_bomb", "any": True})
    return found
