"""Headless Chromium for the browser tests; whatever the page complains about fails the test."""

import os
import shutil
from collections.abc import Iterator

import pytest
from browser_pages import OpenPage
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

expect.set_options(timeout=20_000)  # a busy machine is no failure
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        assert not os.environ.get("CI"), "CI must have chromium"
        pytest.skip("no chromium on this machine (Debian: apt-get install chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser: Browser) -> Iterator[OpenPage]:
    """Opens a page as a device of its own: open_page(url, width=390, locale="en", ...).

    At the end no page may have written an error to its console, CSP violations included; the lines
    that a test expects are named in `allow`.
    """
    complaints: list[str] = []
    allowed: list[str] = []
    contexts: list[BrowserContext] = []

    def open_it(
        url: str, width: int = 390, height: int = 844, locale: str = "en", allow: tuple[str, ...] = (), **more: object
    ) -> Page:
        allowed.extend(allow)
        viewport = {"width": width, "height": height}
        context = browser.new_context(viewport=viewport, locale=locale, **more)  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(30_000)
        page.on("console", lambda told: complaints.append(told.text) if told.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(url)
        return page

    yield open_it
    for context in contexts:
        context.close()
    left = [text for text in complaints if not any(words in text for words in allowed)]
    assert left == []
