"""Ristretto refuses what is not an element."""

import pytest

from shoal.errors import ProtocolError
from shoal.protocol.group import make_group


def test_ristretto_refuses_zero_bytes_and_non_canonical():
    group = make_group("ristretto255")
    assert group.is_element(bytes(32)), "libsodium calls the identity valid; the layer above must not"
    order_plus = (2**255 - 19 + 2).to_bytes(32, "little")
    for bad in (bytes(32), b"\xff" * 32, order_plus):
        with pytest.raises(ProtocolError):
            group.element(bad)
    with pytest.raises(ProtocolError):
        group.power(b"\xff" * 32, 5)
    assert group.refuses_by_itself
    for a, b in ((b"\xff" * 32, group.generator), (group.generator, b"\xff" * 32)):
        for operation in (group.multiply, group.divide):
            with pytest.raises(ProtocolError):
                operation(a, b)
