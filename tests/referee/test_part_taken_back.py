"""A part of what was laid is taken up again, the rest stays."""

from referee.events import from_json
from referee.match import ClimbingState, DrawState
from referee.session import MatchSetup, Session, fold

Line = dict[str, object]


def climbing(*lines: Line) -> Session:
    setup = MatchSetup("upstream", ("A", "B", "C"), {"direction": "cw"}, (17, 17, 18), 0, 0)
    return fold(setup, [from_json({"t": 0.0, **line, "id": n}) for n, line in enumerate(lines)])


def drawing(*lines: Line) -> Session:
    setup = MatchSetup("drawpoker", ("A", "B"), dealer=1)
    return fold(setup, [from_json({"t": 0.0, **line, "id": n}) for n, line in enumerate(lines)])


def lay(seat: int, cards: str, kind: str = "play") -> Line:
    return {"kind": kind, "seat": seat, "cards": cards.split()}


def back(of: int, cards: str, certainty: float = 0.8) -> Line:
    return {"kind": "take_back", "of": of, "cards": cards.split(), "certainty": certainty, "seat": 1}


def verdicts(judged: Session) -> list[str]:
    return [" ".join((j.verdict, *j.codes)) for j in judged.judgements]


def test_what_stays_is_the_play() -> None:
    told = climbing(lay(0, "8s 8d"), lay(1, "9s 9h 9d"), back(1, "9d"))
    assert verdicts(told) == ["ok", "violation wrong_type", "ok"]
    table = told.match.table
    assert isinstance(table, ClimbingState)
    assert table.hand.table is not None
    assert (table.hand.table.cards, table.hand.to_act) == (("9s", "9h"), 2)


def test_what_stays_is_accused_only_if_the_taking_up_was_certain() -> None:
    for certainty, verdict in ((0.8, "unsure not_higher"), (1.0, "violation not_higher")):
        told = climbing(lay(0, "8s 8d"), lay(1, "4s 4h 4d"), back(1, "4d", certainty))
        assert verdicts(told)[-1] == verdict


def test_a_legal_play_that_loses_a_card_is_not_accused_for_being_short_of_it() -> None:
    run = climbing(lay(0, "3s 4h 5d 6c 7s"), lay(1, "4s 5h 6d 7c 8s"), back(1, "8s"))
    assert verdicts(run)[-1].startswith("unsure")


def test_the_rest_can_be_taken_back_too() -> None:
    told = climbing(lay(0, "8s 8d"), lay(1, "9s 9h 9d"), back(1, "9d"), back(1, "9s 9h"))
    table = told.match.table
    assert isinstance(table, ClimbingState)
    assert table.hand.table is not None
    assert (table.hand.table.cards, table.hand.to_act) == (("8s", "8d"), 1)


def test_of_discards_only_those_taken_up_are_gone() -> None:
    told = drawing(lay(0, "5c 6c 7c", "discard"), back(0, "7c"), lay(0, "8c", "discard"))
    assert verdicts(told) == ["ok", "unsure discard_taken_back", "ok"]
    table = told.match.table
    assert isinstance(table, DrawState)
    assert table.hand.discards == ((0, "5c"), (0, "6c"), (0, "8c"))
    too_many = drawing(lay(0, "5c 6c 7c", "discard"), back(0, "7c"), lay(0, "8c 9c", "discard"))
    assert verdicts(too_many)[-1] == "violation too_many_exchanged"
    sure = drawing(lay(0, "5c 6c", "discard"), back(0, "6c", 1.0))
    assert verdicts(sure)[-1] == "violation discard_taken_back"
