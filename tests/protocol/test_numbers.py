"""What a session says that it withstands, against what the games and the paper say."""

import pytest

from shoal.errors import PolicyError
from shoal.protocol import numbers
from shoal.protocol.session import parse_session
from tests.protocol.rehearsal import make_session, randomness_key
from tests.protocol.sessions import COLUMNS


def session_of(protocol="extraction", k=5, **more):
    return make_session(protocol, k, COLUMNS, randomness_key=randomness_key(), **more)


@pytest.mark.parametrize(("k", "tolerate", "lone"), [(3, 0, 0), (4, 0, 1), (5, 0, 1), (10, 0, 4), (3, 1, 1), (5, 2, 3)])
def test_a_lone_row_stays_shut_up_to_the_bound(k, tolerate, lone):
    """2c + 1 points are fewer than k + 2 · tolerate for c up to the bound, and no longer for one more (see the game of two points each)."""
    session = session_of(k=k, tolerate=tolerate, committee=2 * tolerate + 1 if tolerate else 3)
    found = {limit.formula: limit.colluders for limit in numbers.limits(session)}
    assert found["⌊(k + 2 · tolerate − 2) / 2⌋"] == lone
    assert 2 * lone + 1 < session.threshold <= 2 * (lone + 1) + 1
    assert numbers.opened(session, tolerate) == k, "with as many as are tolerated, k is exact"


def test_the_weakest_part_counts():
    """Committee, mixers and decryptors each have their bound; the session withstands the smallest."""
    assert numbers.withstands(session_of("suppression", k=10)) == 1
    assert numbers.withstands(session_of("suppression", k=10, mixers=3, decryptors=5)) == 1
    assert numbers.withstands(session_of("suppression", k=10, mixers=3, decryptors=5, committee=5)) == 2
    assert numbers.withstands(session_of("suppression", k=3)) == 0
    assert numbers.withstands(session_of(k=10, committee=21)) == 4


def test_what_is_printed():
    lines = numbers.describe(session_of("suppression", k=5))
    assert lines[0] == "This session withstands: the miner with 1 customer, as long as all of them follow the protocol."
    assert any("5 (alone), 3 (with 1 customer), 1 (with 2 customers)" in line for line in lines)
    assert any("no registrar" in line for line in lines)
    assert "up to 3 customers" in numbers.describe(session_of("star", k=5))[0]


def test_a_session_that_withstands_nobody_who_deviates_must_say_so():
    """Without a registrar the miner invents customers; whoever wants that writes 'open'."""
    raw = session_of().raw
    with pytest.raises(PolicyError, match="withstands nobody who deviates"):
        parse_session(raw.replace(b"open = true", b""))
