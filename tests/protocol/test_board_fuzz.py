"""A share of the mutated messages; ``python -m benchmarks protocol`` sends 100,000 in each mode."""

import pytest

from tests.protocol.board_fuzz import Fuzz


@pytest.mark.parametrize(
    ("protocol", "seed"), [("extraction", 1), ("extraction", 2), ("suppression", 3), ("suppression", 4)]
)
def test_signed_mutated_messages(protocol, seed):
    """A status each, nothing changes, nobody honest is stopped or named."""
    fuzz = Fuzz(protocol, seed)
    sent = fuzz.play(600)
    assert sum(sent.values()) > 250
    assert {"join", "confirm", "ask", "entry"} <= set(sent)
    assert ("row" if protocol == "suppression" else "submit") in sent
