"""SECURITY.md lines 1-7: roles, tokens, guests, Host, Origin, headers; each test names its line."""

import logging
import re
import secrets
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from serving import API, NAME, PAGE, TableServer, Visitor

from webui.app import Settings, create_app
from webui.door import GUEST_CODE_S
from webui.roles import Role, UndeclaredRole, role_of
from webui.security import guard, own_names

HOST_ONLY = (
    f"{API}/events",
    f"{API}/again",
    f"{API}/undo",
    f"{API}/match",
    f"{API}/seat/free",
    f"{API}/guests",
    f"{API}/pictures/delete",
    *(f"/api/setup/{what}" for what in ("camera", "leave", "propose", "arrange", "look", "draft", "forget")),
    "/api/decks",
    "/api/decks/choose",
    "/api/decks/standard/use",
    "/api/decks/standard/photo",
    "/api/setup/check",
    "/api/setup/start",
    f"/api/tables/{NAME}/open",
    f"/api/tables/{NAME}/close",
    f"/api/tables/{NAME}/delete",
    "/api/invitation/revoke",
    "/api/link",
)
PAGES = ("/", "/setup", "/decks", PAGE, f"{PAGE}replay", f"{PAGE}sheet")
PUBLIC = (*PAGES, "/static/main.js", "/locales/en.json", "/healthz", "/nowhere")
HOUSES = ("/api/me", "/api/tables", "/api/invitation", "/api/invitation.svg")
ROLE_DEPENDENT = (*HOUSES, f"{API}/picture", f"{API}/matches")


def routes(table: TableServer) -> list[tuple[str, str, Role]]:
    """(method, path, role) of every endpoint of the real application."""
    found = []
    values = {"path:name": "page.css", "language": "en", "table": NAME, "ruleset": "upstream"}
    for rule in table.app.url_map.iter_rules():
        path = re.sub(r"<([^>]*)>", lambda place: values.get(place[1], "0"), rule.rule)
        role = role_of(table.app, rule.endpoint)
        found += [(method, path, role) for method in (rule.methods or set()) & {"GET", "POST"}]
    return found


def ask(visitor: Visitor, method: str, path: str) -> int:
    if path == f"{API}/stream" and visitor.cookie:
        next(visitor.messages())
        return 200
    return visitor.send(method, path, {} if method == "POST" else None)[0]


def test_1_every_endpoint_declares_its_role_or_the_app_does_not_start(table: TableServer) -> None:
    app = Flask("undeclared", static_folder=None)
    app.add_url_rule("/open", view_func=lambda: "")
    with pytest.raises(UndeclaredRole):
        guard(app, table.door, own_names(lan=False), "kibitz")


def test_1_no_endpoint_serves_below_its_role(table: TableServer) -> None:
    table.room.pictures.put(b"jpeg")
    assert {role for _, _, role in routes(table)} == set(Role)
    stranger, guest = table.stranger(), table.guest()
    for method, path, role in routes(table):
        if role is not Role.PUBLIC:
            assert ask(stranger, method, path) == 401, path
        if role is Role.HOST:
            assert ask(guest, method, path) == 403, path


def test_2_host_token_is_exchanged_once_for_a_strict_cookie(table: TableServer) -> None:
    token = table.door.new_host_token()
    visitor = table.stranger()
    status, headers, _ = visitor.send("POST", "/api/login", {"key": token})
    assert status == 200
    cookie = headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert token not in cookie
    assert visitor.get("/api/invitation")[0] == 200
    assert table.stranger().post("/api/login", {"key": token})[0] == 403


@pytest.mark.parametrize("key", ["", "dev", None, 7, {"a": 1}, "x" * 500])
def test_2_nothing_but_a_token_makes_a_host(table: TableServer, key: object) -> None:
    assert table.stranger().post("/api/login", {"key": key})[0] == 403


def test_2_a_forged_cookie_is_worth_nothing(table: TableServer) -> None:
    visitor = table.guest()
    name, _, value = visitor.cookie.partition("=")
    for forged in (f"{name}=eyJyb2xlIjoyfQ.aaaa.bbbb", f"{name}={value[:-2]}xx", f"{name}="):
        visitor.cookie = forged
        assert visitor.get("/api/invitation")[0] == 401


