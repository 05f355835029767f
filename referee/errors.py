"""What the referee refuses. Words live in the language catalogs, under `error`."""

from collections.abc import Mapping


class RulesError(Exception):
    """A ruleset, option, card or event that the referee refuses.

    Codes: `unknown_ruleset` (name, known), `unknown_option` (ruleset, option, known),
    `option_out_of_range` (ruleset, option, value, allowed), `bad_ruleset_file` (name, problem),
    `player_count` (ruleset, players, least, most), `bad_setup` (field, problem), `bad_card` (card),
    `bad_event` (field, problem), `bad_case` (line, problem).
    """

    def __init__(self, code: str, **params: object) -> None:
        self.code = code
        self.params: Mapping[str, object] = params
        super().__init__(f"{code} {dict(params)}" if params else code)
