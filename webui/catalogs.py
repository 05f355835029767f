"""The words: language catalogs shared by Python and the page.

A catalog is a JSON object of sections; a key is a dotted path ("error.port_in_use"). A message
has places `{name}` and `{name|one|many}` (the first form if the value is 1). `static/words.js`
fills them the same way.
"""

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

LANGUAGES = ("en", "zh-Hans", "zh-Hant")
_PLACE = re.compile(r"\{(\w+)(?:\|([^|}]*)\|([^|}]*))?\}")
_TRADITIONAL = ("hant", "tw", "hk", "mo")


@dataclass(frozen=True, slots=True)
class Catalog:
    """The messages of one language."""

    language: str
    messages: Mapping[str, Any]

    def has(self, key: str) -> bool:
        return self._find(key) is not None

    def text(self, key: str, params: Mapping[str, object] | None = None) -> str:
        """The message `key` with its places filled; a missing message shows its key and
        parameters rather than hiding the trouble behind a second one."""
        message = self._find(key)
        if message is None:
            details = ", ".join(f"{name} {value}" for name, value in (params or {}).items())
            return f"{key} ({details})" if details else key
        return fill(message, params or {})

    def _find(self, key: str) -> str | None:
        node: Any = self.messages
        for part in key.split("."):
            if not isinstance(node, Mapping) or part not in node:
                return None
            node = node[part]
        return node if isinstance(node, str) else None


def fill(message: str, params: Mapping[str, object]) -> str:
    """Put the parameters into the message's places; unknown places stay as they are."""

    def put(match: re.Match[str]) -> str:
        name, one, many = match.groups()
        if name not in params:
            return match.group(0)
        if one is None:
            return str(params[name])
        return str(one if params[name] == 1 else many)

    return _PLACE.sub(put, message)


@lru_cache(maxsize=len(LANGUAGES))
def catalog(language: str) -> Catalog:
    """The catalog of one of LANGUAGES."""
    return Catalog(language, json.loads(catalog_json(language)))


def catalog_json(language: str) -> bytes:
    """The catalog file as the page gets it."""
    if language not in LANGUAGES:
        raise KeyError(language)
    return (files("webui") / "locales" / f"{language}.json").read_bytes()


def choose(wanted: str) -> str:
    """The best of LANGUAGES for an `Accept-Language` header or a POSIX locale name."""
    for part in re.split(r"[,:]", wanted):
        tag = part.split(";")[0].split(".")[0].strip().lower().replace("_", "-")
        if tag.startswith("zh"):
            traditional = any(word in _TRADITIONAL for word in tag.split("-")[1:])
            return "zh-Hant" if traditional else "zh-Hans"
        if tag.startswith("en"):
            return "en"
    return "en"


def of_environment() -> Catalog:
    """The catalog of the terminal's language (LC_ALL, LC_MESSAGES, LANG)."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if os.environ.get(name):
            return catalog(choose(os.environ[name]))
    return catalog("en")