def test_2_host_token_is_absent_from_logs(table: TableServer, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    token = table.door.new_host_token()
    table.stranger().post("/api/login", {"key": token})
    table.stranger().post("/api/login", {"key": token})
    assert token not in caplog.text


def test_3_qr_code_grants_guest_only_and_expires(table: TableServer) -> None:
    code, _ = table.door.guest_code()
    assert table.stranger().post("/api/login", {"key": code})[0] == 403
    guest = table.stranger()
    assert guest.post("/api/join", {"key": code}) == (200, {"role": "guest"})
    assert guest.get("/api/me")[2] == b'{"role":"guest"}\n'
    table.late = GUEST_CODE_S + 1
    assert table.stranger().post("/api/join", {"key": code})[0] == 403


def test_3_qr_code_can_be_revoked_with_its_guests(table: TableServer) -> None:
    host, guest = table.host(), table.guest()
    code, _ = table.door.guest_code()
    assert host.post("/api/invitation/revoke", {})[0] == 200
    assert table.stranger().post("/api/join", {"key": code})[0] == 403
    assert b'"guest"' in guest.get("/api/me")[2]
    assert host.post("/api/invitation/revoke", {"guests": True})[0] == 200
    assert b'"public"' in guest.get("/api/me")[2]
    assert b'"host"' in host.get("/api/me")[2]


def test_3_guests_who_are_sent_out_see_nothing_more(table: TableServer) -> None:
    guest, host = table.guest(), table.host()
    theirs, hosts = guest.messages(), host.messages()
    assert next(theirs)[0] == next(hosts)[0] == "state"
    pictures: list[tuple[int, bytes]] = []
    waiting = threading.Thread(target=lambda: pictures.append(guest.get(f"{API}/picture")[::2]))
    waiting.start()
    time.sleep(0.5)  # it waits for a picture when the host sends all guests out
    assert host.post("/api/invitation/revoke", {"guests": True})[0] == 200
    table.room.pictures.put(b"jpeg")
    table.play(1)
    waiting.join(30)
    assert pictures[0][0] == 401
    assert b"jpeg" not in pictures[0][1]
    assert next(hosts)[0] == "update"
    assert {kind for kind, _, _ in until_told(theirs)} <= {"beat"}


def until_told(stream: Iterator[tuple[str, str, object]]) -> Iterator[tuple[str, str, object]]:
    """The messages of a stream to its end, or to the first that is no heartbeat."""
    for told in stream:
        yield told
        if told[0] != "beat":
            return


@pytest.mark.parametrize("path", HOST_ONLY)
def test_4_guests_cannot_change_anything(table: TableServer, path: str) -> None:
    guest = table.guest()
    before = len(table.journal.records())
    body = {"kind": "play", "seat": 0, "cards": ["7h"], "guests": True}
    assert guest.post(path, body)[0] == 403
    assert len(table.journal.records()) == before
    assert table.replays == 0


def test_4_nothing_but_ones_own_seat_is_open_to_guests(table: TableServer) -> None:
    open_to_guests = {path for method, path, role in routes(table) if method == "POST" and role < Role.HOST}
    assert open_to_guests == {"/api/login", "/api/join", f"{API}/seat", f"{API}/claim", f"{API}/claim/undo"}


def test_4_get_leaves_the_journal_as_it_is(table: TableServer) -> None:
    table.play(3)
    table.room.pictures.put(b"jpeg")
    before = table.journal.records()
    host = table.host()
    for method, path, _ in routes(table):
        if method == "GET":
            ask(host, "GET", path)
    assert table.journal.records() == before


@pytest.mark.parametrize("path", [*PUBLIC, *ROLE_DEPENDENT, f"{API}/stream"])
@pytest.mark.parametrize("name", ["evil.example", "127.0.0.1.evil.example", "[::1", "", "localhost:x", "10.0.0.1"])
def test_5_a_foreign_host_header_is_refused(table: TableServer, path: str, name: str) -> None:
    guest = table.guest()
    assert guest.get(path, Host=name)[0] == 400


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "LOCALHOST:9", "[::1]:80", "localhost."])
def test_5_own_names_are_served(table: TableServer, name: str) -> None:
    assert table.stranger().get("/healthz", Host=name)[0] == 200


@pytest.mark.parametrize("origin", [None, "null", "http://evil.example", "https://127.0.0.1", "http://127.0.0.1:1"])
def test_6_unsafe_requests_need_our_own_origin(table: TableServer, origin: str | None) -> None:
    host = table.host()
    before = len(table.journal.records())
    status, _, _ = host.send("POST", f"{API}/events", {"kind": "play", "cards": ["7h"]}, {"Origin": origin})
    assert status == 403
    assert len(table.journal.records()) == before


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", None])
def test_6_unsafe_requests_must_be_json(table: TableServer, kind: str | None) -> None:
    host = table.host()
    assert host.send("POST", f"{API}/events", {"kind": "play"}, {"Content-Type": kind})[0] == 415


def test_6_no_answer_has_cors_headers(table: TableServer) -> None:
    host = table.host()
    _, headers, _ = host.send("GET", "/api/me", headers={"Origin": "http://evil.example"})
    assert not [name for name in headers if name.lower().startswith("access-control-")]


DEEP = b"[" * 30_000 + b"]" * 30_000


