"""The numbers of a report against the obvious way."""

from __future__ import annotations

import json
from collections import Counter, defaultdict

import numpy as np
import polars as pl
import pytest

import shoal
from shoal import measures, registry
from shoal.problem import Moment
from shoal.report.model import curves, owner_model
from tests.attacks.published import guess
from tests.report.conftest import JOBS, people

MARKER = "ZebraMarker77"


@pytest.fixture(scope="module")
def model(release):
    return owner_model(release)


def test_it_is_plain_data(model):
    assert json.loads(json.dumps(model))["format"] == "shoal-report-3"


def test_groups_are_counted_by_size(release, model):
    sizes = Counter(release.frame.select(release.manifest["quasi_identifiers"]).rows())
    assert sum(b["groups"] for b in model["sizes"]) == len(sizes)
    assert sum(b["rows"] for b in model["sizes"]) == release.frame.height
    assert all(b["groups"] == 0 for b in model["sizes"] if b["size"] in ("1", "2", "3"))
    assert sum(b["rows"] for b in model["sizes_before"]) == 400


def test_losses_by_column_add_up_to_the_manifests(release, model):
    n = len(model["loss_by_column"])
    for name in registry.names(measures.CATALOG):
        mean = sum(c[name]["per_cell"] for c in model["loss_by_column"]) / n
        assert mean == pytest.approx(release.record["measures"][name]["per_cell"])
        assert all(-1e-9 <= c[name]["share"] <= 1 + 1e-9 for c in model["loss_by_column"])


def test_each_column_before_and_after(release, model):
    for c in model["columns"]:
        before, after = Counter(people()[c["name"]].cast(pl.String)), Counter(release.frame[c["name"]])
        assert sum(b["rows"] for b in c["before"]) + c["before_pooled"] == 400
        assert all(before[b["label"]] == b["rows"] >= 4 for b in c["before"])
        assert sum(b["rows"] for b in c["after"]) + c["after_pooled"] == release.frame.height
        assert all(after[b["label"]] == b["rows"] for b in c["after"])
        assert sum(level["share"] for level in c["levels"]) == pytest.approx(1.0)
    job = next(c for c in model["columns"] if c["name"] == "job")
    counts = Counter(release.frame["job"])
    shares = {level["name"]: level["share"] for level in job["levels"]}
    assert shares["exact"] == pytest.approx(sum(counts[j] for j in JOBS) / release.frame.height)
    assert shares["hidden"] == pytest.approx(counts["*"] / release.frame.height)


def test_values_of_fewer_than_k_rows_are_pooled():
    frame = people(200).with_columns(pl.when(pl.int_range(200) < 3).then(pl.lit(MARKER)).otherwise("job").alias("job"))
    rows = [[j, "any", "*"] for j in [*JOBS, MARKER]]
    found = shoal.anonymize(
        frame, k=4, quasi_identifiers=["job", "age"], sensitive=["ill"], hierarchies={"job": rows}, algorithm="mondrian"
    )
    assert MARKER in found.policy.toml()
    assert MARKER not in json.dumps(owner_model(found)), "not among the values, and not in the policy that is printed"
    assert MARKER not in found._repr_html_()


def test_sensitive_values_are_counted_per_group(release, model):
    groups = defaultdict(list)
    for row in release.frame.iter_rows(named=True):
        groups[tuple(row[name] for name in release.manifest["quasi_identifiers"])].append(row["ill"])
    ill = model["sensitive"][0]
    assert ill["distinct-l-diversity"]["worst"] == min(len(set(v)) for v in groups.values())
    assert ill["distinct-l-diversity"]["median"] == np.median([len(set(v)) for v in groups.values()])
    assert ill["rows_in_groups_of_one_value"] == sum(len(v) for v in groups.values() if len(set(v)) == 1)
    whole = Counter(people()["ill"])

    def distance(values: list[str]) -> float:
        here = Counter(values)
        return sum(abs(here[v] / len(values) - whole[v] / 400) for v in whole) / 2

    assert ill["t-closeness"]["worst"] == pytest.approx(max(distance(v) for v in groups.values()))


def test_groups_that_look_alike_are_one_as_to_a_reader():
    """Two groups of one value each that show the same tell nobody's value: whoever knows a person cannot tell the
    groups apart.
    """
    table = pl.DataFrame({"age": ["20", "30"] * 4, "ill": ["flu"] * 4 + ["cold"] * 4})
    apart = guess(table, np.repeat([0, 1], 4), {"k": 4, "quasi_identifiers": ["age"], "sensitive": ["ill"]})
    assert apart.solution.n_groups == 2
    assert apart.verdict.n_groups == 1
    (ill,) = owner_model(apart)["sensitive"]
    assert ill["groups_by_distinct"] == [{"distinct": 2, "groups": 1}]
    assert ill["rows_in_groups_of_one_value"] == 0


def test_curves_keep_the_best_known_and_stay_in_order():
    history = [
        Moment("a", 0.0, None, 5.0),
        Moment("b", 1.0, 20.0, None),
        Moment("c", 2.0, 22.0, 4.0),
        Moment("d", 3.0, 10.0, 8.0),
    ]
    assert curves(history) == {
        "loss": [(1.0, 20.0), (2.0, 20.0), (3.0, 10.0)],
        "bound": [(0.0, 5.0), (2.0, 5.0), (3.0, 8.0)],
        "ratio": [(1.0, 4.0), (2.0, 4.0), (3.0, 1.25)],
    }
    assert curves(history, 9.0)["bound"][-1] == (3.0, 9.0)
    assert curves([], 9.0) == {"loss": [], "bound": [], "ratio": []}


def test_a_bound_that_came_only_in_the_end_is_drawn_throughout():
    history = [Moment("a", 0.0, 20.0, None), Moment("b", 2.0, 12.0, None)]
    found = curves(history, 10.0)
    assert found["bound"] == [(0.0, 10.0), (2.0, 10.0)]
    assert found["ratio"] == [(0.0, 2.0), (2.0, 1.2)]
    assert curves(history, 15.0)["bound"] == [], "of other rows than the loss: not drawn beside it"


def test_free_columns_have_numbers_too():
    found = shoal.anonymize(
        people(150),
        k=3,
        quasi_identifiers=["age", "job"],
        hierarchies={"age": shoal.any_interval(), "job": shoal.any_subset()},
        algorithm="mondrian",
    )
    model = owner_model(found)
    kinds = [level["kind"] for level in model["columns"][0]["levels"]]
    assert (kinds[0], kinds[-1]) == ("exact", "hidden")
    assert set(kinds[1:-1]) == {"general"}
    assert model["pairs"][0]["misplaced"] is not None
