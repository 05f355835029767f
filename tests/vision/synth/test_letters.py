"""Index letters of other countries: only those that no other country's deck contradicts."""

from collections import Counter
from pathlib import Path

import numpy as np

from vision.cards import RANKS
from vision.synth.letters import draw_letters


def drawn(font: Path, times: int = 2000) -> Counter[tuple[tuple[str, str], ...]]:
    rng = np.random.default_rng(5)
    return Counter(tuple(sorted(draw_letters(font, rng).items())) for _ in range(times))


def font_with_cyrillic(folder: Path) -> Path:
    for cut in ("latin", "cyrillic"):
        (folder / f"serif-{cut}-400-normal.woff").touch()
    return folder / "serif-latin-400-normal.woff"


def test_one_letter_never_stands_for_two_ranks(tmp_path: Path) -> None:
    meaning: dict[str, set[str]] = {rank if rank != "T" else "10": {rank} for rank in RANKS}
    for letters in drawn(font_with_cyrillic(tmp_path)):
        for rank, printed in letters:
            meaning.setdefault(printed, set()).add(rank)
    assert {printed: ranks for printed, ranks in meaning.items() if len(ranks) > 1} == {}
    assert set(meaning) > {"D", "B", "R", "V", "1", "T", "\u0414"}


def test_most_decks_have_english_letters(tmp_path: Path) -> None:
    assert 0.75 < drawn(font_with_cyrillic(tmp_path))[()] / 2000 < 0.9


def test_a_font_without_cyrillic_draws_no_russian_deck(tmp_path: Path) -> None:
    printed = {p for letters in drawn(tmp_path / "serif-latin-400-normal.woff") for _, p in letters}
    assert printed
    assert "\u0414" not in printed
