"""The matching kernel against exhaustion, against rustworkx, and against its own proof."""

from __future__ import annotations

import numpy as np
import pytest
import rustworkx

from shoal import kernels
from tests.naive.matchings import best_gain, proved_gain


def random_graph(rng: np.random.Generator, n: int, m: int, most: int) -> dict[tuple[int, int], int]:
    ends = rng.integers(0, n, size=(m, 2))
    return {(int(min(a, b)), int(max(a, b))): 2 * int(rng.integers(-most // 4, most + 1)) for a, b in ends if a != b}


def arrays(gain: dict[tuple[int, int], int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    ends = np.array(list(gain), dtype=np.int32).reshape(-1, 2)
    return (
        np.ascontiguousarray(ends[:, 0]),
        np.ascontiguousarray(ends[:, 1]),
        np.array(list(gain.values()), dtype=np.int64),
    )


def total(gain: dict[tuple[int, int], int], mate: np.ndarray) -> int:
    assert all(mate[mate[v]] == v for v in range(len(mate)) if mate[v] >= 0)
    return sum(gain[u, int(mate[u])] for u in range(len(mate)) if mate[u] > u)


@pytest.mark.parametrize("perfect", [False, True])
@pytest.mark.parametrize("most", [1, 3, 1000])
def test_best_by_exhaustion(perfect: bool, most: int) -> None:
    rng = np.random.default_rng(1)
    for _ in range(150):
        n = int(rng.integers(1, 11))
        gain = random_graph(rng, n, 3 * n, most)
        best = best_gain(n, gain, perfect)
        if best == float("-inf"):
            with pytest.raises(ValueError, match="no perfect matching"):
                kernels.best_matching(n, *arrays(gain), perfect=perfect)
            continue
        found = kernels.best_matching(n, *arrays(gain), perfect=perfect)
        assert found is not None
        assert total(gain, found.mate) == best == proved_gain(n, gain, found, perfect)


@pytest.mark.parametrize("most", [2, 50, 10**12])
def test_agrees_with_rustworkx_on_larger_graphs(most: int) -> None:
    rng = np.random.default_rng(2)
    for _ in range(20):
        n = int(rng.integers(20, 200))
        gain = random_graph(rng, n, 4 * n, most)
        graph = rustworkx.PyGraph()
        graph.add_nodes_from(range(n))
        graph.add_edges_from([(u, v, w) for (u, v), w in gain.items()])
        for perfect in (False, True):
            pairs = rustworkx.max_weight_matching(graph, max_cardinality=perfect, weight_fn=int)
            if perfect and 2 * len(pairs) < n:
                continue
            found = kernels.best_matching(n, *arrays(gain), perfect=perfect)
            assert found is not None
            expected = sum(gain[min(a, b), max(a, b)] for a, b in pairs)
            assert total(gain, found.mate) == expected == proved_gain(n, gain, found, perfect)


def test_refuses_odd_gains_and_ends_that_are_no_vertices() -> None:
    one, two, even, odd = (
        np.array([x], dtype=t) for x, t in ((0, np.int32), (1, np.int32), (2, np.int64), (3, np.int64))
    )
    with pytest.raises(ValueError, match="even"):
        kernels.best_matching(2, one, two, odd)
    with pytest.raises(IndexError):
        kernels.best_matching(1, one, two, even)
    with pytest.raises(IndexError):
        kernels.best_matching(2, one, one, even)


def test_stops_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels.matching, "WORK", 0)
    rng = np.random.default_rng(3)
    gain = random_graph(rng, 60, 300, 100)
    assert kernels.best_matching(60, *arrays(gain), wants_stop=lambda: True) is None


def test_without_edges_nobody_is_matched() -> None:
    for n in (0, 3):
        found = kernels.best_matching(n, *arrays({}))
        assert found is not None
        assert (found.mate == -1).all()
