"""Make a deck pack from trained weights: ONNX files and their card, `deck.toml`.

`python -m vision.training.pack --locate last.pt --read last.pt --out models/standard`
"""

import argparse
import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

from vision.cards import READ_CLASSES
from vision.offline import keep_offline
from vision.training.crops import FACTOR, SIZE


def toml(value: Any) -> str:
    """A value in TOML notation; JSON's strings, numbers and lists are TOML's as well."""
    return json.dumps(value, ensure_ascii=False)


def write_deck_file(path: Path, about: dict[str, Any]) -> None:
    """Write plain keys first, then each nested dict as a table (two levels)."""
    lines = [f"{k} = {toml(v)}" for k, v in about.items() if not isinstance(v, dict)]
    for name, table in about.items():
        if isinstance(table, dict):
            lines += ["", f"[{name}]", *(f"{_key(k)} = {toml(v)}" for k, v in table.items())]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _key(name: str) -> str:
    return name if name.isidentifier() else toml(name)


def export(weights: Path, target: Path, size: int) -> str:
    """Export ultralytics weights to ONNX (any batch and picture size); returns its SHA-256."""
    from ultralytics import YOLO

    copy = target.with_suffix(".pt")
    shutil.copy(weights, copy)
    try:
        made = YOLO(copy).export(format="onnx", dynamic=True, simplify=True, nms=False, imgsz=size,
                                 opset=17, device="cpu")  # fmt: skip
        Path(made).replace(target)
    finally:
        copy.unlink()
    return hashlib.sha256(target.read_bytes()).hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--locate", type=Path, required=True)
    parser.add_argument("--read", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--name", default="standard")
    parser.add_argument("--version", default="1")
    parser.add_argument("--data", type=Path, help="JSON file: sources, licences, counts, commands")
    args = parser.parse_args()
    keep_offline()
    args.out.mkdir(parents=True, exist_ok=True)
    locate = export(args.locate, args.out / "locate.onnx", 416)
    read = export(args.read, args.out / "read.onnx", SIZE)
    about = {
        "name": args.name,
        "version": args.version,
        "licence": "AGPL-3.0-or-later",
        "report_score": 0.6,
        "locate": {"file": "locate.onnx", "sha256": locate, "index_px": [14.0, 60.0], "least_score": 0.2},
        "read": {"file": "read.onnx", "sha256": read, "size": SIZE, "factor": FACTOR, "classes": list(READ_CLASSES)},
        "data": json.loads(args.data.read_text()) if args.data else {},
    }
    write_deck_file(args.out / "deck.toml", about)


if __name__ == "__main__":
    main()
