"""WCAG 2.2 AA by axe-core on every page, in both colours and in two languages; and by keyboard alone."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser_pages import OpenPage
from browser_places import PLACES, Place, prepare
from playwright.sync_api import Page
from serving import TableServer

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
