"""The pages of Kibitz in the states that people meet, for checks that hold on every page."""

import json
import re
from collections.abc import Callable

from browser_pages import OpenPage
from playwright.sync_api import Page, expect
from running import ROOT, TABLE
from serving import API, NAMES, TableServer

PHOTO = ROOT / "tests" / "vision" / "data" / "edje_cam_image8.jpg"

Place = Callable[..., Page]
"""Opens a page of the table (see `prepare`) in one state: place(table, open_page, locale=...)."""


def prepare(table: TableServer) -> None:
    """A hand that is over, then one with a violation, questions and a dispute of a seated phone."""
    table.room.decide({"kind": "new_hand", "data": {"finish": [0, 1, 2, 3]}})
    table.play()
    phone = table.guest()
    assert phone.post(f"{API}/seat", {"seat": 2})[0] == 200
    assert phone.post(f"{API}/claim", {"kind": "dispute", "of": len(table.room.events) - 1})[0] == 200


def guest_link(table: TableServer, path: str = "") -> str:
    return f"{table.page}{path}#join={table.door.guest_code()[0]}"


def host_link(table: TableServer, path: str | None = None) -> str:
    page = table.page if path is None else table.url + path
    return f"{page}#host={table.door.new_host_token()}"


def as_guest(table: TableServer, open_page: OpenPage, **how: object) -> Page:
    """A phone that looks on."""
    page = open_page(guest_link(table), 320, 568, **how)
    expect(page.locator("#mine button")).to_have_count(3)
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
    """A phone that nobody let in."""
    page = open_page(table.page, allow=("401 (UNAUTHORIZED)", "EventSource"), **how)
    expect(page.locator("#outside-why")).not_to_be_empty()
    return page


def stale(table: TableServer, open_page: OpenPage, **how: object) -> Page:
    """A phone without network."""
    page = open_page(guest_link(table), 390, allow=("ERR_INTERNET_DISCONNECTED",), **how)
    expect(page.locator("#link.live")).to_be_visible()
    page.context.set_offline(True)
    expect(page.locator("#link.stale")).to_be_visible()
    return page


def as_host(table: TableServer, open_page: OpenPage, **how: object) -> Page:
    """The host's page with questions and a phone at a seat."""
    page = open_page(host_link(table), 1280, 900, **how)
    expect(page.locator("#questions li")).not_to_have_count(0)
    expect(page.locator("#phones li")).not_to_have_count(0)
    return page


def invitation(table: TableServer, open_page: OpenPage, **how: object) -> Page:
    page = as_host(table, open_page, **how)
    page.locator("#invite-phones").click()
    expect(page.locator("#invite")).to_be_visible()
    return page


def correction(table: TableServer, open_page: OpenPage, **how: object) -> Page:
    page = as_host(table, open_page, **how)
    page.locator("#story .pencil").nth(2).click()
    expect(page.locator("dialog[open]")).to_be_visible()
    return page


def new_hand(table: TableServer, open_page: OpenPage, **how: object) -> Page:
    return _menu(as_host(table, open_page, **how), "#new-hand")


def house_rules(table: TableServer, open_page: OpenPage, **how: object) -> Page:
    return _menu(as_host(table, open_page, **how), "#house-rules")


def match_menu(table: TableServer, open_page: OpenPage, **how: object) -> Page:
    return _menu(as_host(table, open_page, **how), "#match-menu")


def _menu(page: Page, opener: str) -> Page:
    page.locator(opener).click()
    expect(page.locator("dialog[open] .desk")).to_be_visible()
    return page


def table_list(table: TableServer, open_page: OpenPage, **how: object) -> Page:
    table.put(table.journal.path.with_name("other.sqlite"), "second-table")
    page = open_page(host_link(table, "/"), **how)
    expect(page.locator("#tables a").first).to_be_visible()
    return page


def setup(table: TableServer, open_page: OpenPage, **how: object) -> Page:
    page = open_page(host_link(table, "/setup"), 1280, 900, **how)
    expect(page.locator("#step")).not_to_be_empty()
    return page


def decks(table: TableServer, open_page: OpenPage, **how: object) -> Page:
    """The deck packs, one opened, after a photo was tried."""
    table.house.profiles.save("saved", {**json.loads(TABLE.read_text("utf-8")), "title": "周三"})
    page = open_page(host_link(table, "/decks"), 390, **how)
    page.locator("#packs summary").click()
    page.set_input_files("#photo-file", PHOTO)
    expect(page.locator("#tried polygon")).not_to_have_count(0, timeout=60_000)
    return page


def replay(table: TableServer, open_page: OpenPage, **how: object) -> Page:
    page = open_page(guest_link(table, "replay"), 390, **how)
    expect(page.locator("#event")).not_to_be_empty()
    return page


def sheet(table: TableServer, open_page: OpenPage, **how: object) -> Page:
    page = open_page(host_link(table, f"{API.removesuffix('/api')}/sheet"), 1280, **how)
    expect(page.locator("#sheet table").first).to_be_visible()
    return page


PLACES = (
    as_guest,
    as_player,
    as_stranger,
    stale,
    as_host,
    invitation,
    correction,
    new_hand,
    house_rules,
    match_menu,
    table_list,
    setup,
    decks,
    replay,
    sheet,
)

_TEXTS = """() => { const found = [document.title];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode.parentElement;
    const shown = node.checkVisibility() || node.closest("option");
    // what is marked as of another language (a deck's own data) is said in that one
    if (shown && !node.closest("noscript, body [lang]")) found.push(walk.currentNode.textContent);
  }
  for (const node of document.querySelectorAll("body *"))
    for (const name of ["aria-label", "title", "alt", "placeholder"])
      if (node.hasAttribute(name)) found.push(node.getAttribute(name));
  return found; }"""


def texts(page: Page) -> list[str]:
    """What the page says, to the eye and to a screen reader, without the players' names."""
    found: list[str] = page.evaluate(_TEXTS)
    short = [f"{name[:7]}…" for name in NAMES]  # in the chart
    names = "|".join(re.escape(name) for name in sorted((*NAMES, *short), key=len, reverse=True))
    return [text for text in (re.sub(names, "", one).strip() for one in found) if text]
