"""The games and their house rules as the page shows them, and the read-out of what was agreed."""

from collections.abc import Mapping
from typing import Any

from referee.errors import RulesError
from referee.options import OptionSpec, OptionValue
from referee.rules import Game, load_game
from webui.catalogs import LANGUAGES, Catalog, catalog


def describe(ruleset: str) -> dict[str, Any]:
    """A game with its words in every language and its options, as JSON.

    Raises RulesError unknown_ruleset.
    """
    game = load_game(ruleset)
    options = [_option(game.specs[name], default) for name, default in game.options.items()]
    return {
        "id": game.id,
        "family": game.family,
        "name": dict(game.name),
        "summary": dict(game.summary),
        "questions": [dict(question) for question in game.questions],
        "players": game.options["players"],
        "options": options,
    }


def read_out(ruleset: str, options: Mapping[str, object]) -> dict[str, str]:
    """What to say aloud before the first deal, in every language: the game's paragraph, then the
    house rules that differ from its defaults. Raises RulesError for an option that can't be."""
    game = load_game(ruleset)
    chosen = {name: game.check(name, value) for name, value in options.items()}
    changed = {name: value for name, value in chosen.items() if value != game.options[name]}
    return {language: _aloud(game, changed, catalog(language)) for language in LANGUAGES}


def rule_words(ruleset: str, said: Mapping[str, object]) -> dict[str, dict[str, str]] | None:
    """A house rule {"option", "value"} in every language: {language: {"rule", "value"}}; None for one
    that can't be (a journal written by hand may hold any)."""
    game, option = load_game(ruleset), str(said.get("option"))
    try:
        checked, spec = game.check(option, said.get("value")), game.spec(option)
    except RulesError:
        return None
    return {
        language: {"rule": spec.text[language], "value": _value(spec, checked, catalog(language))}
        for language in LANGUAGES
    }


def _aloud(game: Game, changed: Mapping[str, OptionValue], words: Catalog) -> str:
    said = [game.read_out[words.language]]
    for name, value in changed.items():
        spec = game.specs[name]
        about = {"rule": spec.text[words.language], "value": _value(spec, value, words)}
        said.append(words.text("setup.read_out_rule", about))
    return words.text("setup.between_sentences").join(said)


def _value(spec: OptionSpec, value: OptionValue, words: Catalog) -> str:
    if value is None:
        return words.text("setup.no_limit" if spec.type == "int" else "setup.none")
    if isinstance(value, bool):
        return words.text("setup.yes" if value else "setup.no")
    if isinstance(value, tuple):
        if spec.type == "range":
            return "–".join(map(str, value))
        parts = [_value(spec, part, words) for part in value]
        return words.text("setup.between").join(parts) or words.text("setup.none")
    if spec.type in ("card", "cards"):
        return _card(str(value), words)
    if spec.choices and str(value) in spec.choices:
        return spec.choices[str(value)][words.language]
    return words.text(f"setup.also.{value}") if value in spec.also else str(value)


def _card(card: str, words: Catalog) -> str:
    if card in ("X", "Y"):
        return words.text(f"card.{card}")
    return words.text("card.named", {"rank": words.text(f"rank.{card[0]}"), "suit": words.text(f"suit.{card[1]}")})


def _option(spec: OptionSpec, default: OptionValue) -> dict[str, Any]:
    return {
        "name": spec.name,
        "type": spec.type,
        "text": dict(spec.text),
        "default": default,
        "least": spec.least,
        "most": spec.most,
        "optional": spec.optional,
        "also": list(spec.also),
        "choices": {value: dict(text) for value, text in (spec.choices or {}).items()},
    }
