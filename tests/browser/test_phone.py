"""Phones at the table: coming in, speaking for one's own seat, sleep and lost networks, signals, colours."""

import re
from pathlib import Path
from typing import Any

import pytest
from browser_pages import OpenPage
from playwright.sync_api import Page, expect
from serving import API, GAME, NAMES, TableServer

from referee.setup import MatchSetup

LAN = "http://192.0.2.7:8753"


@pytest.fixture
def lan_table(tmp_path: Path) -> Any:
    """A table that invites phones from the network."""
    server = TableServer(tmp_path, guest_url=LAN)
    yield server
    server.close()


def link(table: TableServer, role: str = "join") -> str:
    key = table.door.guest_code()[0] if role == "join" else table.door.new_host_token()
    return f"{table.page}#{role}={key}"


def sit(page: Page, name: str) -> None:
    page.locator("#mine").get_by_role("button", name=name).click()
    expect(page.locator(".me")).to_contain_text(name)


def story(page: Page) -> list[int]:
    ids: list[int] = page.evaluate("[...document.querySelectorAll('#story > [data-id]')].map((li) => +li.dataset.id)")
    return ids[::-1]


def test_two_phones_join_by_the_invitation_follow_and_speak_for_their_seats(
    lan_table: TableServer, open_page: OpenPage
) -> None:
    table = lan_table
    host = open_page(link(table, "host"), 1280)
    host.get_by_role("button", name="Invite phones").click()
    address = host.locator("#invite .address").first.text_content() or ""
    assert address.startswith(LAN)
    host.keyboard.press("Escape")
    phones = [open_page(table.url + address.removeprefix(LAN), locale=locale) for locale in ("en", "zh-CN")]
    for phone, name in zip(phones, (NAMES[3], NAMES[1]), strict=True):
        sit(phone, name)
    expect(host.locator("#phones li")).to_have_count(2)
    table.play(1)
    for phone in phones:
        expect(phone.locator("#turn")).to_contain_text(NAMES[3])
    expect(phones[1].locator("[data-kind=claim_pass]")).to_have_count(0)
    phones[0].get_by_role("button", name="I pass").click()
    for phone in phones:
        expect(phone.locator("#turn")).to_contain_text(NAMES[2])
    expect(phones[0].locator("#claimed")).to_have_text("Told the table: you pass.")
    table.room.add({"kind": "play", "t": 9.0, "seat": None, "seat_certainty": 0.2, "cards": ["8h", "8c"]})
    expect(host.locator("#questions")).to_contain_text("Who was it?")
    phones[1].locator("[data-kind=claim_play]").click()
    expect(host.locator("#questions-panel")).to_be_hidden()
    expect(phones[0].locator("#verdict")).to_contain_text(f"{NAMES[1]}: pair of eights: allowed")
    phones[0].locator("[data-kind=dispute]").click()
    expect(host.locator("#questions")).to_contain_text(f"{NAMES[3]} disputes this. Is the verdict right?")
    expect(phones[1].locator("#verdict")).to_contain_text("合规")
    host.get_by_role("button", name="The verdict stays").click()
    expect(host.locator("#questions-panel")).to_be_hidden()
    for page in (host, *phones):
        page.context.close()


def test_claims_are_refused_where_they_must_be(table: TableServer, open_page: OpenPage) -> None:
    table.play(1)
    host, mine, other = open_page(link(table, "host"), 1280), open_page(link(table)), open_page(link(table))
    sit(mine, NAMES[3])
    expect(other.locator("#mine button")).to_have_count(3)
    host.get_by_label("Phones may speak for their own seat").uncheck()
    expect(mine.locator("#mine")).to_contain_text("has not allowed")
    expect(mine.locator(".claim")).to_have_count(0)
    host.get_by_label("Phones may speak for their own seat").check()
    expect(mine.locator(".claim")).not_to_have_count(0)
    host.get_by_role("button", name=f"Free the seat of {NAMES[3]}").click()
    expect(mine.locator("#mine button")).to_have_count(4)
    sit(other, NAMES[3])
    expect(mine.locator("#mine button")).to_have_count(3)
    tries = f"""async () => {{
      const ask = (path, body) => fetch("{API}/" + path, {{ method: "POST", body: JSON.stringify(body),
        headers: {{ "Content-Type": "application/json" }} }}).then((answer) => answer.status);
      return [await ask("events", {{ kind: "new_hand" }}), await ask("seat/free", {{ seat: 3 }}),
        await ask("guests", {{ claims: false }}), await ask("seat", {{ seat: 3 }}),
        await ask("claim", {{ kind: "claim_pass" }})];
    }}"""
    allowed = ("403 (FORBIDDEN)", "400 (BAD REQUEST)")
    stranger = open_page(link(table), allow=allowed)
    expect(stranger.locator("#mine button")).not_to_have_count(0)
    before = len(table.journal.records())
    assert stranger.evaluate(tries) == [403, 403, 403, 400, 403]
    assert len(table.journal.records()) == before


