"""A miner who answers with nonsense causes no unexpected error in any program, and nobody else is blamed."""

import pytest

from shoal.protocol.messages import Rejected, canonical
from tests.protocol.miner_fuzz import Fuzz


@pytest.mark.parametrize(("protocol", "seed"), [("extraction", 1), ("suppression", 2), ("suppression", 3), ("star", 4)])
def test_altered_answers(protocol, seed):
    """P10: tasks, rows, boards, points, statuses and replies, altered by the miner for mixers, checkers, decryptors, members and all others."""
    sent = Fuzz(protocol, seed).play(300 if protocol == "suppression" else 3000)
    assert sum(sent.values()) > 10
    if protocol == "suppression":
        assert {f"task: {what}" for what in ("mix", "check", "share", "counts", "final")} <= set(sent)


@pytest.mark.parametrize("value", [float("nan"), "\ud800", {"a": float("inf")}, {1, 2}])
def test_what_has_no_encoding_is_refused(value):
    with pytest.raises(Rejected):
        canonical(value)
