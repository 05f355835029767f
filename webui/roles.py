"""Who may call what: every endpoint declares its role, or the app does not start."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, TypeVar

from flask import Flask

_View = TypeVar("_View", bound=Callable[..., Any])


class Role(IntEnum):
    """A higher role may do everything that a lower one may."""

    PUBLIC = 0
    GUEST = 1
    HOST = 2


class UndeclaredRole(Exception):
    """An endpoint says nothing about who may call it."""


def needs(role: Role) -> Callable[[_View], _View]:
    """Declare the role that a view needs."""

    def declare(view: _View) -> _View:
        view.kibitz_role = role  # type: ignore[attr-defined]
        return view

    return declare


@dataclass(frozen=True, slots=True)
class Upload:
    """A raw body that an endpoint takes instead of JSON: its content types, and its bytes at most."""

    kinds: frozenset[str]
    most: int


def takes(most: int, *kinds: str) -> Callable[[_View], _View]:
    """Declare that a view takes a file of one of these content types as its body."""

    def declare(view: _View) -> _View:
        view.kibitz_upload = Upload(frozenset(kinds), most)  # type: ignore[attr-defined]
        return view

    return declare


def upload_of(app: Flask, endpoint: str) -> Upload | None:
    """What an endpoint takes as a file; None if it takes JSON."""
    upload = getattr(app.view_functions[endpoint], "kibitz_upload", None)
    return upload if isinstance(upload, Upload) else None


def role_of(app: Flask, endpoint: str) -> Role:
    """The role that an endpoint declared; raises UndeclaredRole."""
    role = getattr(app.view_functions[endpoint], "kibitz_role", None)
    if not isinstance(role, Role):
        raise UndeclaredRole(endpoint)
    return role


def check_all_declared(app: Flask) -> None:
    """Raise UndeclaredRole if any endpoint of the app has no role."""
    for rule in app.url_map.iter_rules():
        role_of(app, rule.endpoint)
