"""Is this action legal in this hand? Codes and their order of precedence are in `verdicts.py`."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from referee.cards import HEIGHT, JOKERS, UNKNOWN
from referee.combos import TWO, Classified, Fault, Reading, classify, highest, read_counts
from referee.hand import Hand, Laid
from referee.ordering import answers, beating, furthest_obstacle, obstacle
from referee.rules import Rules


@dataclass(frozen=True, slots=True)
class Ruling:
    """`code` is None when the action is legal; `reading` is what the cards count as then."""

    code: str | None
    reading: Reading | None = None
    params: Mapping[str, object] = field(default_factory=dict)
    readings: tuple[Reading, ...] = ()


def turn_obstacle(hand: Hand, rules: Rules, seat: int, passing: bool) -> str | None:
    """Why `seat` may not act now at all."""
    if hand.over:
        return "hand_over"
    if seat in hand.finish:
        return "already_out"
    if rules.pass_lockout and seat in hand.passed:
        return "redundant_pass" if passing else "passed_this_round"
    if hand.to_act is not None and seat != hand.to_act:
        return "out_of_turn"
    return "cannot_pass_on_lead" if passing and hand.table is None else None


def judge_pass(hand: Hand, rules: Rules, seat: int) -> Ruling:
    """A pass of `seat`, strictly in turn."""
    code = turn_obstacle(hand, rules, seat, passing=True)
    if code is None and rules.must_beat and hand.table and hand.table.reading:
        known = hand.hands[seat] if hand.hands else None
        if known is not None and can_beat(known, hand.table.reading, rules):
            code = "must_beat"
    return Ruling(code)


def judge_play(
    hand: Hand,
    rules: Rules,
    seat: int,
    cards: Sequence[str],
    declared: str | None = None,
    seen: Sequence[str] = (),
) -> Ruling:
    """A play of `seat`, strictly in turn. `declared`: what its jokers stand for; `seen`: cards that
    were played before in this hand."""
    code = turn_obstacle(hand, rules, seat, passing=False)
    if code is not None:
        return Ruling(code, params={"to_act": hand.to_act} if code == "out_of_turn" else {})
    ruling = judge_cards(hand, rules, seat, cards, declared)
    again = repeated(seen, cards, rules)
    if again and ruling.code not in ("empty_play", "card_not_in_deck"):
        return Ruling("duplicate_card", params={"card": again[0]})
    return ruling


def repeated(seen: Sequence[str], cards: Sequence[str], rules: Rules) -> tuple[str, ...]:
    """Cards that would lie open in this hand more often than the deck has them."""
    return tuple(
        card
        for card in dict.fromkeys(cards)
        if card != UNKNOWN and rules.copies(card) and seen.count(card) + cards.count(card) > rules.copies(card)
    )


def judge_cards(hand: Hand, rules: Rules, seat: int, cards: Sequence[str], declared: str | None = None) -> Ruling:
    """The cards of a play, leaving aside whose turn it is."""
    found = declared_only(classify(cards, rules), declared)
    if isinstance(found, Fault):
        return Ruling(found.reason, params=_fault_params(found, rules))
    code = _held_obstacle(hand, seat, cards)
    if code:
        return Ruling(code, params={"expected": hand.counts[seat], "got": len(cards)})
    if hand.opening and needs_start_card(rules) and rules.start_card not in cards:
        return Ruling("must_contain_start_card", params={"card": rules.start_card})
    if hand.table is None:
        if all(r.is_bomb for r in found) and not rules.bomb_may_lead:
            return Ruling("bomb_cannot_lead", readings=found)
        playable = found if rules.bomb_may_lead else tuple(r for r in found if not r.is_bomb)
    else:
        assert hand.table.reading is not None
        playable = beating(hand.table.reading, found, rules)
        if not playable:
            code = furthest_obstacle(hand.table.reading, found, rules)
            return Ruling(code, highest(found), {"got": len(cards)}, found)
    if len(playable) > 1 and rules.joker_reading == "declare_required":
        return Ruling("needs_declaration", None, {}, playable)
    return Ruling(None, highest(playable), {}, playable)


def needs_start_card(rules: Rules) -> bool:
    """Whether the first play of a hand that the start card opens must contain it."""
    return rules.first_lead == "holder" and rules.must_contain_start_card


def declared_only(found: Classified, declared: str | None) -> Classified:
    """A declaration binds: only the declared reading counts."""
    if declared is None or isinstance(found, Fault):
        return found
    kept = tuple(r for r in found if f"{r.type}:{r.key}" == declared)
    return kept or Fault("not_a_combination")


def _held_obstacle(hand: Hand, seat: int, cards: Sequence[str]) -> str | None:
    """Whether the seat can hold these cards; a partly known hand proves nothing."""
    known, count = hand.hands[seat] if hand.hands else None, hand.counts[seat]
    complete = known is not None and (count is None or len(known) >= count)
    if complete and Counter(c for c in cards if c != UNKNOWN) - Counter(known):
        return "not_in_hand"
    if count is not None and len(cards) > count:
        return "more_cards_than_hand"
    return None


def _fault_params(fault: Fault, rules: Rules) -> dict[str, object]:
    params: dict[str, object] = {}
    if fault.named:
        params["named"] = fault.named
    if fault.card:
        params["card"] = fault.card
    if fault.reason in ("run_too_short", "run_too_long"):
        params["least"] = rules.straight_min
        params["most"] = rules.straight_max
        params["least_pairs"] = rules.pair_run_min
        params["most_pairs"] = rules.pair_run_max
    return params


def describe(reading: Reading | None, cards: Sequence[str], seat: int | None = None) -> dict[str, object]:
    """A combination as parameters for the catalogs."""
    words: dict[str, object] = {"cards": list(cards), "n": len(cards)}
    if seat is not None:
        words["seat"] = seat
    if reading is not None:
        words.update(type=reading.type, key=reading.key, wild=reading.wild)
    return words


def explain(
    table: Laid | None, rules: Rules, seat: int | None, cards: Sequence[str], ruling: Ruling
) -> dict[str, object]:
    """The parameters of a verdict: the table, what was played, what would have been legal."""
    params = dict(ruling.params)
    if cards:
        params["played"] = describe(ruling.reading, cards, seat)
    if table is not None:
        params["table"] = describe(table.reading, table.cards, table.seat)
    if ruling.code is not None and (table is None or table.reading is not None):
        params["legal"] = answers(table.reading if table else None, rules)
    return params


def can_beat(cards: Sequence[str], table: Reading, rules: Rules) -> bool:
    """Whether a known hand holds any answer to the table (for the `must_beat` house rule)."""
    jokers = sum(c in JOKERS for c in cards) if rules.jokers_wild else 0
    counts = Counter(HEIGHT[c[0]] for c in cards if c not in JOKERS and c != UNKNOWN)
    if rules.joker_bomb and {"X", "Y"} <= set(cards) and _beats(table, "joker_bomb", TWO + 1, 2, rules):
        return True
    for kind, width in (("single", 1), ("pair", 2), ("triple", 3)):
        if _any_group(kind, (width,), counts, jokers, table, rules):
            return True
    sizes = (*rules.bomb_sizes, 3) if rules.triple_is_bomb else rules.bomb_sizes
    if _any_group("bomb", sizes, counts, jokers, table, rules):
        return True
    runs = (("straight", 1), ("pair_run", 2), ("triple_run", 3))
    if any(_any_run(kind, width, counts, jokers, table, rules) for kind, width in runs):
        return True
    kickers = (("triple_plus_one", 1), ("triple_plus_pair", 2), ("triple_plus_two", 2))
    for kind, extra in kickers:
        for height in range(13):
            if kind not in rules.types or not _beats(table, kind, height, 3 + extra, rules):
                continue
            rest = [c for h, c in counts.items() if h != height]
            enough = max(rest, default=0) >= 2 if kind == "triple_plus_pair" else sum(rest) >= extra
            if counts[height] >= 3 and enough:
                return True
    return False


def _beats(table: Reading, kind: str, height: int, n: int, rules: Rules) -> bool:
    return obstacle(table, Reading(kind, height, n), rules) is None


def _any_group(
    kind: str,
    sizes: Sequence[int],
    counts: Counter[int],
    jokers: int,
    table: Reading,
    rules: Rules,
) -> bool:
    if kind not in rules.types:
        return False
    for size in sizes:
        for height in range(13):
            wild = jokers if height != TWO or rules.joker_as_two else 0
            natural = counts[height] if counts[height] or not rules.joker_needs_natural else -99
            if natural + wild >= size and _beats(table, kind, height, size, rules):
                return True
    return False


def _any_run(kind: str, width: int, counts: Counter[int], jokers: int, table: Reading, rules: Rules) -> bool:
    """Whether a run of this kind, made of natural cards and jokers, beats the table."""
    if kind not in rules.types:
        return False
    for start in range(13):
        for length in range(2, 14):
            ranks = [(start + k) % 13 for k in range(length)]
            gaps = [r for r in ranks for _ in range(width - counts[r])]
            if len(gaps) > jokers or len(gaps) == width * length:
                continue
            if TWO in gaps and not rules.joker_as_two:
                continue
            wanted = tuple(width if r in ranks else 0 for r in range(13))
            found = read_counts(wanted, width * length, rules)
            if isinstance(found, Reading) and obstacle(table, found, rules) is None:
                return True
    return False
