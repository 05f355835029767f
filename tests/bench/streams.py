"""200 phones on loopback follow a clip that goes through the real pipeline for a minute.

    python tests/bench/streams.py [GUESTS [SECONDS]]

It starts `kibitz run` on the demo clip twice, for the host alone and with that many guests, and prints
whether every guest got every event, how long after the journal wrote it (the wall clock of the
journal's own record, taken before the write to the disk, against the wall clock when the bytes came
out of the guest's socket), CPU, memory, and the pictures a second that the watching process looked at.

Guests come in as phones do, by the QR picture's code, each from a loopback address of its own. The
code is given out for a network address only, so the machine needs one. Linux only: it reads /proc.
"""

import http.client
import json
import os
import selectors
import socket
import sqlite3
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, median
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from running import TABLE_NAME, Running
from serving import Visitor

BAR_S = 0.25
_TICK = os.sysconf("SC_CLK_TCK")


@dataclass
class Guest:
    """An event stream without a browser: the bytes with the wall clock of their arrival."""

    connection: socket.socket
    chunks: list[tuple[float, bytes]] = field(default_factory=list)

    def messages(self) -> list[tuple[float, str, dict[str, Any]]]:
        """(wall clock of its last byte, kind, data) of each message."""
        found, rest = [], b""
        for at, chunk in self.chunks:
            *blocks, rest = (rest + chunk).split(b"\n\n")
            for block in blocks:
                fields = dict(line.split(": ", 1) for line in block.decode().split("\n") if ": " in line)
                if "event" in fields:
                    found.append((at, fields["event"], json.loads(fields["data"])))
        return found


@dataclass
class Seen:
    """What one run gave. CPU seconds, peak megabytes; `page` is the page's process."""

    guests: list[Guest]
    from_wall: float
    seconds: float
    pace: list[float]
    page_cpu: float
    page_mb: float
    eye_cpu: float
    eye_mb: float
    records: list[tuple[float, dict[str, Any]]]


def main(count: int, seconds: float) -> bool:
    before = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        alone = watch(Path(folder) / "alone", 0, seconds)
        crowded = watch(Path(folder) / "crowded", count, seconds)
    events = [one for one in crowded.records if one[0] > crowded.from_wall]
    by_guest = [delays_of(guest, events) for guest in crowded.guests]
    delays = [delay for guest in by_guest for delay in guest]
    missed = len(events) * count - len(delays)
    within = sum(delay <= BAR_S for delay in delays) / max(1, len(delays))
    ratio = mean(crowded.pace) / mean(alone.pace)
    load = f"load {before:.1f} before and {os.getloadavg()[0]:.1f} after"
    print(f"{count} guests, {crowded.seconds:.0f} s, {os.cpu_count()} cores, {load}")
    print(f"events {len(events)}; of {len(events) * count} deliveries {missed} are missing")
    if delays:
        order = sorted(delays)
        p95, worst = order[int(0.95 * len(order))], order[-1]
        print(f"from the journal's record to the guest: {100 * within:.2f} % within {1000 * BAR_S:.0f} ms; "
              f"median {1000 * median(order):.0f}, 95 % {1000 * p95:.0f}, worst {1000 * worst:.0f} ms")  # fmt: skip
    if delays and not missed:
        spans = [(min(told), max(told)) for told in zip(*by_guest, strict=True)]
        print("each event, first and last guest, ms:",
              ", ".join(f"{1000 * first:.0f}-{1000 * last:.0f}" for first, last in spans))  # fmt: skip
    print("                                  host alone   with guests")
    for name, one, other in (
        ("page, CPU s a minute", per_minute(alone, alone.page_cpu), per_minute(crowded, crowded.page_cpu)),
        ("page, MB at most", alone.page_mb, crowded.page_mb),
        ("watching, CPU s a minute", per_minute(alone, alone.eye_cpu), per_minute(crowded, crowded.eye_cpu)),
        ("watching, MB at most", alone.eye_mb, crowded.eye_mb),
        ("pictures a second", mean(alone.pace), mean(crowded.pace)),
    ):
        print(f"{name:30} {one:13.1f} {other:13.1f}")
    print(f"pictures a second, ratio {ratio:.3f}")
    return bool(events) and not missed and within >= 0.95 and ratio >= 0.95


def per_minute(seen: Seen, cpu_s: float) -> float:
    return cpu_s / seen.seconds * 60


def delays_of(guest: Guest, events: Sequence[tuple[float, dict[str, Any]]]) -> list[float]:
    """Seconds from each record to the message that told it, for those that were told in order."""
    messages = iter(guest.messages())
    found = []
    for at, event in events:
        for heard, kind, data in messages:
            if kind == "update" and tells(data, event):
                found.append(heard - at)
                break
    return found


def tells(update: dict[str, Any], event: dict[str, Any]) -> bool:
    if event["kind"] == "retract":
        return event["of"] in update["gone"] or any(entry["id"] == event["of"] for entry in update["entries"])
    return any(entry["id"] == event["id"] for entry in update["entries"])


