"""SECURITY.md lines 10, 11: what a zip file may hold, what a model may be, and what is never run."""

import hashlib
import os
import pickle
import stat
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from onnx_bytes import model, tensor
from running import ROOT, Kibitz

from vision.deck import MOST_BYTES, load_deck, shipped_folder
from vision.errors import KibitzError
from vision.packs import MOST_PACKED, folder_name, install

FILES = {path.name: path.read_bytes() for path in shipped_folder().iterdir() if path.suffix in (".onnx", ".toml")}
CARD = FILES["deck.toml"].decode().replace('name = "standard"', 'name = "My deck"', 1)


def good() -> dict[str, bytes]:
    return {**FILES, "deck.toml": CARD.encode()}


def packed(path: Path, files: dict[str, bytes], change: Callable[[zipfile.ZipFile], None] = lambda _: None) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as out:
        change(out)
        for name, content in files.items():
            out.writestr(name, content)
    return path


def refused(source: Path, decks: Path) -> KibitzError:
    """The error of a pack that is not taken in; nothing of it is left anywhere."""
    before = sorted(source.parent.rglob("*"))
    with pytest.raises(KibitzError) as caught:
        install(source, decks)
    assert [p for p in sorted(source.parent.rglob("*")) if p not in before and p != decks] == []
    return caught.value


def entry(name: str, kind: int = stat.S_IFREG) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = (kind | 0o777) << 16
    return info


def test_10_a_good_pack_is_taken_in_and_replaces_an_older_one(tmp_path: Path) -> None:
    plain = install(packed(tmp_path / "a.zip", good()), tmp_path / "decks")
    assert plain.folder == tmp_path / "decks" / "my-deck"
    newer = {**good(), "deck.toml": CARD.replace('version = "', 'version = "9.', 1).encode()}
    in_a_folder = packed(
        tmp_path / "b.zip", {f"mine/{name}": content for name, content in newer.items()}, lambda out: out.mkdir("mine")
    )
    install(in_a_folder, tmp_path / "decks")
    assert [p.name for p in (tmp_path / "decks").iterdir()] == ["my-deck"]
    assert load_deck(tmp_path / "decks" / "my-deck").about.version.startswith("9.")


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize(
    ("name", "kind", "reason"),
    [
        ("../deck.toml", stat.S_IFREG, "path"),
        ("a/../../deck.toml", stat.S_IFREG, "path"),
        ("/etc/deck.toml", stat.S_IFREG, "path"),
        ("C:/deck.toml", stat.S_IFREG, "path"),
        ("..\\deck.toml", stat.S_IFREG, "path"),
        ("deck.toml", stat.S_IFREG, "extra"),
        ("deck.toml", stat.S_IFLNK, "link"),
        ("locate.onnx", stat.S_IFLNK, "link"),
        ("deck.toml", stat.S_IFIFO, "link"),
        ("weights.pt", stat.S_IFREG, "extra"),
        ("run.sh", stat.S_IFREG, "extra"),
        ("a/b/deck.toml", stat.S_IFREG, "extra"),
        ("other.onnx", stat.S_IFREG, "extra"),
        ("a/", stat.S_IFDIR, None),
        ("a/b/", stat.S_IFDIR, "folder"),
    ],
)
def test_10_entries_that_no_pack_has_are_refused(tmp_path: Path, name: str, kind: int, reason: str | None) -> None:
    source = packed(tmp_path / "x.zip", good(), lambda out: out.writestr(entry(name, kind), b"../locate.onnx"))
    if reason is None:
        assert install(source, tmp_path / "decks").folder.name == "my-deck"
        return
    error = refused(source, tmp_path / "decks")
    assert error.code == "pack_entry"
    assert error.params["reason"] == reason


def test_10_a_zip_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    source = packed(tmp_path / "x.zip", {**good(), "locate.onnx": bytes(20_000_000)})
    assert source.stat().st_size < 8_000_000
    error = refused(source, tmp_path / "decks")
    assert (error.code, error.params["reason"]) == ("pack_entry", "ratio")


def test_10_a_header_that_understates_its_size_gains_nothing(tmp_path: Path) -> None:
    source = packed(tmp_path / "x.zip", {**good(), "locate.onnx": os.urandom(1000) + bytes(2 * MOST_BYTES)})
    data = bytearray(source.read_bytes())
    true = (1000 + 2 * MOST_BYTES).to_bytes(4, "little")
    assert data.count(true) >= 2
    source.write_bytes(bytes(data).replace(true, (400_000).to_bytes(4, "little")))
    assert refused(source, tmp_path / "decks").code in ("pack_not_zip", "pack_entry")


def test_10_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    with (tmp_path / "x.zip").open("wb") as file:
        file.truncate(MOST_PACKED + 1)
    assert refused(tmp_path / "x.zip", tmp_path / "decks").code == "pack_too_large"


@pytest.mark.parametrize("content", [b"", b"no zip file", b"PK\3\4" + bytes(100)])
def test_10_what_is_no_zip_file_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.zip").write_bytes(content)
    assert refused(tmp_path / "x.zip", tmp_path / "decks").code == "pack_not_zip"


