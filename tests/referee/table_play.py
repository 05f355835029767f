"""A simulated table: players who play by the rules (mostly), and a camera that sees them.

The truth is known for every event, so that tests can say: no legal play was accused, no illegal one
was called fine.
"""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

from referee.cards import DECK, HEIGHT, JOKERS
from referee.events import Event
from referee.hand import Hand, Laid, after_pass, after_play
from referee.judge import judge_pass, judge_play
from referee.rules import Rules
from referee.session import MatchSetup


@dataclass(frozen=True)
class Camera:
    """How well the table is seen: chances that something goes unseen or is read wrongly."""

    pass_seen: float = 0.0
    sweep_seen: float = 1.0
    take_back_seen: float = 1.0
    card_misread: float = 0.0
    seat_mistaken: float = 0.0
    doubt: float = 0.7
    """The certainty of what is misread."""


@dataclass
class Table:
    """Plays hands; `events` are what the camera reports, `legal` the truth by event id."""

    rules: Rules
    rng: random.Random
    camera: Camera
    cheating: float = 0.1
    events: list[Event] = field(default_factory=list)
    legal: dict[int, bool] = field(default_factory=dict)

    def setup(self, counts: tuple[int, ...] | None, leader: int) -> MatchSetup:
        """The set-up that the host would have entered."""
        names = tuple(f"player {seat}" for seat in range(self.rules.seats))
        options = {k: v for k, v in self.rules.options.items() if k != "players"}
        return MatchSetup(self.rules.ruleset, names, options, counts, leader, leader)

    def deal(self, leader: int) -> list[list[str]]:
        """Hands as the ruleset deals them, the rest as the stock."""
        deck = [c for c in (*DECK, *JOKERS) for _ in range(self.rules.copies(c))]
        self.rng.shuffle(deck)
        seats = self.rules.seats
        if self.rules.deal:
            sizes = [self.rules.deal[0 if s == leader else 1] for s in range(seats)]
        else:
            sizes = [len(deck) // seats] * seats
        hands = [[deck.pop() for _ in range(size)] for size in sizes]
        self.stock = deck if self.rules.leftover == "stock" else []
        return hands

    def play_hand(self, hands: list[list[str]], leader: int) -> None:
        """One hand to its end, and the table cleared."""
        counts = tuple(len(cards) for cards in hands)
        stock = len(self.stock) if self.rules.leftover == "stock" else None
        hand = Hand(counts, leader, stock=stock)
        while not hand.over:
            seat = hand.to_act
            assert seat is not None
            if self.rng.random() < self.cheating:
                self._cheat(hand, seat, hands[seat])
            cards = self._choose(hand, seat, hands[seat])
            if cards is None:
                assert judge_pass(hand, self.rules, seat).code is None
                if self.rng.random() < self.camera.pass_seen:
                    self._report("pass", seat, legal=True)
                hand, ended = after_pass(hand, self.rules, seat)
            else:
                reading = judge_play(hand, self.rules, seat, cards).reading
                self._report("play", seat, cards, legal=True)
                for card in cards:
                    hands[seat].remove(card)
                hand, ended = after_play(hand, self.rules, Laid(seat, cards, reading))
            if ended is not None:
                for drawer in ended.draws:
                    hands[drawer].append(self.stock.pop())
                if self.rng.random() < self.camera.sweep_seen:
                    self._report("sweep", ended.winner)
        self._report("sweep", hand.finish[0])

    def _cheat(self, hand: Hand, seat: int, cards: list[str]) -> None:
        """Lays something illegal, and takes it back."""
        size = min(len(cards), self.rng.choice([1, 1, 2, 2, 3, 5]))
        wrong = tuple(self.rng.sample(cards, size))
        if judge_play(hand, self.rules, seat, wrong).code is None:
            return
        self._report("play", seat, wrong, legal=False)
        laid = len(self.events) - 1
        if self.rng.random() < self.camera.take_back_seen:
            self.events.append(Event(laid + 1, laid + 1.0, "take_back", seat, wrong, of=laid))

    def _choose(self, hand: Hand, seat: int, cards: list[str]) -> tuple[str, ...] | None:
        """A legal play, or None for a pass."""
        if hand.table is not None and self.rng.random() < 0.4:
            return None
        options = [play for play in plays_of(cards, self.rng) if judge_play(hand, self.rules, seat, play).code is None]
        if options:
            return self.rng.choice(options)
        if hand.table is None:
            return next((c,) for c in cards if judge_play(hand, self.rules, seat, (c,)).code is None)
        return None

    def _report(self, kind: str, seat: int, cards: tuple[str, ...] = (), legal: bool | None = None) -> None:
        number, camera = len(self.events), self.camera
        certainty = seat_certainty = 1.0
        if cards and kind == "play" and self.rng.random() < camera.card_misread:
            wrong = self.rng.choice(DECK)
            cards, certainty = (wrong, *cards[1:]), camera.doubt
        if kind == "play" and self.rng.random() < camera.seat_mistaken:
            seat, seat_certainty = self.rng.randrange(self.rules.seats), camera.doubt
        if legal is not None:
            self.legal[number] = legal
        self.events.append(Event(number, float(number), kind, seat, cards, certainty, seat_certainty))


def plays_of(cards: list[str], rng: random.Random) -> Iterator[tuple[str, ...]]:
    """Sets that could be combinations: groups of a rank, runs, jokers added."""
    jokers = [c for c in cards if c in JOKERS]
    ranks: dict[int, list[str]] = {}
    for card in cards:
        if card not in JOKERS:
            ranks.setdefault(HEIGHT[card[0]], []).append(card)
    for group in ranks.values():
        for size in range(1, len(group) + 1):
            yield tuple(group[:size])
            if jokers:
                yield (*group[:size], jokers[0])
    for width in (1, 2):
        heights = sorted(h for h, group in ranks.items() if len(group) >= width)
        for start, stop in combinations(range(len(heights)), 2):
            run = heights[start : stop + 1]
            if run[-1] - run[0] == len(run) - 1:
                yield tuple(card for h in run for card in ranks[h][:width])
    if Counter(jokers) >= Counter("XY"):
        yield ("X", "Y")
