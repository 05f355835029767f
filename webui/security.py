"""The checks in front of every answer, and the headers on it.

Order: the Host header must name this machine; the caller must hold the role that the endpoint
declares; a request that changes something must come from our own page, as JSON, or as the kind of
file that the endpoint declares (a form on another page can send neither). A refusal is
`{"error": {"code", "params"}}` with its HTTP status.
"""

import socket
from collections.abc import Collection
from contextlib import suppress
from typing import Any

from flask import Flask, Response, g, jsonify, request, session
from flask.sessions import SecureCookieSessionInterface
from itsdangerous import BadSignature
from werkzeug.exceptions import HTTPException
from werkzeug.http import parse_cookie

from vision.errors import KibitzError
from webui.door import Door
from webui.errordata import error_data
from webui.roles import Role, check_all_declared, role_of, upload_of

MAX_BODY = 64 * 1024
_SAFE = ("GET", "HEAD", "OPTIONS")
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_SESSION_S = 30 * 24 * 3600
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


class Refused(KibitzError):
    """A request that is not answered; `status` is the HTTP status."""

    def __init__(self, status: int, code: str, **params: object) -> None:
        self.status = status
        super().__init__(code, **params)


def json_body() -> dict[str, Any]:
    """The JSON object that a request brings. Raises Refused `bad_request`."""
    body = request.get_json(silent=True)
    if not isinstance(body, dict):
        raise Refused(400, "bad_request")
    return body


def own_names(lan: bool) -> frozenset[str]:
    """The host names under which this machine may be asked for (lower case, no port)."""
    names = set(_LOOPBACK)
    if lan:
        name = socket.gethostname().lower()
        names |= {name, f"{name.split('.')[0]}.local", *lan_addresses()}
    return frozenset(names)


def lan_addresses() -> list[str]:
    """This machine's IPv4 addresses in its networks, the one with the default route first."""
    found: list[str] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # picks a route; a datagram socket sends nothing here
            found.append(probe.getsockname()[0])
        except OSError:
            pass  # no default route: a table without internet is fine
    with suppress(OSError):
        found += [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None)]
    usable = [one for one in found if not one.startswith("127.") and "." in one]
    return list(dict.fromkeys(usable))


def guard(app: Flask, door: Door, names: Collection[str], cookie: str) -> None:
    """Put the checks and headers around every endpoint of `app` (call it last).

    Raises UndeclaredRole if an endpoint has not said who may call it.
    """
    check_all_declared(app)
    app.secret_key = door.secret
    app.config.update(
        SESSION_COOKIE_NAME=cookie,
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        PERMANENT_SESSION_LIFETIME=_SESSION_S,
        MAX_CONTENT_LENGTH=MAX_BODY,
    )

    @app.before_request
    def check() -> None:
        if _host_name(request.headers.get("Host", "")) not in names:
            raise Refused(400, "host_unknown")
        g.role = _session_role(door)
        if request.url_rule is None:
            return
        needed = role_of(app, request.url_rule.endpoint)
        if g.role < needed:
            raise Refused(401 if g.role is Role.PUBLIC else 403, "not_admitted")
        if request.method not in _SAFE:
            if request.headers.get("Origin") != f"{request.scheme}://{request.headers['Host']}":
                raise Refused(403, "foreign_origin")
            upload = upload_of(app, request.url_rule.endpoint)
            if upload is not None:
                request.max_content_length = upload.most
                if request.mimetype not in upload.kinds:
                    raise Refused(415, "wrong_file", kinds=", ".join(sorted(upload.kinds)))
            elif request.mimetype != "application/json":
                raise Refused(415, "not_json")

    @app.after_request
    def headers(response: Response) -> Response:
        for name, value in _HEADERS.items():
            response.headers.setdefault(name, value)
        if _host_name(request.headers.get("Host", "")) in _LOOPBACK:
            # over plain HTTP from elsewhere browsers ignore this, and complain
            response.headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    @app.errorhandler(Refused)
    def refused(error: Refused) -> tuple[Response, int]:
        return jsonify(error=error_data(error)), error.status


def body_limit(app: Flask, path: str, cookies: str) -> int:
    """The bytes that a request may send: MAX_BODY, but what an upload takes if the caller is of the
    role for it. It is asked before the body is received, so that strangers can't fill the disk.
    `path` is the request's, `cookies` its Cookie header."""
    try:
        endpoint, _ = app.url_map.bind("").match(path, method="POST")
    except HTTPException:
        return MAX_BODY
    upload = upload_of(app, endpoint)
    signer = SecureCookieSessionInterface().get_signing_serializer(app)
    if upload is None or signer is None:
        return MAX_BODY
    cookie = parse_cookie(cookies).get(app.config["SESSION_COOKIE_NAME"], "")
    try:
        role = signer.loads(cookie, max_age=_SESSION_S).get("role", 0)
    except (BadSignature, AttributeError):
        return MAX_BODY
    return upload.most if role >= role_of(app, endpoint) else MAX_BODY


def admit(role: Role, ident: str, generation: str) -> None:
    """Make the caller's cookie one of `role`; `ident` names the session."""
    session.clear()
    session.permanent = True
    session["role"] = int(role)
    session["id"] = ident
    session["generation"] = generation


def _session_role(door: Door) -> Role:
    role = session.get("role")
    if role == Role.HOST:
        return Role.HOST
    if role == Role.GUEST and session.get("generation") == door.generation:
        return Role.GUEST
    return Role.PUBLIC


def _host_name(header: str) -> str:
    """The name in a Host header, without port and brackets; "" if it is malformed."""
    name, bracket, rest = header.partition("]")
    if bracket:
        ok = name.startswith("[") and (not rest or _is_port(rest))
        return name[1:].lower() if ok else ""
    name, colon, port = header.partition(":")
    return name.lower().rstrip(".") if not colon or port.isdecimal() else ""


def _is_port(text: str) -> bool:
    return text.startswith(":") and text[1:].isdecimal()
