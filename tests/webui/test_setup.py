"""The set-up of a table: its faults by field, the read-out, drafts, which cameras may be chosen, and saving."""

import json
import multiprocessing
import secrets
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from running import CLIP, TABLE, Running
from serving import NAME, SETUP, TableServer, Visitor

from referee.errors import RulesError
from referee.rules import games, load_game
from vision.errors import KibitzError
from vision.photo import header_size
from webui.cameras import cameras, thumbnail
from webui.catalogs import LANGUAGES, catalog
from webui.drafts import Drafts
from webui.house import House, Plan
from webui.profiles import Profiles, read_profile
from webui.roles import Role
from webui.rulebook import describe, read_out
from webui.setup_check import problems

DOCUMENT: dict[str, Any] = json.loads(TABLE.read_text("utf-8"))


def test_a_table_file_that_opens_has_no_faults() -> None:
    assert problems(DOCUMENT) == []


@pytest.mark.parametrize(
    ("change", "field", "code"),
    [
        ({"game": None}, "game", "no_game_chosen"),
        ({"game": "whist"}, "game", "unknown_ruleset"),
        ({"options": {"straight_min": 99}}, "options.straight_min", "option_out_of_range"),
        ({"options": {"no_such_rule": True}}, "options.no_such_rule", "unknown_option"),
        ({"options": {"straight_min": 6, "straight_max": 5}}, "options.straight_max", "option_out_of_range"),
        ({"table_px": [[0, 0], [100, 0], [0, 100], [100, 100]]}, "table_px", "setup_field"),
        ({"play_area_px": [[0, 0], [9, 9]]}, "play_area_px", "setup_field"),
        ({"seats": DOCUMENT["seats"][:2]}, "seats", "player_count"),
        ({"seats": [{"index": 0}, {"index": 1}]}, "seats[0].edge_px", "setup_field"),
        ({"table_mm": [0, 900]}, "table_mm", "setup_field"),
        ({"dealer": 9}, "dealer", "bad_setup"),
        ({"size": None}, "size", "setup_field"),
    ],
)
def test_a_fault_names_its_field(change: dict[str, Any], field: str, code: str) -> None:
    assert [(one.field, one.code) for one in problems(DOCUMENT | change)] == [(field, code)]


def test_every_wrong_rule_is_named_at_once() -> None:
    found = problems(DOCUMENT | {"options": {"straight_min": 99, "target": 0, "bomb_may_lead": False}})
    assert {one.field for one in found} == {"options.straight_min", "options.target"}


@pytest.mark.parametrize("game", games())
def test_every_rule_of_a_game_has_its_words_and_a_default_that_fits(game: str) -> None:
    told = describe(game)
    json.dumps(told)
    for option in told["options"]:
        assert set(option["text"]) >= set(LANGUAGES)
        assert all(set(words) >= set(LANGUAGES) for words in option["choices"].values())
        load_game(game).check(option["name"], option["default"])


@pytest.mark.parametrize("game", games())
def test_the_read_out_is_the_games_paragraph_and_then_what_was_changed(game: str) -> None:
    assert read_out(game, {}) == dict(load_game(game).read_out)
    assert read_out(game, {"direction": load_game(game).options["direction"]}) == dict(load_game(game).read_out)
    other = "ccw" if load_game(game).options["direction"] == "cw" else "cw"
    for language, text in read_out(game, {"direction": other}).items():
        spec = load_game(game).specs["direction"]
        assert text.startswith(load_game(game).read_out[language])
        assert spec.text[language] in text
        assert (spec.choices or {})[other][language] in text


def test_every_kind_of_rule_is_read_out_in_words() -> None:
    options: dict[str, object] = {"bomb_may_lead": False, "straight_max": 8, "start_card": "4h"}
    options |= {"types": ["pair", "single"], "bomb_sizes": [4, 5]}
    told = read_out("upstream", options)
    for said in ("A bomb may be led: no.", "Most cards in a straight: 8.", "single, pair.", "4 of hearts.", "4, 5."):
        assert said in told["en"]
    assert "可以用炸弹起手：否。" in told["zh-Hans"]
    for language, text in told.items():
        assert "setup." not in text, language


