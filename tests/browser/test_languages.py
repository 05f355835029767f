"""Every page in the languages that it speaks: no English on a Chinese page, no key without words anywhere."""

import re

import pytest
from browser_pages import OpenPage
from browser_places import PLACES, Place, prepare, texts
from serving import TableServer

ALLOWED = "|".join(
    (
        r"KIBITZ|Kibitz|Wi-Fi|QR|JSONL|CSV|zip|JPEG|PNG|WebP|MB",
        r"--[a-z]+|https?://\S+|\w+\.jpg",  # options of the command line, addresses, files
        r"\b[0-9A-F]{4}\b",  # the short name of a phone
        r"[JQKA]{2,}",  # cards
        r"^[Ss]tandard$",  # a deck
    )
)


@pytest.mark.parametrize("locale", ["en", "zh-CN", "zh-TW"])
@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.__name__)
def test_every_page_speaks_its_language(table: TableServer, open_page: OpenPage, place: Place, locale: str) -> None:
    prepare(table)
    said = texts(place(table, open_page, locale=locale))
    assert len(said) > 3
    assert [text for text in said if re.search(r"\{\w+|^[a-z_]+\.[a-zA-Z_.]+$|undefined|null|NaN", text)] == []
    if locale != "en":
        left = [text for text in said if re.search(r"[A-Za-z]{2,}", re.sub(ALLOWED, "", text))]
        assert left == []
