"""The type of the `open_page` fixture."""

from collections.abc import Callable

from playwright.sync_api import Page

OpenPage = Callable[..., Page]