def watch(home: Path, count: int, seconds: float) -> Seen:
    """Run the clip, again and again, for so many seconds with so many guests."""
    running = Running(home, "--lan")
    host = Host(running)
    guests = [join(running.port, host.code(), number) for number in range(count)]
    done = threading.Event()
    reader = threading.Thread(target=read, args=(guests, done), daemon=True)
    reader.start()
    host.loads.clear()
    host.pace.clear()
    start, page = time.monotonic(), load_of(running.process.pid)
    from_wall = time.time()
    eyes_before = {pid: load_of(pid)[0] for pid in running.watchers()}
    while time.monotonic() - start < seconds:
        host.sample()
        time.sleep(0.5)
    passed = time.monotonic() - start
    after = load_of(running.process.pid)
    time.sleep(2 * BAR_S)
    done.set()
    reader.join()
    for guest in guests:
        guest.connection.close()
    running.end()
    eyes = sum(cpu - eyes_before.get(pid, 0.0) for pid, (cpu, _) in host.loads.items())
    (journal,) = (home / "journals").glob("*.sqlite")
    return Seen(guests, from_wall, passed, host.pace, after[0] - page[0], after[1], eyes,
                max(mb for _, mb in host.loads.values()), list(records(journal, from_wall + passed)))  # fmt: skip


class Host:
    """The host's page: plays the clip again when it has ended, hears the watching process' pace."""

    def __init__(self, running: Running) -> None:
        self._running = running
        self._visitor = running.host()
        self.pace: list[float] = []
        self.loads: dict[int, tuple[float, float]] = {}
        threading.Thread(target=self._follow, daemon=True).start()

    def code(self) -> str:
        url = json.loads(self._visitor.get("/api/invitation")[2])["url"]
        if url is None:
            raise SystemExit("this machine has no network address, so the host's page gives out no code")
        return str(url.partition("#join=")[2])

    def sample(self) -> None:
        """Note what the watching processes used so far: one ends with each play of the clip."""
        for pid in self._running.watchers():
            with suppress(OSError):
                self.loads[pid] = load_of(pid)

    def _follow(self) -> None:
        first = True
        with suppress(OSError, http.client.HTTPException):
            for kind, _, data in self._visitor.messages():
                if kind == "health":
                    # the first span of a play is short, and catches up with what went by while it loaded
                    if not first:
                        self.pace += [c["params"]["found"] for c in data["checks"] if c["name"] == "pace"]
                    first = False
                elif kind == "update" and data["camera"]["status"] == "ended":
                    self._visitor.post(f"{self._visitor.api}/again", {})
                    first = True


def join(port: int, code: str, number: int) -> Guest:
    """One more guest, its event stream open."""
    source = (f"127.1.{number // 250}.{1 + number % 250}", 0)
    origin = f"http://127.0.0.1:{port}"
    entering = http.client.HTTPConnection("127.0.0.1", port, timeout=30, source_address=source)
    headers = {"Origin": origin, "Content-Type": "application/json"}
    entering.request("POST", "/api/join", json.dumps({"key": code}), headers)
    answer = entering.getresponse()
    assert answer.status == 200, answer.read()
    cookie = str(answer.headers["Set-Cookie"]).split(";")[0]
    entering.close()
    connection = socket.create_connection(("127.0.0.1", port), timeout=30, source_address=source)
    path = f"{Visitor(port, TABLE_NAME).api}/stream"
    connection.sendall(f"GET {path} HTTP/1.0\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n\r\n".encode())
    guest = Guest(connection)
    guest.chunks.append((time.time(), connection.recv(65536).partition(b"\r\n\r\n")[2]))
    connection.setblocking(False)
    return guest


def read(guests: Sequence[Guest], done: threading.Event) -> None:
    """Take the bytes of every stream as they come."""
    with selectors.DefaultSelector() as selector:
        for guest in guests:
            selector.register(guest.connection, selectors.EVENT_READ, guest)
        while not done.is_set():
            for key, _ in selector.select(0.1):
                chunk = key.data.connection.recv(1 << 20)
                key.data.chunks.append((time.time(), chunk))
                if not chunk:
                    selector.unregister(key.fileobj)


def load_of(pid: int) -> tuple[float, float]:
    """CPU seconds of a process, and the most megabytes that it ever held."""
    times = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    status = Path(f"/proc/{pid}/status").read_text().splitlines()
    peak = next((line.split()[1] for line in status if line.startswith("VmHWM")), "0")
    return (int(times[11]) + int(times[12])) / _TICK, int(peak) / 1024


def records(journal: Path, until: float) -> list[tuple[float, dict[str, Any]]]:
    """(wall clock, event) of the journal's events up to then."""
    with closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True)) as db:
        rows = db.execute("SELECT at, body FROM record WHERE at < ? ORDER BY seq", (until,)).fetchall()
    bodies = [(at, json.loads(body)) for at, body in rows]
    return [(at, body["event"]) for at, body in bodies if "event" in body]


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    raise SystemExit(0 if main(count, float(sys.argv[2]) if len(sys.argv) > 2 else 60.0) else 1)
