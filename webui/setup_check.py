"""What is wrong with a table that is being set up: every fault with the field that it is about."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from referee.errors import RulesError
from referee.rules import load_game
from tracker.calibration import Table, parse_table
from vision.errors import KibitzError
from webui.agreement import agree

_FIELD_OF = {"unknown_ruleset": "game", "no_game": "game", "player_count": "seats"}


@dataclass(frozen=True, slots=True)
class Problem:
    """`field` is a key of the table file, or "options.<name>"; `code` and `params` as an error."""

    field: str
    code: str
    params: Mapping[str, object]


def problems(document: Mapping[str, Any]) -> list[Problem]:
    """The faults of a table file's JSON object; none means that the table can be opened with it.

    The same code judges that reads table files and begins matches.
    """
    found = _options(document)
    try:
        table: Table | None = parse_table(document)
    except KibitzError as error:
        found.append(Problem(str(error.params["field"]), "setup_field", error.params))
        table = None
    if table is not None and not found:
        try:
            agree(table, None, (), None)
        except (KibitzError, RulesError) as error:
            found.append(Problem(_field(error), error.code, error.params))
    return found


def _field(error: KibitzError | RulesError) -> str:
    if "option" in error.params:
        return f"options.{error.params['option']}"
    return _FIELD_OF.get(error.code) or str(error.params.get("field") or "other")


def _options(document: Mapping[str, Any]) -> list[Problem]:
    """Faults of single house rules."""
    try:
        game = load_game(str(document.get("game") or ""))
    except RulesError as error:
        return [Problem("game", error.code if document.get("game") else "no_game_chosen", error.params)]
    options = document.get("options")
    found = []
    for name, value in options.items() if isinstance(options, dict) else ():
        try:
            game.check(name, value)
        except RulesError as error:
            found.append(Problem(f"options.{name}", error.code, error.params))
    return found
