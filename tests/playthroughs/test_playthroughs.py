"""Every golden game is replayed: the referee says what the file says.

`KIBITZ_WRITE_PLAYTHROUGHS=1` writes what it says now into the files, to be read and corrected by
hand before it is believed.
"""

import os
from pathlib import Path

import pytest
from playthrough import read, replay

GAMES = sorted(Path(__file__).parent.glob("*.txt"))


@pytest.mark.parametrize("path", GAMES, ids=[path.stem for path in GAMES])
def test_the_referee_says_what_the_game_says(path: Path) -> None:
    lines = list(replay(read(path)))
    if os.environ.get("KIBITZ_WRITE_PLAYTHROUGHS"):
        path.write_text("\n".join(said for _, said in lines) + "\n", encoding="utf-8")
    for number, (written, said) in enumerate(lines, start=1):
        assert said == written, f"line {number}"


def test_every_ruleset_has_two_games() -> None:
    from referee.rules import games

    played = [read(path).setup.ruleset for path in GAMES]
    assert {name: played.count(name) >= 2 for name in games()} == dict.fromkeys(games(), True)
