"""The real command as a process: what goes wrong is one line with the thing, the limit, the remedy."""

import json
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from running import CLIP, ROOT, TABLE, Kibitz

from tracker.calibration import load_table
from vision.deck import default_folder
from webui.catalogs import LANGUAGES, catalog


def complaint(done: subprocess.CompletedProcess[str], code: int) -> str:
    """The one line on stderr of a command that failed with `code` and printed nothing else."""
    assert done.returncode == code, done
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    return line


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["rum"], "No such command 'rum'. Did you mean 'run'? (see: kibitz --help)"),
        (["run", "--colour"], "No such option '--colour'"),
        (["run", "--port", "70000"], "70000 is not in the range 0<=x<=65535"),
        (["run", "--source", "0", "--source", "1", "--table", "a.json"], "2 sources for 1 tables; give each --table"),
        (["run", "--table", "a.json", "--table", "b.json", "--players", "Ann,Bo"], "--players is for one table"),
        (["run", "--option", "straight_max=5"], "--option is for one table"),
        (["run", "--game", "bridge"], 'no ruleset "bridge"'),
        (["watch"], "Missing argument 'SOURCE'"),
        (["games", "bridge"], 'no ruleset "bridge"; known: drawpoker'),
        (["detect"], "Missing argument 'IMAGE|FOLDER...'"),
    ],
)
def test_a_wrong_call_is_one_line_and_exit_code_2(kibitz: Kibitz, arguments: list[str], words: str) -> None:
    assert words in complaint(kibitz(*arguments), 2)


@pytest.mark.parametrize("command", ["run", "watch"])
@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--game", "bridge"], 'no ruleset "bridge"'),
        (["--option", "wings=3"], 'upstream has no option "wings"; known: players'),
        (["--option", "straight_max=99"], "upstream: straight_max=99 is not possible; allowed:"),
        (["--option", "straight_max"], "write name=value"),
        (["--game", "drawpoker", "--option", "straight_max=5"], 'drawpoker has no option "straight_max"'),
    ],
)
def test_house_rules_are_checked_by_name(kibitz: Kibitz, command: str, more: list[str], words: str) -> None:
    source = ["--source", CLIP] if command == "run" else [CLIP]
    done = kibitz(command, *source, "--table", TABLE, *more)
    assert words in complaint(done, 2)


def test_names_must_be_as_many_as_seats(kibitz: Kibitz) -> None:
    done = kibitz("run", "--table", TABLE, "--players", "Anna,Bo")
    assert "2 names for 4 seats" in complaint(done, 2)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "nowhere.json"),
        ("a table", "a.json"),
        ("[]", "a.json"),
        ('{"size": [1280, 720]}', "table_px"),
        ('{"size": [1280, 720], "table_px": [[0,0],[1,0],[1,1]]}', "table_px"),
    ],
)
def test_a_bad_table_file_is_named(kibitz: Kibitz, tmp_path: Path, content: str | None, words: str) -> None:
    path = tmp_path / ("a.json" if content is not None else "nowhere.json")
    if content is not None:
        path.write_text(content)
    for command in (["run", "--source", CLIP], ["watch", CLIP]):
        assert words in complaint(kibitz(*command, "--table", path), 1)


@pytest.mark.parametrize("command", ["run", "watch"])
@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("nowhere.mp4", "nowhere.mp4"),
        ("97", "97"),
        ("notes.mp4", "notes.mp4"),
        ("gopher://table/cards", "rtsp"),
        ("http://127.0.0.1:9/stream", "http://127.0.0.1:9/stream"),
    ],
)
def test_a_source_without_pictures_is_named(
    kibitz: Kibitz, tmp_path: Path, command: str, source: str, words: str
) -> None:
    (tmp_path / "notes.mp4").write_text("no video at all\n" * 50)
    given = ["--source", source, "--no-browser", "--port", 0] if command == "run" else [source]
    line = complaint(kibitz(command, *given, "--table", TABLE), 1)
    assert words in line
    assert not line.startswith("kibitz: error.")


@pytest.mark.parametrize("command", ["run", "watch"])
def test_a_source_of_another_size_than_the_table_is_refused(kibitz: Kibitz, tmp_path: Path, command: str) -> None:
    table = json.loads(TABLE.read_text())
    table["size"] = [640, 360]
    (tmp_path / "small.json").write_text(json.dumps(table))
    given = ["--source", CLIP, "--no-browser", "--port", 0] if command == "run" else [CLIP]
    line = complaint(kibitz(command, *given, "--table", tmp_path / "small.json"), 1)
    assert "1280 x 720" in line
    assert "640 x 360" in line


def test_a_model_with_a_wrong_hash_is_refused(kibitz: Kibitz, tmp_path: Path) -> None:
    deck = shutil.copytree(default_folder(), tmp_path / "deck")
    with (deck / "read.onnx").open("ab") as file:
        file.write(b"\0")
    for command in (["run", "--source", CLIP, "--no-browser", "--port", 0], ["watch", CLIP]):
        line = complaint(kibitz(*command, "--table", TABLE, KIBITZ_DECK=str(deck)), 1)
        assert "read.onnx" in line


