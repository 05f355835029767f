"""The replay and the score sheet in a real browser: scrubbing, keys, pictures, languages, small screens."""

import time
from pathlib import Path

import cv2
import numpy as np
import pytest
from browser_pages import OpenPage
from playwright.sync_api import Page, expect
from serving import GAME, NAMES, TableServer

from referee.setup import MatchSetup

CONTRAST = (Path(__file__).parent / "contrast.js").read_text()


def green(shade: int) -> bytes:
    """A picture of the play area that can be told from others."""
    picture = np.full((240, 320, 3), (40, shade, 40), np.uint8)
    return cv2.imencode(".jpg", picture)[1].tobytes()


def play_with_pictures(table: TableServer, count: int = len(GAME)) -> None:
    """The first events of GAME, each with its pictures, which are on the disk when this returns."""
    for number, line in enumerate(GAME[:count]):
        event = table.room.add(line)
        table.room.picture([event.id], green(60 + 20 * number), green(80 + 20 * number))
    archive = table.room.archive
    assert archive is not None
    start = time.monotonic()
    while len(archive.kept(table.room.match)) < count:
        assert time.monotonic() - start < 30
        time.sleep(0.02)


def replay_link(table: TableServer, query: str = "", host: bool = False) -> str:
    key = f"host={table.door.new_host_token()}" if host else f"join={table.door.guest_code()[0]}"
    return f"{table.page}replay{query}#{key}"


def shade(page: Page, image: str) -> int:
    """The green of the middle of a picture on the page."""
    expect(page.locator(image)).to_be_visible()
    page.wait_for_function("(wanted) => document.querySelector(wanted).complete", arg=image)
    return int(
        page.evaluate(
            """(wanted) => { const image = document.querySelector(wanted);
                 const canvas = document.createElement("canvas"); canvas.width = canvas.height = 8;
                 const place = canvas.getContext("2d"); place.drawImage(image, 0, 0, 8, 8);
                 return place.getImageData(4, 4, 1, 1).data[1]; }""",
            image,
        )
    )


def test_a_guest_goes_through_a_match_with_the_keys(table: TableServer, open_page: OpenPage) -> None:
    play_with_pictures(table)
    page = open_page(replay_link(table))
    expect(page.locator("#event")).to_have_text("Before the first card")
    expect(page.locator("#turn")).to_have_text("Anna to play")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#event .what")).to_have_text("Anna: pair of fives")
    expect(page.locator("#lead .combo")).to_have_text("pair of fives")
    expect(page.locator("#where")).to_contain_text(f"Step 1 of {len(GAME)}")
    page.keyboard.press("PageDown")
    expect(page.locator("#event .sign.violation")).to_be_visible()
    expect(page.locator("#event .what")).to_contain_text("pair of fours can't beat pair of eights: not higher")
    page.keyboard.press("PageDown")
    expect(page.locator("#where")).to_contain_text(f"Step {len(GAME)} of {len(GAME)}")
    expect(page.locator("#event .what")).to_contain_text("six-card straight to the ace can't beat")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#event .what")).to_contain_text("five-card straight to the queen")
    page.keyboard.press("PageUp")
    expect(page.locator("#where")).to_contain_text("Step 3 of")
    page.keyboard.press("Home")
    expect(page.locator("#event")).to_have_text("Before the first card")
    page.keyboard.press("End")
    expect(page.locator("#where")).to_contain_text(f"Step {len(GAME)} of")


def test_the_slider_is_dragged_and_says_where_it_is(table: TableServer, open_page: OpenPage) -> None:
    play_with_pictures(table)
    page = open_page(replay_link(table))
    slider = page.get_by_role("slider", name="Step")
    expect(slider).to_have_attribute("aria-valuetext", "Before the first card")
    slider.fill("5")
    expect(page.locator("#event .what")).to_have_text("王大爷: pair of jacks")
    expect(slider).to_have_attribute("aria-valuetext", "王大爷: pair of jacks")
    slider.press("ArrowRight")
    expect(page.locator("#event .what")).to_contain_text("bomb")
    assert page.locator("#marks .violation").count() == 2


