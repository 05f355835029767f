"""The pages: HTML shells without data, their scripts, styles and words (all public)."""

import gzip
from functools import lru_cache
from pathlib import Path

from flask import Blueprint, Response, jsonify, render_template, request, send_from_directory

from webui.catalogs import LANGUAGES, catalog, catalog_json, choose
from webui.profiles import is_name
from webui.roles import Role, needs
from webui.security import Refused

_STATIC = Path(__file__).parent / "static"
_TEXTS = ("json", "javascript", "svg+xml")


def blueprint() -> Blueprint:
    pages = Blueprint("pages", __name__)

    @pages.get("/")
    @needs(Role.PUBLIC)
    def house() -> Response:
        return shell("house.html")

    @pages.get("/t/<table>/")
    @needs(Role.PUBLIC)
    def table(table: str) -> Response:
        """The page of a table. Strangers get it for every name: it doesn't tell which are there."""
        if not is_name(table):
            raise Refused(404, "not_found")
        return shell("table.html")

    @pages.get("/setup")
    @needs(Role.PUBLIC)
    def setup() -> Response:
        return shell("setup.html")

    @pages.get("/decks")
    @needs(Role.PUBLIC)
    def decks() -> Response:
        return shell("decks.html")

    @pages.get("/static/<path:name>")
    @needs(Role.PUBLIC)
    def static(name: str) -> Response:
        answer = send_from_directory(_STATIC, name)
        answer.headers["Cache-Control"] = "no-cache"  # kept, but asked for again: it has an ETag
        return answer

    @pages.get("/locales/<language>.json")
    @needs(Role.PUBLIC)
    def words(language: str) -> Response:
        if language not in LANGUAGES:
            raise Refused(404, "not_found")
        answer = Response(catalog_json(language), mimetype="application/json")
        answer.headers["Cache-Control"] = "no-cache"
        answer.add_etag()
        answer.make_conditional(request)
        return answer

    @pages.after_request
    def pack(answer: Response) -> Response:
        """Texts go out compressed where the browser takes that: a phone may be far from the router."""
        if answer.status_code != 200 or not _is_text(answer.mimetype):
            return answer
        answer.vary.add("Accept-Encoding")
        if request.accept_encodings["gzip"]:
            answer.direct_passthrough = False
            answer.set_data(_compressed(answer.get_data()))
            answer.headers["Content-Encoding"] = "gzip"
            tag, _ = answer.get_etag()
            if tag:
                answer.set_etag(tag, weak=True)  # the same content in another form
        return answer

    @pages.get("/healthz")
    @needs(Role.PUBLIC)
    def health() -> Response:
        return jsonify(ok=True)

    return pages


def shell(template: str) -> Response:
    """A page in the browser's language; what it shows comes by the API, as the role allows."""
    words = catalog(choose(request.headers.get("Accept-Language", "")))
    answer = Response(render_template(template, words=words, languages=LANGUAGES), mimetype="text/html")
    answer.vary.add("Accept-Language")
    return answer


def _is_text(mimetype: str | None) -> bool:
    return mimetype is not None and (mimetype.startswith("text/") or mimetype.split("/")[-1] in _TEXTS)


@lru_cache(maxsize=256)
def _compressed(text: bytes) -> bytes:
    return gzip.compress(text, 9, mtime=0)
