"""What was agreed for a table: the table file, and what the command line says on top of it."""

from collections.abc import Sequence

from referee.rules import load_game
from referee.setup import MatchSetup
from tracker.calibration import Table
from vision.errors import KibitzError


def agree(table: Table, game: str | None, options: Sequence[str], players: str | None) -> MatchSetup:
    """The set-up of a match; `options` are "name=value", `players` names separated by commas.

    Raises KibitzError (`no_game`, `bad_option_form`, `names_count`) and RulesError as
    `MatchSetup.check`.
    """
    ruleset = game or table.game
    if ruleset is None:
        raise KibitzError("no_game")
    rules = load_game(ruleset)
    # the file's house rules belong to the file's game
    chosen = dict(table.options or {}) if ruleset == table.game else {}
    for text in options:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise KibitzError("bad_option_form", text=text)
        chosen[name.strip()] = rules.read(name.strip(), value)
    names = [seat.name for seat in table.seats]
    if players is not None:
        names = [name.strip() for name in players.replace("，", ",").split(",")]
        if len(names) != len(table.seats):
            raise KibitzError("names_count", given=len(names), seats=len(table.seats))
    setup = MatchSetup(
        ruleset=ruleset,
        names=tuple(names),
        options=chosen,
        counts=table.hands,
        first_leader=table.first_leader,
        dealer=table.dealer,
        direction=None if "direction" in chosen else table.direction,
    )
    setup.check()
    return setup
