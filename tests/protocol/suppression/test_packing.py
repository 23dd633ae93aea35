"""Ciphertexts on the wire."""

from __future__ import annotations

import pytest

from shoal.errors import ProtocolError
from shoal.protocol.elgamal import Ciphertext
from shoal.protocol.group import Group
from shoal.protocol.messages import bytes_of, text_of
from shoal.protocol.suppression.packing import digest_of, pack, pack_items, unpack, unpack_items


def some(group: Group, count: int) -> list[Ciphertext]:
    return [
        Ciphertext(group.generate(group.random_scalar()), group.generate(group.random_scalar())) for _ in range(count)
    ]


@pytest.mark.parametrize("at_once", [False, True])
def test_ciphertexts_come_back_in_their_order(group: Group, at_once: bool) -> None:
    items = some(group, 5)
    assert unpack_items(group, pack_items(items), 5, at_once) == items


def test_a_list_of_another_length_is_refused(group: Group) -> None:
    for count in (4, 6):
        with pytest.raises(ProtocolError, match="wrong length"):
            unpack_items(group, pack_items(some(group, 5)), count)


def test_what_is_not_an_element_is_refused(group: Group) -> None:
    data = bytearray(bytes_of(pack([c.body for c in some(group, 2)])))
    data[-group.element_bytes :] = b"\xff" * group.element_bytes
    with pytest.raises(ProtocolError):
        unpack(group, bytes(data), 2)
    with pytest.raises(ProtocolError):
        unpack_items(group, {"bodies": text_of(bytes(data))}, 2)


def test_the_identity_stops_nobody(group: Group) -> None:
    """Two customers who use the same coins make quotients that contain it."""
    assert unpack(group, group.identity, 1) == [group.identity]


def test_the_digest_knows_order_and_number(group: Group) -> None:
    items = some(group, 3)
    assert digest_of(items) == digest_of(list(items))
    turned = [Ciphertext(c.hint, c.body) for c in items]
    assert len({digest_of(found) for found in (items, items[::-1], items[:2], turned)}) == 4