def test_a_taken_port_is_named_with_another_one(kibitz: Kibitz) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = kibitz("demo", "--no-browser", "--port", port)
    assert f"port {port} is taken by another program; choose another one: --port {port + 1}" in complaint(done, 1)


def test_a_journal_that_is_something_else_is_left_alone(kibitz: Kibitz, tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite"
    db = sqlite3.connect(other)
    db.execute("CREATE TABLE mine(x)")
    db.commit()
    db.close()
    done = kibitz("run", "--source", CLIP, "--table", TABLE, "--journal", other)
    assert "is not a Kibitz journal" in complaint(done, 1)


def test_errors_speak_the_terminals_language(kibitz: Kibitz) -> None:
    assert "没有规则“bridge”" in complaint(kibitz("games", "bridge", LC_ALL="zh_CN.UTF-8"), 2)
    assert "沒有規則「bridge」" in complaint(kibitz("games", "bridge", LC_ALL="zh_TW.UTF-8"), 2)


def test_games_lists_every_ruleset_and_the_options_of_one(kibitz: Kibitz) -> None:
    listed = kibitz("games")
    assert [line.split()[0] for line in listed.stdout.splitlines()][:6] == [
        "drawpoker",
        "gdy1",
        "gdy2",
        "paodekuai",
        "tavla",
        "upstream",
    ]
    assert "straight_max" in kibitz("games", "upstream").stdout


def test_referee_answers_cases_line_by_line(kibitz: Kibitz, tmp_path: Path) -> None:
    case = {"id": "a", "ruleset": "upstream", "kind": "classify", "options": {}, "input": {"cards": "5s 5d"}}
    (tmp_path / "cases.jsonl").write_text(json.dumps(case) + "\nnonsense\n")
    done = kibitz("referee", "cases.jsonl")
    assert done.returncode == 1
    assert "line 2" in done.stderr
    assert json.loads(done.stdout.splitlines()[0])["id"] == "a"


def test_watch_writes_events_and_stats(kibitz: Kibitz, tmp_path: Path) -> None:
    done = kibitz("watch", CLIP, "--table", TABLE, "--game", "upstream", "--jsonl", tmp_path / "out.jsonl")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    plays = [line for line in lines if line["event"] == "play"]
    assert {"id", "t", "event", "seat", "cards", "verdict", "codes", "inferred", "certainty"} <= plays[0].keys()
    assert lines[-1]["event"] == "stats"
    assert {"frames", "inferences", "cpu_s", "wall_s", "media_s"} <= lines[-1].keys()


def test_help_imports_nothing_heavy() -> None:
    script = (
        "import sys\nfrom webui.cli import kibitz\n"
        "kibitz.main(['--help'], standalone_mode=False)\n"
        "heavy = {'cv2', 'numpy', 'onnxruntime', 'flask', 'waitress', 'torch'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, cwd=ROOT)


def test_every_error_of_the_code_has_words_in_every_language() -> None:
    codes = set()
    for folder in ("vision", "tracker", "referee", "webui"):
        for path in (ROOT / folder).glob("*.py"):
            text = path.read_text("utf-8")
            codes |= set(re.findall(r'(?:KibitzError|RulesError)\(\s*"(\w+)"', text))
            codes |= set(re.findall(r'Refused\(\s*\d+, "(\w+)"', text))
    assert len(codes) > 40
    missing = [(one, code) for one in LANGUAGES for code in codes if not catalog(one).has(f"error.{code}")]
    assert missing == []


def test_doctor_reports_port_table_model_camera_and_picture(kibitz: Kibitz) -> None:
    done = kibitz("doctor", "--source", CLIP, "--table", TABLE, "--port", 0)
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    names = ["Port", "Table file", "Deck pack", "Camera", "Cards", "Light", "Glare"]
    assert [re.split("[ :]", line, maxsplit=1)[1].split(":")[0] for line in lines][:7] == names
    assert "1280 x 720" in lines[3]


def test_doctor_proposes_a_table_file_that_opens_and_never_overwrites_one(kibitz: Kibitz, tmp_path: Path) -> None:
    file = tmp_path / "proposed.json"
    done = kibitz("doctor", "--source", CLIP, "--port", 0, "--propose", file, "--seats", 3)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"{file} is written" in done.stdout.splitlines()[-1]
    table = load_table(file)
    assert table.size == (1280, 720)
    assert len(table.seats) == 3
    before = file.read_bytes()
    again = kibitz("doctor", "--source", CLIP, "--port", 0, "--propose", file)
    assert again.returncode == 1
    assert "is there already" in again.stdout.splitlines()[-1]
    assert file.read_bytes() == before


def test_doctor_names_what_is_broken_and_goes_on(kibitz: Kibitz) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = kibitz("doctor", "--source", "97", "--table", "nowhere.json", "--port", port)
    assert done.returncode == 1
    assert done.stderr == ""
    bad = [line for line in done.stdout.splitlines() if line.startswith("✗")]
    assert [line.split(":")[0] for line in bad] == ["✗ Port", "✗ Table file", "✗ Camera"]
