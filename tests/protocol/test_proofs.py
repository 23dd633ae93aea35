"""Proofs of knowledge hold, and are bound to what they speak of."""

import pytest

from shoal.errors import ProtocolError
from shoal.protocol import proofs


def test_proofs_hold_and_are_bound(group):
    secret, base = group.random_scalar(), group.hash_to_group(b"b", b"t")
    public, image = group.generate(secret), group.power(base, secret)
    proof = proofs.prove_knowledge(group, secret, public, b"customer 1")
    proofs.check_knowledge(group, public, proof, b"customer 1")
    with pytest.raises(ProtocolError):
        proofs.check_knowledge(group, public, proof, b"customer 2")
    equal = proofs.prove_equality(group, secret, base, public, image, b"c")
    proofs.check_equality(group, base, public, image, equal, b"c")
    for wrong in [(base, public, group.multiply(image, base)), (group.generator, public, image)]:
        with pytest.raises(ProtocolError):
            proofs.check_equality(group, *wrong, equal, b"c")
    with pytest.raises(ProtocolError):
        proofs.check_equality(group, base, public, image, equal[:-1], b"c")
