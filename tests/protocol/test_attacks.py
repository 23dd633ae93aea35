"""Attacks: each succeeds against the protocol as published and fails against ours."""

import itertools

import numpy as np
import pytest

from shoal.errors import ProtocolError
from shoal.protocol import sealing
from shoal.protocol.elgamal import Ciphertext, rerandomised
from shoal.protocol.extraction.customer import make_share
from shoal.protocol.extraction.messages import TAG as EXTRACTION_TAG
from shoal.protocol.extraction.messages import Share, row_binding, subject_of
from shoal.protocol.extraction.opening import keys_of, open_group
from shoal.protocol.group import make_group
from shoal.protocol.keygen import Keys
from shoal.protocol.messages import Message, text_of
from shoal.protocol.shares import evaluate, random_polynomial
from shoal.protocol.suppression import mixing
from shoal.protocol.suppression.rows import cell_element, encrypt_row, read_row
from tests.protocol.published import Published, PublishedExtraction, open_row, printed_weights
from tests.protocol.rehearsal import Room, make_session, run

VALUES = ["1", "2", "3"]
COLUMNS = [{"name": n, "role": "quasi-identifier", "values": VALUES} for n in "abcd"] + [
    {"name": "ill", "role": "sensitive"}
]
ROWS = [list(r) for r in ("1111", "1112", "1211", "2311", "1133", "3211", "1321", "2222")]


def session_of(protocol="suppression", **more):
    return make_session(protocol, 3, COLUMNS, **more)


def all_keys(session, group, n):
    """Keys of n customers, dealt by the test."""
    seed, key = random_polynomial(group, session.threshold), random_polynomial(group, session.decryptors)
    commitments = {"seed": tuple(group.generate(c) for c in seed), "key": tuple(group.generate(c) for c in key)}
    made = []
    for i in range(1, n + 1):
        points = {
            "seed": {x: evaluate(seed, x, group.order) for x in (2 * i - 1, 2 * i)},
            "key": {i: evaluate(key, i, group.order)},
        }
        made.append(Keys(i, points, commitments))
    return made


# The exponent attack


def look_up(group, quotients, seen, exponents):
    """Raise to 1/e and look the ratio up: the attribute and both values, for every e that the miner knows."""
    found = set()
    for value, (j, e) in itertools.product(seen, enumerate(exponents)):
        found.add(quotients.get((j, group.power(value, group.inverse(e)))))
    return found - {None}


def test_exponent_attack():
    group = make_group()
    published, domain = Published(group, 8, 3), list(itertools.permutations(VALUES, 2))
    quotients = {
        (j, group.divide(published.element(f"{j}{a}"), published.element(f"{j}{b}"))): (j, a, b)
        for j in range(4)
        for a, b in domain
    }
    rows = [published.submit([f"{j}{v}" for j, v in enumerate(r)]) for r in ROWS]
    truth, recovered = set(), set()
    for i, k in itertools.combinations(range(len(ROWS)), 2):
        exponents = [group.random_scalar() for _ in range(4)]
        seen = [v for v in published.distances_phase(rows[i], rows[k], exponents) if v != group.identity]
        recovered |= {(i, k, *hit) for hit in look_up(group, quotients, seen, exponents)}
        truth |= {(i, k, j, a, b) for j, (a, b) in enumerate(zip(ROWS[i], ROWS[k], strict=True)) if a != b}
    assert recovered == truth, "as published the miner reads every differing pair of cells"

    # Ours: the miner gets counts. Even if the closing mixer hands him the elements, only the first mixer knows the
    # exponents.
    session = session_of()
    keys = all_keys(session, group, 8)
    mine = {}
    for i, r in enumerate(ROWS, start=1):
        message = Message(session.digest, i, "row", "0", encrypt_row(session, group, i, keys[0].public(), r))
        mine[i] = read_row(session, group, message)
    pairs = mixing.pairs_of(list(mine), list(mine))
    mixed = mixing.mix(group, mixing.Coins(group, b"s" * 32, b""), mixing.quotients(group, mine, pairs), 4)
    table = {
        (j, group.divide(cell_element(session, group, j, a), cell_element(session, group, j, b))): (j, a, b)
        for j in range(4)
        for a, b in domain
    }
    from shoal.protocol.suppression.decryptor import decrypt, plaintexts

    parts = [decrypt(group, keys[d - 1], [c.hint for c in mixed], [1, 2, 3]) for d in (1, 2, 3)]
    plain = plaintexts(group, [c.body for c in mixed], parts)
    seen = [p for p in plain if p != group.identity]
    assert len(seen) == len(truth), "the counts are right"
    assert look_up(group, table, seen, [1, *(group.random_scalar() for _ in range(4))]) == set()


