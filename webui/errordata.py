"""An error as data, for JSON or another process; its words are the reader's business."""

from typing import Any

from referee.errors import RulesError
from vision.errors import KibitzError


def error_data(error: KibitzError | RulesError) -> dict[str, Any]:
    """{"code", "params"}"""
    return {"code": error.code, "params": dict(error.params)}
