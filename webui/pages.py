"""The page itself: one HTML shell without data, its scripts, styles and words (all public)."""

from pathlib import Path

from flask import Blueprint, Response, jsonify, render_template, request, send_from_directory

from webui.catalogs import LANGUAGES, catalog, catalog_json, choose
from webui.roles import Role, needs
from webui.security import Refused

_STATIC = Path(__file__).parent / "static"


def blueprint() -> Blueprint:
    pages = Blueprint("pages", __name__)

    @pages.get("/")
    @needs(Role.PUBLIC)
    def table() -> Response:
        words = catalog(choose(request.headers.get("Accept-Language", "")))
        html = render_template("table.html", words=words, languages=LANGUAGES)
        answer = Response(html, mimetype="text/html")
        answer.vary.add("Accept-Language")
        return answer

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

    @pages.get("/healthz")
    @needs(Role.PUBLIC)
    def health() -> Response:
        return jsonify(ok=True)

    return pages