def test_a_slip_of_the_finger_is_taken_back(table: TableServer, open_page: OpenPage) -> None:
    table.play(1)
    page = open_page(link(table))
    sit(page, NAMES[3])
    page.get_by_role("button", name="I pass").click()
    expect(page.locator("#turn")).to_have_text(f"{NAMES[2]} to play")
    page.get_by_role("button", name="Take that back").click()
    expect(page.locator("#turn")).to_have_text(f"{NAMES[3]} to play")
    expect(page.locator("#claimed")).to_have_text("Taken back.")
    page.get_by_role("button", name="I pass").click()
    expect(page.get_by_role("button", name="Take that back")).to_be_visible()
    table.room.add({"kind": "play", "t": 9.0, "seat": 2, "cards": ["8h", "8c"]})
    expect(page.get_by_role("button", name="Take that back")).to_be_hidden()


def test_a_claim_that_comes_too_late_is_refused_in_words(table: TableServer, open_page: OpenPage) -> None:
    table.play(2)
    page = open_page(link(table), locale="zh-CN", allow=("400 (BAD REQUEST)",))
    sit(page, NAMES[0])
    page.evaluate("window.stop()")  # the stream stops: the page still shows the play before
    table.play(3)
    page.locator("[data-kind=claim_play]").click()
    expect(page.locator("#claimed")).to_contain_text("现在不能这么说")


def test_the_code_can_be_scanned_again_in_the_same_tab(table: TableServer, open_page: OpenPage) -> None:
    page = open_page(f"{table.page}#join=expired", allow=("401 (UNAUTHORIZED)", "403 (FORBIDDEN)", "EventSource"))
    expect(page.locator("#outside-why")).to_contain_text("Scan the QR code")
    page.evaluate("(key) => { location.hash = key; }", link(table).rpartition("#")[2])
    expect(page.locator("#mine button")).to_have_count(4)


def test_a_phone_without_network_says_so_and_misses_nothing(table: TableServer, open_page: OpenPage) -> None:
    page = open_page(link(table), allow=("ERR_INTERNET_DISCONNECTED",))
    table.play(2)
    expect(page.locator("#story .entry")).to_have_count(2)
    page.context.set_offline(True)
    expect(page.locator("#link")).to_contain_text("Not up to date")
    for line in GAME[2:6]:
        table.room.add(line)
    page.wait_for_timeout(1500)
    page.context.set_offline(False)
    expect(page.locator("#story .entry")).to_have_count(6, timeout=20_000)
    expect(page.locator("#link")).to_have_text("Live")
    assert story(page) == [event.id for event in table.room.events]


def test_a_phone_that_slept_catches_up(table: TableServer, open_page: OpenPage) -> None:
    page = open_page(link(table))
    table.play(2)
    expect(page.locator("#story .entry")).to_have_count(2)
    devtools = page.context.new_cdp_session(page)
    devtools.send("Page.setWebLifecycleState", {"state": "frozen"})
    for line in GAME[2:]:
        table.room.add(line)
    page.wait_for_timeout(7000)
    devtools.send("Page.setWebLifecycleState", {"state": "active"})
    expect(page.locator("#story .entry")).to_have_count(len(GAME), timeout=20_000)
    expect(page.locator("#link")).to_have_text("Live")
    assert story(page) == [event.id for event in table.room.events]