def test_play_runs_to_the_end_and_can_be_held(table: TableServer, open_page: OpenPage) -> None:
    play_with_pictures(table, 3)
    page = open_page(replay_link(table))
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(page.locator("#where")).to_contain_text("Step 3 of 3")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    page.get_by_role("button", name="One step back").click()
    expect(page.locator("#where")).to_contain_text("Step 2 of 3")


def test_the_disputed_play_is_shown_before_and_after_side_by_side(table: TableServer, open_page: OpenPage) -> None:
    play_with_pictures(table)
    page = open_page(replay_link(table, "?event=2"), 390)
    before, after = page.get_by_alt_text("Just before:"), page.get_by_alt_text("Just after:")
    expect(before).to_be_visible()
    expect(after).to_be_visible()
    assert abs(shade(page, "#pair figure:nth-child(1) img") - 100) < 8
    assert abs(shade(page, "#pair figure:nth-child(2) img") - 120) < 8
    left, right = before.bounding_box(), after.bounding_box()
    assert left is not None
    assert right is not None
    assert left["y"] == right["y"]
    assert left["x"] + left["width"] <= right["x"]
    page.get_by_role("button", name="Show larger: Just after").click()
    expect(page.locator("#large h2")).to_contain_text("pair of fours can't beat")
    expect(page.locator("#large img")).to_have_count(2)
    page.keyboard.press("Escape")
    expect(page.locator("#large")).to_be_hidden()


def test_a_dispute_and_a_correction_show_the_pictures_of_what_they_are_about(
    table: TableServer, open_page: OpenPage
) -> None:
    play_with_pictures(table, 3)
    table.room.add({"kind": "dispute", "seat": 2, "of": 2})
    table.room.add({"kind": "amend", "of": 2, "cards": ["Ts", "Th"]})
    page = open_page(replay_link(table, "?event=3"))
    expect(page.locator("#event .what")).to_contain_text(NAMES[2])
    assert abs(shade(page, "#pair figure:nth-child(1) img") - 100) < 8
    assert abs(shade(page, "#pair figure:nth-child(2) img") - 120) < 8
    page.keyboard.press("ArrowRight")
    expect(page.locator("#event .what")).to_contain_text("Corrected: ")
    expect(page.locator("#event .what")).to_contain_text("pair of tens")
    assert abs(shade(page, "#pair figure:nth-child(2) img") - 120) < 8
    page.keyboard.press("PageUp")  # to the play that was disputed
    expect(page.locator("#where")).to_contain_text("Step 3 of 5")
    # the step shows what was said then, and what became of it
    expect(page.locator("#event .sign.violation")).to_be_visible()
    expect(page.locator("#event .later")).to_contain_text("after a later correction: Allowed")


def test_missing_and_damaged_pictures_break_nothing(table: TableServer, open_page: OpenPage) -> None:
    play_with_pictures(table, 3)
    archive = table.room.archive
    assert archive is not None
    page = open_page(replay_link(table), allow=("404",))
    expect(page.locator("#event")).to_be_visible()
    for path in archive.folder.glob("*.jpg"):
        path.write_bytes(b"\xff\xd8 not a picture")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#event .what")).to_have_text("Anna: pair of fives")
    expect(page.locator("#pair")).to_contain_text("no picture")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#lead .combo")).to_have_text("pair of eights")


