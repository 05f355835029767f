"""Errors that reach a user.

An error is a code with parameters; the sentence is built from the language catalogs of `webui`.
The parameters name the thing, the limit and the remedy; the code says which sentence.
(`referee` knows no other package and has its own `RulesError` with the same two attributes.)
"""

from collections.abc import Mapping


class KibitzError(Exception):
    """A failure with a known cause, told to the user in one line.

    `code` is a key of the catalogs' `error` section, `params` fill the sentence's places.
    """

    def __init__(self, code: str, **params: object) -> None:
        self.code = code
        self.params: Mapping[str, object] = params
        super().__init__(f"{code} {params}" if params else code)
