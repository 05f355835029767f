"""The list of tables: leads to a table, and the host opens, closes and deletes them there."""

import json
from pathlib import Path

from browser_pages import OpenPage
from playwright.sync_api import expect
from running import CLIP, TABLE, Running
from serving import PAGE, TableServer

BOMB = "<img src=x onerror=alert(1)>"


def test_8_titles_are_inert_in_list_and_page(table: TableServer, tmp_path: Path, open_page: OpenPage) -> None:
    table.put(tmp_path / "other.sqlite", "back-room", BOMB)
    page = open_page(f"{table.url}/#join={table.door.guest_code()[0]}")
    link = page.get_by_role("link", name=BOMB)
    expect(link).to_be_visible()
    assert page.locator("main img").count() == 0
    assert page.get_by_role("button").count() == 0
    link.click()
    expect(page.locator("#game")).to_contain_text(BOMB)
    assert page.locator("main img").count() == 0
    page.get_by_role("link", name="All tables").click()
    page.get_by_role("link", name="周三牌局").click()
    expect(page.locator("#game")).to_contain_text("周三牌局")
    assert page.url.endswith(PAGE)


def test_the_host_opens_closes_and_deletes_saved_tables(tmp_path: Path, open_page: OpenPage) -> None:
    folder = tmp_path / "tables"
    folder.mkdir()
    document = json.loads(TABLE.read_text("utf-8")) | {"source": str(CLIP)}
    for name, title in (("wednesday", "周三"), ("sunday", "周日")):
        (folder / f"{name}.json").write_text(json.dumps(document | {"title": title, "chosen": name == "sunday"}))
    (folder / "torn.json").write_text("{")
    running = Running(tmp_path, on=())
    page = open_page(running.link, 1280, allow=("ERR_",))
    expect(page.locator("#game")).to_contain_text("周日")  # the only open one
    table = page.context.new_page()
    table.goto(f"{running.url}t/sunday/")
    expect(table.locator("#camera")).to_have_text("Watching", timeout=60_000)
    page.goto(f"{running.url}?all")
    expect(page.get_by_role("link", name="周日", exact=True)).to_be_visible()
    expect(page.locator("main")).to_contain_text("torn.json is not valid JSON")
    page.get_by_role("button", name="Open: 周三").click()
    expect(page.get_by_role("link", name="周三", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="Set up: 周三")).to_have_attribute("href", "/setup?table=wednesday")
    page.get_by_role("button", name="Close: 周日").click()
    expect(page.get_by_role("link", name="周日", exact=True)).to_have_count(0)
    expect(table.locator("#outside-why")).to_have_text("This table is closed.")
    page.get_by_role("button", name="Open: 周日").click()
    expect(table.locator("#inside")).to_be_visible(timeout=60_000)  # it comes back by itself
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete: torn").click()
    expect(page.get_by_role("button", name="Delete: torn")).to_have_count(0)
    assert sorted(path.name for path in folder.iterdir()) == ["sunday.json", "wednesday.json"]
    for one in (page, table):
        one.close()
    code, errors = running.end()
    assert code == 0
    assert len(errors.splitlines()) == 1  # the damaged table


def test_strangers_see_no_table_in_the_list(table: TableServer, open_page: OpenPage) -> None:
    page = open_page(table.url, allow=("401 (UNAUTHORIZED)",))
    expect(page.locator("#tables")).to_contain_text("Scan the QR code")
    assert page.get_by_role("link").count() == 0


def test_the_host_of_no_table_is_led_to_the_set_up(tmp_path: Path, open_page: OpenPage) -> None:
    running = Running(tmp_path, on=("--source", CLIP, "--game", "upstream"))
    page = open_page(running.link, 1280, allow=("ERR_",))
    page.wait_for_url("**/setup")
    expect(page.locator("#step")).not_to_be_empty()
    page.goto(f"{running.url}?all")
    expect(page.locator("main")).to_contain_text("No table is open.")
    page.get_by_role("link", name="Set up a table").click()
    page.wait_for_url("**/setup")
    page.close()
    assert running.end() == (0, "")
