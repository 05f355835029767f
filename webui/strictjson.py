"""JSON as the standard has it: what a browser could not read back is not taken from one."""

import json
from typing import Any

from flask.json.provider import DefaultJSONProvider


class StrictJson(DefaultJSONProvider):
    """Refuses NaN, infinities, lone surrogates and nesting without end with ValueError: Python's
    parser lets them in, or falls over them."""

    ensure_ascii = False

    def dumps(self, obj: Any, **kwargs: Any) -> str:
        # a name in a file of the host's may hold a lone surrogate: it has no UTF-8, but an escape
        return super().dumps(obj, **kwargs).encode("utf-8", "backslashreplace").decode()

    def loads(self, s: str | bytes, **kwargs: Any) -> Any:
        try:
            found = super().loads(s, **kwargs)
            json.dumps(found, ensure_ascii=False, allow_nan=False).encode()
        except RecursionError as error:
            raise ValueError("nested too deep") from error
        return found
