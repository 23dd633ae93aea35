"""Keys without a dealer: every member of a committee deals Feldman shares of a random polynomial, the key is the sum.

Each dealer commits to the coefficients, proves that she knows the constant one (so that she cannot choose hers to
cancel another's) and the exponent of her sealing key, and seals to each customer her points. The traffic is O(customers
× committee). A customer whose points do not fit the commitments publishes the secret she shares with that dealer, with
a proof; everybody can then open the sealed points and see who lied, and the liar is named. Since the dealer proved that
she knows her exponent, the shared secret tells her nothing new: a complaint is not an oracle. The distribution of the
sum may be biased by the last dealer, which does not help against discrete logarithms (Gennaro et al. 2003).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from shoal.errors import ProtocolError
from shoal.protocol import proofs, sealing
from shoal.protocol.group import Group
from shoal.protocol.messages import Body, Rejected, bytes_of, field, text_of
from shoal.protocol.session import Session
from shoal.protocol.shares import evaluate, random_polynomial

CHUNK = 1000
"""Sealed points of so many customers go into one message."""


@dataclass(frozen=True)
class Purpose:
    """A key that the session needs: its name, how many points determine it, and how many points each customer holds."""

    name: str
    threshold: int
    each: int

    def points(self, index: int) -> list[int]:
        """The customer's points: 2i − 1 and 2i, or i. No customer has point 0, which is the secret."""
        return [self.each * index - self.each + 1 + d for d in range(self.each)]


def purposes(session: Session) -> list[Purpose]:
    """The keys of a session: the seed of extraction, and for suppression the key of the encryption."""
    if session.protocol == "star":
        return []
    seed = Purpose("seed", session.threshold, 2)
    return [seed] if session.protocol == "extraction" else [seed, Purpose("key", session.decryptors, 1)]


@dataclass(frozen=True)
class Commitment:
    """What a dealer publishes: her key for sealing, and for each purpose the generator raised to each coefficient."""

    ephemeral: bytes
    coefficients: Mapping[str, tuple[bytes, ...]]


@dataclass(frozen=True, repr=False)
class Keys:
    """What a customer holds after the dealing: her points, and the commitments to the sum.

    Printing it shows nothing, so that no secret gets into a log.
    """

    index: int
    points: Mapping[str, Mapping[int, int]]
    commitments: Mapping[str, tuple[bytes, ...]]

    def public(self, purpose: str = "key") -> bytes:
        """The generator raised to the secret."""
        return self.commitments[purpose][0]


def proof_context(session: Session, dealer: int, purpose: str) -> bytes:
    return session.bind("keygen", purpose, dealer)


def deal(session: Session, group: Group, dealer: int, seal_keys: Sequence[bytes]) -> tuple[Body, list[Body]]:
    """A dealer's messages: one that commits, and the sealed points in chunks. ``seal_keys[i − 1]`` is customer i's."""
    ephemeral = group.random_scalar()
    polynomials = {p.name: random_polynomial(group, p.threshold) for p in purposes(session)}
    key = group.generate(ephemeral)
    proof = proofs.prove_knowledge(group, ephemeral, key, proof_context(session, dealer, "ephemeral"))
    commit: Body = {"ephemeral": text_of(key), "proof": text_of(proof), "purposes": {}}
    for name, polynomial in polynomials.items():
        public = [group.generate(c) for c in polynomial]
        proof = proofs.prove_knowledge(group, polynomial[0], public[0], proof_context(session, dealer, name))
        commit["purposes"][name] = {"coefficients": [text_of(c) for c in public], "proof": text_of(proof)}
    sealed = [
        text_of(seal_points(session, group, dealer, i, group.power(key, ephemeral), polynomials))
        for i, key in enumerate(seal_keys, start=1)
    ]
    return commit, [{"sealed": sealed[s : s + CHUNK]} for s in range(0, len(sealed), CHUNK)]


def chunk_slots(n_customers: int) -> list[str]:
    """The places of a dealer's chunks: first customer and how many."""
    return [f"{s + 1}-{min(CHUNK, n_customers - s)}" for s in range(0, n_customers, CHUNK)]


def seal_points(
    session: Session, group: Group, dealer: int, index: int, shared: bytes, polynomials: Mapping[str, Sequence[int]]
) -> bytes:
    """One customer's points under all polynomials of a dealer."""
    values = [evaluate(polynomials[p.name], x, group.order) for p in purposes(session) for x in p.points(index)]
    data = b"".join(group.scalar_data(v) for v in values)
    binding = session.bind("share", dealer, index)
    return sealing.seal(sealing.derive(shared, binding), data, binding)


