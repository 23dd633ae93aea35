"""Zhong, Yang, Wright: Privacy-enhancing k-anonymization of customer data. Its tables, and the errors in it that have numbers."""

from collections import Counter
from dataclasses import replace

import pytest

from shoal.errors import NotAnonymous, PolicyError
from shoal.protocol.group import make_group
from shoal.protocol.group.safe_prime import SafePrime
from shoal.protocol.result import recount
from shoal.protocol.shares import evaluate, lagrange, random_polynomial
from tests.protocol.rehearsal import Room, make_session, randomness_key, rehearse, run

TABLE_1 = [
    ("03-24-79", "07030", "Penicillin", "Pharyngitis"),
    ("08-02-57", "07028", "No Allergy", "Stroke"),
    ("11-12-39", "07030", "No Allergy", "Polio"),
    ("08-02-57", "07029", "Sulfur", "Diphtheria"),
    ("08-01-40", "07030", "No Allergy", "Colitis"),
]
TABLE_2 = [
    ("*", "07030", "Penicillin", "Pharyngitis"),
    ("08-02-57", "0702*", "No Allergy", "Stroke"),
    ("*", "07030", "No Allergy", "Polio"),
    ("08-02-57", "0702*", "Sulfur", "Diphtheria"),
    ("*", "07030", "No Allergy", "Colitis"),
]
COLUMNS = [
    {"name": "born", "role": "quasi-identifier", "values": sorted({row[0] for row in TABLE_1})},
    {"name": "zip", "role": "quasi-identifier", "hierarchy": [[z, z[:4] + "*", "*"] for z in ("07028", "07029", "07030")]},
    {"name": "allergy", "role": "sensitive"},
    {"name": "illness", "role": "sensitive"},
]
ROWS = [dict(zip(("born", "zip", "allergy", "illness"), row, strict=True)) for row in TABLE_1]


def session_of(protocol, k, **more):
    """The paper's k = 2, which a session file may not ask for, is set afterwards."""
    return replace(make_session(protocol, max(k, 3), COLUMNS, randomness_key=randomness_key(), **more), k=k)


def test_table_1_is_not_2_anonymous_and_table_2_is():
    with pytest.raises(NotAnonymous):
        recount(TABLE_1, 2, 2)
    recount(TABLE_2, 2, 2)


def test_table_2_comes_out_of_nested_rounds_on_table_1():
    result, room = rehearse(session_of("star", 2), ROWS)
    assert sorted(result.rows) == sorted(TABLE_2)
    assert [room.miner.state.rungs[r] for r in sorted(set(room.miner.state.called.values()))] == [(0, 1), (1, 0)]


def test_extraction_opens_nothing_of_table_1():
    """Every quasi-identifier of Table 1 is unique: the first formulation suits tables that are nearly k-anonymous."""
    assert rehearse(session_of("extraction", 3), ROWS)[0].rows == ()


def test_suppression_of_table_1():
    """Suppression alone cannot say 0702*: with groups of 2 and 3 the zip codes that differ are starred."""
    result, room = rehearse(session_of("suppression", 2, partition="nearest"), ROWS)
    truth = [[sum(a != b for a, b in zip(x[:2], y[:2], strict=True)) for y in TABLE_1] for x in TABLE_1]
    assert room.miner.state.distances.tolist() == truth
    assert Counter(row[:2] for row in result.rows) == {("*", "07030"): 3, ("08-02-57", "*"): 2}


def test_a_session_file_with_k_2_is_refused():
    with pytest.raises(PolicyError, match="'k' is 2"):
        make_session("extraction", 2, COLUMNS)


def test_every_customer_knows_the_seed_at_k_2():
    """PAPERS 2.5: everybody holds two points of a line, so at k = 2 every single customer has the key."""
    group = make_group()
    polynomial, i = random_polynomial(group, 2), 5
    points = [2 * i - 1, 2 * i]
    values = [evaluate(polynomial, x, group.order) for x in points]
    assert sum(w * v for w, v in zip(lagrange(points, 0, group.order), values, strict=True)) % group.order == polynomial[0]


def test_the_interpolation_of_section_4_in_the_papers_own_group():
    """y_{2j−1} = Π y_{2i}^(Π (2j − 1 − 2l) / (2i − 2l)), in the quadratic residues modulo a safe prime."""
    group = SafePrime(1536)
    k, h = 3, group.hash_to_group(b"08-02-57/07028", b"paper")
    polynomial = random_polynomial(group, k)
    subset, j = [1, 4, 6], 2
    shares = [group.power(h, evaluate(polynomial, 2 * i, group.order)) for i in subset]
    weights = []
    for i in subset:
        weight = 1
        for l in subset:
            if l != i:
                weight = weight * (2 * j - 1 - 2 * l) * pow(2 * i - 2 * l, -1, group.order) % group.order
        weights.append(weight)
    assert group.combine(shares, weights) == group.power(h, evaluate(polynomial, 2 * j - 1, group.order))


def test_lemma_5_by_the_corrected_reduction():
    """From (g, g^a, g^b, C): the sixth entry is g3^(α e1 + β e2) exactly when C = g^ab."""
    group = make_group()
    a, b, alpha, beta, e2, r = (group.random_scalar() for _ in range(6))
    g, g_a, g_b = group.generator, group.generate(a), group.generate(b)
    for c, is_real in ((group.power(g_a, b), True), (group.generate(r), False)):
        g1, g2, g3, first = g, group.generate(r), g_b, g_a
        sixth = group.multiply(group.power(c, alpha), group.power(g_b, beta * e2))
        assert (sixth == group.power(g3, alpha * a + beta * e2)) is is_real
        assert first == group.power(g1, a)
        assert g2 != g3


def test_one_cluster_needs_helpers_from_within():
    """For N < 2k all rows are one group, and with t ≥ 2 nobody outside of it can help: helpers come from within."""
    room = Room(session_of("suppression", 5, partition="nearest"))
    rows = [dict(zip(("born", "zip", "allergy", "illness"), TABLE_1[n % 5], strict=True)) for n in range(7)]
    run(room, [room.customer(row) for row in rows])
    assert set(room.miner.state.group_of.values()) == {0}
    assert len(room.miner.release().rows) == 7
