"""A camera watches simulated tables: no legal play is accused, no illegal one is called fine."""

import random

import pytest
from table_play import Camera, Table

from referee.rules import load_rules
from referee.session import Session, fold

GAMES = ("upstream", "wuma", "tavla", "gdy1", "gdy2")
SEEDS = range(12)


def watch(ruleset: str, seed: int, camera: Camera, counted: bool) -> tuple[Table, Session]:
    """A hand at a table of the ruleset, as the camera sees it."""
    rng = random.Random(f"{ruleset} {seed}")
    options = load_rules(ruleset).options
    lead = {"first_lead": "random"} if options["first_lead"] == "holder" else {}
    table = Table(load_rules(ruleset, lead), rng, camera)
    leader = rng.randrange(table.rules.seats)
    hands = table.deal(leader)
    counts = tuple(len(cards) for cards in hands) if counted else None
    table.play_hand(hands, leader)
    return table, fold(table.setup(counts, leader), table.events)


def assert_judged_rightly(table: Table, session: Session) -> None:
    """Every play has the verdict that it deserves, and the hand is over."""
    for event_id, legal in table.legal.items():
        judged = session.judgement(event_id)
        assert judged is not None
        # When the owner of the table is out, nobody but the players knows whether the round is over.
        asked = judged.verdict == "unsure" and judged.codes[-1] == "round_unclear"
        assert judged.verdict == ("ok" if legal else "violation") or (asked and not legal), judged
    assert session.match.table.hand.over


@pytest.mark.parametrize("ruleset", GAMES)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("pass_seen", [0.0, 0.5, 1.0])
def test_what_is_seen_clearly_is_judged_rightly(ruleset: str, seed: int, pass_seen: float) -> None:
    table, session = watch(ruleset, seed, Camera(pass_seen=pass_seen), counted=True)
    assert_judged_rightly(table, session)
    assert len(session.match.results) == 1


@pytest.mark.parametrize("ruleset", GAMES)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_deal_need_not_be_counted(ruleset: str, seed: int) -> None:
    table, session = watch(ruleset, seed, Camera(), counted=False)
    assert_judged_rightly(table, session)


@pytest.mark.parametrize("ruleset", GAMES)
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize(
    "camera",
    [
        Camera(sweep_seen=0.6, pass_seen=0.2),
        Camera(take_back_seen=0.3, pass_seen=0.2),
        Camera(card_misread=0.15, pass_seen=0.2),
        Camera(seat_mistaken=0.15, pass_seen=0.2),
        Camera(0.3, 0.7, 0.5, 0.1, 0.1),
    ],
    ids=["sweeps unseen", "take-backs unseen", "cards misread", "seats mistaken", "everything"],
)
@pytest.mark.parametrize("counted", [True, False])
def test_no_legal_play_is_ever_accused(ruleset: str, seed: int, camera: Camera, counted: bool) -> None:
    table, session = watch(ruleset, seed, camera, counted)
    for event_id, legal in table.legal.items():
        judged = session.judgement(event_id)
        assert judged is not None
        if legal:
            assert judged.verdict != "violation", judged
        elif not camera.card_misread and not camera.seat_mistaken:
            assert judged.verdict != "ok", judged