def test_10_a_damaged_zip_file_is_refused(tmp_path: Path) -> None:
    source = packed(tmp_path / "x.zip", good())
    data = bytearray(source.read_bytes())
    data[len(data) // 2] ^= 0xFF
    source.write_bytes(data)
    assert refused(source, tmp_path / "decks").code == "pack_not_zip"


@pytest.mark.parametrize(
    ("name", "kept"),
    [("My deck", "my-deck"), ("../../evil", "evil"), ("Black & Gold 2", "black-gold-2"), ("x" * 90, "x" * 40)],
)
def test_10_a_packs_name_never_becomes_a_path(name: str, kept: str) -> None:
    assert folder_name(name) == kept


@pytest.mark.parametrize("name", ["", "..", "牌", "/"])
def test_10_a_name_of_which_nothing_is_left_is_refused(name: str) -> None:
    with pytest.raises(KibitzError) as caught:
        folder_name(name)
    assert caught.value.code == "deck_name"


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (model(tensor("/etc/passwd")), "model_external_data"),
        (model(tensor(None)), "model_unusable"),
        (b"not a model", "model_unusable"),
    ],
)
def test_11_a_model_that_is_no_locator_is_refused_even_with_the_right_hash(
    tmp_path: Path, content: bytes, code: str
) -> None:
    old, new = (hashlib.sha256(some).hexdigest() for some in (FILES["locate.onnx"], content))
    files = {**good(), "locate.onnx": content, "deck.toml": CARD.replace(old, new).encode()}
    error = refused(packed(tmp_path / "x.zip", files), tmp_path / "decks")
    assert error.code == code
    assert error.params["path"] == "x.zip: locate.onnx"


def test_11_a_changed_model_is_refused(tmp_path: Path) -> None:
    files = {**good(), "read.onnx": FILES["read.onnx"] + b"\0"}
    assert refused(packed(tmp_path / "x.zip", files), tmp_path / "decks").code == "model_hash_wrong"


def test_11_a_model_that_was_changed_after_it_was_taken_in_is_not_loaded(tmp_path: Path) -> None:
    deck = install(packed(tmp_path / "x.zip", good()), tmp_path / "decks")
    with deck.read_path.open("ab") as file:
        file.write(b"\0")
    with pytest.raises(KibitzError) as caught:
        load_deck(deck.folder)
    assert caught.value.code == "model_hash_wrong"


class Trap:
    """What a stranger puts into a weights file: unpickled, it runs a command."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[Callable[[str], int], tuple[str]]:
        return os.system, (f"echo trapped > {self.marker}",)


@pytest.fixture
def trap(tmp_path: Path) -> Path:
    """A real booby-trapped pickle; it goes off when it is loaded."""
    marker, path = tmp_path / "marker", tmp_path / "trap.pt"
    path.write_bytes(pickle.dumps(Trap(marker)))
    pickle.loads(path.read_bytes())
    assert marker.exists()
    marker.unlink()
    return path


@pytest.mark.parametrize(
    "command",
    [
        ["detect", "{photo}", "--deck", "{trap}"],
        ["run", "--deck", "{trap}", "--port", "0", "--no-browser"],
        ["watch", "{photo}", "--table", "{photo}", "--deck", "{trap}"],
        ["doctor", "--deck", "{trap}"],
        ["deck", "eval", "--data", "{folder}", "--deck", "{trap}"],
        ["deck", "use", "{trap}"],
    ],
)
def test_11_a_booby_trapped_pickle_is_not_opened_without_the_trust_flag(
    kibitz: Kibitz, trap: Path, command: list[str]
) -> None:
    photo = ROOT / "tests" / "vision" / "data" / "edje_cam_image8.jpg"
    done = kibitz(*(word.format(trap=trap, photo=photo, folder=trap.parent) for word in command))
    assert done.returncode in (1, 2), done
    (line,) = done.stderr.splitlines()
    assert "--trust" in line or command[1] == "use"
    assert not (trap.parent / "marker").exists()


def test_11_no_other_way_leads_to_a_pickle(kibitz: Kibitz, trap: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_DECK", str(trap))
    done = kibitz("detect", ROOT / "tests" / "vision" / "data" / "edje_cam_image8.jpg")
    assert done.returncode == 1
    decks = trap.parent / "home" / "decks"
    (decks / "pickled").mkdir(parents=True)
    trap.rename(decks / "pickled" / "locate.pt")
    (decks / "pickled" / "deck.toml").write_text(CARD.replace('file = "locate.onnx"', 'file = "locate.pt"'))
    monkeypatch.delenv("KIBITZ_DECK")
    done = kibitz("detect", "--deck", "pickled", "--trust", ROOT / "tests" / "vision" / "data" / "edje_cam_image8.jpg")
    assert done.returncode == 1
    assert "locate.pt" in done.stderr
    assert not (trap.parent / "marker").exists()


def test_11_trusted_weights_without_the_training_extra_name_the_remedy(kibitz: Kibitz, trap: Path) -> None:
    script = "import sys; sys.modules['ultralytics'] = None; from webui.cli import main; main()"
    photo = ROOT / "tests" / "vision" / "data" / "edje_cam_image8.jpg"
    command = [sys.executable, "-c", script, "detect", str(photo), "--deck", str(trap), "--trust"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=trap.parent)
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert "requirements/train.txt" in line
    assert not (trap.parent / "marker").exists()
