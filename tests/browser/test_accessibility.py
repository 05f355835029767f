"""WCAG 2.2 AA by axe-core on every page, in both colours and in two languages; and by keyboard alone."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser_pages import OpenPage
from browser_places import PLACES, Place, as_guest, as_host, guest_link, prepare
from playwright.sync_api import Page, expect
from serving import NAMES, TableServer

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
AXE = Axe()


def violations(page: Page, scheme: str) -> list[str]:
    """What axe-core finds, one line a node."""
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    found = AXE.run(page, options=RULES).response["violations"]
    return [f"{one['id']} {node['target']}: {node['failureSummary']}" for one in found for node in one["nodes"]]


@pytest.mark.parametrize("locale", ["en", "zh-CN"])
@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.__name__)
def test_axe_finds_nothing_on_any_page(table: TableServer, open_page: OpenPage, place: Place, locale: str) -> None:
    prepare(table)
    page = place(table, open_page, locale=locale, reduced_motion="reduce")
    assert {scheme: violations(page, scheme) for scheme in ("light", "dark")} == {"light": [], "dark": []}


REACHABLE = """() => [...document.querySelectorAll("a[href], button, input, select, [tabindex='0']")]
  .filter((node) => node.checkVisibility() && !node.disabled && !node.closest("dialog:not([open])")).length"""
FOCUSED = """() => { const node = document.activeElement;
  if (node === document.body) return null;
  const all = [...document.querySelectorAll("*")];
  const { outlineStyle, outlineWidth } = getComputedStyle(node);
  const { top, bottom } = node.getBoundingClientRect();
  return { place: all.indexOf(node), ring: outlineStyle !== "none" && parseFloat(outlineWidth) >= 2,
    inView: bottom > 0 && top < innerHeight }; }"""


@pytest.mark.parametrize("place", [as_guest, as_host], ids=lambda place: place.__name__)
def test_everything_is_reached_with_the_tab_key_and_shows_it(
    table: TableServer, open_page: OpenPage, place: Place
) -> None:
    prepare(table)
    page = place(table, open_page)
    reached = []
    for _ in range(200):
        page.keyboard.press("Tab")
        focused = page.evaluate(FOCUSED)
        if focused is None or (reached and focused["place"] == reached[0]["place"]):
            break
        reached.append(focused)
    assert all(one["ring"] and one["inView"] for one in reached)
    assert len({one["place"] for one in reached}) == page.evaluate(REACHABLE)


def test_a_seat_is_taken_and_spoken_for_with_the_keyboard_alone(table: TableServer, open_page: OpenPage) -> None:
    table.play(1)
    page = open_page(guest_link(table))
    expect(page.locator("#mine button")).to_have_count(4)
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    for _ in range(4):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".me")).to_contain_text(NAMES[3])
    expect(page.locator("#mine")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.locator("[data-kind=claim_pass]")).to_be_focused()
    page.keyboard.press("Space")
    expect(page.locator("#claimed")).to_have_text("Told the table: you pass.")
    assert table.room.events[-1].kind == "claim_pass"


def test_a_dialog_gives_the_focus_back(table: TableServer, open_page: OpenPage) -> None:
    prepare(table)
    page = as_host(table, open_page)
    for opener in ("#invite-phones", "#story .pencil"):
        page.locator(opener).first.focus()
        page.keyboard.press("Enter")
        expect(page.locator("dialog[open]")).to_be_visible()
        assert page.evaluate("document.querySelector('dialog[open]').contains(document.activeElement)")
        page.keyboard.press("Escape")
        expect(page.locator("dialog[open]")).to_have_count(0)
        expect(page.locator(opener).first).to_be_focused()