# The copied ciphertext


def test_copied_ciphertext():
    group = make_group()
    published = Published(group, 8, 3)
    victim = published.submit(["1", "2"])
    twin = [rerandomised(group, published.public, c) for c in victim]
    seen = published.distances_phase(victim, twin, [group.random_scalar()] * 2)
    assert seen == [group.identity] * 2, "as published a sybil becomes the victim's twin at distance 0"

    room = Room(session_of())
    customers = [room.customer(dict(zip("abcd", r, strict=True)) | {"ill": "x"}) for r in ROWS]
    run(room, customers, until="submit")
    customers[0].work()
    message = next(m for m in room.messages if m.kind == "row")
    thief = customers[1]
    thief.collect(thief.follow())
    with pytest.raises(ProtocolError, match="proof"):
        thief.send("row", message.body)
    cells = []
    for body, hint, proof in message.body["cells"]:
        from shoal.protocol.messages import bytes_of

        c = rerandomised(group, thief.keys.public(), Ciphertext(bytes_of(body), bytes_of(hint)))
        cells.append([text_of(c.body), text_of(c.hint), proof])
    with pytest.raises(ProtocolError, match="proof"):
        thief.send("row", {"cells": cells}, "1")


# Shares kept over sessions


def test_rows_add_up_over_sessions():
    group = make_group()
    published = PublishedExtraction(group, 5)
    first = [published.submit(i, "30/a", b"ill %d" % i) for i in (1, 2, 3)]
    second = [published.submit(i, "30/a", b"ill %d" % i) for i in (4, 5)]
    points = {2 * i: share for i, share, _ in (*first, *second)}
    assert open_row(group, points, first[0]) == b"ill 1", (
        "as published 3 rows of one session and 2 of the next open at k = 5"
    )

    old, new = (make_session("extraction", 5, COLUMNS, number=n * 32) for n in "ab")
    qi = tuple("1111")
    keys = all_keys(old, group, 5)  # even if the very same keys were used again
    shares = {i: make_share(old, group, keys[i - 1], subject_of(old, "quasi-identifier", qi), ["x"]) for i in (1, 2, 3)}
    shares |= {i: make_share(new, group, keys[i - 1], subject_of(new, "quasi-identifier", qi), ["x"]) for i in (4, 5)}
    opened = open_group(old, group, subject_of(old, "quasi-identifier", qi), shares, keys[0].commitments["seed"])
    assert opened.rows == {}
    assert set(opened.named) == {4, 5}


# Two points each


def lone_row(session, group, keys, colluders):
    """The miner opens the row of customer 1 with the points of colluding customers, who can evaluate any
    quasi-identifier.
    """
    subject = subject_of(session, "quasi-identifier", tuple("1111"))
    victim = make_share(session, group, keys[0], subject, ["secret"])
    base = group.hash_to_group(subject, EXTRACTION_TAG)
    points = {2: victim.share} | {
        x: group.power(base, v) for c in colluders for x, v in keys[c - 1].points["seed"].items()
    }
    key = keys_of(group, list(points), list(points.values()), [1])[0]
    binding = row_binding(session, subject, 1)
    return sealing.open_sealed(sealing.derive(key, binding), victim.sealed, binding)


