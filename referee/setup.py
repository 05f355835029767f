"""What is agreed before the first deal."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from referee.errors import RulesError
from referee.rules import Rules, load_rules


@dataclass(frozen=True, slots=True)
class MatchSetup:
    """A table before the first deal.

    `names`: one a seat, seat 0 first, clockwise as seen from above. `counts`: cards dealt to each
    seat, when somebody counted them: then a seat that lays more is wrong. Without them the deal of
    the ruleset is assumed, and what contradicts it drops the assumption, never accuses.
    `first_leader`, `dealer`: seats, None when unknown. `direction` overrides the option.
    """

    ruleset: str
    names: tuple[str, ...]
    options: Mapping[str, object] = field(default_factory=dict)
    counts: tuple[int, ...] | None = None
    first_leader: int | None = None
    dealer: int | None = None
    direction: str | None = None

    def rules(self, changes: Mapping[str, object] | None = None) -> Rules:
        """The rules with the house rules `changes` on top. Raises RulesError as `load_rules`."""
        options = {**self.options, **(changes or {})}
        if self.direction is not None and "direction" not in (changes or {}):
            options["direction"] = self.direction
        return load_rules(self.ruleset, options, len(self.names))

    def check(self) -> None:
        """Raises RulesError naming what is wrong: the ruleset, an option, or a field of this."""
        self.rules()
        seats = len(self.names)
        if self.counts is not None and (
            len(self.counts) != seats or any(type(n) is not int or n < 0 for n in self.counts)
        ):
            raise RulesError("bad_setup", field="counts", problem=f"needs {seats} numbers from 0")
        for name, seat in (("first_leader", self.first_leader), ("dealer", self.dealer)):
            if seat is not None and not 0 <= seat < seats:
                raise RulesError("bad_setup", field=name, problem=f"{seat} is none of 0..{seats - 1}")
