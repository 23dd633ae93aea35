"""The group layer: laws, refusals, counters, and the parts built on it."""

import gmpy2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.errors import PolicyError, ProtocolError
from shoal.protocol import proofs, sealing, shares
from shoal.protocol.group import CATALOG, make_group
from shoal.protocol.group.hashing import join
from shoal.protocol.group.ristretto import Ristretto
from shoal.protocol.group.safe_prime import OFFSETS, SafePrime

GROUPS = {name: make_group(name) for name in CATALOG}


@pytest.fixture(params=list(CATALOG))
def group(request):
    return GROUPS[request.param]


def test_laws(group):
    h, a, b = group.hash_to_group(b"x", b"test"), group.random_scalar(), group.random_scalar()
    assert group.power(group.power(h, a), b) == group.power(h, a * b)
    assert group.multiply(group.power(h, a), group.power(h, b)) == group.power(h, a + b)
    assert group.divide(h, h) == group.identity == group.power(h, 0) == group.power(h, group.order)
    assert group.generate(a) == group.power(group.generator, a)
    assert group.product([]) == group.identity
    assert group.power(group.power(h, a), group.inverse(a)) == h


def test_hash_separates_roles_and_messages(group):
    seen = {group.hash_to_group(m, t) for m in (b"a", b"b") for t in (b"role 1", b"role 2")}
    assert len(seen) == 4
    assert all(group.element(e) == e for e in seen)
    assert group.hash_to_scalar(b"a", b"role 1") != group.hash_to_scalar(b"a", b"role 2")


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


def test_ristretto_refuses_zero_bytes_and_non_canonical():
    group = GROUPS["ristretto255"]
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


def test_safe_prime_refuses_non_residues():
    group = GROUPS["safe-prime-2048"]
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


def test_bundled_and_system_library_agree():
    one, other = Ristretto(), Ristretto(bundled=True)
    h = one.hash_to_group(b"x", b"t")
    assert h == other.hash_to_group(b"x", b"t")
    assert one.power(h, 12345) == other.power(h, 12345)


def test_counters(group):
    before = group.powers
    group.power(group.generator, 5)
    group.generate(7)
    assert group.powers - before == 2


def test_unknown_group():
    with pytest.raises(PolicyError, match="no group"):
        make_group("curve9000")


@given(
    st.lists(st.one_of(st.text(), st.binary(), st.integers()), max_size=5),
    st.lists(st.one_of(st.text(), st.binary(), st.integers()), max_size=5),
)
def test_join_is_injective(a, b):
    assert (join(a) == join(b)) == ([(type(x), x) for x in a] == [(type(x), x) for x in b])


@settings(max_examples=30)
@given(st.integers(2, 6), st.sets(st.integers(1, 1000), min_size=6, max_size=8), st.integers(1, 2000))
def test_shares_interpolate(threshold, points, at):
    order = Ristretto.order
    polynomial = [pow(7, i + at, order) for i in range(threshold)]
    chosen = sorted(points)[:threshold]
    values = [shares.evaluate(polynomial, x, order) for x in chosen]
    found = sum(w * v for w, v in zip(shares.lagrange(chosen, at, order), values, strict=True)) % order
    assert found == shares.evaluate(polynomial, at, order)


def test_interpolation_in_the_exponent_both_ways(group):
    polynomial, points = shares.random_polynomial(group, 4), [2, 6, 8, 14]
    h = group.hash_to_group(b"q", b"t")
    values = [group.power(h, shares.evaluate(polynomial, x, group.order)) for x in points]
    coefficients = shares.coefficients_in_exponent(group, points, values)
    assert coefficients == [group.power(h, c) for c in polynomial]
    expected = group.power(h, shares.evaluate(polynomial, 7, group.order))
    assert shares.evaluate_in_exponent(group, coefficients, 7) == expected
    assert group.combine(values, shares.lagrange(points, 7, group.order)) == expected


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


def test_sealing():
    key = sealing.derive(b"secret", b"purpose")
    assert key != sealing.derive(b"secret", b"other purpose")
    sealed = sealing.seal(key, sealing.pad(b"row", 64), b"index 1")
    assert sealing.unpad(sealing.open_sealed(key, sealed, b"index 1")) == b"row"
    assert sealed != sealing.seal(key, sealing.pad(b"row", 64), b"index 1"), "nonces are fresh"
    assert len(sealed) == len(sealing.seal(key, sealing.pad(b"a longer row", 64), b"index 1"))
    for bad in (lambda: sealing.open_sealed(key, sealed, b"index 2"), lambda: sealing.open_sealed(key, sealed[:-1] + b"\0", b"index 1")):
        with pytest.raises(ProtocolError):
            bad()
    with pytest.raises(ProtocolError, match="too long"):
        sealing.pad(bytes(61), 64)
    for bad in (b"", b"\0\0\0\x09abc", b"\0\0\0\x01ab"):
        with pytest.raises(ProtocolError):
            sealing.unpad(bad)
