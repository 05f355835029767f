"""The rules agreed at one table: a ruleset file plus the house rules, frozen and checked.

`Rules` has one field for each option of `games/options.toml`. A ruleset lists the options that it
has; one that it lacks keeps the neutral value below and can't be set.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from importlib.resources import files
from typing import Any

from referee.cards import DECK, JOKERS
from referee.errors import RulesError
from referee.options import OptionSpec, OptionValue, Words, load_toml, option_specs


@dataclass(frozen=True)
class Rules:
    """One table's rules. The options are described in `games/options.toml`."""

    ruleset: str
    family: str
    seats: int
    """How many play."""
    players: tuple[int, ...] = (2, 8)
    decks: int = 1
    jokers_per_deck: int = 0
    removed: tuple[str, ...] = ()
    direction: str = "cw"
    deal_direction: str = "cw"
    leftover: str = "none"
    first_lead: str = "random"
    start_card: str | None = None
    must_contain_start_card: bool = False
    start_card_missing: str = "random"
    next_hand_lead: str = "same_as_first"
    types: frozenset[str] = frozenset()
    pair_run_min: int = 2
    pair_run_max: int | None = None
    straight_min: int = 5
    straight_max: int | None = None
    two_in_runs: bool = False
    ace_high_run: bool = True
    ace_low_run: bool = False
    exact_next: frozenset[str] = frozenset()
    two_tops: frozenset[str] = frozenset()
    follow_mode: str = "same_type"
    longer_run_beats_shorter: bool = False
    single_two_immune: bool = False
    bomb_sizes: tuple[int, ...] = (4,)
    bomb_may_lead: bool = True
    bomb_beats_triple: bool = True
    bomb_compare: str = "higher"
    pure_bomb_beats_wild: bool = False
    triple_is_bomb: bool = False
    jokers_wild: bool = False
    joker_as_two: bool = False
    joker_needs_natural: bool = True
    joker_bomb: bool = False
    joker_reading: str = "declared_else_highest"
    pass_lockout: bool = True
    must_beat: bool = False
    end: str = "first_out"
    rest_rank: str = "none"
    draw_after_round: str = "none"
    out_leader: str = "next_active"
    scoring: str = "none"
    match: str = "single_hands"
    target: int = 0
    match_hands: int = 5
    tie_at_target: str = "highest_then_play_on"
    teams: bool = False
    exchange: str = "none"
    exchange_count: int = 1
    captured_points: bool = False
    double_if: str = "never"
    double_scope: str = "total"
    double_finish: str = "off"
    double_bonus: int | None = None
    double_finish_resets: str = "hand"
    joker_double: str = "once"
    last_card_free: bool = False
    shut_out_doubles: bool = False
    hand_size: int = 5
    exchange_max: int = 0
    exchanges: int = 0
    ace_low_straight: bool = True
    tie: str = "each_scores"
    win_points: int = 1
    dealer: str = "rotate_left"
    discard_face_up: bool = True
    discard_no_overlap: bool = True
    talk_about_hands: bool = False
    discards_visible: bool = True
    memory_aid: bool = True
    deal: tuple[int, ...] = field(default=(), compare=False)
    """Cards for the dealer and for each other player; empty when all cards are dealt out."""
    options: Mapping[str, OptionValue] = field(default_factory=dict, compare=False)
    """Every option of the ruleset with the value that holds at this table."""

    def __hash__(self) -> int:
        return hash((self.ruleset, self.seats, self.types, self.follow_mode, self.straight_min))

    @property
    def step(self) -> int:
        """To the next seat: +1 clockwise, -1 counter-clockwise."""
        return 1 if self.direction == "cw" else -1

    def valid_seat(self, seat: int | None) -> int | None:
        """The seat, or None if there is no such seat at this table."""
        return seat if seat is not None and 0 <= seat < self.seats else None

    def copies(self, card: str) -> int:
        """How often a physical card is in the deck of this table."""
        if card in JOKERS:
            per_deck = self.jokers_per_deck
            return self.decks * (card == "Y" if per_deck == 1 else per_deck // 2)
        return self.decks - self.removed.count(card)

    @property
    def deck_size(self) -> int:
        """All cards of this table's deck or decks."""
        return self.decks * (len(DECK) + self.jokers_per_deck) - len(self.removed)

    def team(self, seat: int) -> int:
        """The team of a seat: partners sit opposite; without teams everybody is his own."""
        return seat % 2 if self.teams else seat


@dataclass(frozen=True, slots=True)
class Game:
    """A ruleset file: `options` are the defaults, `read_out` the paragraph and `questions` what the
    host asks aloud before the first deal."""

    id: str
    family: str
    name: Words
    summary: Words
    questions: tuple[Words, ...]
    read_out: Words
    options: Mapping[str, OptionValue]
    specs: Mapping[str, OptionSpec]
    deal: tuple[int, ...] = ()

    def spec(self, option: str) -> OptionSpec:
        """Raises RulesError("unknown_option") for an option that this ruleset doesn't have."""
        if option not in self.specs:
            raise RulesError("unknown_option", ruleset=self.id, option=option, known=", ".join(self.specs))
        return self.specs[option]

    def check(self, option: str, value: object) -> OptionValue:
        """A checked value. Raises RulesError: `unknown_option`, `option_out_of_range`."""
        spec = self.spec(option)
        try:
            return spec.check(value)
        except ValueError as problem:
            raise self._out_of_range(option, value, problem) from None

    def read(self, option: str, text: str) -> OptionValue:
        """The value that a text from the command line or a form means. Raises like `check`."""
        spec = self.spec(option)
        try:
            return spec.read(text)
        except ValueError as problem:
            raise self._out_of_range(option, text, problem) from None

    def _out_of_range(self, option: str, value: object, problem: ValueError) -> RulesError:
        return RulesError(
            "option_out_of_range",
            ruleset=self.id,
            option=option,
            value=value,
            allowed=str(problem),
        )


def games() -> tuple[str, ...]:
    """The ids of all rulesets."""
    names = (entry.name for entry in files("referee.games").iterdir())
    return tuple(sorted(n[:-5] for n in names if n.endswith(".toml") and n != "options.toml"))


@cache
def load_game(ruleset: str) -> Game:
    """A ruleset file, checked. Raises RulesError: `unknown_ruleset`, `bad_ruleset_file`."""
    if ruleset not in games():
        raise RulesError("unknown_ruleset", name=ruleset, known=", ".join(games()))
    table: dict[str, Any] = load_toml(f"{ruleset}.toml")
    try:
        specs = _specs(table["options"], table.get("narrow", {}))
        options = {k: _default(specs[k], v) for k, v in table["options"].items()}
        return Game(
            id=ruleset,
            family=table["family"],
            name=table["name"],
            summary=table["summary"],
            questions=tuple(table["questions"]),
            read_out=table["read_out"],
            options=options,
            specs=specs,
            deal=tuple(table.get("deal", ())),
        )
    except (KeyError, ValueError, TypeError) as problem:
        raise RulesError("bad_ruleset_file", name=ruleset, problem=repr(problem)) from problem


def _specs(names: Mapping[str, object], narrow: Mapping[str, Any]) -> dict[str, OptionSpec]:
    specs: dict[str, OptionSpec] = {}
    for name in names:
        spec = option_specs()[name]
        limits = narrow.get(name, {})
        choices = spec.choices or {}
        if "choices" in limits:
            choices = {value: choices[value] for value in limits["choices"]}
        specs[name] = OptionSpec(
            name=name,
            type=spec.type,
            text=spec.text,
            least=limits.get("min", spec.least),
            most=limits.get("max", spec.most),
            optional=spec.optional,
            also=spec.also,
            choices=choices or None,
        )
    return specs


def _default(spec: OptionSpec, value: object) -> OptionValue:
    """A default of a ruleset file, checked. TOML has no null: the files write "null" for it."""
    try:
        return spec.check(None if value == "null" else value)
    except ValueError as problem:
        raise ValueError(f"{spec.name} = {value!r}, allowed: {problem}") from problem


def load_rules(ruleset: str, options: Mapping[str, object] | None = None, players: int | None = None) -> Rules:
    """The rules of a table of `players` (the fewest that the ruleset takes, but 4 where it takes 4,
    when not given) under the house rules `options`.

    Raises RulesError: `unknown_ruleset`, `unknown_option`, `option_out_of_range`, `player_count`.
    """
    game = load_game(ruleset)
    values = {**game.options, **{k: game.check(k, v) for k, v in (options or {}).items()}}
    least, most = _pair(values["players"])
    seats = players if players is not None else min(max(4, least), most)
    if not least <= seats <= most:
        raise RulesError("player_count", ruleset=ruleset, players=seats, least=least, most=most)
    _check_together(game, values)
    chosen: dict[str, Any] = dict(values)
    if chosen.get("decks") == "1_if_2_players_else_2":
        chosen["decks"] = 1 if seats == 2 else 2
    for name in ("types", "exact_next", "two_tops"):
        if name in chosen:
            chosen[name] = frozenset(chosen[name])
    known = {f.name for f in fields(Rules)}
    return Rules(
        ruleset=ruleset,
        family=game.family,
        seats=seats,
        deal=game.deal,
        options=values,
        **{k: v for k, v in chosen.items() if k in known},
    )


def _pair(value: OptionValue) -> tuple[int, int]:
    assert isinstance(value, tuple)
    return int(value[0]), int(value[1])


def _check_together(game: Game, values: Mapping[str, OptionValue]) -> None:
    """Limits of one thing must be in order."""
    for low, high in (("straight_min", "straight_max"), ("pair_run_min", "pair_run_max")):
        least, most = values.get(low), values.get(high)
        if isinstance(least, int) and isinstance(most, int) and most < least:
            raise RulesError(
                "option_out_of_range",
                ruleset=game.id,
                option=high,
                value=most,
                allowed=f"{least} ({low}) or more",
            )