def test_earlier_matches_and_single_hands_can_be_chosen(table: TableServer, open_page: OpenPage) -> None:
    play_with_pictures(table, 2)
    table.room.begin_match()
    table.room.add(GAME[0])
    table.room.add({"kind": "new_hand"})
    table.room.add({**GAME[1], "t": 50.0})
    page = open_page(replay_link(table, host=True), 1280)
    expect(page.locator("#where")).to_contain_text("Step 0 of 3")
    page.get_by_label("Hand").select_option("2")
    expect(page.locator("#where")).to_contain_text("Step 0 of 2")
    page.keyboard.press("End")
    expect(page.locator("#event .what")).to_contain_text("pair of eights")
    page.get_by_label("Match").select_option(index=1)
    expect(page.locator("#where")).to_contain_text("Step 0 of 2")
    page.keyboard.press("End")
    assert abs(shade(page, "#pair figure:nth-child(2) img") - 100) < 8


def test_what_is_played_meanwhile_is_reached_by_going_on(table: TableServer, open_page: OpenPage) -> None:
    play_with_pictures(table, 2)
    page = open_page(replay_link(table, "?step=2"))
    expect(page.locator("#where")).to_contain_text("Step 2 of 2")
    table.room.add(GAME[2])
    page.get_by_role("button", name="One step on").click()
    expect(page.locator("#where")).to_contain_text("Step 3 of 3")


def test_8_names_are_inert_in_the_replay_and_on_the_sheet(table: TableServer, open_page: OpenPage) -> None:
    play_with_pictures(table)
    page = open_page(replay_link(table, "?event=2"))
    expect(page.locator("#event .what")).to_contain_text(NAMES[2])
    assert page.locator("#event img").count() == 0
    page.goto(f"{table.page}sheet")
    expect(page.locator("#sheet thead")).to_contain_text(NAMES[2])
    assert page.locator("main img").count() == 0


def test_a_stranger_is_told_how_to_come_in(table: TableServer, open_page: OpenPage) -> None:
    for page_name in ("replay", "sheet"):
        page = open_page(f"{table.page}{page_name}", allow=("401",))
        expect(page.locator("#outside")).to_contain_text("Scan the QR code")
        expect(page.locator("#inside")).to_be_hidden()


@pytest.mark.parametrize("locale", ["en", "zh-CN", "zh-TW"])
def test_the_replay_speaks_every_language(table: TableServer, open_page: OpenPage, locale: str) -> None:
    play_with_pictures(table, 3)
    words = {"en": "Just before", "zh-CN": "之前", "zh-TW": "之前"}[locale]
    page = open_page(replay_link(table, "?event=2"), locale=locale)
    expect(page.locator("#pair figcaption").first).to_have_text(words)
    sentence = {"en": "can't beat", "zh-CN": "不能压", "zh-TW": "不能壓"}[locale]
    expect(page.locator("#event .what")).to_contain_text(sentence)


