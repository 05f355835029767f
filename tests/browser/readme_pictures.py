"""Makes README's pictures from the running product.

    PYTHONPATH=tests python tests/browser/readme_pictures.py

Plays the demo clip in `kibitz run`, opens the host's page, a phone's and the set-up in headless
Chromium and photographs them into `webui/demo/pictures/`.
"""

import shutil
import tempfile
from pathlib import Path

import cv2
import numpy as np
from playwright.sync_api import Browser, Page, expect, sync_playwright
from running import CLIP, ROOT, Running

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
TARGET = ROOT / "webui" / "demo" / "pictures"
WAIT_MS = 120_000
WIDEST = 1000


def visit(browser: Browser, url: str, width: int, height: int, locale: str) -> Page:
    page = browser.new_context(viewport={"width": width, "height": height}, locale=locale, device_scale_factor=1.5)
    opened = page.new_page()
    opened.set_default_timeout(WAIT_MS)
    opened.goto(url)
    return opened


def keep(name: str, page: Page) -> None:
    """A JPEG small enough to live in the repository."""
    data = np.frombuffer(page.screenshot(), np.uint8)
    picture = cv2.imdecode(data, cv2.IMREAD_COLOR)
    factor = min(1.0, WIDEST / picture.shape[1])
    small = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    path = TARGET / f"{name}.jpg"
    cv2.imwrite(str(path), small, [cv2.IMWRITE_JPEG_QUALITY, 85])
    print(f"{path.relative_to(ROOT)}: {small.shape[1]} x {small.shape[0]}, {path.stat().st_size // 1000} kB")


def main() -> None:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        raise SystemExit("no chromium on this machine (Debian: apt-get install chromium)")
    TARGET.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        running = Running(Path(folder) / "table", "--lan")
        host = visit(browser, running.link, 1280, 900, "en")
        expect(host.locator("#inside")).to_be_visible()
        invitation = host.evaluate("fetch('/api/invitation').then((answer) => answer.json())")["url"]
        phone = visit(browser, f"{host.url}#{invitation.partition('#')[2]}", 390, 844, "zh-CN")
        for page in (host, phone):
            expect(page.locator("#alarm")).not_to_be_empty(timeout=WAIT_MS)
        keep("table", host)
        keep("phone", phone)
        running.end()
        setup = Running(Path(folder) / "setup", on=("--source", CLIP))
        page = visit(browser, setup.link, 1280, 900, "en")
        expect(page.locator(".choice input:checked")).to_have_count(1, timeout=WAIT_MS)
        page.locator("#next").click()
        page.get_by_role("radio", name="Upstream").check()
        page.locator("#next").click()
        expect(page.locator(".handle.corners")).to_have_count(4, timeout=WAIT_MS)
        keep("setup", page)
        setup.end()
        browser.close()


if __name__ == "__main__":
    main()
