"""Keep ultralytics from the network, from installing anything, and from the user's own settings."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path


def forbid_network() -> None:
    """Call it before anything imports ultralytics, which looks for the internet when it is imported."""
    os.environ.setdefault("YOLO_OFFLINE", "true")
    os.environ.setdefault("YOLO_AUTOINSTALL", "false")


def keep_offline(folder: Path | None = None) -> None:
    """`forbid_network`, and settings of our own that report nothing: in `folder` (None: in a temporary
    one), unless YOLO_CONFIG_DIR names another. Raises ImportError if ultralytics isn't installed."""
    forbid_network()
    if "YOLO_CONFIG_DIR" not in os.environ:
        if folder is None:
            folder = Path(tempfile.mkdtemp(prefix="kibitz-"))
            atexit.register(shutil.rmtree, folder, ignore_errors=True)
        folder.mkdir(parents=True, exist_ok=True)
        os.environ["YOLO_CONFIG_DIR"] = str(folder)
    from ultralytics import settings

    settings.update({"sync": False})
