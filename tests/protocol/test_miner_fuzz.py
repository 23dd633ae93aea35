"""A miner who answers with nonsense causes no unexpected error in any program, and nobody else is blamed."""

from collections import Counter

import pytest

from shoal.protocol.messages import Rejected, canonical
from tests.protocol.miner_fuzz import Fuzz


@pytest.mark.parametrize(("protocol", "seed"), [("extraction", 1), ("star", 4)])
def test_altered_answers(protocol, seed):
    """Rows, boards, points, statuses and replies, altered by the miner for members and all others."""
    sent = Fuzz(protocol, seed).play(3000)
    assert sum(sent.values()) > 10


def test_altered_answers_and_tasks():
    """The same with the tasks of mixers, checkers and decryptors.

    Who does what is drawn by lot, so sessions are played until each kind was altered.
    """
    sent: Counter[str] = Counter()
    for seed in range(2, 12):
        sent += Fuzz("suppression", seed).play(300)
        if seed > 2 and set(sent) >= {f"task: {what}" for what in ("mix", "check", "share", "counts", "final")}:
            return
    raise AssertionError(f"ten sessions did not bring each kind of task: {sorted(sent)}")


@pytest.mark.parametrize("value", [float("nan"), "\ud800", {"a": float("inf")}, {1, 2}])
def test_what_has_no_encoding_is_refused(value):
    with pytest.raises(Rejected):
        canonical(value)
