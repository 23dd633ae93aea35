"""Safe primes: those of RFC 3526, and only residues."""

import gmpy2
import pytest

from shoal.errors import ProtocolError
from shoal.protocol.group import make_group
from shoal.protocol.group.safe_prime import OFFSETS, SafePrime


def test_safe_prime_refuses_non_residues():
    group = make_group("safe-prime-2048")
    minus_one = int(group.modulus - 1).to_bytes(group.element_bytes, "big")
    too_large = int(group.modulus + 4).to_bytes(group.element_bytes, "big")
    for bad in (minus_one, too_large, bytes(group.element_bytes)):
        with pytest.raises(ProtocolError):
            group.element(bad)


@pytest.mark.parametrize("bits", [1536, 2048])
def test_rfc3526_primes_are_safe_primes(bits):
    modulus = SafePrime(bits).modulus
    assert gmpy2.is_prime(modulus)
    assert gmpy2.is_prime((modulus - 1) // 2)
    assert modulus.bit_length() == bits
    with pytest.raises(ProtocolError):
        SafePrime(bits + 1)
    assert bits in OFFSETS
