"""Which deck pack a table is opened with: the command line's, the table's own, or the one in use."""

import json
import shutil
from pathlib import Path

import pytest
from running import TABLE
from serving import TableServer

from vision.deck import shipped_folder
from vision.errors import KibitzError
from webui.decks import Decks
from webui.house import House
from webui.profiles import Profiles


@pytest.fixture
def house(tmp_path: Path) -> House:
    for name in ("Mine", "Other"):
        folder = tmp_path / name
        shutil.copytree(shipped_folder(), folder, ignore=shutil.ignore_patterns("__pycache__"))
        card = folder / "deck.toml"
        card.write_text(card.read_text("utf-8").replace('name = "standard"', f'name = "{name}"', 1), "utf-8")
        Decks(tmp_path / "decks").take_in(folder)
    house = House(Profiles(tmp_path / "tables"), lambda _: "token", decks=Decks(tmp_path / "decks"))
    house.profiles.save("wednesday", json.loads(TABLE.read_text("utf-8")))
    return house


def deck_of(house: House) -> Path | None:
    return house.deck_of(house.profiles.load("wednesday"))


def test_the_table_s_own_pack_goes_before_the_one_in_use(house: House, tmp_path: Path) -> None:
    assert deck_of(house) is None
    house.decks.use("other")
    assert deck_of(house) == tmp_path / "decks" / "other"
    house.choose_deck("wednesday", "mine")
    assert deck_of(house) == tmp_path / "decks" / "mine"
    house.choose_deck("wednesday", "standard")
    assert deck_of(house) == shipped_folder()
    house.choose_deck("wednesday", None)
    assert deck_of(house) == tmp_path / "decks" / "other"


def test_the_command_line_s_pack_goes_before_all_others(house: House, tmp_path: Path) -> None:
    house.choose_deck("wednesday", "mine")
    other = House(house.profiles, lambda _: "token", tmp_path / "Other", decks=house.decks)
    assert deck_of(other) == tmp_path / "Other"


def test_a_pack_that_is_gone_is_named(house: House, tmp_path: Path) -> None:
    house.choose_deck("wednesday", "mine")
    house.decks.use("mine")
    shutil.rmtree(tmp_path / "decks" / "mine")
    with pytest.raises(KibitzError) as caught:
        deck_of(house)
    assert (caught.value.code, caught.value.params["known"]) == ("deck_unknown", "standard, other")
    house.choose_deck("wednesday", None)
    assert deck_of(house) is None


@pytest.mark.parametrize("deck", ["nowhere", "../other", ""])
def test_an_unknown_pack_is_not_noted(house: House, deck: str) -> None:
    with pytest.raises(KibitzError) as caught:
        house.choose_deck("wednesday", deck)
    assert caught.value.code == "deck_unknown"
    assert house.profiles.load("wednesday").deck is None


@pytest.mark.parametrize(
    "body", [{}, {"table": "saved"}, {"table": 7, "deck": None}, {"table": "saved", "deck": 7}, []]
)
def test_a_choice_that_can_t_be_understood_is_refused(table: TableServer, body: object) -> None:
    table.house.profiles.save("saved", json.loads(TABLE.read_text("utf-8")))
    assert table.host().post("/api/decks/choose", body)[0] == 400


def test_the_host_chooses_and_sees_the_choice(table: TableServer) -> None:
    table.house.profiles.save("saved", {**json.loads(TABLE.read_text("utf-8")), "title": "周三"})
    host = table.host()
    assert host.post("/api/decks/choose", {"table": "saved", "deck": "standard"})[0] == 200
    listed = json.loads(host.get("/api/decks")[2])
    assert listed["tables"] == [{"name": "saved", "title": "周三", "deck": "standard"}]
    assert [(one["name"], one["in_use"]) for one in listed["decks"]] == [("standard", True)]
    assert host.post("/api/decks/standard/use", {}) == (200, {"ok": True})
