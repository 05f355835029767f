"""WCAG 2.2 AA by axe-core on every page, in both colours and in two languages; and by keyboard alone."""

from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser_pages import OpenPage
from playwright.sync_api import Page, expect
from serving import API, GAME, TableServer

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
AXE = Axe()


def violations(page: Page) -> list[str]:
    """What axe-core finds, one line a node."""
    found = AXE.run(page, options=RULES).response["violations"]
    return [f"{one['id']} {node['target']}: {node['failureSummary']}" for one in found for node in one["nodes"]]


def host_at(table: TableServer, path: str) -> str:
    return f"{table.url}{path}#host={table.door.new_host_token()}"


def guest_link(table: TableServer) -> str:
    return f"{table.page}#join={table.door.guest_code()[0]}"


def host_table(table: TableServer, open_page: OpenPage, **how: object) -> Page:
    page = open_page(table.page + f"#host={table.door.new_host_token()}", 1280, 900, **how)
    expect(page.locator("#story .entry")).to_have_count(len(GAME) + 1)
    expect(page.locator("#phones")).not_to_be_empty()
    return page


def as_guest(table: TableServer, open_page: OpenPage, **how: object) -> Page:
    """A phone that looks on."""
    page = open_page(guest_link(table), 320, 568, **how)
    expect(page.locator("#mine button")).to_have_count(4)
    return page


def as_player(table: TableServer, open_page: OpenPage, **how: object) -> Page:
    """A phone with a seat that has said something."""
    page = open_page(guest_link(table), 390, **how)
    page.locator("#mine button").nth(1).click()
    page.locator("[data-kind=dispute]").click()
    expect(page.locator("#claimed")).not_to_be_empty()
    expect(page.locator("[data-kind=dispute]")).to_have_count(0)
    return page


def as_stranger(table: TableServer, open_page: OpenPage, **how: object) -> Page:
    page = open_page(table.page, allow=("401 (UNAUTHORIZED)", "EventSource"), **how)
    expect(page.locator("#outside-why")).not_to_be_empty()
    return page


def as_host(table: TableServer, open_page: OpenPage, **how: object) -> Page:
    """The host's page with a question and a phone at a seat."""
    phone = table.guest()
    assert phone.post(f"{API}/seat", {"seat": 2})[0] == 200
    assert phone.post(f"{API}/claim", {"kind": "dispute", "of": 9})[0] == 200
    page = open_page(table.page + f"#host={table.door.new_host_token()}", 1280, 900, **how)
    expect(page.locator("#questions li")).not_to_have_count(0)
    expect(page.locator("#phones li")).to_have_count(1)
    return page


def invitation(table: TableServer, open_page: OpenPage, **how: object) -> Page:
    page = host_table(table, open_page, **how)
    page.locator("#host-bar button.main").first.click()
    expect(page.locator("#invite")).to_be_visible()
    return page


def correction(table: TableServer, open_page: OpenPage, **how: object) -> Page:
    page = host_table(table, open_page, **how)
    page.locator("[data-id='3'] .pencil").click()
    expect(page.locator("dialog[open]")).to_be_visible()
    return page


def table_list(table: TableServer, open_page: OpenPage, **how: object) -> Page:
    table.put(Path(table.journal.path).with_name("other.sqlite"), "second-table")
    page = open_page(host_at(table, "/"), **how)
    expect(page.locator("#tables a").first).to_be_visible()
    return page


PLACES = (as_guest, as_player, as_stranger, as_host, invitation, correction, table_list)


@pytest.mark.parametrize("locale", ["en", "zh-CN"])
@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.__name__)
def test_axe_finds_nothing_on_any_page(
    table: TableServer, open_page: OpenPage, place: Callable[..., Page], locale: str
) -> None:
    table.room.decide({"kind": "new_hand", "data": {"finish": [0, 1, 2, 3]}})
    table.play()
    page = place(table, open_page, locale=locale, reduced_motion="reduce")
    found = {scheme: _in(page, scheme) for scheme in ("light", "dark")}
    assert found == {"light": [], "dark": []}


def _in(page: Page, scheme: str) -> list[str]:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    return violations(page)
