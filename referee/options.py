"""Options of a ruleset: what values each one takes, and the words that describe it.

The schema is data (`games/options.toml`); a value outside it is refused by name.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from referee.cards import UNKNOWN, is_card
from referee.errors import RulesError

OptionValue = bool | int | str | tuple[int, ...] | tuple[str, ...] | None
"""What an option can be, once read: lists become tuples."""
Words = Mapping[str, str]
"""The same text in every language: {"en", "zh-Hans", "zh-Hant"}."""

_TRUE = {"true", "yes", "on", "1"}
_FALSE = {"false", "no", "off", "0"}


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """One option: `type` is bool, int, choice, set, ints, range, card or cards; `least`/`most`
    bound numbers; `choices` are the values of a choice or set with their words."""

    name: str
    type: str
    text: Words
    least: int = 0
    most: int = 0
    optional: bool = False
    also: tuple[str, ...] = ()
    choices: Mapping[str, Words] | None = None

    def allowed(self) -> str:
        """The values that it takes, as a short text for errors and listings."""
        if self.type == "bool":
            text = "true, false"
        elif self.type == "choice":
            text = ", ".join(self.choices or ())
        elif self.type == "set":
            text = "any of " + ", ".join(self.choices or ())
        elif self.type in ("int", "ints", "range"):
            text = f"{self.least}..{self.most}"
            text = f"list of {text}" if self.type == "ints" else text
            text = f"two of {text}" if self.type == "range" else text
        else:
            text = "a card" if self.type == "card" else "list of cards"
        return ", ".join((text, *self.also, *(("none",) if self.optional else ())))

    def check(self, value: object) -> OptionValue:
        """The value in its stored form; ValueError if it is outside the bounds."""
        if value is None:
            if self.optional:
                return None
        elif self.type == "bool":
            if isinstance(value, bool):
                return value
        elif self.type == "int":
            if isinstance(value, str) and value in self.also:
                return value
            if self._is_number(value):
                return int(str(value))
        elif self.type == "choice":
            if isinstance(value, str) and value in (self.choices or ()):
                return value
        elif self.type == "card":
            if is_card(value) and value != UNKNOWN:
                return str(value)
        elif isinstance(value, (list, tuple)):
            return self._check_list(list(value))
        raise ValueError(self.allowed())

    def _is_number(self, value: object) -> bool:
        return type(value) is int and self.least <= value <= self.most

    def _check_list(self, values: list[object]) -> OptionValue:
        if self.type == "set" and all(v in (self.choices or ()) for v in values):
            return tuple(name for name in (self.choices or ()) if name in values)
        if self.type == "cards" and all(is_card(v) and v != UNKNOWN for v in values):
            return tuple(str(v) for v in values)
        if self.type in ("ints", "range") and values and all(map(self._is_number, values)):
            numbers = tuple(int(str(v)) for v in values)
            if self.type == "ints":
                return tuple(sorted(set(numbers)))
            if len(numbers) == 2 and numbers[0] <= numbers[1]:
                return numbers
        raise ValueError(self.allowed())

    def read(self, text: str) -> OptionValue:
        """The value of a text from the command line or a form (`true`, `5`, `none`, `a,b,c`)."""
        word = text.strip()
        if word.lower() in ("none", "null", "") and self.optional:
            return None
        if self.type == "bool" and word.lower() in _TRUE | _FALSE:
            return word.lower() in _TRUE
        if self.type in ("set", "cards", "ints", "range"):
            parts = [p for p in word.replace(",", " ").split() if p != "none"]
            if self.type in ("set", "cards"):
                return self.check(parts)
            return self.check([int(p) if p.isdecimal() else p for p in parts])
        if self.type == "int" and word.lstrip("-").isdecimal():
            return self.check(int(word))
        return self.check(word)


def load_toml(name: str) -> dict[str, object]:
    """A data file of the package `referee.games`. Raises RulesError("bad_ruleset_file")."""
    try:
        return tomllib.loads((files("referee.games") / name).read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as problem:
        raise RulesError("bad_ruleset_file", name=name, problem=str(problem)) from problem


@cache
def option_specs() -> Mapping[str, OptionSpec]:
    """Every option of every ruleset, by name, in the order of the file."""
    table = load_toml("options.toml")
    specs: dict[str, OptionSpec] = {}
    for name, entry in table.items():
        assert isinstance(entry, dict)
        source = table[entry["choices_of"]] if "choices_of" in entry else entry
        assert isinstance(source, dict)
        specs[name] = OptionSpec(
            name=name,
            type=entry["type"],
            text=entry["text"],
            least=entry.get("min", 0),
            most=entry.get("max", 0),
            optional=entry.get("optional", False),
            also=tuple(entry.get("also", ())),
            choices=source.get("choices"),
        )
    return specs
