"""Dealers: one who deals in such a way that others think that the miner lies."""

from contextlib import suppress

import pytest

from shoal.protocol import keygen
from shoal.protocol.chain import Broken
from shoal.protocol.messages import Rejected
from tests.protocol.games import weak
from tests.protocol.games.test_board_games import extraction
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
    """P10: points come in the chunks that everybody expects. Else customers find other bytes than the board has, and end their part."""
    room, cheat = deal_in_pieces()
    assert room.miner.board.phase == "closed"
    assert room.miner.release().named == {cheat.index: "did not deal in time"}
    assert len(room.miner.state.rows) == 6
    with monkeypatch.context() as old:
        weak.any_chunks(old)
        with pytest.raises(Broken, match="other points"):
            deal_in_pieces()
