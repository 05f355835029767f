"""The phone's page on a slow phone: when it first shows something, when the game is there, what it weighs.

    python tests/bench/phone_page.py [RUNS]

Serves a table with a game on it and opens its page as a guest, each time as a new device, in headless
Chromium with the processor slowed down to a quarter. Bars: first contentful paint under 1 s; under
150 kB without the picture.
"""

import shutil
import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from serving import TableServer

SLOWDOWN = 4
PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
GAME = "() => document.querySelector('#story .entry') && performance.now()"
WEIGHT = """performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))
  .filter((one) => !/\\/(picture|stream)\\?/.test(one.name)).map((one) => one.encodedBodySize)"""


def measure(browser: Browser, table: TableServer, locale: str) -> tuple[float, float, list[int]]:
    """Milliseconds to the first paint and to the game, bytes of each file."""
    table.late += 61  # so many phones would not come in from one address within a minute
    context = browser.new_context(viewport={"width": 390, "height": 844}, locale=locale)
    page = context.new_page()
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
    page.goto(f"{table.page}#join={table.door.guest_code()[0]}")
    game = float(page.wait_for_function(GAME).json_value())
    page.wait_for_timeout(500)
    found = float(page.evaluate(PAINT)), game, list(page.evaluate(WEIGHT))
    context.close()
    return found


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    table = TableServer(Path(tempfile.mkdtemp()))
    table.play()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        for locale in ("en", "zh-CN"):
            found = [measure(browser, table, locale) for _ in range(runs)]
            paints, games = [one[0] for one in found], [one[1] for one in found]
            sizes = found[-1][2]
            print(
                f"{locale:6} first paint {statistics.median(paints):5.0f} ms (worst {max(paints):.0f})  "
                f"game {statistics.median(games):5.0f} ms (worst {max(games):.0f})  "
                f"{len(sizes)} files, {sum(sizes) / 1000:.1f} kB"
            )
        browser.close()
    table.close()


if __name__ == "__main__":
    main()
