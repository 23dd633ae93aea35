"""Dealers: one who deals in such a way that others think that the miner lies, and several who work with him."""

from contextlib import suppress

import pytest

from shoal.errors import ProtocolError
from shoal.protocol import keygen
from shoal.protocol.chain import Broken
from shoal.protocol.messages import Rejected
from tests.protocol.games import weak
from tests.protocol.games.test_board_games import Inventor, extraction
from tests.protocol.rehearsal import run


def deal_in_pieces():
    """One dealer, with an honest miner, sends right points in two pieces instead of one. Does the session go on?"""
    room, customers = extraction(until="deal", seconds={"deal": 10})
    cheat = customers[room.miner.board.dealers[0] - 1]
    roster = cheat.follow().roster
    commit, (chunk,) = keygen.deal(room.session, room.group, cheat.index, [m.seal_key for m in roster])
    cheat.send("commit", commit)
    cheat.submitted.add("deal")
    with suppress(Rejected):
        cheat.send("deal", {"sealed": chunk["sealed"][:2]}, "1-2")
        cheat.send("deal", {"sealed": chunk["sealed"][2:]}, f"3-{len(roster) - 2}")
    run(room, customers)
    return room, cheat


def test_a_dealer_who_deals_in_pieces_stops_nobody(monkeypatch):
    """Points come in the chunks that everybody expects.

    Else customers find other bytes than the board has, and end their part.
    """
    room, cheat = deal_in_pieces()
    assert room.miner.board.phase == "closed"
    assert room.miner.release().named == {cheat.index: "did not deal in time"}
    assert len(room.miner.state.rows) == 6
    with monkeypatch.context() as old:
        weak.any_chunks(old)
        with pytest.raises(Broken, match="other points"):
            deal_in_pieces()


def capture(colluders):
    """The miner holds back what the honest dealers of three send; the others work for him.

    What he reads of a lone row, and how the session ends.
    """
    room, customers = extraction(until="deal", registrar=True, committee=3, seconds={"deal": 10})
    miner, dealers = Inventor(room), room.miner.board.dealers
    for place, index in enumerate(dealers):
        dealer = customers[index - 1]
        roster = dealer.follow().roster
        dealer.submitted.add("deal")  # her own program sends nothing more: it is held back, or it is theirs
        if place < colluders:
            commit, points = miner.dealing(index, [m.seal_key for m in roster])
            dealer.send("commit", commit)
            dealer.send("deal", points, f"1-{len(roster)}")
    run(room, customers)
    victim = next(c for c in customers if c.index not in dealers)
    rows = [m for m in room.messages if m.kind == "submit" and m.sender == victim.index]
    for message in rows:
        with suppress(ProtocolError):
            return room.miner.board.phase, miner.open(victim.index, [str(victim.index - 1)], message.body)
    return room.miner.board.phase, None


def test_a_majority_of_the_committee_reads_and_a_minority_does_not():
    """The number is exact: with 3 dealers the session withstands the miner with one of them, and falls with two."""
    assert capture(1) == ("failed", None)
    phase, row = capture(2)
    assert phase == "closed"
    assert b"ill" in row
