"""Files that are written whole or not at all."""

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any


def write_json(path: Path, document: Mapping[str, Any]) -> None:
    """Replace a file by a JSON object; after a crash the old or the new one is there, whole.

    Makes its folder. Raises OSError; the old file is as it was then.
    """
    new = path.with_suffix(".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with new.open("w", encoding="utf-8", errors="backslashreplace") as file:
            json.dump(document, file, ensure_ascii=False, indent=1)
            file.write("\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, path)
    except OSError:
        with suppress(OSError):
            new.unlink(missing_ok=True)
        raise
