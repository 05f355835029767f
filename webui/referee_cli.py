"""The bodies of `kibitz referee` and `kibitz games`: text in, text out."""

import json
from collections.abc import Iterable, Iterator

from referee.cases import answer_case
from referee.errors import RulesError
from referee.options import OptionValue, Words
from referee.rules import Game, games, load_game


def answer_lines(lines: Iterable[str]) -> Iterator[str]:
    """One result line {"id", "result"} for each case line; blank lines are skipped.

    Raises RulesError("bad_case") with the line number for a line that is no case; a case that names
    an unknown ruleset or option raises that error with `line` added.
    """
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            case = json.loads(line)
            if not isinstance(case, dict):
                raise RulesError("bad_case", problem="not a JSON object")
            result = answer_case(case)
        except json.JSONDecodeError as problem:
            raise RulesError("bad_case", line=number, problem=f"not JSON: {problem}") from None
        except RulesError as problem:
            raise RulesError(problem.code, **{**problem.params, "line": number}) from None
        yield json.dumps({"id": case.get("id"), "result": result}, ensure_ascii=False)


def list_games(language: str) -> Iterator[str]:
    """One line a ruleset: its id, name and summary."""
    for name in games():
        game = load_game(name)
        yield f"{name:<12} {_in(game.name, language)}: {_in(game.summary, language)}"


def describe_game(ruleset: str, language: str) -> Iterator[str]:
    """A ruleset: what to read out, what to ask, every option with default, bounds and words.

    Raises RulesError("unknown_ruleset").
    """
    game = load_game(ruleset)
    yield f"{game.id}: {_in(game.name, language)}"
    yield _in(game.summary, language)
    yield ""
    yield _in(game.read_out, language)
    yield ""
    yield from (f"? {_in(question, language)}" for question in game.questions)
    yield ""
    for name, value in game.options.items():
        yield from _describe_option(game, name, value, language)


def _describe_option(game: Game, name: str, value: OptionValue, language: str) -> Iterator[str]:
    spec = game.specs[name]
    yield f"{name} = {format_value(value)}    [{spec.allowed()}]"
    yield f"    {_in(spec.text, language)}"
    for choice, text in (spec.choices or {}).items():
        yield f"      {choice}: {_in(text, language)}"


def format_value(value: OptionValue) -> str:
    """An option's value as `--option` takes it."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ",".join(str(part) for part in value) or "none"
    return str(value)


def _in(words: Words, language: str) -> str:
    return words.get(language, words["en"])