def test_a_rule_that_cannot_be_is_not_read_out() -> None:
    with pytest.raises(RulesError, match="option_out_of_range"):
        read_out("upstream", {"straight_min": 99})


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_field_that_can_be_wrong_has_words(language: str) -> None:
    for field in ("table_px", "play_area_px", "discard_area_px", "stock_px", "seats", "table_mm", "size", "other"):
        assert catalog(language).has(f"setup.wrong.{field}")


def test_drafts_are_kept_apart_and_survive(tmp_path: Path) -> None:
    drafts = Drafts(tmp_path / "drafts")
    assert drafts.load(None) is None
    drafts.save(None, {"step": "game"})
    drafts.save("wednesday", {"step": "table", "names": ["王大爷"]})
    again = Drafts(tmp_path / "drafts")
    assert again.load(None) == {"step": "game"}
    assert again.load("wednesday") == {"step": "table", "names": ["王大爷"]}
    again.drop(None)
    again.drop(None)
    assert again.load(None) is None


@pytest.mark.parametrize("name", ["../keys", "a/b", "_new", "con", ""])
def test_10_a_drafts_name_does_not_leave_its_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / "keys.json").write_text("{}")
    drafts = Drafts(tmp_path / "drafts")
    if name:
        with pytest.raises(KibitzError, match="table_name"):
            drafts.load(name)


def test_a_damaged_draft_counts_as_none(tmp_path: Path) -> None:
    for torn in ("{", "[]", '"x"', "[" * 100_000):
        (tmp_path / "_new.json").write_text(torn)
        assert Drafts(tmp_path).load(None) is None


def test_named_sources_come_first_and_once_and_show_no_password(tmp_path: Path) -> None:
    url = "rtsp://anna:secret@192.0.2.7/table"
    found = cameras(iter([url, str(CLIP), url]))
    assert [one.name for one in found[:2]] == ["rtsp://192.0.2.7/table", "demo.mp4"]
    assert [one.source for one in found].count(url) == 1
    assert all("secret" not in one.id + one.name and "/" not in one.id for one in found)


def test_a_thumbnail_is_small_and_a_source_that_is_none_says_why(tmp_path: Path) -> None:
    width, height = header_size(thumbnail(str(CLIP)))
    assert (width, height) == (320, 180)
    broken = tmp_path / "broken.mp4"
    broken.write_bytes(b"no film")
    with pytest.raises(KibitzError, match="source_no_video"):
        thumbnail(str(broken))
    with pytest.raises(KibitzError, match="source_missing"):
        thumbnail(str(tmp_path / "nothing.mp4"))


def test_a_source_that_never_answers_is_given_up() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(KibitzError, match="camera_hung"):
        thumbnail(f"http://127.0.0.1:{silent.getsockname()[1]}/", patience_s=3)
    assert not [child for child in multiprocessing.active_children() if child.name == "kibitz-thumbnail"]


NO_CAMERAS = ["http://127.0.0.1:1/x", "/etc/passwd", str(CLIP), "../0", "x000000000000", 0, None, {"a": 1}]


@pytest.mark.parametrize("camera", NO_CAMERAS)
def test_10_no_source_is_opened_that_a_page_names(table: TableServer, camera: object) -> None:
    status, answer = table.host().post("/api/setup/camera", {"camera": camera})
    assert (status, answer["error"]["code"]) == (404, "camera_unknown")
    assert table.house.lens.source is None


