"""ElGamal: what ciphertexts encrypt after each operation, in every group."""

from __future__ import annotations

from shoal.protocol.elgamal import Ciphertext, encrypt, product, quotient, raised, rerandomised
from shoal.protocol.group import Group


def opened(group: Group, secret: int, c: Ciphertext) -> bytes:
    return group.divide(c.body, group.power(c.hint, secret))


def test_operations_on_ciphertexts_are_operations_on_what_they_encrypt(group: Group) -> None:
    secret = group.random_scalar()
    public = group.generate(secret)
    m, n = group.hash_to_group(b"m", b"t"), group.hash_to_group(b"n", b"t")
    a, b = encrypt(group, public, m, group.random_scalar()), encrypt(group, public, n, group.random_scalar())
    e = group.random_scalar()
    assert opened(group, secret, a) == m
    assert opened(group, secret, quotient(group, a, b)) == group.divide(m, n)
    assert opened(group, secret, raised(group, a, e)) == group.power(m, e)
    assert opened(group, secret, product(group, [a, b])) == group.multiply(m, n)
    assert opened(group, secret, rerandomised(group, public, a)) == m


def test_the_quotient_of_equal_messages_is_one_and_stays_one_when_raised(group: Group) -> None:
    secret = group.random_scalar()
    public = group.generate(secret)
    m = group.hash_to_group(b"m", b"t")
    same = quotient(group, *(encrypt(group, public, m, group.random_scalar()) for _ in range(2)))
    assert opened(group, secret, raised(group, same, group.random_scalar())) == group.identity


def test_no_two_ciphertexts_of_a_message_look_alike(group: Group) -> None:
    public, m = group.generate(group.random_scalar()), group.hash_to_group(b"m", b"t")
    seen = {encrypt(group, public, m, group.random_scalar()) for _ in range(5)}
    seen |= {rerandomised(group, public, next(iter(seen))) for _ in range(5)}
    assert len(seen) == 10
    assert len({c.body for c in seen} | {c.hint for c in seen}) == 20