@pytest.mark.parametrize("width", [320, 390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_cut_off_on_any_screen(table: TableServer, open_page: OpenPage, width: int, scheme: str) -> None:
    play_with_pictures(table)
    page = open_page(replay_link(table, "?event=2"), width, color_scheme=scheme)
    expect(page.locator("#pair img").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(CONTRAST) == []
    for button in page.locator(".controls button").all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 44
    page.goto(f"{table.page}sheet")
    expect(page.locator("#sheet table")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(CONTRAST) == []


def test_the_score_sheet_prints_the_sheet_and_nothing_else(table: TableServer, open_page: OpenPage) -> None:
    page = open_page(f"{table.page}sheet#host={table.door.new_host_token()}", 1280, color_scheme="dark")
    expect(page.locator("#sheet h2")).to_have_text("周三牌局")
    expect(page.locator("#sheet")).to_contain_text("No hand is finished yet.")
    table.room.decide({"kind": "new_hand", "data": {"finish": [1, 0, 2, 3]}})
    page.reload()
    expect(page.locator("#sheet tbody tr")).to_have_text(["Hand 1 王大爷 first2310"])
    expect(page.locator("#sheet tfoot tr")).to_have_text(["Total2310"])
    page.get_by_label("Language").select_option("zh-Hant")
    expect(page.locator("#sheet tbody tr")).to_have_text(["第 1 局 王大爷 先出完2310"])
    page.emulate_media(media="print")
    expect(page.locator(".tools-bar")).to_be_hidden()
    expect(page.locator(".top")).to_be_hidden()
    expect(page.locator("#sheet tfoot")).to_be_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.querySelector('#sheet h2')).color") == "rgb(0, 0, 0)"


def test_hands_keep_their_numbers_and_a_team_wins_with_both_its_names(tmp_path: Path, open_page: OpenPage) -> None:
    table = TableServer(tmp_path, setup=MatchSetup("tavla", NAMES, {"direction": "ccw"}, first_leader=0))
    table.room.decide({"kind": "play", "seat": 0, "cards": ["3d"]})
    table.room.decide({"kind": "new_hand"})  # the first hand counts for nobody
    table.room.decide({"kind": "play", "seat": 0, "cards": ["3d"]})
    table.room.decide({"kind": "new_hand", "data": {"finish": [1, 3]}})
    table.room.decide({"kind": "end_match"})
    both = f"{NAMES[1]} + {NAMES[3]}"
    page = open_page(f"{table.page}sheet#host={table.door.new_host_token()}")
    expect(page.locator("#sheet tbody th")).to_have_text([f"Hand 2 {NAMES[1]} first"])
    expect(page.locator("#sheet p").last).to_contain_text(both)
    page.goto(table.page)
    expect(page.locator("#scores tbody th")).to_have_text(["Hand 2"])
    expect(page.locator("#match")).to_contain_text(both)
    page.context.close()
    table.close()


def test_the_host_takes_the_match_away_as_files(table: TableServer, open_page: OpenPage) -> None:
    play_with_pictures(table)
    page = open_page(f"{table.page}sheet#host={table.door.new_host_token()}", 1280)
    with page.expect_download() as started:
        page.get_by_role("link", name="Plays (CSV)").click()
    assert started.value.suggested_filename.endswith("-upstream-plays.csv")
    assert "'=1+1" in Path(started.value.path()).read_text("utf-8-sig")
    guest = open_page(f"{table.page}sheet#join={table.door.guest_code()[0]}")
    expect(guest.locator("#sheet table")).to_be_visible()
    expect(guest.locator("#files")).to_be_hidden()


def test_the_hosts_story_has_pictures_which_the_host_can_delete(table: TableServer, open_page: OpenPage) -> None:
    play_with_pictures(table, 3)
    host = open_page(f"{table.page}#host={table.door.new_host_token()}", 1280)
    guest = open_page(f"{table.page}#join={table.door.guest_code()[0]}")
    expect(host.locator("#story .thumbs")).to_have_count(3)
    assert abs(shade(host, "[data-id='2'] .thumbs img") - 120) < 8
    event = table.room.add(GAME[3])
    table.room.picture([event.id], green(200), green(220))
    expect(host.locator("[data-id='3'] .thumbs img")).to_be_visible()
    assert abs(shade(host, "[data-id='3'] .thumbs img") - 200) < 8  # what lay there, not what is left
    host.get_by_role("button", name="Pictures before and after").nth(1).click()
    expect(host.locator("#large h2")).to_contain_text("pair of fours can't beat")
    expect(host.locator("#large img")).to_have_count(2)
    host.get_by_role("link", name="Replay from here").click()
    expect(host.locator("#where")).to_contain_text("Step 3 of 4")
    host.get_by_role("link", name="Back to the table").click()
    host.once("dialog", lambda dialog: dialog.accept())
    host.get_by_role("button", name="Delete the pictures").click()
    expect(host.locator("#story .thumbs")).to_have_count(0)
    expect(host.locator(".pictures-bar")).to_contain_text("0 pictures of the plays kept")
    assert table.room.archive is not None
    assert list(table.room.archive.folder.iterdir()) == []
    assert len(table.room.events) == 4
    expect(guest.locator("#story .entry")).to_have_count(4)
    assert guest.locator(".thumbs, .pictures-bar").count() == 0
