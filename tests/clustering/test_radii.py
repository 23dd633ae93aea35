"""The smallest threshold that succeeds, however the distances are looked through."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.clustering import radii
from shoal.clustering.radii import Radii
from tests.kernels.spaces import all_distances, mixed_space


@pytest.mark.parametrize(
    ("few", "many"), [(1200, 30_000), (0, 30_000), (0, 0)], ids=["all", "sample and tree", "sample and halving"]
)
@pytest.mark.parametrize("seed", range(5))
def test_what_succeeds_from_some_distance_on_is_found_there(
    few: int, many: int, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(radii, "FEW", few)
    monkeypatch.setattr(radii, "MANY", many)
    monkeypatch.setattr(radii, "SAMPLE", 50)
    monkeypatch.setattr(radii, "PAIRS", 20)
    space = mixed_space(np.random.default_rng(seed), 40)
    distances = np.unique(all_distances(space))
    for wanted in distances[:: max(len(distances) // 7, 1)]:
        threshold, found = Radii(space).smallest(lambda reach, wanted=wanted: "done" if reach >= wanted else None, 0.0)
        assert found == "done"
        assert threshold == wanted


def test_the_least_threshold_is_tried_first_and_nothing_below_it() -> None:
    space = mixed_space(np.random.default_rng(1), 30)
    tried: list[float] = []
    threshold, _ = Radii(space).smallest(lambda reach: tried.append(reach) or reach, 0.25)  # type: ignore[func-returns-value]
    assert threshold == 0.25
    assert tried == [0.25]


def test_no_distance_is_larger_than_the_widest() -> None:
    space = mixed_space(np.random.default_rng(2), 40)
    assert Radii(space).widest >= all_distances(space).max()
