"""Pairs of columns, before and after."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
import pytest

from shoal.report.pairs import correlation, cramers_v, pair_table
from tests.report.conftest import JOBS, people


def test_every_pair_of_columns_gets_its_figures(release):
    found = {(p["a"], p["b"]): p for p in pair_table(release)}
    assert len(found) == 15
    p = found["age", "height"]
    kept = people()[release.rows.tolist()]
    assert p["correlation"]["before"] == pytest.approx(np.corrcoef(kept["age"], kept["height"])[0, 1])
    assert -1 <= p["correlation"]["after"] <= 1
    assert found["ill", "income"]["misplaced"] == 0.0, "sensitive columns are released as they are"


def test_the_share_of_misplaced_rows_is_the_obvious_one(release):
    """Spread each released row over all pairs of values it may stand for, one row at a time."""
    p = next(p for p in pair_table(release) if (p["a"], p["b"]) == ("job", "ill"))
    whole = Counter(people()["job"])
    stands_for = {**{j: [j] for j in JOBS}, "care": ["nurse", "medic"], "other": ["cook", "waiter", "clerk"], "*": JOBS}
    read: dict[tuple[str, str], float] = defaultdict(float)
    for row in release.frame.iter_rows(named=True):
        values = stands_for[row["job"]]
        for v in values:
            read[v, row["ill"]] += whole[v] / sum(whole[w] for w in values)
    true = Counter(people()[release.rows.tolist()].select("job", "ill").rows())
    wrong = sum(abs(read[cell] - true[cell]) for cell in set(read) | set(true)) / 2
    assert p["misplaced"] == pytest.approx(wrong / release.frame.height)


def test_association_is_one_for_copies_and_none_for_chance():
    a = np.arange(600) % 3
    assert cramers_v(a, a) == pytest.approx(1.0)
    assert cramers_v(a, (np.arange(600) // 3) % 4) == 0.0
    assert cramers_v(a[:1], a[:1]) == 0.0
    assert correlation(np.ones(5), np.arange(5.0)) is None
