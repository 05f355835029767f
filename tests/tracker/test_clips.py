"""A rendered clip of a whole game, watched as a user would; needs the evaluation clips beside the project."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from webui.watch_cli import run_watch

ROOT = Path(__file__).parents[2]
CLIPS = ROOT.parent / "shared" / "clips"
CLIP = CLIPS / "upstream_overhead.mp4"

pytestmark = [
    pytest.mark.skipif(not CLIP.is_file(), reason="../shared/clips/upstream_overhead.mp4 is not beside this checkout"),
    pytest.mark.skipif(
        not (ROOT / "models" / "standard" / "deck.toml").is_file(), reason="models/standard is not in this checkout"
    ),
]


@dataclass(frozen=True)
class Scored:
    """Truth of every play, and the line that was told of it (None: nothing with these cards)."""

    plays: list[tuple[dict[str, Any], dict[str, Any] | None]]
    extra: list[dict[str, Any]]
    stats: dict[str, Any]

    def exact(self) -> int:
        return sum(line is not None and line["seat"] == truth["seat"] for truth, line in self.plays)


def score(truth: list[dict[str, Any]], lines: list[dict[str, Any]]) -> Scored:
    """Pair plays with the lines in which their cards were told, in order; withdrawn lines don't count."""
    withdrawn = {line["of"] for line in lines if line["event"] == "retract"}
    left = [line for line in lines if line["event"] == "play" and line["id"] not in withdrawn]
    plays: list[tuple[dict[str, Any], dict[str, Any] | None]] = []
    for event in truth:
        if event["action"] != "play":
            continue
        near = (
            line
            for line in left
            if sorted(line["cards"]) == sorted(event["cards"]) and -1 < line["t"] - event["t_settled"] < 6
        )
        line = next(near, None)
        if line is not None:
            left.remove(line)
        plays.append((event, line))
    return Scored(plays, left, lines[-1])


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Scored:
    out = tmp_path_factory.mktemp("clip") / "events.jsonl"
    with out.open("w", encoding="utf-8") as file:
        run_watch(str(CLIP), CLIP.with_suffix(".table.json"), None, (), None, file)
    lines = [json.loads(text) for text in out.read_text(encoding="utf-8").splitlines()]
    return score(json.loads(CLIP.with_suffix(".truth.json").read_text(encoding="utf-8"))["events"], lines)


def test_at_least_seven_of_ten_plays_are_exact(scored: Scored) -> None:
    assert len(scored.plays) == 10
    missed = [truth["cards"] for truth, line in scored.plays if line is None or line["seat"] != truth["seat"]]
    assert scored.exact() >= 7, missed


def test_illegal_plays_are_flagged_or_asked(scored: Scored) -> None:
    """A play of which a card was misread counts, too: what was told in its place must not be fine."""
    illegal = [(truth, line) for truth, line in scored.plays if truth["legal"] is False]
    assert len(illegal) == 2
    for truth, line in illegal:
        told = [line] if line else [e for e in scored.extra if -1 < e["t"] - truth["t_settled"] < 6]
        assert told, truth
        assert all(e["verdict"] != "ok" for e in told), truth


def test_nobody_is_accused_wrongly(scored: Scored) -> None:
    wrong = [(truth["cards"], line) for truth, line in scored.plays
             if truth["legal"] and line and line["verdict"] == "violation"]  # fmt: skip
    assert wrong == []
    assert [line for line in scored.extra if line["verdict"] == "violation"] == []


def test_the_verdict_comes_soon_after_the_hand_left(scored: Scored) -> None:
    late = sorted(line["t"] - truth["t_clear"] for truth, line in scored.plays if line)
    assert late[len(late) // 2] <= 0.8
    assert late[-1] <= 2


def test_only_a_few_of_the_frames_are_read(scored: Scored) -> None:
    assert scored.stats["event"] == "stats"
    assert 10 <= scored.stats["inferences"] < 0.1 * scored.stats["frames"]
