"""Random rules, cards and journals for the property tests."""

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from referee.cards import DECK, JOKERS
from referee.combos import PRIORITY, Reading
from referee.errors import RulesError
from referee.events import KINDS, LAID, Event
from referee.rules import Game, Rules, games, load_game, load_rules
from referee.session import MatchSetup

CLIMBING = tuple(name for name in games() if load_game(name).family == "climbing")
CARDS = (*DECK, *JOKERS)


@st.composite
def option_values(draw: st.DrawFn, game: Game, name: str) -> object:
    """A value within the bounds of one option."""
    spec = game.specs[name]
    if spec.type == "bool":
        return draw(st.booleans())
    if spec.type == "choice":
        return draw(st.sampled_from(sorted(spec.choices or ())))
    if spec.type == "set":
        return draw(st.lists(st.sampled_from(sorted(spec.choices or ())), unique=True))
    if spec.type == "int":
        return draw(st.integers(spec.least, spec.most))
    if spec.type == "ints":
        return draw(st.lists(st.integers(spec.least, spec.most), min_size=1, max_size=4))
    return game.options[name]


@st.composite
def rules(draw: st.DrawFn, names: tuple[str, ...] = CLIMBING) -> Rules:
    """The rules of some table under random house rules."""
    game = load_game(draw(st.sampled_from(names)))
    chosen = draw(st.lists(st.sampled_from(sorted(game.options)), unique=True, max_size=8))
    options = {name: draw(option_values(game, name)) for name in chosen if name != "players"}
    try:
        return load_rules(game.id, options)
    except RulesError:
        return load_rules(game.id)


def all_readings(table: Rules) -> list[Reading]:
    """Every combination that these rules could put on a table, with and without a joker."""
    readings = []
    for kind in PRIORITY:
        if kind == "joker_bomb":
            readings += [Reading(kind, 13, 2, 2)] if table.joker_bomb else []
            continue
        if kind not in table.types:
            continue
        sizes = {
            "single": (1,),
            "pair": (2,),
            "triple": (3,),
            "bomb": (3, *table.bomb_sizes) if table.triple_is_bomb else table.bomb_sizes,
            "straight": range(3, 14),
            "pair_run": range(4, 14, 2),
            "triple_run": range(6, 14, 3),
            "triple_run_plus_two": (10,),
            "triple_plus_one": (4,),
            "triple_plus_pair": (5,),
            "triple_plus_two": (5,),
            "quad_plus_two": (6,),
        }[kind]
        readings += [Reading(kind, height, n, wild) for n in sizes for height in range(13) for wild in (0, 1)]
    return readings


@st.composite
def events(draw: st.DrawFn, number: int) -> Event:
    """Any event at all, legal or not, sensible or not; `number` is its id."""
    ids = st.integers(0, number + 1)
    data: dict[str, Any] = draw(
        st.fixed_dictionaries(
            {},
            optional={
                "as": st.sampled_from(["straight:6", "pair:7", "bomb:9", "nonsense"]),
                "kind": st.sampled_from([*KINDS, "nonsense"]),
                "before": ids,
                "after": ids,
                "with": ids,
                "stands": st.booleans(),
                "taken_back": st.booleans(),
                "passed": st.booleans(),
                "out": st.booleans(),
                "new_hand": st.booleans(),
                "new_round": st.booleans(),
                "cards_right": st.booleans(),
                "upheld": st.booleans(),
                "settled": st.booleans(),
                "fault_certainty": st.sampled_from([0.4, 1.0]),
                "faults": st.lists(st.sampled_from(["discard_overlaps", "nonsense"])),
                "announce": st.integers(-1, 6),
                "count": st.integers(0, 6),
                "option": st.sampled_from(["direction", "teams", "target", "nonsense"]),
                "value": st.sampled_from(["cw", "ccw", 7, None, True, [1], "nonsense"]),
                "from": st.sampled_from(["start", "next_hand"]),
                "leader": st.integers(-1, 9),
                "dealer": st.integers(-1, 9),
                "counts": st.lists(st.integers(-1, 20), max_size=6),
                "finish": st.lists(st.integers(-1, 5) | st.just([]), max_size=6),
                "alternatives": st.lists(st.lists(st.sampled_from(CARDS), max_size=3), max_size=2),
            },
        )
    )
    return Event(
        id=number,
        t=float(number),
        kind=draw(st.sampled_from(("play", "play", "pass", "sweep", *KINDS))),
        seat=draw(st.none() | st.integers(0, 6)),
        cards=tuple(draw(st.lists(st.sampled_from((*CARDS, "?")), max_size=6))),
        certainty=draw(st.sampled_from([0.3, 0.8, 1.0, 1.0])),
        seat_certainty=draw(st.sampled_from([0.5, 1.0, 1.0])),
        of=draw(st.none() | ids),
        data=data,
    )


@st.composite
def journals(draw: st.DrawFn) -> list[Event]:
    """A journal of up to 25 events; what was taken back may be told anew."""
    made: list[Event] = []
    for number in range(draw(st.integers(1, 25))):
        event = draw(events(number))
        if made and made[-1].kind == "retract" and draw(st.booleans()):
            event = replace(event, kind=draw(st.sampled_from(LAID)), of=made[-1].of)
        made.append(event)
    return made


@st.composite
def setups(draw: st.DrawFn) -> MatchSetup:
    """A table of any ruleset with as many players as it takes."""
    game = load_game(draw(st.sampled_from(games())))
    allowed: Any = game.options["players"]
    least, most = allowed
    players = draw(st.integers(int(least), int(most)))
    counts = draw(st.none() | st.lists(st.integers(1, 9), min_size=players, max_size=players))
    return MatchSetup(
        game.id,
        tuple(f"player {seat}" for seat in range(players)),
        counts=None if counts is None else tuple(counts),
        first_leader=draw(st.none() | st.integers(0, players - 1)),
        dealer=draw(st.none() | st.integers(0, players - 1)),
    )
