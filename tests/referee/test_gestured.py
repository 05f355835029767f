"""Hands that knock or wave and lay nothing: passes until they prove none, never ground for an accusation."""

from referee.events import from_json
from referee.session import MatchSetup, Session, fold

KNOCK = {"gesture": True}


def session(*lines: dict[str, object], **options: object) -> Session:
    setup = MatchSetup("upstream", ("A", "B", "C"), {"direction": "cw", **options}, (17, 17, 18), 0, 0)
    return fold(setup, [from_json({"t": 0.0, **line, "id": n}) for n, line in enumerate(lines)])


def play(seat: int, cards: str) -> dict[str, object]:
    return {"kind": "play", "seat": seat, "cards": cards.split()}


def knock(seat: int) -> dict[str, object]:
    return {"kind": "pass", "seat": seat, "data": KNOCK, "certainty": 0.7}


def verdicts(judged: Session) -> list[str]:
    return [" ".join((j.verdict, *j.codes)) for j in judged.judgements]


def to_act(judged: Session) -> int | None:
    hand = judged.match.table.hand
    return hand.to_act if isinstance(hand.to_act, int) else None


def test_a_knock_in_turn_passes_the_turn_on() -> None:
    told = session(play(0, "5s"), knock(1))
    assert verdicts(told) == ["ok", "ok"]
    assert to_act(told) == 2


def test_a_knock_out_of_turn_or_before_a_lead_changes_nothing() -> None:
    for lines in ([knock(0)], [play(0, "5s"), knock(2)], [play(0, "5s"), knock(0)]):
        told = session(*lines)
        assert verdicts(told)[-1] == "ok claim_not_now"
        assert to_act(told) == to_act(session(*lines[:-1]))


def test_who_plays_after_its_knock_had_not_passed() -> None:
    for lockout in (True, False):
        told = session(play(0, "5s"), knock(1), play(1, "8s"), play(2, "9s"), pass_lockout=lockout)
        assert verdicts(told) == ["ok"] * 4
        assert [(d.kind, d.seat) for d in told.judgements[2].before] == [("not_passed", 1)]


def test_an_illegal_play_after_the_knock_is_still_found() -> None:
    assert verdicts(session(play(0, "8s"), knock(1), play(1, "5s")))[-1] == "violation not_higher"


def test_a_seat_before_others_that_knocked_takes_their_passes_with_it() -> None:
    told = session(play(0, "5s"), knock(1), knock(2), play(1, "8s"), play(2, "9s"))
    assert verdicts(told) == ["ok"] * 5
    assert [d.seat for d in told.judgements[3].before] == [1, 2]


def test_the_last_knock_ends_no_round_before_it_is_swept_or_led_anew() -> None:
    knocked = (play(0, "5s"), knock(1), knock(2))
    told = session(*knocked)
    assert to_act(told) == 0
    assert told.match.table.hand.table is not None
    for end in ({"kind": "sweep"}, play(0, "3d")):
        ended = session(*knocked, end)
        assert verdicts(ended)[-1] == "ok"
        judged = ended.judgements[-1]
        assert [(d.kind, d.seat) for d in (*judged.before, *judged.after)] == [("round_end", 0)]


def test_a_player_who_knocks_and_says_so_has_passed_for_good_but_is_not_accused() -> None:
    said: dict[str, object] = {"kind": "claim_pass", "seat": 1, "data": {"by": "phone"}}
    assert verdicts(session(play(0, "5s"), knock(1), said)) == ["ok"] * 3
    assert verdicts(session(play(0, "5s"), knock(1), said, play(1, "8s")))[-1] == "unsure passed_this_round"


def test_nobody_is_accused_on_the_ground_of_a_knock() -> None:
    locked_out = session(play(0, "5s"), knock(1), play(2, "8s"), knock(0), play(1, "9s"))
    assert verdicts(locked_out)[-1] == "unsure out_of_turn"
    out_of_turn = session(play(0, "5s"), knock(1), play(2, "8s"), knock(0), knock(1), play(0, "9s"), pass_lockout=False)
    assert verdicts(out_of_turn)[-1] == "ok"
