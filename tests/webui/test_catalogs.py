"""The catalogs agree with each other, and Python and the page fill them alike."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from referee.verdicts import CODES
from webui.catalogs import LANGUAGES, catalog, choose, fill

PLACE = re.compile(r"\{(\w+)")


def messages(node: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    for key, value in node.items():
        if isinstance(value, str):
            yield f"{path}{key}", value
        else:
            yield from messages(value, f"{path}{key}.")


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_catalogs_have_the_same_keys(language: str) -> None:
    english = dict(messages(catalog("en").messages))
    other = dict(messages(catalog(language).messages))
    assert english.keys() == other.keys()
    assert all(other.values())


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_catalogs_name_no_place_that_english_lacks(language: str) -> None:
    english = dict(messages(catalog("en").messages))
    for key, message in messages(catalog(language).messages):
        if not key.startswith("combo."):  # "pair of {ranks}" is 一对{rank}
            assert set(PLACE.findall(message)) <= set(PLACE.findall(english[key])), key


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_no_english_sentence_is_left_in_chinese(language: str) -> None:
    for key, message in messages(catalog(language).messages):
        words = re.sub(r"\{[^}]*\}|--\S+|[A-Z]{2,}|https?:\S+|kibitz( [a-z]+)+", "", message)
        run = re.search(r"[A-Za-z]{2,} [A-Za-z]{2,} [A-Za-z]{2,}", words)
        assert run is None or key.startswith("error."), (key, message)


@pytest.mark.parametrize("code", CODES)
def test_every_verdict_code_has_words(code: str) -> None:
    assert catalog("en").has(f"code.{code}")


def test_places_and_plurals() -> None:
    assert fill("{n} {n|card|cards} left", {"n": 1}) == "1 card left"
    assert fill("{n} {n|card|cards} left", {"n": 2}) == "2 cards left"
    assert fill("{who}: {what}", {"who": "{what}"}) == "{what}: {what}"


def test_a_missing_message_shows_its_key_and_parameters() -> None:
    assert catalog("en").text("error.never_written", {"port": 7}) == "error.never_written (port 7)"


@pytest.mark.parametrize(
    ("wanted", "language"),
    [
        ("zh-CN,zh;q=0.9,en;q=0.8", "zh-Hans"),
        ("zh-TW", "zh-Hant"),
        ("zh-Hant-HK", "zh-Hant"),
        ("zh_TW.UTF-8", "zh-Hant"),
        ("en-GB,zh;q=0.5", "en"),
        ("de,zh-CN;q=0.5", "zh-Hans"),
        ("C.UTF-8", "en"),
        ("", "en"),
    ],
)
def test_the_language_asked_for(wanted: str, language: str) -> None:
    assert choose(wanted) == language
