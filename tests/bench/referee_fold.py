"""How long the referee takes: a whole match, a correction in its first hand, one event more.

    PYTHONPATH=. python tests/bench/referee_fold.py [HANDS]

Prints a line a ruleset: events, seconds for the fold of the match, seconds to re-judge it after a
correction in the first hand, milliseconds for one event more. Bar: 200 hands in under 2 s.
"""

import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "referee"))

from table_play import Camera, Table

from referee.cards import DECK
from referee.events import Event
from referee.rules import Rules, games, load_rules
from referee.session import MatchSetup, advance, fold


def climbing_match(rules: Rules, hands: int, rng: random.Random) -> tuple[MatchSetup, list[Event]]:
    """Hands of a simulated table, one after the other, with cheats that are taken back."""
    table = Table(rules, rng, Camera(pass_seen=0.2))
    setup = table.setup(None, 0)
    for _ in range(hands):
        leader = rng.randrange(rules.seats)
        cards = table.deal(leader)
        counts = [len(hand) for hand in cards]
        number = len(table.events)
        data = {"leader": leader, "counts": counts}
        table.events.append(Event(number, float(number), "new_hand", data=data))
        table.play_hand(cards, leader)
    return setup, table.events


def draw_match(rules: Rules, hands: int, rng: random.Random) -> tuple[MatchSetup, list[Event]]:
    """Hands of draw poker: discards, draws, shows, the table cleared."""
    events: list[Event] = []
    for hand in range(hands):
        deck = rng.sample(DECK, len(DECK))
        order = [(hand + k) % rules.seats for k in range(1, rules.seats + 1)]
        for seat in order:
            thrown = tuple(deck.pop() for _ in range(rng.randint(0, 3)))
            if thrown:
                events.append(Event(len(events), 0.0, "discard", seat, thrown))
        for seat in order:
            events.append(Event(len(events), 0.0, "show", seat, tuple(deck.pop() for _ in range(5))))
        events.append(Event(len(events), 0.0, "sweep"))
    return MatchSetup(rules.ruleset, tuple("ABCD"), dealer=0), events


def main() -> None:
    hands = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    for name in games():
        lead = {"first_lead": "random"} if load_rules(name).first_lead == "holder" else {}
        rules = load_rules(name, lead)
        rng = random.Random(name)
        make = draw_match if rules.family == "draw" else climbing_match
        setup, events = make(rules, hands, rng)
        begin = time.perf_counter()
        session = fold(setup, events)
        folded = time.perf_counter()
        first = next(event for event in events if event.kind in ("play", "discard"))
        amend = Event(len(events), 0.0, "amend", cards=("3d",), of=first.id)
        advance(session, amend)
        corrected = time.perf_counter()
        advance(session, Event(len(events), 0.0, "play", 0, ("4d",)))
        more = time.perf_counter() - corrected
        print(
            f"{name:<10} {len(events):6} events  fold {folded - begin:5.2f} s  "
            f"correction {corrected - folded:5.2f} s  one more {1000 * more:.2f} ms"
        )


if __name__ == "__main__":
    main()
