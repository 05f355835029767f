"""The deck packs on the page: the host takes one in, gives it to a table, and tries a photo."""

import json
import shutil
from pathlib import Path

import pytest
from browser_pages import OpenPage
from playwright.sync_api import Route, expect
from running import CLIP, TABLE, Running
from serving import TableServer

from vision.deck import shipped_folder

DATA = Path(__file__).parents[1] / "vision" / "data"


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """The shipped pack under another name, zipped as people zip a folder."""
    folder = tmp_path / "to-zip" / "mine"
    shutil.copytree(shipped_folder(), folder, ignore=shutil.ignore_patterns("__pycache__"))
    card = folder / "deck.toml"
    text = card.read_text(encoding="utf-8").replace('name = "standard"', 'name = "<b>Black & Gold</b>"', 1)
    card.write_text(text + '\n[figures]\nrecall = "0.97 <img src=x>"\n', encoding="utf-8")
    return Path(shutil.make_archive(str(tmp_path / "mine"), "zip", folder.parent))


def test_a_host_takes_in_a_pack_gives_it_to_a_table_and_tries_a_photo(
    tmp_path: Path, pack: Path, open_page: OpenPage
) -> None:
    home = tmp_path / "home"
    (home / "tables").mkdir(parents=True)
    document = json.loads(TABLE.read_text("utf-8")) | {"source": str(CLIP), "title": "周三", "chosen": True}
    (home / "tables" / "wednesday.json").write_text(json.dumps(document))
    running = Running(home, on=())
    page = open_page(running.link, 1280)
    expect(page.locator("#game")).to_contain_text("周三")
    page.goto(f"{running.url}?all")
    page.get_by_role("link", name="Deck packs").click()
    expect(page.locator("#packs li")).to_have_count(1)
    page.set_input_files("#pack-file", pack)
    expect(page.locator("#packs li")).to_have_count(2)
    expect(page.locator("#packs")).to_contain_text("<b>Black & Gold</b>")
    page.locator("#packs summary").last.click()
    expect(page.locator("#packs")).to_contain_text("0.97 <img src=x>")
    assert page.locator("#packs img, #packs .title b").count() == 0
    page.get_by_label("Pack for 周三").select_option("b-black-gold-b")
    expect(page.locator("#notices")).to_contain_text("周三")
    saved = json.loads((home / "tables" / "wednesday.json").read_text("utf-8"))
    assert saved["deck"] == "b-black-gold-b"
    # it is what the table's eyes load at its next start: a broken pack is told on the table's page
    (home / "decks" / "b-black-gold-b" / "read.onnx").write_bytes(b"broken")
    page.get_by_role("button", name="Start again now: 周三").click()
    expect(page.locator("#notices")).to_contain_text("has been started again")
    table = page.context.new_page()
    table.goto(f"{running.url}t/wednesday/")
    expect(table.locator("#camera")).to_contain_text("read.onnx", timeout=60_000)
    table.close()
    page.reload()
    expect(page.locator("#packs")).to_contain_text("read.onnx")
    page.set_input_files("#photo-file", DATA / "edje_cam_image8.jpg")
    expect(page.locator("#tried polygon")).to_have_count(4, timeout=60_000)
    for name in ("A of spades", "A of hearts", "A of diamonds", "A of clubs"):
        expect(page.locator("#tried .found")).to_contain_text(name)
    expect(page.locator("#tried .health")).to_contain_text("Focus")
    assert page.locator("#tried img").evaluate("image => image.naturalWidth") == 960
    page.close()
    code, _ = running.end()
    assert code == 0


def test_what_is_wrong_with_a_file_is_said_with_its_name(
    table: TableServer, tmp_path: Path, open_page: OpenPage
) -> None:
    (tmp_path / "holiday.jpg").write_text("no photo")
    (tmp_path / "holiday.zip").write_text("no pack")
    url = f"{table.url}/decks#host={table.door.new_host_token()}"
    page = open_page(url, allow=("400",))
    page.set_input_files("#pack-file", tmp_path / "holiday.zip")
    expect(page.locator("#notices")).to_contain_text("holiday.zip is not a zip file")
    page.set_input_files("#photo-file", tmp_path / "holiday.jpg")
    expect(page.locator("#notices")).to_contain_text("holiday.jpg is not a JPEG, PNG or WebP photo")


def test_a_file_chosen_before_the_host_is_let_in_waits(
    table: TableServer, tmp_path: Path, open_page: OpenPage
) -> None:
    (tmp_path / "holiday.zip").write_text("no pack")
    page = open_page(table.url, allow=("400", "401"))
    held: list[Route] = []
    page.route("**/api/login", lambda route: held.append(route))
    page.goto(f"{table.url}/decks#host={table.door.new_host_token()}")
    expect(page.locator("#language")).to_be_enabled()
    page.wait_for_function("!location.hash")  # the key has been taken, and is on its way
    page.set_input_files("#pack-file", tmp_path / "holiday.zip")
    expect(page.locator("body.busy")).to_be_visible()
    held[0].continue_()
    expect(page.locator("#notices")).to_contain_text("holiday.zip is not a zip file")


def test_a_guest_sees_no_packs(table: TableServer, open_page: OpenPage) -> None:
    page = open_page(f"{table.url}/decks#join={table.door.guest_code()[0]}", 320, allow=("403",))
    expect(page.locator("#notices")).to_contain_text("Only the host")
    assert page.locator("#packs li").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
