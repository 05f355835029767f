"""Exports of real journals: read back by other programs, inert in a spreadsheet, honest about damage."""

import csv
import io
import json
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from running import KIBITZ, ROOT
from serving import GAME, NAMES, SETUP

from referee.setup import MatchSetup
from webui.export import inert
from webui.history import matches_of
from webui.journal import Journal

CORRECTION: dict[str, Any] = {"kind": "amend", "t": 35.0, "of": 2, "cards": ["Ts", "Th"]}

Export = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.fixture
def export(tmp_path: Path) -> Export:
    def run(*arguments: object, language: str = "C.UTF-8") -> subprocess.CompletedProcess[bytes]:
        command = [*KIBITZ, "export", *map(str, arguments)]
        environment = {"PATH": "", "PYTHONPATH": str(ROOT), "LC_ALL": language, "KIBITZ_HOME": str(tmp_path / "home")}
        return subprocess.run(command, capture_output=True, timeout=60, cwd=tmp_path, env=environment)

    return run


def write(path: Path, *matches: tuple[MatchSetup, tuple[dict[str, Any], ...]]) -> Path:
    journal = Journal(path, time.time)
    for setup, events in matches:
        journal.append({"match": asdict(setup)})
        for number, event in enumerate(events):
            journal.append({"event": {"id": number, **event}})
    journal.close()
    return path


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    older = MatchSetup("upstream", ("A", "B", "C", "D"), {}, first_leader=0)
    return write(tmp_path / "j.sqlite", (older, GAME[:1]), (SETUP, (*GAME, CORRECTION)))


def rows(text: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text.decode("utf-8-sig"), newline="")))


def test_jsonl_has_the_lines_of_watch_with_the_verdicts_that_hold_now(export: Export, journal: Path) -> None:
    done = export(journal)
    assert (done.returncode, done.stderr) == (0, b"")
    lines = [json.loads(line) for line in done.stdout.decode().splitlines()]
    plays = [line for line in lines if line["event"] == "play"]
    assert {"id", "t", "event", "seat", "cards", "verdict", "codes", "inferred", "certainty"} <= plays[0].keys()
    assert plays[2]["cards"] == ["Ts", "Th"]  # as the host put it right
    assert plays[2]["verdict"] == "ok"
    assert plays[-1]["verdict"] == "violation"
    assert "wrong_count" in plays[-1]["codes"]
    assert [line["id"] for line in lines] == list(range(len(lines)))
    assert any(line["event"] == "pass" and line["inferred"] for line in lines)
    back = next(line for line in lines if line["event"] == "take_back")
    assert back["of"] == plays[2]["id"]


def test_csv_of_plays_is_read_back_with_names_times_and_reasons(export: Export, journal: Path) -> None:
    done = export(journal, "--format", "csv")
    assert not done.stdout.startswith(b"\xef\xbb\xbf")  # only a file needs a byte order mark
    table = rows(done.stdout)
    assert [row["kind"] for row in table if row["inferred"] == "no"] == [line["kind"] for line in GAME]
    first = next(row for row in table if row["kind"] == "play")
    assert (first["player"], first["cards"], first["combination"]) == ("Anna", "5d 5s", "pair")
    assert first["time"].startswith("20")
    assert table[-1]["verdict"] == "violation"
    assert table[-1]["codes"].split() == ["wrong_count"]
    assert table[-1]["player"] == "王大爷"


def test_csv_of_scores_has_a_column_a_player_and_the_totals(export: Export, journal: Path) -> None:
    table = list(csv.reader(io.StringIO(export(journal, "--format", "scores").stdout.decode("utf-8-sig"))))
    assert table[0][0] == "hand"
    assert len(table[0]) == 5
    assert table[-1] == ["total", "0", "0", "0", "0"]


def test_8_no_cell_is_a_formula_and_no_name_is_lost(export: Export, journal: Path) -> None:
    for form in ("csv", "scores"):
        text = export(journal, "--format", form).stdout.decode("utf-8-sig")
        cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
        assert "'=1+1" in cells
        assert NAMES[2] in cells
        assert not [cell for cell in cells if cell.lstrip().startswith(("=", "+", "@", "\t", "\r"))]


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1+2", "@SUM(A1)", "\tx", "\rx", "\n=1", " =1", "＝1", '=cmd|"x"!A1'])
def test_8_what_a_spreadsheet_would_run_is_text(name: str) -> None:
    assert inert(name) == f"'{name}"


@pytest.mark.parametrize("name", ["Anna", "王大爷", "<img src=x onerror=alert(1)>", "7h 7s", ""])
def test_8_what_it_would_not_run_stays_as_it_is(name: str) -> None:
    assert inert(name) == name


def test_a_pass_that_the_player_claimed_is_a_pass(export: Export, tmp_path: Path) -> None:
    claims: tuple[dict[str, Any], ...] = (
        {"kind": "claim_pass", "t": 7.0, "seat": 2},
        {"kind": "dispute", "t": 8.0, "seat": 1, "of": 1},
    )
    journal = write(tmp_path / "claims.sqlite", (SETUP, (*GAME[:2], *claims)))
    lines = [json.loads(line) for line in export(journal).stdout.decode().splitlines()]
    assert [(line["event"], line["seat"], line["inferred"]) for line in lines[2:]] == [("pass", 2, False)]
    assert [row["kind"] for row in rows(export(journal, "--format", "csv").stdout)] == ["play", "play", "pass"]


