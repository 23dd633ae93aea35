"""A share of the mutated messages; ``python -m benchmarks protocol`` sends 100,000."""

import pytest

from tests.protocol.star_fuzz import Fuzz


@pytest.mark.parametrize("seed", [1, 2])
def test_signed_mutated_messages(seed):
    fuzz = Fuzz(seed)
    sent = fuzz.play(1500)
    assert sum(sent.values()) > 1500
    assert set(sent) == {
        "tag",
        "share",
        "head",
        "head at the registrar",
        "ask",
        "evaluate",
        "evidence",
        "share of a member",
    }
