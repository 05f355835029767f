"""A real server for the page's tests: journal, room, door, waitress, on a free port."""

import http.client
import json
import secrets
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from referee.setup import MatchSetup
from webui.app import Settings, create_app
from webui.archive import Archive, folder_beside
from webui.decks import Decks
from webui.door import Door
from webui.house import House, OpenTable
from webui.journal import Journal
from webui.profiles import Profiles
from webui.room import Room, TableInfo
from webui.security import own_names
from webui.server import Server, bind

NAMES = ("Anna", "王大爷", "<img src=x onerror=alert(1)>", "=1+1")
SETUP = MatchSetup("upstream", NAMES, {"direction": "ccw"}, first_leader=0)
GAME: tuple[dict[str, Any], ...] = (
    {"kind": "play", "t": 2.9, "seat": 0, "cards": ["5s", "5d"]},
    {"kind": "play", "t": 6.1, "seat": 3, "cards": ["8h", "8c"]},
    {"kind": "play", "t": 9.0, "seat": 2, "cards": ["4s", "4h"]},
    {"kind": "take_back", "t": 12.5, "seat": 2, "cards": ["4s", "4h"], "of": 2},
    {"kind": "play", "t": 16.2, "seat": 1, "cards": ["Jd", "Js"]},
    {"kind": "play", "t": 21.0, "seat": 3, "cards": ["7s", "7h", "7d", "7c"]},
    {"kind": "sweep", "t": 27.3, "seat": 3},
    {"kind": "play", "t": 30.3, "seat": 3, "cards": ["8s", "9d", "Tc", "Jh", "Qs"]},
    {"kind": "play", "t": 34.0, "seat": 1, "cards": ["9c", "Th", "Jc", "Qd", "Kh", "Ac"]},
)
"""A game of Upstream as the camera tells it; events 2 and 8 break a rule."""

NAME = "upstream-night"
PAGE, API = f"/t/{NAME}/", f"/t/{NAME}/api"
"""The table's name in addresses, its page, and its part of the API."""


class Visitor:
    """A browser without a face, at one table: keeps its cookie, and sends Origin as a browser does."""

    def __init__(self, port: int, table: str = NAME) -> None:
        self.port = port
        self.api = f"/t/{table}/api"
        self.cookie = ""

    def send(
        self, method: str, path: str, body: object = None, headers: dict[str, str | None] | None = None
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        """Status, headers and body of the answer; a header given as None is left out."""
        wanted: dict[str, str | None] = {"Cookie": self.cookie or None}
        if method == "POST":
            wanted |= {"Origin": f"http://127.0.0.1:{self.port}", "Content-Type": "application/json"}
        wanted |= headers or {}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        text = body if isinstance(body, bytes) else json.dumps(body).encode() if body is not None else None
        skip_host = "Host" in wanted
        connection.putrequest(method, path, skip_host=skip_host, skip_accept_encoding=True)
        for name, value in wanted.items():
            if value is not None:
                connection.putheader(name, value)
        if text is not None:
            connection.putheader("Content-Length", str(len(text)))
        connection.endheaders(text)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        if kept := answer.headers.get("Set-Cookie"):
            self.cookie = kept.split(";")[0]
        return answer.status, answer.headers, content

    def get(self, path: str, **headers: str) -> tuple[int, http.client.HTTPMessage, bytes]:
        return self.send("GET", path, headers=dict(headers))

    def post(self, path: str, body: object) -> tuple[int, Any]:
        """Status and JSON of the answer."""
        status, _, content = self.send("POST", path, body)
        return status, json.loads(content)

    def messages(self, path: str = "", **headers: str) -> Iterator[tuple[str, str, Any]]:
        """(event, id, data) of an event stream (its table's, if none is named) until it is closed."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request("GET", path or f"{self.api}/stream", headers={"Cookie": self.cookie, **headers})
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()
        fields: dict[str, str] = {}
        try:
            while line := answer.readline().decode().rstrip("\n").rstrip("\r"):
                name, _, value = line.partition(": ")
                fields[name] = value
                if name == "data":
                    yield fields["event"], fields.get("id", ""), json.loads(value)
                    fields = {}
                    answer.readline()
        finally:
            answer.close()
            connection.close()


class TableServer:
    """One table served on loopback, without a watching process; `put` adds others. `late` may be
    moved on: the door's codes age by it."""

    def __init__(
        self, folder: Path, guest_url: str | None = None, port: int = 0, setup: MatchSetup = SETUP
    ) -> None:
        self.late = 0.0
        self.listener = bind("127.0.0.1", port)
        self.port = int(self.listener.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        self.page = self.url + PAGE
        self.house = House(Profiles(folder / "tables"), secrets.token_urlsafe, decks=Decks(folder / "decks"))
        self.setup = setup
        self.journal, self.room = self.put(folder / "journal.sqlite", NAME)
        self.door = Door(folder / "keys.json", lambda: time.monotonic() + self.late, secrets.token_urlsafe)
        self.replays = 0
        settings = Settings(own_names(lan=False), f"kibitz_{self.port}", guest_url)
        self.app = create_app(self.house, self.door, settings, secrets.token_urlsafe)
        self._server = Server(self.app, self.listener)
        self._server.start()

    def put(self, journal_file: Path, name: str, title: str = "周三牌局") -> tuple[Journal, Room]:
        """Open a table."""
        journal = Journal(journal_file, time.time)
        info = TableInfo(name, title, {"claims": True, "seen": True})
        archive = Archive(folder_beside(journal_file))
        room = Room(journal, self.setup, secrets.token_urlsafe(6), new_match=False, info=info, archive=archive)

        def end() -> None:
            room.close()
            archive.close()
            journal.close()

        self.house.put(OpenTable(room, self._again, lambda: None, end))
        return journal, room

    def _again(self) -> None:
        self.replays += 1

    def play(self, count: int = len(GAME)) -> None:
        """The first `count` events of GAME happen."""
        for line in GAME[:count]:
            self.room.add(line)

    def stranger(self) -> Visitor:
        return Visitor(self.port)

    def guest(self) -> Visitor:
        visitor = self.stranger()
        status, _ = visitor.post("/api/join", {"key": self.door.guest_code()[0]})
        assert status == 200
        return visitor

    def host(self) -> Visitor:
        visitor = self.stranger()
        status, _ = visitor.post("/api/login", {"key": self.door.new_host_token()})
        assert status == 200
        return visitor

    def close(self) -> None:
        self.house.end()
        self._server.close()