def test_a_warning_and_ones_turn_are_signalled_when_asked_for(table: TableServer, open_page: OpenPage) -> None:
    page = open_page(link(table))
    page.evaluate(
        """() => { window.felt = []; window.heard = 0; navigator.vibrate = (how) => window.felt.push(how);
          const make = AudioContext.prototype.createOscillator;
          AudioContext.prototype.createOscillator = function () { window.heard++; return make.call(this); }; }"""
    )
    table.play(3)
    expect(page.get_by_role("alert")).not_to_be_empty()
    assert page.evaluate("[window.felt, window.heard]") == [[], 0]  # nobody asked for it
    for name in ("Sound on a warning", "Vibrate on a warning", "Signal my turn as well"):
        page.get_by_label(name).check()
    page.evaluate("() => { window.felt = []; window.heard = 0; }")
    sit(page, NAMES[1])
    table.room.add(GAME[3])
    table.room.add({"kind": "pass", "t": 14.0, "seat": 2})
    expect(page.locator("#turn")).to_have_text(f"{NAMES[1]} to play")
    assert page.evaluate("[window.felt, window.heard]") == [[[70]], 1]
    table.room.add({"kind": "play", "t": 15.0, "seat": 1, "cards": ["3c", "3h"]})
    expect(page.get_by_role("alert")).to_contain_text("pair of threes can't beat")
    assert page.evaluate("[window.felt, window.heard]") == [[[70], [180, 90, 180]], 3]
    page.reload()
    expect(page.get_by_label("Vibrate on a warning")).to_be_checked()
    expect(page.locator(".me")).to_contain_text(NAMES[1])


def test_the_colours_can_be_chosen_and_are_kept(table: TableServer, open_page: OpenPage) -> None:
    page = open_page(link(table), color_scheme="light")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.get_by_label("Colours").select_option("dark")
    dark = page.evaluate(ground)
    assert dark != light
    page.reload()
    expect(page.locator("#device select")).to_have_value("dark")
    assert page.evaluate(ground) == dark
    page.emulate_media(color_scheme="dark")
    page.get_by_label("Colours").select_option("light")
    assert page.evaluate(ground) == light


def test_discards_are_shown_with_what_can_be_seen_of_them(tmp_path: Path, open_page: OpenPage) -> None:
    table = TableServer(tmp_path, setup=MatchSetup("drawpoker", NAMES, dealer=3))
    page = open_page(link(table), locale="zh-CN")
    expect(page.locator("#discards")).to_have_text("还没有人弃牌。")
    table.room.add({"kind": "discard", "t": 3.0, "seat": 0, "cards": ["7h", "2c"]})
    table.room.add({"kind": "discard", "t": 6.0, "seat": 1, "cards": ["Kd", "?", "?"]})
    rows = page.locator("#discards li")
    expect(rows).to_have_count(2)
    expect(rows.nth(0)).to_contain_text("2 张，都亮着")
    expect(rows.nth(0).get_by_role("img", name="红桃7")).to_be_visible()
    expect(rows.nth(1)).to_contain_text("3 张，其中 2 张看不见")
    sit(page, NAMES[2])
    page.get_by_role("button", name="我不换牌").click()
    expect(page.locator("#turn")).to_have_text(f"轮到 {NAMES[3]} 换牌")
    expect(page.locator("#lead")).to_be_hidden()
    page.context.close()
    table.close()


def test_scores_are_drawn_and_told(table: TableServer, open_page: OpenPage) -> None:
    for finish in ([0, 1, 2, 3], [1, 0, 3, 2]):
        table.room.decide({"kind": "new_hand", "data": {"finish": finish}})
    page = open_page(link(table), 320)
    chart = page.locator("#chart svg")
    expect(chart).to_have_attribute("aria-label", re.compile(f"^Points after 2 hands: {NAMES[0]} 5, {NAMES[1]} 5"))
    expect(chart.locator("polyline")).to_have_count(4)
    marks = chart.locator("g").evaluate_all("(all) => all.map((g) => g.querySelector('.mark').textContent)")
    assert len(set(marks)) == 4
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.parametrize("width", [320, 390])
def test_nothing_is_cut_off_for_a_seated_player(table: TableServer, open_page: OpenPage, width: int) -> None:
    table.play()
    page = open_page(link(table), width, locale="zh-CN")
    sit(page, NAMES[2])
    expect(page.locator(".claim")).not_to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    heights = page.locator("main button:visible").evaluate_all("(all) => all.map((one) => one.offsetHeight)")
    assert min(heights) >= 44
