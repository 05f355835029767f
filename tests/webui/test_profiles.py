"""Saved tables: whole or not at all, named safely, and a damaged one is told in one line."""

import json
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from running import TABLE

from vision.errors import KibitzError
from webui.profiles import Profiles, is_name, new_name

DOCUMENT: dict[str, Any] = json.loads(TABLE.read_text("utf-8")) | {
    "title": "周三牌局",
    "source": "0",
    "guests": {"claims": True},
    "note": "kept",
}


def test_a_table_comes_back_as_it_was_saved(tmp_path: Path) -> None:
    profiles = Profiles(tmp_path / "tables")
    assert profiles.names() == ()
    profiles.save("wednesday", DOCUMENT)
    profiles.save("another", DOCUMENT | {"title": "Other"})
    assert profiles.names() == ("another", "wednesday")
    kept = Profiles(tmp_path / "tables").load("wednesday")
    assert (kept.title, kept.source, kept.guests) == ("周三牌局", "0", {"claims": True, "seen": False})
    assert len(kept.table.seats) == 4
    assert not kept.chosen
    assert profiles.document("wednesday") == DOCUMENT


def test_what_is_opened_again_is_noted_and_nothing_else_changes(tmp_path: Path) -> None:
    profiles = Profiles(tmp_path)
    profiles.save("t", DOCUMENT)
    profiles.note("t", "chosen", True)
    assert profiles.load("t").chosen
    assert profiles.document("t") == DOCUMENT | {"chosen": True}
    profiles.note("t", "chosen", False)
    assert not profiles.load("t").chosen


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"table_px": [[0, 0]]}, "table_px"),
        ({"source": 0}, "source"),
        ({"title": ["a"]}, "title"),
        ({"guests": {"claims": "yes"}}, "guests"),
        ({"guests": []}, "guests"),
    ],
)
def test_a_wrong_table_is_refused_and_the_old_one_stays(tmp_path: Path, change: dict[str, Any], field: str) -> None:
    profiles = Profiles(tmp_path)
    profiles.save("t", DOCUMENT)
    with pytest.raises(KibitzError) as caught:
        profiles.save("t", DOCUMENT | change)
    assert (caught.value.code, caught.value.params["field"]) == ("table_field", field)
    assert profiles.document("t") == DOCUMENT
    assert [path.name for path in tmp_path.iterdir()] == ["t.json"]


@pytest.mark.parametrize("content", ["", "{", "[]", "null", "\0\0", '{"size": 3}'])
def test_a_damaged_file_is_named(tmp_path: Path, content: str) -> None:
    (tmp_path / "t.json").write_text(content)
    with pytest.raises(KibitzError) as caught:
        Profiles(tmp_path).load("t")
    assert caught.value.code in ("table_corrupt", "table_field")
    assert caught.value.params["path"] == str(tmp_path / "t.json")


def test_a_disk_that_takes_nothing_leaves_the_old_table_whole(tmp_path: Path) -> None:
    profiles = Profiles(tmp_path)
    profiles.save("t", DOCUMENT)
    (tmp_path / "t.new").mkdir()  # where the new one would be written first
    with pytest.raises(KibitzError) as caught:
        profiles.save("t", DOCUMENT | {"title": "x"})
    assert caught.value.code == "table_unwritable"
    assert profiles.document("t") == DOCUMENT


def test_a_reader_never_finds_half_a_table(tmp_path: Path) -> None:
    profiles = Profiles(tmp_path)
    profiles.save("t", DOCUMENT)
    done = threading.Event()

    def save_again_and_again() -> None:
        for number in range(50):
            profiles.save("t", DOCUMENT | {"title": f"{number}" * 100})
        done.set()

    writer = threading.Thread(target=save_again_and_again)
    writer.start()
    while not done.is_set():
        profiles.load("t")
    writer.join()


def test_a_deleted_table_is_gone_and_deleting_it_again_is_an_error(tmp_path: Path) -> None:
    profiles = Profiles(tmp_path)
    profiles.save("t", DOCUMENT)
    profiles.delete("t")
    assert profiles.names() == ()
    with pytest.raises(KibitzError, match="table_missing"):
        profiles.delete("t")


PATHS = ["", "..", "../t", "a/b", "a\\b", "a.json", "a\n", "nul", "com1"]
NO_NAMES = [*PATHS, "A", "a b", "-a", "a-", "a--b", "é", "牌", "a" * 41]


@pytest.mark.parametrize("name", NO_NAMES)
def test_10_what_is_no_name_never_becomes_a_path(tmp_path: Path, name: str) -> None:
    profiles = Profiles(tmp_path / "tables")
    for use in (profiles.load, profiles.delete, profiles.path, lambda one: profiles.save(one, DOCUMENT)):
        with pytest.raises(KibitzError, match="table_name"):
            use(name)
    assert list(tmp_path.rglob("*")) == []


@pytest.mark.parametrize(
    ("title", "taken", "name"),
    [
        ("Wednesday Night", (), "wednesday-night"),
        ("Wednesday Night", ("wednesday-night", "wednesday-night-2"), "wednesday-night-3"),
        ("牌桌", (), "table"),
        ("牌桌一", ("table",), "table-2"),
        ("Café №3", (), "cafe-no3"),
        ("NUL", (), "table-nul"),
        ("../../etc/passwd", (), "etc-passwd"),
    ],
)
def test_a_name_is_made_of_the_title(title: str, taken: tuple[str, ...], name: str) -> None:
    assert new_name(title, taken) == name


@given(st.text(max_size=60), st.integers(0, 3))
def test_every_title_gives_a_free_name(title: str, used: int) -> None:
    taken: list[str] = []
    for _ in range(used + 1):
        name = new_name(title, taken)
        assert is_name(name)
        assert name not in taken
        taken.append(name)
