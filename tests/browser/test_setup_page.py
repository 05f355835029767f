"""A host sets a table up from zero on the page, with the demo clip as the camera, and plays a hand."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser_pages import OpenPage
from playwright.sync_api import Locator, Page, expect
from running import CLIP, Running
from serving import TableServer
from test_accessibility import violations

PATIENCE = 60_000
PLACE = """(handle) => handle.getAttribute("aria-label").match(/\\((.*)\\)/)[1].split(", ").map(Number)"""


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    """Kibitz as a newcomer starts it: a camera and no table."""
    running = Running(tmp_path, on=("--source", CLIP))
    yield running
    assert running.end() == (0, "")


def begin(running: Running, open_page: OpenPage, width: int, **more: Any) -> Page:
    """The page that the printed link leads to."""
    page = open_page(running.link, width, 900, allow=("ERR_",), **more)
    expect(page).to_have_url(f"{running.url}setup", timeout=PATIENCE)
    expect(page.locator("#stage.drawn")).to_be_visible(timeout=PATIENCE)
    return page


def go_on(page: Page, step: str) -> None:
    assert violations(page, "light") == []
    page.locator("#next").click()
    expect(page.locator("#step")).to_have_text(step)


def to_the_table(page: Page) -> None:
    """Camera and game are chosen; the table is proposed."""
    expect(page.locator(".choice input:checked")).to_have_count(1, timeout=PATIENCE)
    go_on(page, "Game and players")
    page.get_by_role("radio", name="Upstream").check()
    go_on(page, "Table")
    expect(page.locator("#guess")).to_contain_text("corners", timeout=PATIENCE)
    expect(page.locator(".handle.corners")).to_have_count(4)


def draft(running: Running) -> Any:
    host = running.home / "tables" / "drafts" / "_new.json"
    return json.loads(host.read_text("utf-8"))


def place(handle: Locator) -> list[float]:
    return list(handle.evaluate(PLACE))


def drag(page: Page, handle: Locator, right: float, down: float) -> None:
    """Drag by screen pixels."""
    handle.scroll_into_view_if_needed()
    box = handle.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + right / 2, y + down / 2)
    expect(page.locator("#loupe")).to_be_visible()
    page.mouse.move(x + right, y + down)
    page.mouse.up()
    expect(page.locator("#loupe")).to_be_hidden()


def test_a_host_sets_up_from_zero_and_plays(running: Running, open_page: OpenPage) -> None:
    page = begin(running, open_page, 1280)
    expect(page.locator("#camera-state")).to_contain_text("Live picture", timeout=PATIENCE)
    to_the_table(page)
    page.get_by_role("button", name="2. Game and players").click()
    for number, name in enumerate(("Ann", "Bo", "陈", "<b>Dee</b>")):
        page.locator(f"#name-{number}").fill(name)
    page.locator("#title").fill("Wednesday")
    go_on(page, "Table")

    corner = page.get_by_role("button", name="Corner far left")
    x, y = place(corner)
    drag(page, corner, 40, 20)
    moved = place(corner)
    assert moved[0] > x + 20
    assert moved[1] > y + 10
    corner.press("ArrowLeft")
    corner.press("Shift+ArrowUp")
    assert place(corner) == [moved[0] - 4, moved[1] - 40]
    drag(page, corner, -40, 60)  # about where it was proposed
    page.get_by_role("button", name="Guess again").click()
    expect(page.locator("#guess")).to_contain_text("Please check the four corners", timeout=PATIENCE)

    page.get_by_role("button", name="Seats").click()
    expect(page.get_by_role("button", name="Seat of <b>Dee</b>")).to_be_visible()
    page.get_by_role("button", name="Play area").click()
    whole = page.get_by_role("button", name="Play area, all of it")
    before = place(whole)
    whole.press("ArrowUp")
    assert place(whole) == [before[0], before[1] - 4]

    go_on(page, "One card")
    while True:  # until cards lie there in the clip
        page.get_by_role("button", name="Read the card").click()
        expect(page.locator(".result")).to_be_visible(timeout=PATIENCE)
        if page.locator("#body .card").count():
            break
    expect(page.locator("#body")).to_contain_text("Card size: good")
    assert 75 < int(page.locator("#size-0").input_value()) < 95  # the demo's table is 88 cm wide

    go_on(page, "Rules and start")
    expect(page.locator("#aloud")).to_contain_text("Three to six players")
    assert violations(page, "dark") == []
    page.locator("#house-rules > summary").click()
    page.get_by_label("A bomb may be led").select_option(label="no")
    expect(page.locator("#aloud")).to_contain_text("At this table: A bomb may be led: no.")
    page.get_by_label("Most cards in a straight").select_option(label="3")
    expect(page.locator("[id='wrong-options.straight_max']")).to_contain_text("straight_max=3 is not possible")
    expect(page.locator("#start")).to_be_disabled()
    page.get_by_label("Most cards in a straight").select_option(label="no limit")
    page.get_by_label("Direction of play").select_option(label="counter-clockwise")
    page.locator("#start").click()

    expect(page).to_have_url(f"{running.url}t/wednesday/", timeout=PATIENCE)
    expect(page.locator("#camera")).to_have_text("Watching", timeout=PATIENCE)
    expect(page.locator("#seats")).to_contain_text("<b>Dee</b>")
    expect(page.locator("#lead .combo")).to_have_text("pair of sixes", timeout=PATIENCE)
    expect(page.locator("#story")).to_contain_text("Ann: pair of sixes")
    told = page.locator("#story .entry.violation, #story .entry.unsure").first
    expect(told).to_contain_text("can't beat pair of nines", timeout=PATIENCE)
    saved = json.loads((running.home / "tables" / "wednesday.json").read_text("utf-8"))
    assert saved["options"] == {"bomb_may_lead": False, "direction": "ccw"}
    assert saved["source"] == str(CLIP)
    assert [seat["name"] for seat in saved["seats"]] == ["Ann", "Bo", "陈", "<b>Dee</b>"]

    page.locator("#set-up").click()  # back to the set-up of this table
    expect(page).to_have_url(f"{running.url}setup?table=wednesday")
    page.get_by_role("button", name="2. Game and players").click()
    expect(page.locator("#name-2")).to_have_value("陈")
    expect(page.get_by_role("radio", name="Upstream")).to_be_checked()


def test_a_reload_keeps_what_was_set_up(running: Running, open_page: OpenPage) -> None:
    page = begin(running, open_page, 390)
    to_the_table(page)
    corner = page.get_by_role("button", name="Corner near right")
    corner.press("ArrowLeft")
    kept = place(corner)
    page.get_by_role("button", name="2.").click()
    page.locator("#name-1").fill("王大爷")
    go_on(page, "Table")
    page.locator("#kept:not(:empty)").wait_for()
    page.reload()
    expect(page.locator("#step")).to_have_text("Table")
    expect(page.locator(".handle.corners")).to_have_count(4, timeout=PATIENCE)
    assert place(page.get_by_role("button", name="Corner near right")) == kept
    page.get_by_role("button", name="2.").click()
    expect(page.locator("#name-1")).to_have_value("王大爷")
    assert draft(running)["document"]["seats"][1]["name"] == "王大爷"


def test_a_finger_moves_a_corner_on_a_small_screen_where_all_fits(running: Running, open_page: OpenPage) -> None:
    page = begin(running, open_page, 320, has_touch=True, is_mobile=True)
    to_the_table(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    corner = page.get_by_role("button", name="Corner near left")
    before = place(corner)
    corner.scroll_into_view_if_needed()
    box = corner.bounding_box()
    assert box
    x, y = box["x"] + 22, box["y"] + 22
    touch = page.context.new_cdp_session(page)
    for kind, points in (
        ("touchStart", [{"x": x, "y": y}]),
        ("touchMove", [{"x": x + 12, "y": y - 8}]),
        ("touchMove", [{"x": x + 24, "y": y - 16}]),
        ("touchEnd", []),
    ):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    after = place(corner)
    assert after[0] > before[0] + 40
    assert after[1] < before[1] - 20
    for step in ("2.", "4.", "5."):
        page.get_by_role("button", name=step).click()
        page.wait_for_timeout(300)
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, step


def test_what_was_entered_is_discarded_on_request(running: Running, open_page: OpenPage) -> None:
    page = begin(running, open_page, 390)
    to_the_table(page)
    page.locator("#kept:not(:empty)").wait_for()
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Begin again").click()
    expect(page.locator("#step")).to_have_text("Camera")
    page.get_by_role("button", name="3.").click()
    expect(page.locator("#notices")).to_contain_text("Choose a game first.", timeout=PATIENCE)


def test_the_words_follow_the_language_without_losing_the_place(running: Running, open_page: OpenPage) -> None:
    page = begin(running, open_page, 390)
    to_the_table(page)
    page.locator("#language").select_option("zh-Hant")
    expect(page.locator("#step")).to_have_text("牌桌")
    expect(page.get_by_role("button", name="左上桌角")).to_be_visible()
    page.locator("#next").click()
    page.locator("#next").click()
    expect(page.locator("#aloud")).to_contain_text("爭上游")
    page.locator("#house-rules > summary").click()
    page.get_by_label("可以用炸彈起手").select_option(label="否")
    expect(page.locator("#aloud")).to_contain_text("本桌約定：可以用炸彈起手：否。")


def test_a_step_that_lacks_something_says_so(running: Running, open_page: OpenPage) -> None:
    page = begin(running, open_page, 390)
    expect(page.locator(".choice input:checked")).to_have_count(1, timeout=PATIENCE)
    page.get_by_role("button", name="5.").click()
    expect(page.locator("#step")).to_have_text("Game and players")
    expect(page.locator("#notices")).to_contain_text("Choose a game first.")


def test_a_guest_sees_no_set_up(table: TableServer, open_page: OpenPage) -> None:
    page = open_page(f"{table.url}/setup#join={table.door.guest_code()[0]}", allow=("403",))
    expect(page.locator("#outside-why")).to_have_text("Only the host can set up a table. Use the host's link.")
    expect(page.locator("#wizard")).to_be_hidden()
