"""`kibitz run` as a real process, for tests that need the whole of it."""

import atexit
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from serving import Visitor

ROOT = Path(__file__).parents[1]
DEMO = ROOT / "webui" / "demo"
CLIP, TABLE = DEMO / "demo.mp4", DEMO / "demo.table.json"
TABLE_NAME = "demo-table"
"""The table's name in addresses, made of the file's."""
ON_DEMO = ("--source", CLIP, "--table", TABLE)
KIBITZ = (sys.executable, "-c", "from webui.cli import main; main()")
"""The command; its arguments follow."""
Kibitz = Callable[..., subprocess.CompletedProcess[str]]
"""What the fixture `kibitz` gives: kibitz("games", "upstream", LC_ALL="zh_CN.UTF-8")."""


class Running:
    """A started `kibitz run` with its page on a free port of loopback; of the demo clip's table, or of
    the tables that `on` names."""

    def __init__(
        self, home: Path, *more: str, on: Sequence[object] = ON_DEMO, python_path: Path | None = None
    ) -> None:
        self.home = home
        command = [*KIBITZ, "run", "--no-browser", "--port", "0", *map(str, on), *more]
        paths = [str(path) for path in (python_path, ROOT) if path]
        environment = {
            **os.environ,
            "KIBITZ_HOME": str(home),
            "PYTHONPATH": os.pathsep.join(paths),
            "LC_ALL": "C.UTF-8",
        }
        self.process = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        atexit.register(self.process.kill)  # a test that failed leaves it behind
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"(http://127\.0\.0\.1:(\d+)/)#host=(\S+)", line)
        if found is None:  # it ended
            raise AssertionError(line, *self.process.communicate(timeout=30))
        self.url, self.port, self._token = found[1], int(found[2]), found[3]
        self.link = f"{self.url}#host={self._token}"

    def host(self, table: str = TABLE_NAME) -> Visitor:
        """The host, at a table, by the printed link (which works once)."""
        visitor = Visitor(self.port, table)
        status, _ = visitor.post("/api/login", {"key": self._token})
        assert status == 200
        return visitor

    def watcher(self) -> int:
        """The process id of the watching process."""
        (found,) = self.watchers()
        return found

    def watchers(self) -> list[int]:
        """The process ids of all watching processes."""
        found = []
        for thread in Path(f"/proc/{self.process.pid}/task").iterdir():
            with suppress(FileNotFoundError):  # a thread, or a process, may end meanwhile
                children = (thread / "children").read_text().split()
                found += [int(one) for one in children if b"spawn_main" in Path(f"/proc/{one}/cmdline").read_bytes()]
        return found

    def end(self, sign: signal.Signals = signal.SIGINT) -> tuple[int, str]:
        """Send a signal and wait; the exit code and what was written to stderr."""
        self.process.send_signal(sign)
        _, errors = self.process.communicate(timeout=30)
        return self.process.returncode, errors


class Follower:
    """Keeps a page's state from its event stream, as the page's script does."""

    def __init__(self, visitor: Visitor) -> None:
        self._stream = visitor.messages()
        self.state: dict[str, Any] = {}
        self.statuses: list[str] = []

    def until(self, true_of: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Follow until the state is as wanted, a minute at most."""
        start = time.monotonic()
        while not (self.state and true_of(self.state)):
            assert time.monotonic() - start < 60, self.state
            kind, _, data = next(self._stream)
            if kind == "state":
                self.state = data
            elif kind == "update":
                entries = {entry["id"]: entry for entry in self.state["entries"]}
                for gone in data.pop("gone"):
                    entries.pop(gone, None)
                entries |= {entry["id"]: entry for entry in data["entries"]}
                story = sorted(entries.values(), key=lambda entry: entry["place"])
                self.state |= {**data, "entries": story}
            elif kind == "lying":
                self.state["lying"] = data["cards"]
            if kind in ("state", "update"):
                self.statuses.append(self.state["camera"]["status"])
        return self.state
