"""The host's desk in a real browser: each correction by touch, undone, refused with a reason, and seen on phones."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from browser_pages import OpenPage
from playwright.sync_api import Locator, Page, expect
from serving import GAME, NAMES, TableServer

from referee.setup import MatchSetup
from webui.supervisor import Status

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
REFUSED = "400 (BAD REQUEST)"


def host_page(table: TableServer, open_page: OpenPage, width: int = 1280, **how: object) -> Page:
    page = open_page(f"{table.page}#host={table.door.new_host_token()}", width, 900, **how)
    expect(page.locator("#host-bar button").first).to_be_visible()
    return page


def phone(table: TableServer, open_page: OpenPage) -> Page:
    return open_page(f"{table.page}#join={table.door.guest_code()[0]}")


def pencil(page: Page, event: int) -> Locator:
    return page.locator(f"[data-id='{event}'] .pencil")


def dialog(page: Page) -> Locator:
    return page.locator("#fix")


def press(page: Page, name: str) -> None:
    dialog(page).get_by_role("button", name=name, exact=True).click()


def choose(page: Page, name: str) -> None:
    dialog(page).get_by_role("radio", name=name, exact=True).check()


def told(page: Page, event: int) -> Locator:
    return page.locator(f"[data-id='{event}'] .entry > div > p").first


def misread_hand(table: TableServer) -> None:
    """Event 3 was the 6 of spades, read as the 10: so event 5 seems out of turn and the hand has no end."""
    table.room.add({"kind": "new_hand", "data": {"leader": 0, "counts": [2, 3, 2, 3]}})
    for t, (seat, cards) in enumerate(
        ((0, "5s"), (3, "9s"), (2, "Ts"), (3, ""), (3, "Jd Jc"), (2, "Kd"), (2, ""), (1, "4c 4d 4h")), start=1
    ):
        table.room.add({"kind": "play" if cards else "sweep", "t": float(t), "seat": seat, "cards": cards.split()})


def test_a_misread_card_is_fixed_by_touch_and_the_scores_change_on_two_phones(
    table: TableServer, open_page: OpenPage
) -> None:
    misread_hand(table)
    host, phones = host_page(table, open_page), [phone(table, open_page), phone(table, open_page)]
    for page in phones:
        expect(page.locator("[data-id='5'] .sign.violation")).to_be_visible()
        expect(page.locator("#scores tfoot td")).to_have_text(["0", "0", "0", "0"])
    pencil(host, 3).click()
    dialog(host).get_by_role("button", name="Take 10 of spades off").click()
    dialog(host).locator("[data-card='6s']").click()
    expect(dialog(host).get_by_label("Cards (for example")).to_have_value("6s")
    press(host, "Save")
    for page in (host, *phones):
        expect(page.locator("[data-id='5'] .sign.ok")).to_be_visible()
        expect(page.locator("[data-id='3']")).to_contain_text("corrected by hand")
        expect(page.locator("#scores tfoot td")).to_have_text(["0", "1", "2", "3"])
    host.locator("#undo-button").click()
    for page in phones:
        expect(page.locator("[data-id='5'] .sign.violation")).to_be_visible()
        expect(page.locator("#scores tfoot td")).to_have_text(["0", "0", "0", "0"])


def test_cards_are_picked_with_the_keyboard_alone(table: TableServer, open_page: OpenPage) -> None:
    table.play(1)
    host = host_page(table, open_page)
    pencil(host, 0).focus()
    host.keyboard.press("Enter")
    expect(dialog(host)).to_be_visible()
    host.locator("#fix [data-card='5s']").focus()
    for key in ("ArrowRight", "ArrowDown", "Space"):
        host.keyboard.press(key)
    expect(dialog(host).get_by_label("Cards (for example")).to_have_value("5d 5s 6h")
    assert host.locator("#fix .deck button[tabindex='0']").count() == 1
    host.keyboard.press("Escape")
    expect(dialog(host)).to_be_hidden()
    expect(pencil(host, 0)).to_be_focused()
    assert len(table.room.events) == 1


def test_cards_are_typed_as_people_write_them_and_a_word_that_is_none_is_named(
    table: TableServer, open_page: OpenPage
) -> None:
    table.play(3)
    host = host_page(table, open_page)
    pencil(host, 2).click()
    typed = dialog(host).get_by_label("Cards (for example")
    typed.fill("10♠ 14h")
    press(host, "Save")
    expect(dialog(host).locator(".refused")).to_contain_text('"14h" is not a card')
    typed.fill("10♠, th")
    press(host, "Save")
    expect(dialog(host)).to_be_hidden()
    expect(told(host, 2)).to_contain_text("pair of tens")


def test_the_seat_and_the_kind_are_set_right_and_the_focus_comes_back(table: TableServer, open_page: OpenPage) -> None:
    table.play(3)
    host = host_page(table, open_page)
    pencil(host, 2).click()
    choose(host, NAMES[1])
    press(host, "Save")
    expect(told(host, 2)).to_contain_text(NAMES[1])
    expect(pencil(host, 2)).to_be_focused()
    pencil(host, 2).click()
    choose(host, "Taken back")
    press(host, "Save")
    expect(told(host, 2)).to_contain_text("back")
    assert table.room.session.judgements[2].kind == "take_back"


def test_a_play_is_split_and_joined_again(table: TableServer, open_page: OpenPage) -> None:
    table.play(3)
    host, guest = host_page(table, open_page), phone(table, open_page)
    pencil(host, 2).click()
    press(host, "Split in two …")
    dialog(host).locator(".picked").get_by_role("button", name="4 of hearts").click()
    choose(host, NAMES[1])
    press(host, "Split")
    expect(guest.locator("#story .entry")).to_have_count(4)
    expect(told(guest, 3)).to_contain_text(NAMES[1])
    pencil(host, 3).click()
    press(host, "Join with the one before")
    expect(host.locator("#fix-title")).to_have_text("Whose is it, taken together?")
    press(host, NAMES[1])
    expect(guest.locator("#story .entry")).to_have_count(3)
    expect(told(guest, 2)).to_contain_text(f"{NAMES[1]}: pair of fours")
    expect(host.locator("#undo")).to_contain_text("Joined")
    host.locator("#undo-button").click()
    expect(guest.locator("#story .entry")).to_have_count(4)
    assert table.room.session.judgements[2].seat == 2


def test_an_event_is_added_moved_and_deleted(table: TableServer, open_page: OpenPage) -> None:
    table.play(2)
    host = host_page(table, open_page, allow=(REFUSED,))
    pencil(host, 1).click()
    press(host, "Add one after …")
    press(host, "Add")
    expect(dialog(host).locator(".refused")).to_have_text("That did not work: name the player")
    choose(host, NAMES[2])
    dialog(host).locator("[data-card='9d']").click()
    dialog(host).locator("[data-card='9h']").click()
    press(host, "Add")
    expect(told(host, 2)).to_contain_text("pair of nines")
    assert [judged.event_id for judged in table.room.session.judgements] == [0, 1, 2]
    pencil(host, 2).click()
    press(host, "It happened earlier")
    expect(host.locator("#undo")).to_contain_text("Moved")
    assert [judged.event_id for judged in table.room.session.judgements] == [0, 2, 1]
    pencil(host, 2).click()
    press(host, "It did not happen")
    expect(host.locator("#story .entry")).to_have_count(2)
    expect(host.locator("#undo")).to_contain_text("Deleted")
    expect(host.locator("#undo-button")).to_be_focused()


def test_a_play_that_the_camera_missed_is_added_to_an_empty_story(table: TableServer, open_page: OpenPage) -> None:
    host, guest = host_page(table, open_page), phone(table, open_page)
    expect(guest.locator("#story")).to_contain_text("No card")
    host.get_by_role("button", name="Add a play …").click()
    dialog(host).locator("[data-card='7h']").click()
    press(host, "Add")
    expect(told(guest, 0)).to_have_text(f"{NAMES[0]}: seven")
    expect(host.locator("#undo")).to_contain_text("Entered")
    host.locator("#undo-button").click()
    expect(guest.locator("#story")).to_contain_text("No card")


def test_a_pass_with_one_tap_for_a_play_and_for_the_seat_whose_turn_it_is(
    table: TableServer, open_page: OpenPage
) -> None:
    table.play(3)
    host = host_page(table, open_page)
    pencil(host, 2).click()
    press(host, "It was a pass")
    expect(told(host, 2)).to_have_text(f"{NAMES[2]} passes")
    host.get_by_role("button", name=f"{NAMES[1]} passed", exact=True).click()
    expect(host.locator("#turn")).to_contain_text(NAMES[0])
    host.locator("#undo-button").click()
    expect(host.locator("#turn")).to_contain_text(NAMES[1])


def test_the_host_rules_that_a_play_stands_or_began_a_new_round(table: TableServer, open_page: OpenPage) -> None:
    table.play(3)
    table.room.add({"kind": "play", "t": 12.0, "seat": 1, "cards": ["7c", "7d"]})
    host, guest = host_page(table, open_page), phone(table, open_page)
    expect(guest.locator("[data-id='3'] .sign.unsure")).to_be_visible()
    pencil(host, 2).click()
    press(host, "The table lets it stand")
    expect(guest.locator("[data-id='3'] .sign.ok")).to_be_visible()
    host.locator("#undo-button").click()
    expect(guest.locator("[data-id='3'] .sign.unsure")).to_be_visible()
    pencil(host, 3).click()
    press(host, "A new round began here")
    expect(guest.locator("#story")).to_contain_text("wins the round")


def test_discards_are_set_right_in_draw_poker(tmp_path: Path, open_page: OpenPage) -> None:
    setup = MatchSetup("drawpoker", ("Anna", "Bo", "Chen"), dealer=2)
    table = TableServer(tmp_path, setup=setup)
    faults = {"faults": ["discard_overlaps"], "fault_certainty": 0.99}
    table.room.add({"kind": "discard", "t": 3.0, "seat": 0, "cards": ["9c", "4d"], "data": faults})
    host, guest = host_page(table, open_page), phone(table, open_page)
    expect(guest.locator("[data-id='0'] .sign.violation")).to_be_visible()
    pencil(host, 0).click()
    for name in ("Discard", "Pass", "Drew cards", "Hand laid open"):
        expect(dialog(host).get_by_role("radio", name=name, exact=True)).to_have_count(1)
    press(host, "Nothing was wrong with it")
    expect(guest.locator("[data-id='0'] .sign.ok")).to_be_visible()
    pencil(host, 0).click()
    press(host, "Split in two …")
    dialog(host).locator(".picked").get_by_role("button", name="4 of diamonds").click()
    choose(host, "Bo")
    press(host, "Split")
    expect(guest.locator("#story .entry")).to_have_count(2)
    for page in (host, guest):  # before the server: a request that it holds would end as an error
        page.context.close()
    table.close()


def test_what_is_refused_keeps_what_was_entered(table: TableServer, open_page: OpenPage) -> None:
    table.play(3)
    host = host_page(table, open_page, allow=(REFUSED,))
    pencil(host, 2).click()
    press(host, "Save")
    expect(dialog(host).locator(".refused")).to_have_text("That did not work: that is so already")
    typed = dialog(host).get_by_label("Cards (for example")
    typed.fill("7h 7h")
    press(host, "Save")
    expect(dialog(host).locator(".refused")).to_contain_text("7 of hearts is named more often")
    expect(typed).to_have_value("7h 7h")
    press(host, "Cancel")
    expect(dialog(host)).to_be_hidden()
    assert len(table.room.events) == 3


def test_a_question_shows_its_moment_and_waits_when_told_so(table: TableServer, open_page: OpenPage) -> None:
    table.play(2)
    table.room.add({"kind": "play", "t": 9.0, "seat": None, "seat_certainty": 0.2, "cards": ["Ts", "Th"]})
    jpeg = _jpeg()
    table.room.picture([2], jpeg, jpeg)
    host = host_page(table, open_page)
    expect(host.locator("#questions .moment img")).to_have_count(2)
    host.wait_for_function("() => document.querySelector('#questions .moment img').naturalWidth > 0")
    host.locator("#questions").get_by_role("button", name="Ask later").click()
    expect(host.locator("#questions")).not_to_contain_text("Who was it?")
    host.locator("#questions").get_by_role("button", name="1 question for later").click()
    host.locator("#questions").get_by_role("button", name=NAMES[2], exact=True).click()
    expect(host.locator("#questions-panel")).to_be_hidden()
    expect(host.locator("#undo")).to_contain_text("Answered")


def test_a_new_hand_is_begun_by_the_leader_that_is_named_and_the_other_way_round(
    table: TableServer, open_page: OpenPage
) -> None:
    table.play(3)
    host, guest = host_page(table, open_page), phone(table, open_page)
    expect(guest.locator("#turn")).to_contain_text(NAMES[2])
    host.get_by_role("button", name="New hand …").click()
    dialog(host).get_by_role("group", name="Who leads?").get_by_role("radio", name=NAMES[0], exact=True).check()
    choose(host, "clockwise")
    press(host, "Begin the hand")
    expect(guest.locator("#turn")).to_contain_text(NAMES[0])
    expect(guest.locator("#story")).to_contain_text("House rule: Direction of play, seen from above: clockwise")
    assert table.room.session.match.rules.direction == "cw"
    host.locator("#undo-button").click()
    expect(guest.locator("#turn")).to_contain_text(NAMES[2])
    assert table.room.session.match.rules.direction == "ccw"


def test_an_unfinished_hand_counts_when_the_host_says_who_went_out(table: TableServer, open_page: OpenPage) -> None:
    table.play(3)
    host, guest = host_page(table, open_page), phone(table, open_page)
    host.get_by_role("button", name="New hand …").click()
    for seat in (1, 0, 3, 2):
        dialog(host).locator("fieldset").first.get_by_role("button", name=NAMES[seat]).click()
    expect(dialog(host).locator("fieldset").first).to_contain_text(f"1. {NAMES[1]}")
    press(host, "Begin the hand")
    expect(guest.locator("#scores tbody tr")).to_have_count(1)
    assert table.room.session.match.results[0].finish == (1, 0, 3, 2)


def test_a_house_rule_is_changed_for_the_whole_match_and_everything_is_judged_again(
    table: TableServer, open_page: OpenPage
) -> None:
    for line in (
        {"kind": "play", "seat": 0, "cards": ["5s", "6d", "7c", "8d", "9s"]},
        {"kind": "play", "seat": 3, "cards": ["6s", "7d", "8c", "9d", "Ts", "Jd"]},
    ):
        table.room.add(line)
    host, guest = host_page(table, open_page), phone(table, open_page)
    expect(guest.get_by_role("alert")).to_contain_text("different number of cards")
    host.get_by_role("button", name="House rules …").click()
    press(host, "Save")
    expect(dialog(host).locator(".refused")).to_have_text("No rule was changed.")
    choose(host, "for the whole match: everything is judged again")
    dialog(host).get_by_label("Most cards in a straight").select_option("5")
    press(host, "Save")
    expect(dialog(host)).to_be_hidden()
    expect(guest.locator("#story")).to_contain_text("House rule: Most cards in a straight: 5")
    expect(guest.get_by_role("alert")).to_contain_text("the run is too long")
    assert table.room.session.match.rules.straight_max == 5


def test_a_match_is_ended_and_a_new_one_begun(table: TableServer, open_page: OpenPage) -> None:
    table.play(3)
    host, guest = host_page(table, open_page), phone(table, open_page)
    host.get_by_role("button", name="Match …").click()
    press(host, "End the match")
    expect(guest.locator("#turn")).to_have_text("The match is over.")
    host.locator("#next-match").click()
    expect(guest.locator("#story")).to_contain_text("No card has been played yet.")
    table.room.add(GAME[0])
    expect(guest.locator("#story .entry")).to_have_count(1)


def test_the_health_strip_says_what_to_do_to_the_host_only(table: TableServer, open_page: OpenPage) -> None:
    table.room.set_camera(Status("watching"))
    host, guest = host_page(table, open_page), phone(table, open_page)
    expect(guest.locator("#turn")).not_to_be_empty()
    table.room.set_health(
        [
            {"name": "light", "level": "ok", "advice": None, "params": {}},
            {"name": "index_size", "level": "bad", "advice": "cards_small", "params": {"found": 9, "least": 14}},
        ]
    )
    expect(host.locator("#health li")).to_have_count(2)
    expect(host.locator("#health li").first).to_contain_text("9 pixels high, at least 14 are needed")
    expect(guest.locator("#health")).to_be_hidden()
    table.room.set_camera(Status("restarting", {"code": "eye_died", "params": {}}, 1))
    expect(host.locator("#health")).to_be_hidden()


@pytest.mark.parametrize("opener", ["[data-id='2'] .pencil", "#new-hand", "#house-rules", "#match-menu"])
@pytest.mark.parametrize(("width", "locale"), [(320, "en"), (390, "zh-CN"), (1280, "zh-TW")])
def test_every_dialog_fits_and_is_accessible(
    table: TableServer, open_page: OpenPage, opener: str, width: int, locale: str
) -> None:
    table.play(3)
    host = host_page(table, open_page, width, locale=locale)
    host.locator(opener).click()
    expect(dialog(host)).to_be_visible()
    box = "document.getElementById('fix')"
    assert host.evaluate(f"{box}.scrollWidth - {box}.clientWidth") <= 0
    found = Axe().run(host, context="#fix", options=RULES).response["violations"]
    assert [f"{one['id']} {node['target']}: {node['failureSummary']}" for one in found for node in one["nodes"]] == []
    small = host.evaluate(
        """() => [...document.querySelectorAll("#fix button, #fix .choice span, #fix select")]
          .filter((node) => node.offsetParent && (node.offsetHeight < 44 || node.offsetWidth < 44))
          .map((node) => node.outerHTML)"""
    )
    assert small == []
    host.keyboard.press("Escape")
    expect(dialog(host)).to_be_hidden()
    expect(host.locator(opener)).to_be_focused()


def _jpeg() -> bytes:
    return cv2.imencode(".jpg", np.full((60, 80, 3), 90, np.uint8))[1].tobytes()
