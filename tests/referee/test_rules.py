"""Rulesets and options: what is refused, and by which name; every text in three languages."""

import json
from pathlib import Path

import pytest

from referee.errors import RulesError
from referee.options import option_specs
from referee.rules import games, load_game, load_rules
from webui.referee_cli import describe_game, format_value, list_games

LANGUAGES = {"en", "zh-Hans", "zh-Hant"}
SHARED = Path(__file__).parents[3] / "shared" / "rules" / "defaults.json"


def test_the_six_rulesets_and_the_one_added_as_data() -> None:
    assert games() == ("drawpoker", "gdy1", "gdy2", "paodekuai", "tavla", "upstream", "wuma")


@pytest.mark.parametrize("name", games())
def test_a_ruleset_says_everything_in_three_languages(name: str) -> None:
    game = load_game(name)
    texts = [game.name, game.summary, game.read_out, *game.questions]
    for spec in game.specs.values():
        texts += [spec.text, *(spec.choices or {}).values()]
    assert game.questions
    assert all(set(words) == LANGUAGES and all(words.values()) for words in texts)


@pytest.mark.parametrize("name", games())
def test_every_default_can_be_typed_as_it_is_shown(name: str) -> None:
    game = load_game(name)
    for option, value in game.options.items():
        assert game.read(option, format_value(value)) == value


@pytest.mark.skipif(not SHARED.exists(), reason="no ../shared/rules here")
def test_defaults_are_those_of_the_specification() -> None:
    for name, wanted in json.loads(SHARED.read_text(encoding="utf-8")).items():
        options = load_game(name).options
        for option, value in wanted.items():
            ours = options[option]
            if isinstance(value, list) and value and isinstance(value[0], str):
                assert isinstance(ours, tuple)
                assert set(ours) == set(value), (name, option)
            else:
                assert (list(ours) if isinstance(ours, tuple) else ours) == value, (name, option)


@pytest.mark.parametrize(
    ("ruleset", "options", "players", "code", "named"),
    [
        ("whist", {}, None, "unknown_ruleset", "whist"),
        ("upstream", {"straightmin": 5}, None, "unknown_option", "straightmin"),
        ("upstream", {"joker_bomb": True}, None, "unknown_option", "joker_bomb"),
        ("upstream", {"straight_min": 2}, None, "option_out_of_range", "straight_min"),
        ("upstream", {"straight_min": True}, None, "option_out_of_range", "straight_min"),
        ("upstream", {"direction": "left"}, None, "option_out_of_range", "direction"),
        ("upstream", {"types": ["single", "flush"]}, None, "option_out_of_range", "types"),
        ("upstream", {"straight_min": 6, "straight_max": 5}, None, "option_out_of_range", "straight_max"),
        ("wuma", {"start_card": "3z"}, None, "option_out_of_range", "start_card"),
        ("tavla", {}, 3, "player_count", "3"),
        ("gdy2", {}, 6, "player_count", "6"),
    ],
)
def test_what_is_not_agreed_is_refused_by_name(
    ruleset: str, options: dict[str, object], players: int | None, code: str, named: str
) -> None:
    with pytest.raises(RulesError) as refused:
        load_rules(ruleset, options, players)
    assert refused.value.code == code
    assert named in map(str, refused.value.params.values())


def test_options_are_read_as_they_are_typed() -> None:
    game = load_game("upstream")
    assert game.read("pass_lockout", "off") is False
    assert game.read("straight_max", "none") is None
    assert game.read("straight_max", "5") == 5
    assert game.read("types", "pair,single") == ("single", "pair")
    with pytest.raises(RulesError) as refused:
        game.read("target", "many")
    assert refused.value.params["allowed"] == "1..10000"


def test_two_players_take_one_deck_and_more_take_two() -> None:
    assert load_rules("gdy1", players=2).deck_size == 54
    assert load_rules("gdy1", players=3).deck_size == 108
    assert load_rules("paodekuai").deck_size == 48


def test_every_option_belongs_to_a_ruleset() -> None:
    used = {option for name in games() for option in load_game(name).options}
    assert used == set(option_specs())


def test_games_are_listed_and_described() -> None:
    assert any(line.startswith("tavla") and "蒙古" in line for line in list_games("zh-Hans"))
    text = "\n".join(describe_game("gdy2", "zh-Hant"))
    assert "joker_as_two = true    [true, false]" in text
    assert "straight_max = 3    [3..13, none]" in text
    assert "雙王炸彈最大" in text
