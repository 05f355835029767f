"""The page on a served table: what it shows, corrections, languages, small screens, coming back."""

import re
from pathlib import Path

import cv2
import numpy as np
import pytest
from browser_pages import OpenPage
from playwright.sync_api import Page, expect
from serving import GAME, NAMES, PAGE, TableServer

RED_STRAIGHT = "six-card straight to the ace can't beat five-card straight to the queen"


def host_link(table: TableServer) -> str:
    return f"{table.page}#host={table.door.new_host_token()}"


def guest_link(table: TableServer) -> str:
    return f"{table.page}#join={table.door.guest_code()[0]}"


def test_a_guest_sees_turn_combination_verdict_and_reason(table: TableServer, open_page: OpenPage) -> None:
    table.play()
    page = open_page(guest_link(table))
    expect(page.locator("#turn")).to_have_text("王大爷 to play")
    expect(page.locator("#lead .combo")).to_have_text("five-card straight to the queen")
    expect(page.get_by_role("alert")).to_contain_text(f"王大爷: {RED_STRAIGHT}: different number of cards")
    expect(page.locator("#seats .turn-now .name")).to_have_text("王大爷")
    expect(page.locator("#seen-count")).to_have_text("15 of 52 cards seen")
    expect(page.get_by_label("9 of diamonds").first).to_be_visible()
    assert "key" not in page.url
    assert "#" not in page.url


def test_a_new_play_reaches_every_page_without_reloading(table: TableServer, open_page: OpenPage) -> None:
    pages = [open_page(guest_link(table)), open_page(guest_link(table)), open_page(host_link(table), 1280)]
    for page in pages:
        expect(page.locator("#story")).to_contain_text("No card has been played yet.")
    table.play(3)
    for page in pages:
        expect(page.locator("#story .entry")).to_have_count(3)
        expect(page.get_by_role("alert")).to_contain_text("pair of fours can't beat pair of eights: not higher")
    table.room.add(GAME[3])
    for page in pages:
        expect(page.get_by_role("alert")).to_be_empty()


def test_only_violations_are_alerts_and_they_are_announced_once(table: TableServer, open_page: OpenPage) -> None:
    page = open_page(guest_link(table))
    expect(page.locator("#story")).to_contain_text("No card")
    page.evaluate(
        """() => { window.alerts = []; new MutationObserver(() => {
             const text = document.getElementById("alarm").textContent; if (text) window.alerts.push(text);
           }).observe(document.getElementById("alarm"), { childList: true, subtree: true, characterData: true }); }"""
    )
    for line in GAME[:3]:
        table.room.add(line)
    table.room.set_lying([{"card": "4s", "quad": [[0.1, 0.1], [0.2, 0.1], [0.2, 0.3], [0.1, 0.3]], "state": "sure"}])
    expect(page.locator("#story .entry")).to_have_count(3)
    expect(page.locator("#outlines polygon")).to_have_count(1)
    assert page.evaluate("window.alerts.length") == 1
    assert page.locator("[role=alert]").count() == 1


def test_a_correction_by_the_host_reaches_the_guest(table: TableServer, open_page: OpenPage) -> None:
    table.play(3)
    host, guest = open_page(host_link(table), 1280), open_page(guest_link(table))
    expect(guest.get_by_role("alert")).to_contain_text("pair of fours can't beat")
    host.locator("[data-id='2'] .pencil").click()
    host.get_by_label("Cards (for example").fill("Ts Th")
    host.get_by_role("button", name="Save").click()
    expect(guest.locator("[data-id='2'] .sign.ok")).to_be_visible()
    expect(guest.get_by_role("alert")).to_be_empty()
    host.locator("[data-id='2'] .pencil").click()
    host.get_by_role("button", name="It did not happen").click()
    expect(guest.locator("#story .entry")).to_have_count(2)
    assert len(table.room.events) == 5


def test_a_question_is_answered_with_one_tap(table: TableServer, open_page: OpenPage) -> None:
    table.play(2)
    table.room.add({"kind": "play", "t": 9.0, "seat": None, "seat_certainty": 0.2, "cards": ["Ts", "Th"]})
    host, guest = open_page(host_link(table), 1280), open_page(guest_link(table))
    expect(guest.locator("[data-id='2'] .sign.unsure")).to_be_visible()
    expect(guest.locator("#questions-panel")).to_be_hidden()
    expect(host.locator("#questions")).to_contain_text("Who was it?")
    host.locator("#questions").get_by_role("button", name=NAMES[2]).click()
    expect(guest.locator("[data-id='2'] .sign.ok")).to_be_visible()
    expect(host.locator("#questions-panel")).to_be_hidden()


def test_guests_have_no_host_controls(table: TableServer, open_page: OpenPage) -> None:
    table.play(3)
    page = open_page(guest_link(table))
    expect(page.locator("#story .entry")).to_have_count(3)
    expect(page.locator("#host-bar")).to_be_hidden()
    assert page.locator(".pencil").count() == 0


def test_8_names_are_inert_on_the_page(table: TableServer, open_page: OpenPage) -> None:
    table.play()
    page = open_page(guest_link(table))
    expect(page.locator("#seats")).to_contain_text(NAMES[2])
    assert page.locator("main img").count() == 0


