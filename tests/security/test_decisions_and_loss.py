"""SECURITY.md lines 4 and 16 at the host's desk: guests decide nothing, a decision is kept whole or not at all."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from serving import API, TableServer

from webui.journal import Journal

ROOT = Path(__file__).parents[2]
SIZE = 20
_DECIDING = f"""
import sys, time
from pathlib import Path
from referee.setup import MatchSetup
from webui.journal import Journal
from webui.room import Room, TableInfo
journal = Journal(Path(sys.argv[1]), time.time)
setup = MatchSetup("upstream", ("A", "B", "C", "D"), first_leader=0)
room = Room(journal, setup, "run", False, TableInfo("t", "t", {{}}))
print("open", flush=True)
while True:
    room.decide_all([{{"kind": "play", "seat": 0, "cards": ["5s", "5d"]}}] * {SIZE})
    print(len(room.events), flush=True)
"""


@pytest.mark.parametrize("after", range(6))
def test_16_a_kill_in_the_middle_of_a_decision_leaves_all_of_it_or_nothing(tmp_path: Path, after: int) -> None:
    file = tmp_path / "journal.sqlite"
    process = subprocess.Popen(
        [sys.executable, "-c", _DECIDING, str(file)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    with process.stdout as told:
        assert told.readline() == "open\n"
        counts = [int(told.readline()) for _ in range(after)]
        time.sleep(0.003 * after)  # somewhere within the next decision
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=30)
        counts += [int(line) for line in told.read().split()]
    journal = Journal(file, time.time)
    belonging = [record.body["decision"] for record in journal.records() if "event" in record.body]
    journal.close()
    assert len(belonging) >= max(counts, default=0)
    assert belonging == [SIZE * (place // SIZE) for place in range(len(belonging))]
    assert len(belonging) % SIZE == 0


def test_16_a_disk_that_fails_within_a_decision_takes_none_of_it_and_all_of_it_later(table: TableServer) -> None:
    pages = table.journal._db.execute("PRAGMA page_count").fetchone()[0]
    table.journal._db.execute(f"PRAGMA max_page_count = {pages}")
    lines = [{"kind": "play", "seat": 0, "cards": ["5s"], "data": {"note": "x" * 900}} for _ in range(SIZE)]
    table.room.decide_all(lines)
    assert table.journal.status.unsaved == SIZE
    assert _kept(table) == 0
    table.journal._db.execute("PRAGMA max_page_count = 100000")
    table.room.retry_disk()
    assert table.journal.status.unsaved == 0
    assert _kept(table) == SIZE


@pytest.mark.parametrize("path", ["events", "undo", "match"])
def test_4_guests_decide_nothing_at_the_desk(table: TableServer, path: str) -> None:
    table.play(3)
    table.room.decide({"kind": "amend", "of": 2, "seat": 1})
    body = {"kind": "delete", "of": 0} if path == "events" else {"of": 3}
    records = len(table.journal.records())
    assert table.guest().post(f"{API}/{path}", body)[0] == 403
    assert table.stranger().post(f"{API}/{path}", body)[0] == 401
    assert len(table.journal.records()) == records


def _kept(table: TableServer) -> int:
    count = table.journal._db.execute("SELECT count(*) FROM record WHERE body LIKE '{\"event\"%'").fetchone()[0]
    return int(count)
