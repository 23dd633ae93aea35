"""The laws of every group, and what is refused."""

import pytest

from shoal.errors import PolicyError, ProtocolError
from shoal.protocol.group import make_group


def test_every_group_keeps_the_laws_of_a_group(group):
    h, a, b = group.hash_to_group(b"x", b"test"), group.random_scalar(), group.random_scalar()
    assert group.power(group.power(h, a), b) == group.power(h, a * b)
    assert group.multiply(group.power(h, a), group.power(h, b)) == group.power(h, a + b)
    assert group.divide(h, h) == group.identity == group.power(h, 0) == group.power(h, group.order)
    assert group.generate(a) == group.power(group.generator, a)
    assert group.product([]) == group.identity
    assert group.power(group.power(h, a), group.inverse(a)) == h


def test_refuses_identity_and_wrong_lengths(group):
    for bad in (group.identity, b"", group.generator[:-1], group.generator + b"\0"):
        with pytest.raises(ProtocolError):
            group.element(bad)


def test_refuses_scalars_out_of_range(group):
    size = group.scalar_bytes
    for bad in (group.order.to_bytes(size, "little"), b"\xff" * size, bytes(size - 1), bytes(size + 1)):
        with pytest.raises(ProtocolError):
            group.scalar(bad)
    assert group.scalar(group.scalar_data(group.order - 1)) == group.order - 1


def test_operations_are_counted(group):
    before = group.powers
    group.power(group.generator, 5)
    group.generate(7)
    assert group.powers - before == 2


def test_a_group_that_is_not_there_is_refused():
    with pytest.raises(PolicyError, match="no group"):
        make_group("curve9000")
