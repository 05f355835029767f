"""Points of a hand and standing of a match, for every way of scoring."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from referee.cards import JOKERS, UNKNOWN
from referee.rules import Rules

POINT_CARDS = {"5": 5, "T": 10, "K": 10}
TEAM_NAMES = ("EW", "NS")
"""Teams of `teams` tables: seats 0 and 2 (east, west), seats 1 and 3 (south, north)."""


def card_points(cards: Sequence[str]) -> int:
    """Points of the point cards: a 5 is 5, a ten and a king are 10."""
    return sum(POINT_CARDS.get(card[0], 0) for card in cards)


def rank_points(finish: Sequence[int], seats: int) -> dict[int, int]:
    """N-1 points for the first out, one less for each later one, 0 for the last."""
    return {seat: seats - 1 - place for place, seat in enumerate(finish)}


def rest_ranks(winner: int, left: Mapping[int, int], rules: Rules) -> dict[int, int]:
    """Places after the first is out: by cards left, equal counts share a place."""
    ranks = {winner: 1}
    if rules.rest_rank == "by_remaining":
        for seat, count in left.items():
            ranks[seat] = 2 + sum(other < count for other in left.values())
    return ranks


def loss(cards: Sequence[str], rules: Rules, played_nothing: bool = False) -> int:
    """What a loser pays for the cards left in the hand."""
    jokers = sum(card in JOKERS for card in cards)
    pays = 0 if rules.last_card_free and len(cards) == 1 else len(cards)
    if jokers:
        pays *= 2 if rules.joker_double == "once" else 2**jokers
    return pays * 2 if rules.shut_out_doubles and played_nothing else pays


@dataclass(frozen=True, slots=True)
class TeamScore:
    """A hand of a team game: (`base` + `card_points`) doubled as agreed, plus `bonus`."""

    team: int
    base: int
    card_points: int
    multiplier: int
    bonus: int | None
    total: int


def team_score(
    finish: Sequence[int],
    left: Mapping[int, Sequence[str]],
    played: Mapping[int, int],
    rules: Rules,
) -> TeamScore:
    """The winning side's points: `left` are the cards left by seat, `played` the accepted plays."""
    team = rules.team(finish[0])
    losers = {seat: cards for seat, cards in left.items() if rules.team(seat) != team}
    base = sum(len(cards) for cards in losers.values())
    points = sum(card_points([c for c in cards if c != UNKNOWN]) for cards in losers.values())
    nothing = not sum(count for seat, count in played.items() if rules.team(seat) != team)
    multiplier = 2 if nothing and rules.double_if == "team_played_nothing" else 1
    doubled, plain = (base + points, 0) if rules.double_scope == "total" else (base, points)
    total = doubled * multiplier + plain
    bonus = rules.double_bonus or 0 if is_double_finish(finish, rules) else None
    return TeamScore(team, base, points, multiplier, bonus, total + (bonus or 0))


def is_double_finish(finish: Sequence[int], rules: Rules) -> bool:
    """Whether both partners of a side were the first two out and a bonus was agreed for that."""
    both = len(finish) > 1 and rules.team(finish[0]) == rules.team(finish[1])
    return both and rules.end == "second_out" and rules.double_finish == "bonus"


@dataclass(frozen=True, slots=True)
class Standing:
    """Whether the match is over; `winners` then, `tied` when equal totals must play on."""

    over: bool = False
    winners: tuple[int, ...] = ()
    tied: tuple[int, ...] = ()


def standing(totals: Sequence[int], hands: int, rules: Rules) -> Standing:
    """The standing after `hands` hands with these totals by side."""
    if not totals or rules.match == "single_hands" or rules.scoring in ("none", "places"):
        return Standing()
    best = max(totals)
    top = tuple(side for side, total in enumerate(totals) if total == best)
    if rules.match == "five_hands":
        return Standing(True, top) if hands >= rules.match_hands else Standing()
    if best < rules.target:
        return Standing()
    if len(top) == 1 or rules.tie_at_target == "shared":
        return Standing(True, top)
    return Standing(tied=top)
