"""What a session says of its groups is so: the factor, the bound and the ratio, beside the best table of the same rows
by trying everything.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import pytest

from shoal import registry
from shoal.cli.main import run as shoal
from shoal.protocol.grouping import CATALOG, bound_by_distances, bound_by_rows
from shoal.protocol.suppression import partition as partitions
from shoal.protocol.transport import miner_server
from tests.protocol.rehearsal import Room, make_session, randomness_key, rehearse, run

COLUMNS = [
    {"name": "age", "role": "quasi-identifier", "values": ["0", "1", "2"]},
    {"name": "zip", "role": "quasi-identifier", "values": ["0", "1", "2"]},
    {"name": "ill", "role": "sensitive"},
]


def hidden_in(group) -> int:
    return len(group) * sum(len(set(column)) > 1 for column in zip(*group, strict=True))


def fewest_hidden(rows, k: int, may_leave_out: bool = True) -> int:
    """The least number of hidden cells, by every partition into groups of k to 2k − 1 rows; a row that is left out
    hides all its cells.
    """
    width = len(rows[0])

    @cache
    def least(left) -> float:
        if not left:
            return 0
        first, *rest = left
        best = width + least(tuple(rest)) if may_leave_out else float("inf")
        for size in range(k, min(2 * k - 1, len(left)) + 1):
            for others in combinations(rest, size - 1):
                group = (first, *others)
                best = min(best, hidden_in([rows[i] for i in group]) + least(tuple(i for i in rest if i not in others)))
        return best

    return int(least(tuple(range(len(rows)))))


def random_rows(rng, n: int, width: int, values: int):
    return [tuple(str(v) for v in row) for row in rng.integers(0, values, (n, width))]


def distances_of(rows):
    table = np.array(rows)
    return (table[:, None] != table[None]).sum(axis=2).astype(np.int64)


@pytest.mark.parametrize("name", partitions.CATALOG)
def test_a_partition_keeps_its_factor_and_the_bound_is_below_the_optimum(name):
    rng = np.random.default_rng(3)
    grouping = registry.find(partitions.CATALOG, name)
    for n, k in [(6, 2), (7, 2), (8, 3), (9, 3), (8, 4)] * 12:
        rows = random_rows(rng, n, int(rng.integers(1, 5)), int(rng.integers(2, 4)))
        distances = distances_of(rows)
        best = fewest_hidden(rows, k)
        loss = sum(hidden_in([rows[i] for i in group]) for group in partitions.partition(name, distances, k))
        assert bound_by_distances(distances, k) == bound_by_rows(rows, k) <= best <= loss
        factor = grouping.guarantee(k, len(rows[0]))
        assert factor is None or loss <= factor * best


@pytest.mark.parametrize("protocol", ["extraction", "star", "suppression"])
def test_what_a_session_ends_with_is_within_its_factor(protocol):
    rng = np.random.default_rng(5)
    for partition in ["forest", "meyerson-williams", "local"] if protocol == "suppression" else ["local"]:
        session = make_session(protocol, 3, COLUMNS, randomness_key=randomness_key(), partition=partition)
        rows = random_rows(rng, 8, 2, 3) + [("0", "0")] * 2
        result, _ = rehearse(session, [dict(zip(("age", "zip", "ill"), (*row, "x"), strict=True)) for row in rows])
        told, best = result.reached, fewest_hidden(rows, 3)
        shown = sum(cell == "*" for row in result.rows for cell in row[:2])
        assert told.loss == shown + 2 * (len(rows) - len(result.rows))
        assert 0 < told.lower_bound <= best <= told.loss
        assert told.ratio == told.loss / told.lower_bound
        if partition == "local" and protocol == "suppression":
            assert told.guarantee is None
            assert "No guarantee" in told.note
        else:
            assert told.loss <= told.guarantee * best
            assert f"{told.guarantee:.4g}" in told.sentence()


def test_the_miner_is_told_how_good_the_table_is(tmp_path, monkeypatch, capsys):
    session = make_session("extraction", 3, COLUMNS)
    _, room = rehearse(session, [{"age": age, "zip": "0", "ill": "x"} for age in "0001"])
    monkeypatch.setattr(miner_server, "load_miner", lambda directory: (room.miner, None, None))
    assert shoal(["miner", "release", str(tmp_path), "-o", str(tmp_path / "table.csv")]) == 0
    said = capsys.readouterr().out
    assert "extraction: 2 cells are not shown exactly, all those of rows left out among them" in said
    assert "has fewer than 1, so it is at most 2.000 times the best. Guarantee: at most 2 times" in said


def test_no_factor_is_claimed_where_rows_were_lost():
    """Whoever comes after the first round of STAR may share her exact labels with somebody who went up a rung without
    her.
    """
    session = make_session("star", 3, COLUMNS, randomness_key=randomness_key(), seconds={"round": 10, "submit": 10})
    room = Room(session)
    customers = [room.customer({"age": age, "zip": "0", "ill": "x"}) for age in "0001122"]
    run(room, customers, until="submit")
    for customer in customers[:6]:
        customer.work()
    room.tick(20)
    run(room, customers[:3] + customers[3:])
    told = room.miner.release().reached
    assert told.guarantee is None
    assert "No guarantee: 1 rows" in told.note
    assert told.lower_bound == 1, (
        "of three with rare labels in the first round, two may have had a third among those who came late"
    )


def test_the_bound_where_rows_are_too_many_to_compare():
    rows = [(str(i), str(i)) for i in range(4001)] + [("a", "b")] * 5
    assert bound_by_rows(rows, 5) == 4001
    assert bound_by_rows(rows[-9:], 5) == 8
    assert bound_by_rows(rows[:3], 5) == 3
    assert bound_by_distances(np.zeros((2, 2), dtype=np.int64), 3) == 0


@pytest.mark.parametrize("name", CATALOG)
def test_each_protocol_declares_its_groups(name):
    grouping = registry.find(CATALOG, name)
    assert grouping.name == name
    assert grouping.guarantee(3, 4) == 4
