"""The journal's laws on real files: append-only, on disk first, damage set aside, disk full."""

import json
import random
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from vision.errors import KibitzError
from webui.journal import Journal

WRITER = """
import sys, time
from pathlib import Path
from webui.journal import Journal
journal = Journal(Path(sys.argv[1]), time.time)
for number in range(len(journal.records()), 100_000):
    journal.append({"number": number, "name": "王大爷", "pad": "x" * 300})
    print(number, flush=True)          # shown only now, as the page would
"""


def clock() -> float:
    return 1000.5


def numbers(path: Path) -> list[int]:
    journal = Journal(path, clock)
    found = [record.body["number"] for record in journal.records()]
    journal.close()
    return found


def test_records_come_back_in_order_after_reopening(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j.sqlite", clock)
    for number in range(5):
        record = journal.append({"number": number, "who": "<b>=1+1"})
        assert (record.seq, record.at) == (number + 1, 1000.5)
    journal.close()
    again = Journal(tmp_path / "j.sqlite", clock)
    assert [dict(record.body) for record in again.records()] == [
        {"number": number, "who": "<b>=1+1"} for number in range(5)
    ]
    assert again.append({"number": 5}).seq == 6
    again.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE record SET body = '{}' WHERE seq = 1",
        "DELETE FROM record WHERE seq = 1",
        "INSERT OR REPLACE INTO record VALUES (1, 0, '{}', x'00')",
    ],
)
def test_triggers_refuse_changes(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "j.sqlite"
    journal = Journal(path, clock)
    journal.append({"number": 0})
    journal.close()
    db = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        db.execute(statement)
    db.close()
    assert numbers(path) == [0]


def test_kill_9_at_random_moments_loses_no_accepted_record(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    chance = random.Random(7)
    for _ in range(8):
        writer = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True)
        assert writer.stdout is not None
        shown = [int(writer.stdout.readline()) for _ in range(chance.randint(1, 60))]
        writer.send_signal(signal.SIGKILL)
        shown += [int(line) for line in writer.stdout.read().split()]
        writer.stdout.close()
        writer.wait()
        kept = numbers(path)
        assert kept == list(range(len(kept)))
        assert len(kept) > max(shown)


def test_torn_last_record_is_set_aside_and_reported(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    journal = Journal(path, clock)
    for number in range(3):
        journal.append({"number": number})
    journal.close()
    db = sqlite3.connect(path)
    db.execute("DROP TRIGGER record_no_update")
    db.execute("UPDATE record SET body = substr(body, 1, 6) WHERE seq = 3")
    db.commit()
    db.close()
    journal = Journal(path, clock)
    assert [record.body["number"] for record in journal.records()] == [0, 1]
    assert journal.status.set_aside == 1
    assert journal.append({"number": 9}).seq == 4
    journal.close()
    journal = Journal(path, clock)
    assert [record.seq for record in journal.records()] == [1, 2, 4]
    assert journal.status.set_aside == 1
    journal.close()
    db = sqlite3.connect(path)
    assert db.execute("SELECT body FROM record WHERE seq = 3").fetchone()[0] == '{"numb'
    assert db.execute("SELECT seq FROM set_aside").fetchall() == [(3,)]
    db.close()


def test_a_file_cut_short_is_kept_and_its_readable_records_carried_over(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    journal = Journal(path, clock)
    for number in range(200):
        journal.append({"number": number, "pad": "x" * 300})
    journal.close()
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) - 5000])
    journal = Journal(path, clock)
    status = journal.status
    kept = [record.body["number"] for record in journal.records()]
    assert status.damaged is not None
    assert status.damaged.read_bytes() == whole[: len(whole) - 5000]
    assert len(kept) > 100
    assert kept == list(range(len(kept)))
    assert status.unsaved == 0
    journal.close()
    assert numbers(path) == kept


def test_full_disk_is_reported_and_play_goes_on_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    script = """
import resource, sys, time
from pathlib import Path
from webui.journal import Journal
path = Path(sys.argv[1])
journal = Journal(path, time.time)
journal.append({"number": 0})
full = path.stat().st_size
resource.setrlimit(resource.RLIMIT_FSIZE, (full, resource.RLIM_INFINITY))
for number in range(1, 60):
    journal.append({"number": number, "pad": "x" * 500})
print(journal.status.unsaved, len(journal.records()))
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(journal.retry(), journal.status.unsaved)
"""
    done = subprocess.run([sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True)
    first, second = done.stdout.splitlines()
    unsaved, held = map(int, first.split())
    assert unsaved > 0
    assert held == 60
    assert second == "True 0"
    assert numbers(path) == list(range(60))


def test_second_process_is_told_that_the_journal_is_in_use(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    journal = Journal(path, clock)
    journal.append({"number": 0})
    with pytest.raises(KibitzError) as caught:
        Journal(path, clock)
    assert caught.value.code == "journal_in_use"
    journal.close()


def test_a_file_that_is_no_journal_is_left_alone(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("not a journal")
    other = tmp_path / "other.sqlite"
    db = sqlite3.connect(other)
    db.execute("CREATE TABLE mine(x)")
    db.commit()
    db.close()
    for path in (text, other):
        before = path.read_bytes()
        with pytest.raises(KibitzError) as caught:
            Journal(path, clock)
        assert caught.value.code == "journal_not_ours"
        assert path.read_bytes() == before


def test_bodies_are_plain_json(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j.sqlite", clock)
    record = journal.append({"cards": ("7h", "X")})
    assert json.dumps(record.body) == '{"cards": ["7h", "X"]}'
    journal.close()


def test_a_lone_surrogate_in_a_name_keeps_nothing_from_the_disk(tmp_path: Path) -> None:
    name = "A\ud800"  # as a file's JSON or an argument in another encoding gives it
    journal = Journal(tmp_path / "j.sqlite", clock)
    journal.append({"name": name})
    journal.append({"number": 2})
    assert journal.status.unsaved == 0
    journal.close()
    again = Journal(tmp_path / "j.sqlite", clock)
    assert [record.body for record in again.records()] == [{"name": name}, {"number": 2}]
    again.close()