@pytest.mark.parametrize("value", [b"NaN", b"-Infinity", b"1e999", b'"\\ud800"', b'"\xed\xa0\x80"', DEEP])
def test_6_what_no_browser_could_read_back_is_taken_from_nobody(table: TableServer, value: bytes) -> None:
    """One such value in the story, and no page could read the stream any more, or the journal be written."""
    table.play(1)
    host, guest = table.host(), table.guest()
    before = table.journal.records()
    event = b'{"kind": "insert", "seat": 1, "cards": ["9c"], "data": {"kind": "play", "after": 0, "x": %s}}'
    assert host.send("POST", f"{API}/events", event % value)[0] == 400
    assert host.send("POST", "/api/setup/draft", b'{"draft": {"x": %s}}' % value)[0] == 400
    assert guest.send("POST", f"{API}/claim", b'{"kind": "dispute", "of": %s}' % value)[0] == 400
    assert table.stranger().send("POST", "/api/join", b'{"key": %s}' % value)[0] == 403
    assert table.journal.records() == before
    assert host.send("POST", f"{API}/events", event % b"1")[0] == 200
    assert table.journal.status.unsaved == 0


@pytest.mark.parametrize("path", [*PUBLIC, *ROLE_DEPENDENT])
def test_7_every_answer_carries_the_protecting_headers(table: TableServer, path: str) -> None:
    table.room.pictures.put(b"jpeg")
    _, headers, _ = table.host().get(path)
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert headers["Referrer-Policy"] == "same-origin"
    assert "Server" not in headers


@pytest.mark.parametrize("path", ["/", PAGE, *ROLE_DEPENDENT])
def test_7_answers_that_depend_on_the_role_are_not_stored(table: TableServer, path: str) -> None:
    table.room.pictures.put(b"jpeg")
    assert table.host().get(path)[1]["Cache-Control"] == "no-store"


def test_7_nothing_that_needs_a_role_is_stored_or_without_the_protecting_headers(table: TableServer) -> None:
    """Every endpoint, also the whole picture of the set-up, and what it answers to those whom it refuses."""
    table.play(3)
    table.room.pictures.put(b"jpeg")
    table.house.lens.pictures.put(b"jpeg")
    host, stranger = table.host(), table.stranger()
    match = table.room.match
    pictures = 0
    for method, path, role in routes(table):
        if method != "GET" or role is Role.PUBLIC or path == f"{API}/stream":
            continue
        for visitor in (host, stranger):
            status, headers, content = visitor.get(path.replace("/matches/0", f"/matches/{match}"))
            assert headers["Cache-Control"] == "no-store", path
            assert "default-src 'none'" in headers["Content-Security-Policy"], path
            assert headers["X-Content-Type-Options"] == "nosniff", path
            assert headers["Cross-Origin-Resource-Policy"] == "same-origin", path
            pictures += status == 200 and content == b"jpeg"
    assert pictures == 2


def test_7_no_header_makes_a_phone_complain(table: TableServer) -> None:
    """Browsers take the opener policy from trustworthy origins only; plain HTTP in the network is none."""
    settings = Settings(frozenset({"table.local", "127.0.0.1"}), "kibitz", None)
    client = create_app(table.house, table.door, settings, secrets.token_urlsafe).test_client()
    policies = {
        host: client.get("/healthz", headers={"Host": host}).headers.get("Cross-Origin-Opener-Policy")
        for host in ("table.local", "127.0.0.1:8753")
    }
    assert policies == {"table.local": None, "127.0.0.1:8753": "same-origin"}


def test_8_names_are_inert_in_the_page_and_plain_json_in_the_stream(table: TableServer) -> None:
    table.play(3)
    guest = table.guest()
    assert b"onerror" not in guest.get(PAGE)[2]
    stream = guest.messages()
    _, _, state = next(stream)
    assert state["seats"][2]["name"] == "<img src=x onerror=alert(1)>"
    for script in (Path(__file__).parents[2] / "webui" / "static").glob("*.js"):
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(", script.read_text())


def test_9_a_large_body_is_refused(table: TableServer) -> None:
    status, _, _ = table.host().send("POST", f"{API}/events", {"kind": "play", "data": "x" * 100_000})
    assert status == 413


@pytest.mark.parametrize("name", ["../app.py", "..%2fapp.py", "/etc/passwd", "%2e%2e/%2e%2e/etc/passwd", "nothing.css"])
def test_10_static_names_do_not_leave_their_folder(table: TableServer, name: str) -> None:
    assert table.stranger().get(f"/static/{name}")[0] in (400, 404)


def test_12_no_template_script_or_style_names_another_server() -> None:
    webui = Path(__file__).parents[2] / "webui"
    for file in [*webui.glob("static/*"), *webui.glob("templates/*")]:
        found = re.findall(r"(?:https?:)?//[\w.-]+\.\w+", file.read_text("utf-8"))
        assert set(found) <= {"http://www.w3.org"}, file