def read_commitment(session: Session, group: Group, dealer: int, body: Body) -> Commitment:
    """Check a dealer's commitment: every element, the number of coefficients, the proofs of possession."""
    coefficients = {}
    given = field(body, "purposes", dict)
    for purpose in purposes(session):
        entry = field(given, purpose.name, dict)
        public = tuple(group.element(bytes_of(c)) for c in field(entry, "coefficients", list))
        if len(public) != purpose.threshold:
            raise Rejected(
                400, "malformed", f"A dealer committed to {len(public)} coefficients instead of {purpose.threshold}."
            )
        proofs.check_knowledge(
            group, public[0], bytes_of(field(entry, "proof", str)), proof_context(session, dealer, purpose.name)
        )
        coefficients[purpose.name] = public
    ephemeral = group.element(bytes_of(field(body, "ephemeral", str)))
    proofs.check_knowledge(
        group, ephemeral, bytes_of(field(body, "proof", str)), proof_context(session, dealer, "ephemeral")
    )
    return Commitment(ephemeral, coefficients)


def open_points(
    session: Session, group: Group, dealer: int, index: int, shared: bytes, sealed: bytes
) -> dict[str, dict[int, int]]:
    """A customer's points from one dealer; a :class:`ProtocolError` if they cannot be read."""
    binding = session.bind("share", dealer, index)
    data = sealing.open_sealed(sealing.derive(shared, binding), sealed, binding)
    size = group.scalar_bytes
    expected = [(p.name, x) for p in purposes(session) for x in p.points(index)]
    if len(data) != size * len(expected):
        raise ProtocolError("Sealed points have the wrong length.")
    found: dict[str, dict[int, int]] = {}
    for n, (name, x) in enumerate(expected):
        found.setdefault(name, {})[x] = group.scalar(data[n * size : (n + 1) * size])
    return found


def point_of(chunk: Body, start: int, index: int) -> bytes | None:
    """One customer's sealed points in a chunk that begins with ``start``; None if the dealer put none there."""
    try:
        return bytes_of(field(chunk, "sealed", list)[index - start])
    except (IndexError, Rejected):
        return None


def public_point(group: Group, coefficients: Sequence[bytes], point: int) -> bytes:
    """The generator raised to the polynomial's value at a point, from the commitments alone."""
    return group.combine(coefficients, [pow(point, l, group.order) for l in range(len(coefficients))])


def fits(group: Group, commitments: Mapping[str, Sequence[bytes]], points: Mapping[str, Mapping[int, int]]) -> bool:
    """Do the points lie on the polynomials that were committed to?"""
    return all(
        group.generate(value) == public_point(group, commitments[name], x)
        for name, held in points.items()
        for x, value in held.items()
    )


def sum_commitments(group: Group, commitments: Sequence[Commitment]) -> dict[str, tuple[bytes, ...]]:
    """The commitments to the sum of the dealers' polynomials."""
    names = commitments[0].coefficients
    return {
        name: tuple(
            group.product(c.coefficients[name][l] for c in commitments)
            for l in range(len(commitments[0].coefficients[name]))
        )
        for name in names
    }


def collect(
    session: Session, group: Group, index: int, seal_secret: int, dealers: Mapping[int, tuple[Commitment, bytes | None]]
) -> tuple[Keys | None, list[int]]:
    """Add up a customer's points. Returns her keys, or the dealers whose points do not fit."""
    total: dict[str, dict[int, int]] = {}
    bad = []
    opened = {}
    for dealer, (commitment, sealed) in dealers.items():
        try:
            if sealed is None:
                raise ProtocolError("A dealer sent no points.")
            opened[dealer] = open_points(
                session, group, dealer, index, group.power(commitment.ephemeral, seal_secret), sealed
            )
        except ProtocolError:
            bad.append(dealer)
    if not bad:
        for points in opened.values():
            for name, held in points.items():
                for x, value in held.items():
                    share = total.setdefault(name, {})
                    share[x] = (share.get(x, 0) + value) % group.order
        commitments = sum_commitments(group, [c for c, _ in dealers.values()])
        if fits(group, commitments, total):
            return Keys(index, total, commitments), []
    bad += [d for d, points in opened.items() if not fits(group, dealers[d][0].coefficients, points)]
    return None, sorted(bad)


def complain(
    session: Session, group: Group, index: int, dealer: int, seal_secret: int, ephemeral: bytes, chunk: Body
) -> Body:
    """Publish the secret shared with one dealer, with the proof that it is that, and the dealer's message."""
    shared = group.power(ephemeral, seal_secret)
    context = session.bind("complaint", dealer, index)
    proof = proofs.prove_equality(group, seal_secret, ephemeral, group.generate(seal_secret), shared, context)
    return {"dealer": dealer, "shared": text_of(shared), "proof": text_of(proof), "chunk": chunk}


def judge(
    session: Session,
    group: Group,
    index: int,
    seal_key: bytes,
    commitment: Commitment,
    sealed: bytes | None,
    body: Body,
) -> bool:
    """Is the complaint right, so that the dealer lied? A complaint that does not verify is refused."""
    dealer = field(body, "dealer", int)
    shared = group.element(bytes_of(field(body, "shared", str)))
    context = session.bind("complaint", dealer, index)
    proofs.check_equality(group, commitment.ephemeral, seal_key, shared, bytes_of(field(body, "proof", str)), context)
    if sealed is None:
        return True
    try:
        points = open_points(session, group, dealer, index, shared, sealed)
    except ProtocolError:
        return True
    return not fits(group, commitment.coefficients, points)
