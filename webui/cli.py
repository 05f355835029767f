"""The `kibitz` command: options in, one line out when something is wrong.

Heavy modules (cv2, onnxruntime, the web server) are imported by the command that needs them, so
that `kibitz --help` answers at once. Exit codes: 0 done, 1 it failed, 2 it was called wrongly.
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

import click

from referee.errors import RulesError
from vision.errors import KibitzError
from webui.catalogs import of_environment

USAGE_CODES = frozenset(
    (
        "bad_option_form",
        "bad_setup",
        "debug_on_lan",
        "deck_unknown",
        "labels_missing",
        "names_count",
        "needs_one_table",
        "no_game",
        "no_such_match",
        "no_table",
        "option_out_of_range",
        "pack_missing",
        "pack_taken",
        "player_count",
        "sources_count",
        "teach_cards",
        "teach_count",
        "teach_few_photos",
        "teach_name",
        "teach_taken",
        "teach_unknown",
        "unknown_option",
        "unknown_ruleset",
        "weights_untrusted",
    )
)
"""Errors of the catalogs that mean a wrong call (exit code 2)."""

DEFAULT_PORT = 8753

_Command = Callable[..., None]


def _several(*options: Callable[[_Command], _Command]) -> Callable[[_Command], _Command]:
    def decorate(command: _Command) -> _Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


_table = click.option("--table", type=click.Path(path_type=Path), help="The table file (table.json).")
_game = _several(
    click.option("--game", metavar="ID", help="The game (see: kibitz games)."),
    click.option("--option", "options", metavar="NAME=VALUE", multiple=True, help="A house rule; repeatable."),
)


def _deck_folder(context: click.Context, _: click.Parameter, wanted: str | None) -> Path | None:
    from webui.decks import Decks, named_deck
    from webui.places import decks_folder

    decks = Decks(decks_folder())
    named = named_deck(decks, wanted, bool(context.params.pop("trust")))
    # the tables of `run` may each name a pack of their own
    return named if named or context.command.name == "run" else decks.default()


_deck = _several(
    # first, so that it is known when --deck is looked at
    click.option("--trust", is_flag=True, is_eager=True, help="Run the code in a .pt file that --deck names."),
    click.option(
        "--deck", metavar="NAME|FOLDER|FILE.pt", callback=_deck_folder, help="The deck pack. [default: the one in use]"
    ),
)
_serving = _several(
    click.option("--port", type=click.IntRange(0, 65535), default=DEFAULT_PORT, show_default=True),
    click.option("--lan", is_flag=True, help="Let phones in this network follow."),
    click.option("--no-browser", is_flag=True, help="Don't open the page."),
)


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="kibitz")
def kibitz() -> None:
    """Kibitz (观牌) looks over a card table: reads the cards, judges every play, keeps score."""


@kibitz.command()
@click.option("--source", "sources", multiple=True, help="Camera number, file or URL; one for each --table.")
@click.option("--table", "tables", metavar="FILE|NAME", multiple=True, help="A table file or saved table; repeatable.")
@_game
@click.option("--players", metavar="NAMES", help="Names separated by commas, seat 0 first.")
@click.option("--journal", type=click.Path(path_type=Path), help="Keep the match in this file.")
@click.option("--new-match", is_flag=True, help="Begin a new match instead of going on with the last.")
@_deck
@click.option(
    "--pictures-mb",
    type=click.IntRange(0),
    metavar="N",
    default=200,
    show_default=True,
    help="Keep at most N megabytes of pictures of the plays for each table.",
)
@click.option("--no-pictures", "pictures_mb", flag_value=0, help="Keep no pictures.")
@_serving
def run(
    sources: tuple[str, ...], tables: tuple[str, ...], port: int, lan: bool, no_browser: bool, **asked: Any
) -> None:
    """Watch a table, or several, and serve their pages.

    Without --table the saved tables that were open last are opened; if there are none, the page
    sets one up.
    """
    from webui.run import Asked, Serving, run_tables

    run_tables(sources, tables, Asked(**asked), Serving(port, lan, no_browser))


@kibitz.command()
@_serving
def demo(port: int, lan: bool, no_browser: bool) -> None:
    """The whole of Kibitz on a clip that ships with it."""
    from webui.run import Serving, run_demo

    run_demo(Serving(port, lan, no_browser))


@kibitz.command()
@click.argument("paths", metavar="IMAGE|FOLDER...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON line a photo.")
@_deck
def detect(paths: tuple[Path, ...], as_json: bool, deck: Path | None) -> None:
    """Name the cards on photos."""
    from webui.detect_cli import run_detect

    words = of_environment()
    failed = run_detect(paths, sys.stdout, _report, None if as_json else words, deck)
    if failed:
        raise click.exceptions.Exit(1)


@kibitz.command()
@click.argument("source")
@_table
@_game
@click.option("--jsonl", type=click.File("w", encoding="utf-8"), default="-", help="Where the events go.")
@_deck
def watch(jsonl: TextIO, **chosen: Any) -> None:
    """Judge a source without a page: every event a JSON line, as soon as it is known."""
    from webui.watch_cli import run_watch

    run_watch(**chosen, out=jsonl)


@kibitz.command()
@click.argument("journal", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice(["jsonl", "csv", "scores"]),
    default="jsonl",
    show_default=True,
    help="Events as JSON lines, plays as CSV, scores as CSV.",
)
@click.option("--match", "number", type=click.IntRange(1), help="Which match: 1 is the oldest. [default: the newest]")
@click.option("--out", type=click.Path(path_type=Path), help="The file to write. [default: standard output]")
def export(journal: Path, form: str, number: int | None, out: Path | None) -> None:
    """Write a match of a journal for other programs; a table may be writing it."""
    from webui.export_cli import run_export

    if run_export(journal, form, number, out, _report):
        raise click.exceptions.Exit(1)


@kibitz.command()
@click.argument("cases", type=click.File(encoding="utf-8"), default="-")
def referee(cases: Any) -> None:
    """Judge cases by the rules alone: JSON lines in, JSON lines out."""
    from webui.referee_cli import answer_lines

    for line in answer_lines(cases):
        click.echo(line)


@kibitz.command()
@click.argument("ruleset", required=False)
def games(ruleset: str | None) -> None:
    """List the rulesets, or the options of one."""
    from webui.referee_cli import describe_game, list_games

    language = of_environment().language
    for line in describe_game(ruleset, language) if ruleset else list_games(language):
        click.echo(line)


@kibitz.command()
@click.option("--source", default="0", show_default=True, help="Camera number, file or URL.")
@_table
@_deck
@click.option("--port", type=click.IntRange(0, 65535), default=DEFAULT_PORT, show_default=True)
@click.option("--propose", type=click.Path(path_type=Path), metavar="FILE", help="Write a proposed table file.")
@click.option("--seats", type=click.IntRange(2, 8), default=4, show_default=True, help="Seats of the proposed table.")
def doctor(source: str, table: Path | None, deck: Path | None, port: int, propose: Path | None, seats: int) -> None:
    """Check camera, light, focus, model and port; propose a table file."""
    from webui.doctor_cli import Wanted, examine_all, report

    words, bad = of_environment(), False
    wanted = None if propose is None else Wanted(propose, seats)
    for finding in examine_all(source, table, deck, port, wanted):
        click.echo(report(finding, words))
        bad = bad or finding.level == "bad"
    if bad:
        raise click.exceptions.Exit(1)


@kibitz.group()
def deck() -> None:
    """Deck packs: what the eyes know about a deck."""


@deck.command("list")
def deck_list() -> None:
    """List the deck packs of this computer."""
    from webui.deck_cli import list_decks

    for line in list_decks(of_environment()):
        click.echo(line)


@deck.command("use")
@click.argument("pack", metavar="NAME|FOLDER|FILE.zip")
def deck_use(pack: str) -> None:
    """Use a deck pack from now on; a folder or a zip file is taken in first."""
    from webui.deck_cli import use_deck

    click.echo(use_deck(pack, of_environment()))


@deck.command("eval")
@click.option("--data", type=click.Path(path_type=Path), multiple=True, required=True, metavar="FOLDER",
              help="Photos with labels.json, or named by their card; repeatable.")  # fmt: skip
@_deck
@click.option("--out", type=click.Path(path_type=Path), metavar="FOLDER", help="Write the failures' pictures here.")
def deck_eval(data: tuple[Path, ...], deck: Path | None, out: Path | None) -> None:
    """Measure a deck pack on labelled photos."""
    from webui.deck_cli import run_eval

    run_eval(data, deck, out, of_environment())


@deck.command("new")
@click.argument("name")
def deck_new(name: str) -> None:
    """Begin to teach a deck of your own."""
    from webui.teach_cli import new_deck

    click.echo(new_deck(name, of_environment()))


@deck.command("capture")
@click.argument("name")
@click.option("--photos", type=click.Path(path_type=Path), metavar="FOLDER",
              help="Photos named by their card (7h.jpg, 10c.jpg, X.jpg, empty.jpg), or with labels.json.")  # fmt: skip
@click.option("--source", help="Take pictures, card by card, from a camera number, file or URL.")
@click.option("--cards", metavar="CARDS", help="What the photos show, in the order of their names, or what to take "
              "pictures of: 7h,10c,X, a run of a suit (Ac-Kc), or all.")  # fmt: skip
def deck_capture(name: str, photos: Path | None, source: str | None, cards: str | None) -> None:
    """Take in photos of the deck; without --photos and --source: tell which faces are missing."""
    from webui.teach_cli import capture_camera, capture_photos, still_missing

    words = of_environment()
    if photos is not None and source is not None:
        raise click.UsageError("--photos and --source exclude each other")
    if photos is not None:
        if capture_photos(name, photos, cards, words, _report):
            raise click.exceptions.Exit(1)
    elif source is not None:
        capture_camera(name, source, cards, words)
    else:
        click.echo(still_missing(name, words))


@deck.command("train")
@click.argument("name")
@click.option("--minutes", type=click.FloatRange(1, 240), default=10, show_default=True, help="How long it may take.")
@click.option("--use", is_flag=True, help="Use the new pack from then on.")
def deck_train(name: str, minutes: float, use: bool) -> None:
    """Train a deck pack from the photos; stop it with Ctrl-C and go on later (needs the train extra)."""
    from webui.teach_cli import train

    train(name, minutes, use, of_environment())


def main(arguments: list[str] | None = None) -> None:
    """The console script. Ends the process with the exit code."""
    sys.exit(_run(sys.argv[1:] if arguments is None else arguments))


def _run(arguments: list[str]) -> int:
    try:
        # without its standalone mode, click gives back the code of an Exit instead of raising it
        code = kibitz.main(arguments, prog_name="kibitz", standalone_mode=False)
        sys.stdout.flush()
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx else "kibitz"
        return _complain(f"{error.format_message()} (see: {path} --help)", 2)
    except click.ClickException as error:
        return _complain(error.format_message(), error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        return 130
    except (KibitzError, RulesError) as error:
        _report(error)
        return 2 if error.code in USAGE_CODES else 1
    except BrokenPipeError:
        # `kibitz games | head`: nobody reads any more; keep the interpreter from complaining too
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as error:
        if os.environ.get("KIBITZ_DEBUG"):
            raise
        detail = f"{type(error).__name__}: {error}"
        return _complain(of_environment().text("error.internal", {"detail": detail}), 1)
    return code if isinstance(code, int) else 0


def _report(error: KibitzError | RulesError) -> None:
    _complain(of_environment().text(f"error.{error.code}", error.params), 1)


def _complain(message: str, code: int) -> int:
    click.echo("kibitz: " + " ".join(message.split()), err=True)
    return code
