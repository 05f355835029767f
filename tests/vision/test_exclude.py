"""What the other cards are tells what a card can't be."""

from itertools import product

import numpy as np
import pytest

from vision.cards import READ_CLASSES
from vision.exclude import Floats, exclude


def chances(*cards: dict[str, float]) -> np.ndarray:
    out = np.zeros((len(cards), len(READ_CLASSES)), np.float32)
    for row, card in zip(out, cards, strict=True):
        for name, chance in card.items():
            row[READ_CLASSES.index(name)] = chance
    return out


def weighed(rows: np.ndarray, decks: int = 1, trust: float = 0.95) -> Floats:
    return exclude(rows, np.full((len(rows), len(rows)), trust, np.float32), decks)


def brute(cards: list[dict[str, float]], decks: int) -> list[dict[str, float]]:
    """Marginals over every assignment in which no name occurs more often than there are decks."""
    sums: list[dict[str, float]] = [{} for _ in cards]
    for names in product(*cards):
        if any(names.count(n) > decks for n in names if n != "-"):
            continue
        weight = float(np.prod([card[n] for card, n in zip(cards, names, strict=True)]))
        for one, n in zip(sums, names, strict=True):
            one[n] = one.get(n, 0) + weight
    return [{n: w / sum(one.values()) for n, w in one.items()} for one in sums]


def test_a_blurred_club_beside_the_spade_of_its_rank_is_the_club() -> None:
    sure, blurred = weighed(chances({"6s": 0.99, "6c": 0.01}, {"6s": 0.7, "6c": 0.3}))
    assert READ_CLASSES[int(sure.argmax())] == "6s"
    assert READ_CLASSES[int(blurred.argmax())] == "6c"


def test_two_cards_get_the_chances_of_every_possible_pair() -> None:
    cards = [{"6s": 0.6, "6c": 0.4}, {"6s": 0.7, "6c": 0.25, "-": 0.05}]
    exact = brute(cards, 1)
    for row, wanted in zip(weighed(chances(*cards)), exact, strict=True):
        for name, chance in wanted.items():
            assert row[READ_CLASSES.index(name)] == pytest.approx(chance, abs=0.05)


def test_with_two_decks_a_pair_of_one_name_is_left_alone_and_a_third_is_not() -> None:
    pair = [{"9d": 0.9, "9h": 0.1}] * 2
    assert np.allclose(weighed(chances(*pair), decks=2), chances(*pair), atol=0.01)
    third = weighed(chances(*pair, {"9d": 0.6, "9h": 0.4}), decks=2)[2]
    wanted = brute([*pair, {"9d": 0.6, "9h": 0.4}], 2)[2]
    assert third[READ_CLASSES.index("9h")] == pytest.approx(wanted["9h"], abs=0.08)


def test_rows_stay_chances_and_cards_that_do_not_compete_stay_as_they_were() -> None:
    rng = np.random.default_rng(1)
    raw = rng.dirichlet(np.full(len(READ_CLASSES), 0.05), 30).astype(np.float32)
    assert np.allclose(weighed(raw).sum(1), 1, atol=1e-5)
    apart = chances({"2c": 0.9, "2s": 0.1}, {"Kh": 0.8, "Kd": 0.2})
    assert np.allclose(weighed(apart), apart, atol=1e-4)


def test_what_may_be_the_same_card_excludes_less() -> None:
    """A corner that was laid wrongly is no proof that this is another card."""
    same_ace = chances({"As": 1.0}, {"As": 0.96, "Ac": 0.04})
    trust = np.full((2, 2), 0.6, np.float32)
    assert READ_CLASSES[int(exclude(same_ace, trust)[1].argmax())] == "As"
    far = exclude(same_ace, np.full((2, 2), 0.99, np.float32))[1]
    assert READ_CLASSES[int(far.argmax())] == "Ac"
