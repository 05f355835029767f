"""The whole of Kibitz in a browser: the demo clip, the real detector, two devices."""

from pathlib import Path

from browser_pages import OpenPage
from playwright.sync_api import expect
from running import Running

GREEN = """() => {
  const { width, height } = document.getElementById("picture");
  const { data } = document.getElementById("picture").getContext("2d").getImageData(0, 0, width, height);
  let green = 0;
  for (let i = 0; i < data.length; i += 4) {
    if (data[i + 1] > 30 && data[i + 1] > data[i]) green++;
  }
  return green / width / height;
}"""
"""The share of the picture that is table cloth."""


def test_the_demo_clip_is_played_and_judged_on_the_page(tmp_path: Path, open_page: OpenPage) -> None:
    running = Running(tmp_path)
    host = open_page(running.link, 1280, 900, allow=("ERR_",))
    expect(host.locator("#camera")).to_have_text("Watching")
    expect(host.locator("#lead .combo")).to_have_text("pair of sixes", timeout=30_000)
    expect(host.locator("#picture.drawn")).to_be_visible()
    assert host.evaluate(GREEN) > 0.4
    expect(host.locator("#outlines polygon")).not_to_have_count(0)
    # flagged, or asked when the detector isn't sure: never passed over
    told = host.locator("#story .entry.violation, #story .entry.unsure").first
    expect(told).to_contain_text("can't beat pair of nines: not higher", timeout=30_000)
    expect(host.locator("#story")).to_contain_text("takes 2 cards back", timeout=30_000)
    expect(host.get_by_role("alert")).to_be_empty()
    assert running.end() == (0, "")
