"""The clip that ships with Kibitz: a short game of upstream on a drawn table, with its truth.

`python -m vision.synth.demo_clip OUT --assets DIR` writes OUT/demo.mp4, demo.table.json and demo.truth.json.
The deck's fonts are fetched below DIR when they aren't there yet.
"""

import argparse
import dataclasses
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.synth import assets
from vision.synth.decks import Library, ProceduralDeck
from vision.synth.film import SIZE, TABLE_MM, Studio, table_corners, through_lens
from vision.synth.packaged import HEIGHT
from vision.synth.style import DeckStyle
from vision.synth.visits import FPS, Film, Moment, Visit, perform
from vision.types import Image

SEED = 3
DIRECTION = "cw"
NAMES = ("Ann", "Bo", "Chen", "Dee")
PLAY_AREA_MM = (300.0, 215.0)
"""Half sides of the rectangle in the middle where plays are laid."""

STORY: tuple[Visit, ...] = (
    Visit(0, "play", ("6s", "6h"), legal=True),
    Visit(1, "play", ("9d", "9c"), legal=True),
    Visit(2, "pass"),
    Visit(3, "play", ("8s", "8d"), legal=False, codes=("not_higher",)),
    Visit(3, "take_back", ("8s", "8d")),
    Visit(3, "play", ("Qd", "Qh"), legal=True),
    Visit(0, "pass"),
    Visit(1, "pass"),
    Visit(3, "sweep"),
    Visit(3, "play", ("5c", "6d", "7s", "8h", "9s"), legal=True),
    Visit(0, "play", ("7c", "8c", "9h", "Tc", "Jd"), legal=True),
    Visit(1, "pass"),
    Visit(2, "play", ("Ks", "Kh", "Kd", "Kc"), legal=True),
    Visit(3, "pass"),
    Visit(0, "pass"),
    Visit(2, "sweep"),
    Visit(2, "play", ("3d",), legal=True),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--assets", type=Path, default=Path(".work/assets"))
    args = parser.parse_args()
    assets.fetch(args.assets)
    rng = np.random.default_rng(SEED)
    deck = ProceduralDeck(Library(args.assets), rng)
    deck.style = large_sign_style(deck.style)
    studio = Studio(deck, rng)
    film = perform(STORY, studio, rng)
    args.out.mkdir(parents=True, exist_ok=True)
    shoot(film, studio, args.out / "demo.mp4", rng)
    write_json(args.out / "demo.table.json", table_file(studio))
    write_json(args.out / "demo.truth.json", truth_file(film, studio))


def large_sign_style(drawn: DeckStyle) -> DeckStyle:
    """A plain deck with large signs, as players with weak eyes like them; no published art in it."""
    black, red = np.array([25, 22, 22], np.float32), np.array([30, 28, 200], np.float32)
    return dataclasses.replace(
        drawn,
        letters={},
        paper=np.array([238, 246, 248], np.float32),
        ink={"c": black, "s": black, "d": red, "h": red},
        dark=False,
        rank_height=0.135 * HEIGHT,
        rank_stretch=0.8,
        suit_height=0.11 * HEIGHT,
        gap=0.025 * HEIGHT,
        margin=(12.0, 14.0),
        bold=0,
        ten_squeeze=0.8,
        layout="below",
        four_corners=False,
        one_corner=False,
        centre="big",
    )


def shoot(film: Film, studio: Studio, path: Path, rng: np.random.Generator) -> None:
    """Render and encode every frame; what moves is blurred over a shutter time of half a frame."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), FPS, SIZE)
    still: tuple[Moment, Image] | None = None
    for frame in range(round(film.duration * FPS)):
        moments = [film.at(frame / FPS + shutter / FPS) for shutter in (0.0, 0.17, 0.34, 0.5)]
        if moments[0] == moments[-1]:
            if still is None or still[0] != moments[0]:
                still = moments[0], studio.shoot(*moments[0])
            picture = still[1]
        else:
            picture = np.mean([studio.shoot(*m) for m in moments], axis=0).astype(np.uint8)
        writer.write(through_lens(picture, rng))
    writer.release()


def table_file(studio: Studio) -> dict[str, Any]:
    """What a host would set up for this table."""
    corners = studio.pixels(table_corners())
    area = studio.pixels(np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(PLAY_AREA_MM))
    edges = ((3, 2), (0, 3), (1, 0), (2, 1))  # near, left, far, right: clockwise as seen from above
    seats = [
        {"index": i, "name": NAMES[i], "edge_px": [corners[a], corners[b]]} for i, (a, b) in enumerate(edges)
    ]
    return {
        "size": list(SIZE), "game": "upstream", "options": {"direction": DIRECTION},
        "table_mm": list(TABLE_MM), "table_px": corners, "play_area_px": area,
        "seats": seats, "direction": DIRECTION, "first_leader": 0,
        "hands": [13, 13, 13, 13], "guests": {"claims": True, "seen": True},
        "title": "观牌 Demo",
    }  # fmt: skip


def truth_file(film: Film, studio: Studio) -> dict[str, Any]:
    """Events and the settled states between them, as a scorer wants them."""
    snapshots = [
        {
            "t": t,
            "cards": [
                {
                    "card": card.name, "quad_px": np.round(card.quad.astype(float), 2).tolist(),
                    "visible_fraction": round(card.visible, 3),
                    "index_visible": [round(i.visible, 2) for i in card.indices], "face": "up",
                }
                for card in studio.labels(lying)
            ],
        }
        for t, lying in film.settled
    ]  # fmt: skip
    return {
        "clip": "demo", "fps": FPS, "size": list(SIZE), "duration": round(film.duration, 2), "game": "upstream",
        "options": {"direction": DIRECTION}, "events": film.events, "warnings": [], "snapshots": snapshots,
    }  # fmt: skip


def write_json(path: Path, content: dict[str, Any]) -> None:
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