def test_10_a_source_in_a_document_is_not_taken_over(
    table: TableServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KIBITZ_HOME", str(tmp_path))
    table.house.offered_source = str(CLIP)
    host = table.host()
    camera = json.loads(host.get("/api/setup")[2])["camera"]
    document = DOCUMENT | {"source": "http://192.0.2.1/", "chosen": True, "title": "Mine"}
    status, answer = host.post("/api/setup/start", {"camera": camera, "document": document})
    assert (status, answer) == (200, {"name": "mine", "problems": []})
    assert table.house.profiles.document("mine")["source"] == str(CLIP)


def test_a_wrong_set_up_is_not_saved(table: TableServer) -> None:
    table.house.offered_source = str(CLIP)
    host = table.host()
    camera = json.loads(host.get("/api/setup")[2])["camera"]
    status, answer = host.post("/api/setup/start", {"camera": camera, "document": DOCUMENT | {"game": "whist"}})
    assert status == 200
    assert [one["field"] for one in answer["problems"]] == ["game"]
    assert table.house.profiles.names() == ()


def test_a_table_rests_while_its_camera_is_used_and_goes_on_with_its_match(tmp_path: Path) -> None:
    house = House(Profiles(tmp_path / "tables"), secrets.token_urlsafe)
    plan = Plan.of(read_profile(TABLE, "demo"), SETUP, tmp_path / "journal.sqlite", None, str(CLIP), True)
    table = house.start(plan)

    def until(true: Callable[[], bool]) -> None:
        start = time.monotonic()
        while not true():
            assert time.monotonic() - start < 90
            time.sleep(0.1)

    def camera() -> str:
        return str(table.room.snapshot(Role.HOST)["camera"]["status"])

    try:
        until(lambda: len(table.room.events) >= 1)
        assert table.watching
        table.watching.rest()
        assert camera() == "resting"
        before = table.room.events
        table.watching.go_on()
        until(lambda: len(table.room.events) > len(before))
        assert camera() == "watching"
        assert table.room.events[: len(before)] == before
        assert table.room.events[len(before)].t > before[-1].t
    finally:
        house.end()


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Visitor]:
    """The host of a Kibitz that was started with a clip as its camera and no table."""
    running = Running(tmp_path, on=("--source", CLIP))
    yield running.host(NAME)
    assert running.end() == (0, "")


def test_13_the_whole_picture_is_the_hosts_and_is_not_stored(host: Visitor) -> None:
    known = json.loads(host.get("/api/setup")[2])
    assert host.post("/api/setup/camera", {"camera": known["camera"]}) == (200, {"ok": True})
    after, status = 0, 204
    while status == 204:
        status, headers, picture = host.get(f"/api/setup/picture?after={after}")
    assert headers["Cache-Control"] == "no-store"
    assert header_size(picture) == (1280, 720)
    guess = host.post("/api/setup/propose", {"seats": 4})[1]
    document = guess["document"]
    assert document["size"] == [1280, 720]
    assert len(document["table_px"]) == len(document["seats"]) == 4
    assert problems(document | {"game": "upstream"}) == []
    corners = {"table_px": document["table_px"]}
    looked = host.post("/api/setup/look", corners)[1]
    assert {check["name"] for check in looked["checks"]} >= {"light", "glare"}
    arranged = host.post("/api/setup/arrange", {"seats": 3, "sides_seen": guess["sides_seen"], **corners})[1]
    assert len(arranged["seat_edges"]) == 3
    crossed = [document["table_px"][i] for i in (0, 2, 1, 3)]
    status, answer = host.post("/api/setup/arrange", {"seats": 3, "table_px": crossed})
    assert (status, answer["error"]["code"]) == (400, "table_field")
    assert host.post("/api/setup/leave", {}) == (200, {"ok": True})
    status, answer = host.post("/api/setup/propose", {"seats": 4})
    assert (status, answer["error"]["code"]) == (400, "no_camera_chosen")


def test_a_camera_that_gives_nothing_says_why_and_lets_the_server_end(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        dead = f"http://127.0.0.1:{taken.getsockname()[1]}/video"
    running = Running(tmp_path, on=("--source", dead))
    host = running.host(NAME)
    camera = json.loads(host.get("/api/setup")[2])["camera"]
    assert host.post("/api/setup/camera", {"camera": camera})[0] == 200
    status, answer = host.post("/api/setup/propose", {"seats": 4})
    assert (status, answer["error"]["code"]) == (400, "stream_unreachable")
    assert json.loads(host.get("/api/setup/camera")[2])["error"]["code"] == "stream_unreachable"
    assert running.end() == (0, "")
