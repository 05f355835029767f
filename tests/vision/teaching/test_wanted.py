"""Lists of cards as an owner writes them."""

import pytest

from vision.errors import KibitzError
from vision.teaching.wanted import ORDER, in_short, missing, parse_cards


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("7h", ["7h"]),
        ("10c, qS ,x", ["Tc", "Qs", "X"]),
        ("Ac-3c,Y", ["Ac", "2c", "3c", "Y"]),
        ("9d-Ad", ["9d", "Td", "Jd", "Qd", "Kd", "Ad"]),
        ("all", list(ORDER)),
    ],
)
def test_cards_runs_and_all(text: str, cards: list[str]) -> None:
    assert list(parse_cards(text)) == cards


@pytest.mark.parametrize("text", ["", "7x", "7h,", "7h-9d", "Kc-2c", "X-Y", "1h", "7h 8h"])
def test_what_is_no_list_of_cards_is_refused(text: str) -> None:
    with pytest.raises(KibitzError) as caught:
        parse_cards(text)
    assert caught.value.code == "teach_cards"


def test_what_is_missing_is_told_in_a_sorted_decks_order() -> None:
    assert len(ORDER) == len(set(ORDER)) == 54
    assert missing(card for card in ORDER if card not in ("X", "Ah")) == ("Ah", "X")
    assert in_short(["X", "3s", "2s", "As", "9h", "8h"]) == "8h, 9h, As-3s, X"
    assert in_short([]) == ""