def test_colluders_hold_two_points_each():
    group = make_group()
    for k, enough in ((3, 1), (4, 2), (5, 2)):
        session = make_session("extraction", k, COLUMNS)
        keys = all_keys(session, group, 8)
        assert b"secret" in lone_row(session, group, keys, range(2, 2 + enough)), (
            "2c + 1 ≥ k: the miner and c customers open a lone row"
        )
        fewer = range(2, 2 + (k - 2) // 2)
        with pytest.raises(ProtocolError):
            lone_row(session, group, keys, fewer)
    tolerant = make_session("extraction", 3, COLUMNS, tolerate=2, committee=5)
    assert tolerant.threshold == 7
    with pytest.raises(ProtocolError):
        lone_row(tolerant, group, all_keys(tolerant, group, 8), (2, 3))


def test_k_below_three_is_refused():
    from shoal.errors import PolicyError

    with pytest.raises(PolicyError, match="two points"):
        make_session("extraction", 2, COLUMNS)


# Phase 3: the Lagrange product, and who drops out


def test_printed_lagrange_product_divides_by_zero():
    with pytest.raises(ValueError):
        printed_weights([4, 5], 1, make_group().order)


def test_a_group_that_loses_a_member_opens_nothing():
    room = Room(session_of(partition="nearest"))
    rows = [dict(zip("abcd", r, strict=True)) | {"ill": f"ill {n}"} for n, r in enumerate(["1111"] * 3 + ["2222"] * 3)]
    customers = [room.customer(r) for r in rows]
    run(room, customers, until="test")
    groups = room.miner.state.group_of
    gone = next(c for c in customers if groups[c.index] == groups[1])
    run(room, [c for c in customers if c is not gone])
    result = room.miner.release()
    assert len(room.miner.state.finals) == 5, "as published the miner would now hold the rows of two members in clear"
    assert {row[:4] for row in result.rows} == {tuple("2222")}
    assert len(result.rows) == 3


# Wrong shares are found out


def test_who_sent_a_wrong_share_is_named():
    group, session = make_group(), make_session("extraction", 3, COLUMNS)
    keys, subject = all_keys(session, group, 6), subject_of(session, "quasi-identifier", tuple("1111"))
    shares = {i: make_share(session, group, keys[i - 1], subject, [f"ill {i}"]) for i in range(1, 7)}
    shares[2] = Share(group.hash_to_group(b"not mine", b"x"), shares[2].proof, shares[2].sealed)
    shares[5] = Share(shares[5].share, shares[5].proof, shares[4].sealed)
    opened = open_group(session, group, subject, shares, keys[0].commitments["seed"])
    assert opened.named == {2: "sent a wrong share", 5: "sealed her row under another key"}
    assert sorted(opened.rows) == [1, 3, 4, 6]


# What the distances give away


def test_distances_with_a_register_nearly_give_the_table():
    """The leak that the protocol allows, in numbers: distances to six known participants single out most register
    entries.
    """
    rng = np.random.default_rng(4)
    register = rng.integers(0, 12, size=(1000, 5))
    taking_part = rng.choice(1000, size=100, replace=False)
    table, known = register[taking_part], taking_part[:6]
    to_known = (table[:, None, :] != register[known][None]).sum(axis=2)
    of_register = (register[:, None, :] != register[known][None]).sum(axis=2)
    candidates = [np.flatnonzero((of_register == d).all(axis=1)) for d in to_known[6:]]
    for _ in range(3):  # participants that are settled serve as known ones
        settled = [(n + 6, c[0]) for n, c in enumerate(candidates) if len(c) == 1]
        for n, c in enumerate(candidates):
            for s, person in settled:
                if len(c) > 1 and s != n + 6:
                    distance = (table[n + 6] != table[s]).sum()
                    c = c[(register[c] != register[person]).sum(axis=1) == distance]
            candidates[n] = c
    right = sum(len(c) == 1 and c[0] == taking_part[n + 6] for n, c in enumerate(candidates))
    assert right >= 85, f"{right} of 94"