def test_an_older_match_is_exported_by_its_number(export: Export, journal: Path) -> None:
    done = export(journal, "--match", 1, "--format", "csv", "--out", "old.csv")
    assert (done.returncode, done.stdout) == (0, b"")
    written = (journal.parent / "old.csv").read_bytes()
    assert written.startswith(b"\xef\xbb\xbf")
    assert [row["player"] for row in rows(written)] == ["A"]
    assert b"has no match 3; it has 2" in export(journal, "--match", 3).stderr


def test_a_journal_in_use_is_exported_and_stays_as_it_is(export: Export, journal: Path) -> None:
    writing = Journal(journal, time.time)
    before = journal.read_bytes()
    done = export(journal)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"\n") > len(GAME)
    assert journal.read_bytes() == before
    writing.close()


def test_a_commit_cut_short_by_a_power_cut_is_undone_in_the_copy_only(export: Export, journal: Path) -> None:
    script = (
        "import os, sqlite3, sys\n"
        "db = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "db.execute('PRAGMA journal_mode = TRUNCATE')\n"
        "db.execute('PRAGMA cache_size = 1')\n"
        "db.execute('BEGIN IMMEDIATE')\n"
        "for n in range(400):\n"
        "    db.execute('INSERT INTO record VALUES (?, 0, ?, x\\'00\\')', (1000 + n, 'y' * 2000))\n"
        "os._exit(9)\n"
    )
    subprocess.run([sys.executable, "-c", script, str(journal)], check=False)
    hot = journal.with_name("j.sqlite-journal")
    assert hot.stat().st_size > 0
    before = (journal.read_bytes(), hot.read_bytes())
    done = export(journal)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b'"play"') == 7
    assert (journal.read_bytes(), hot.read_bytes()) == before


def test_damaged_records_are_told_and_the_rest_is_written(export: Export, journal: Path) -> None:
    db = sqlite3.connect(journal)
    db.execute("DROP TRIGGER record_no_update")
    db.execute("UPDATE record SET body = substr(body, 1, 9) WHERE seq = 5")
    db.commit()
    db.close()
    done = export(journal, "--format", "csv")
    assert done.returncode == 1
    assert b"1 record of the journal" in done.stderr
    assert len([row for row in rows(done.stdout) if row["inferred"] == "no"]) == len(GAME) - 1


def test_a_file_cut_short_is_told_and_the_rest_is_written(export: Export, tmp_path: Path) -> None:
    many = tuple({"kind": "sweep", "t": float(n), "seat": 0, "data": {"note": "x" * 300}} for n in range(200))
    journal = write(tmp_path / "long.sqlite", (SETUP, (*GAME, *many)))
    whole = journal.read_bytes()
    journal.write_bytes(whole[: len(whole) - 5000])
    done = export(journal)
    assert done.returncode == 1
    assert done.stderr.count(b"\n") == 1
    assert done.stdout.count(b'"play"') == 7
    assert journal.read_bytes() == whole[: len(whole) - 5000]


@pytest.mark.parametrize(
    ("name", "content", "code", "words"),
    [
        ("nowhere.sqlite", None, 1, "there is no journal nowhere.sqlite"),
        ("notes.txt", b"no journal at all", 1, "notes.txt is not a Kibitz journal"),
        ("empty.sqlite", b"", 1, "there is no match in the journal empty.sqlite"),
    ],
)
def test_what_is_no_journal_is_named(
    export: Export, tmp_path: Path, name: str, content: bytes | None, code: int, words: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    done = export(name)
    assert done.returncode == code
    assert done.stdout == b""
    (line,) = done.stderr.decode().splitlines()
    assert words in line


def test_another_programs_database_is_no_journal(export: Export, tmp_path: Path) -> None:
    db = sqlite3.connect(tmp_path / "other.sqlite")
    db.execute("CREATE TABLE mine(x)")
    db.commit()
    db.close()
    assert "不是观牌的日志" in export("other.sqlite", language="zh_CN.UTF-8").stderr.decode()


def test_a_place_that_cannot_be_written_is_named(export: Export, journal: Path) -> None:
    done = export(journal, "--out", journal.parent / "nowhere" / "a.csv")
    assert done.returncode == 1
    assert b"a.csv can't be written (No such file or directory)" in done.stderr


def test_a_match_of_a_game_that_is_not_installed_is_left_out(tmp_path: Path) -> None:
    path = write(tmp_path / "j.sqlite", (SETUP, GAME[:2]))
    journal = Journal(path, time.time)
    journal.append({"match": {**asdict(SETUP), "ruleset": "canasta"}})
    journal.append({"event": {"id": 0, "t": 1.0, "kind": "play"}})
    journal.append({"match": asdict(SETUP)})
    journal.append({"event": {"id": 0, "t": 1.0, "kind": "juggle"}})
    found = matches_of(journal.records())
    journal.close()
    assert [(match.id, len(match.events), match.unread) for match in found] == [(1, 2, 0), (6, 0, 1)]
