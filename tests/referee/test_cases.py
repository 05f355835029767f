"""Every conformance case: the project's own copy, and the set beside the checkout if any."""

import json
from pathlib import Path

import pytest

from referee.cases import answer_case, equal_results
from referee.errors import RulesError
from webui.referee_cli import answer_lines

OWN = Path(__file__).parent / "data" / "cases.jsonl"
SHARED = Path(__file__).parents[3] / "shared" / "rules" / "cases.jsonl"
ADDED = Path(__file__).parent / "data" / "paodekuai.jsonl"
CASES = [json.loads(line) for line in OWN.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case: dict[str, object]) -> None:
    result = answer_case({k: v for k, v in case.items() if k != "expect"})
    assert equal_results(result, case["expect"]), case["why"]


@pytest.mark.parametrize("line", ADDED.read_text(encoding="utf-8").splitlines())
def test_case_of_the_game_added_as_data(line: str) -> None:
    case = json.loads(line)
    result = answer_case({**case, "ruleset": "paodekuai", "input": {"players": 3, **case["input"]}})
    assert equal_results(result, case["expect"]), case["id"]


@pytest.mark.skipif(not SHARED.exists(), reason="no ../shared/rules/cases.jsonl beside the checkout")
def test_shared_cases_are_answered_line_by_line() -> None:
    lines = SHARED.read_text(encoding="utf-8").splitlines()
    answers = [json.loads(answer) for answer in answer_lines(lines)]
    wrong = [
        case["id"]
        for case, answer in zip(map(json.loads, lines), answers, strict=True)
        if answer["id"] != case["id"] or not equal_results(answer["result"], case["expect"])
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("{", "bad_case"),
        ("[]", "bad_case"),
        ('{"id": "a", "ruleset": "upstream"}', "bad_case"),
        ('{"id": "a", "ruleset": "whist", "kind": "beats", "input": {}}', "unknown_ruleset"),
        (
            '{"ruleset": "upstream", "kind": "classify", "options": {"decks": 9}, "input": {"cards": "3c"}}',
            "option_out_of_range",
        ),
        (
            '{"ruleset": "upstream", "kind": "classify", "options": {"deck": 1}, "input": {"cards": "3c"}}',
            "unknown_option",
        ),
        ('{"ruleset": "upstream", "kind": "classify", "input": {"cards": "3z"}}', "bad_card"),
        ('{"ruleset": "upstream", "kind": "ask", "input": {"cards": "3c"}}', "bad_case"),
    ],
)
def test_a_bad_line_is_refused_with_its_number(line: str, code: str) -> None:
    good = json.dumps(CASES[0])
    answers = answer_lines([good, "", line])
    assert json.loads(next(answers))["id"] == CASES[0]["id"]
    with pytest.raises(RulesError) as refused:
        next(answers)
    assert refused.value.code == code
    assert refused.value.params["line"] == 3