def test_the_qr_code_brings_a_phone_in(tmp_path: Path, open_page: OpenPage) -> None:
    server = TableServer(tmp_path, guest_url="http://192.0.2.7:8753")
    host = open_page(host_link(server), 1280)
    host.get_by_role("button", name="Invite phones").click()
    picture = host.locator("#invite img")
    expect(picture).to_be_visible()
    host.wait_for_function("() => document.querySelector('#invite img').naturalWidth > 0")
    shot = cv2.imdecode(np.frombuffer(picture.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    address, _, _ = cv2.QRCodeDetector().detectAndDecode(shot)
    assert address == host.locator("#invite .address").first.text_content()
    assert address.startswith(f"http://192.0.2.7:8753{PAGE}#join=")
    phone = open_page(server.page + address[address.index("#") :])
    expect(phone.locator("#inside")).to_be_visible()
    for page in (host, phone):  # before the server: a request that it holds would end as an error
        page.context.close()
    server.close()


def test_strangers_are_told_to_scan_the_code(table: TableServer, open_page: OpenPage) -> None:
    for key in ("", "#join=expired", "#host=used"):
        page = open_page(f"{table.page}{key}", allow=("401 (UNAUTHORIZED)", "403 (FORBIDDEN)", "EventSource"))
        expect(page.locator("#outside-why")).to_contain_text("Scan the QR code")
        if key:
            expect(page.locator("#notices")).not_to_be_empty()


def test_a_second_tab_takes_over_and_the_first_says_so(table: TableServer, open_page: OpenPage) -> None:
    first = open_page(guest_link(table))
    expect(first.locator("#inside")).to_be_visible()
    second = first.context.new_page()
    second.goto(table.page)
    expect(second.locator("#inside")).to_be_visible()
    expect(first.locator("#outside-why")).to_have_text("This page was opened in another tab.")
    first.get_by_role("button", name="Follow here").click()
    expect(first.locator("#inside")).to_be_visible()
    expect(second.locator("#outside-why")).to_have_text("This page was opened in another tab.")


def test_a_phone_that_lost_the_table_says_so_and_catches_up(tmp_path: Path, open_page: OpenPage) -> None:
    first = TableServer(tmp_path)
    first.play(2)
    page = open_page(guest_link(first), allow=("ERR_",))
    expect(page.locator("#story .entry")).to_have_count(2)
    expect(page.locator("#link")).to_have_text("Live")
    first.close()
    expect(page.locator("#link")).to_contain_text("Not up to date", timeout=20_000)
    second = TableServer(tmp_path, port=first.port)
    second.room.add(GAME[2])
    expect(page.locator("#story .entry")).to_have_count(3, timeout=20_000)
    expect(page.locator("#link")).to_have_text("Live")
    second.close()


@pytest.mark.parametrize("locale", ["zh-CN", "zh-TW"])
def test_no_english_is_left_on_a_chinese_page(table: TableServer, open_page: OpenPage, locale: str) -> None:
    table.play()
    page = open_page(host_link(table), 1280, locale=locale)
    expect(page.locator("#turn")).to_contain_text("王大爷")
    texts = page.evaluate(
        """() => { const found = [];
          const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
          while (walk.nextNode())
            if (!walk.currentNode.parentElement.closest("noscript")) found.push(walk.currentNode.textContent);
          for (const node of document.querySelectorAll("[aria-label],[title],[alt]"))
            for (const name of ["aria-label", "title", "alt"]) found.push(node.getAttribute(name) ?? "");
          return found.filter((text) => !text.includes("English")); }"""
    )
    left = [re.sub("|".join(map(re.escape, NAMES)), "", text) for text in texts]
    assert [text for text in left if re.search(r"[A-Za-z]{3,}", text)] == []
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans" if locale == "zh-CN" else "zh-Hant")


def test_reasons_are_said_as_at_a_chinese_table(table: TableServer, open_page: OpenPage) -> None:
    for line in (
        {"kind": "play", "seat": 0, "cards": ["5s", "6d", "7c", "8d", "9s"]},
        {"kind": "play", "seat": 3, "cards": ["7h", "7s", "7d"]},
    ):
        table.room.add(line)
    page = open_page(guest_link(table), locale="zh-CN")
    expect(page.get_by_role("alert")).to_contain_text("三张7 不能压 五张顺子（到9）：牌型不同")


def test_the_language_can_be_changed_and_is_kept(table: TableServer, open_page: OpenPage) -> None:
    table.play(1)
    page = open_page(guest_link(table))
    page.get_by_label("Language").select_option("zh-Hant")
    expect(page.locator("#turn")).to_have_text("輪到 =1+1 出牌")
    page.reload()
    expect(page.locator("#turn")).to_have_text("輪到 =1+1 出牌")


@pytest.mark.parametrize("width", [320, 390, 768, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_cut_off_on_any_screen(table: TableServer, open_page: OpenPage, width: int, scheme: str) -> None:
    table.play()
    page = open_page(host_link(table), width, color_scheme=scheme, reduced_motion="reduce")
    expect(page.locator("#story .entry")).to_have_count(len(GAME))
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert _contrast_failures(page) == []


def test_the_page_is_light(table: TableServer, open_page: OpenPage) -> None:
    page = open_page(guest_link(table))
    expect(page.locator("#inside")).to_be_visible()
    sizes = page.evaluate(
        "() => performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))"
        ".map((one) => one.encodedBodySize)"
    )
    assert 5_000 < sum(sizes) < 150_000


def _contrast_failures(page: Page) -> list[str]:
    """Texts with less than 4.5:1 against what is behind them (WCAG 2.2 AA, 1.4.3)."""
    failures: list[str] = page.evaluate((Path(__file__).parent / "contrast.js").read_text())
    return failures
