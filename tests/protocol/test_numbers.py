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
    """2c + 1 points are fewer than k + 2 · tolerate for c up to the bound, and no longer for one more (see the game of
    two points each).
    """
    session = session_of(k=k, tolerate=tolerate, committee=2 * tolerate + 1 if tolerate else 3)
    found = {limit.formula: limit.colluders for limit in numbers.limits(session)}
    assert found["⌊(k + 2 · tolerate − 2) / 2⌋"] == lone
    assert 2 * lone + 1 < session.threshold <= 2 * (lone + 1) + 1
    assert numbers.opened(session, tolerate) == k, "with as many as are tolerated, k is exact"


@pytest.mark.parametrize("protocol", ["extraction", "suppression", "star"])
@pytest.mark.parametrize("k", [3, 5, 10])
@pytest.mark.parametrize("tolerate", [0, 1, 2])
def test_what_a_session_withstands_opens_no_group_below_k(protocol, k, tolerate):
    """It said "withstands: the miner with 1 customer" where the two open groups of k - 2: the limit that k itself sets
    was left out.
    """
    session = session_of(
        protocol, k=k, tolerate=tolerate, committee=2 * tolerate + 3, mixers=tolerate + 2, decryptors=tolerate + 3
    )
    most = numbers.withstands(session)
    assert numbers.opened(session, most) >= k
    assert numbers.opened(session, most + 1) < k


def test_the_weakest_part_counts():
    """Committee, mixers and decryptors each have their bound, and so has k; the session withstands the smallest."""
    assert numbers.withstands(session_of("suppression", k=10)) == 0
    strong = {"k": 10, "tolerate": 3, "committee": 9, "mixers": 5, "decryptors": 5}
    assert numbers.withstands(session_of("suppression", **strong)) == 3
    assert {limit.formula: limit.colluders for limit in numbers.limits(session_of("suppression", **strong))} == {
        "⌊committee / 2⌋, or tolerate if that is more": 4, "mixers − 1": 4, "decryptors − 1": 4,
        "⌊(k + 2 · tolerate − 2) / 2⌋": 7, "tolerate": 3,
    }  # fmt: skip
    assert numbers.withstands(session_of("star", k=10, tolerate=3)) == 6


def test_what_is_printed():
    lines = numbers.describe(session_of("suppression", k=5))
    assert lines[0] == "This session withstands: the miner alone, as long as all follow the protocol."
    assert any("5 (alone), 3 (with 1 key), 1 (with 2 keys)" in line for line in lines)
    assert any("no registrar" in line for line in lines)
    assert any("An owner of 3 keys or more can decrypt" in line for line in lines)
    assert (
        numbers.describe(session_of("star", k=5, tolerate=1))[0]
        == "This session withstands: the miner with 2 keys, whatever they do."
    )


@pytest.mark.parametrize("protocol", ["extraction", "suppression", "star"])
def test_keys_are_counted_and_not_customers(protocol):
    """The session file does not say who owns which key: an owner of three rows is one customer, and holds three."""
    for line in numbers.describe(session_of(protocol, tolerate=1)):
        assert "customer" not in line
    assert numbers.OWNERS in numbers.describe(session_of(protocol))


def test_an_owner_is_told_what_she_counts():
    session = session_of("suppression", k=5, tolerate=1)
    assert "the others are not protected as said" in numbers.of_owner(session, 3)
    assert "You hold 3 keys" in numbers.of_owner(session, 3)
    assert "not protected" not in numbers.of_owner(session, 1)


def test_a_session_that_withstands_nobody_who_deviates_must_say_so():
    """Without a registrar the miner invents customers; whoever wants that writes 'open'."""
    raw = session_of().raw
    with pytest.raises(PolicyError, match="withstands nobody who deviates"):
        parse_session(raw.replace(b"open = true", b""))
