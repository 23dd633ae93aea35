"""The library as a person uses it: any dataframe in, the same kind out, verified."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import shoal
from shoal import measures, registry

N = 80
DATA = {
    "age": [20 + (i * 7) % 41 for i in range(N)],
    "zip": [f"81{i % 4}{(i * 3) % 10}{i % 10}" for i in range(N)],
    "sex": ["f" if i % 3 else "m" for i in range(N)],
    "ill": [["flu", "gout", "ache"][i % 3] for i in range(N)],
    "cost": [i / 3 for i in range(N)],
}
QI = ["age", "zip", "sex"]


def test_pandas_in_pandas_out_with_types_kept():
    given_frame = pd.DataFrame(DATA)
    release = shoal.anonymize(given_frame, k=4, quasi_identifiers=QI, sensitive=["ill"])
    assert isinstance(release.table, pd.DataFrame)
    assert list(release.table.columns) == list(DATA)
    pd.testing.assert_series_equal(release.table["cost"], given_frame["cost"])
    shoal.verify(given_frame, release.table, k=4, quasi_identifiers=QI)


def test_polars_in_polars_out():
    release = shoal.anonymize(pl.DataFrame(DATA), k=4, quasi_identifiers=QI)
    assert isinstance(release.table, pl.DataFrame)
    assert release.table.schema["cost"] == pl.Float64


def test_the_index_does_not_tell_which_rows_were_withheld():
    """Pandas in, rows withheld: gaps in the index showed which."""
    frame = pd.DataFrame({"age": [20] * 4 + [99] + [40] * 4})
    release = shoal.anonymize(frame, k=4, quasi_identifiers=["age"], withhold=0.2)
    assert release.manifest["n_withheld"] == 1
    assert release.table.index.tolist() == list(range(8))
    assert release.to_table(keep_index=True).index.tolist() == [0, 1, 2, 3, 5, 6, 7, 8]


def test_pyarrow_in_pyarrow_out():
    release = shoal.anonymize(pa.table(DATA), k=4, quasi_identifiers=QI)
    assert isinstance(release.table, pa.Table)


def test_a_path_gives_polars(tmp_path):
    path = tmp_path / "t.parquet"
    pl.DataFrame(DATA).write_parquet(path)
    release = shoal.anonymize(path, k=4, quasi_identifiers=QI)
    assert isinstance(release.table, pl.DataFrame)
    release.write(tmp_path / "out.parquet")
    shoal.verify(path, tmp_path / "out.parquet", k=4, quasi_identifiers=QI)


def test_the_figures_fit_together():
    release = shoal.anonymize(
        pl.DataFrame(DATA), k=4, quasi_identifiers=QI, hierarchies={"age": shoal.intervals(5, 10, 20), "zip": shoal.prefixes()}
    )
    assert len(release.groups) == N
    assert np.bincount(release.groups).min() >= 4
    assert release.record["loss"] == release.loss
    assert release.lower_bound <= release.loss
    assert release.ratio == pytest.approx(release.loss / release.lower_bound)
    assert ("proved at most" if release.ratio > 1 else "proved the least possible") in repr(release)
    again = shoal.measure(pl.DataFrame(DATA), release.table, quasi_identifiers=QI,
                          hierarchies={"age": shoal.intervals(5, 10, 20), "zip": shoal.prefixes()})  # fmt: skip
    assert again.measures.keys() - release.record["measures"].keys() == {"a-posteriori-entropy"}
    for name, value in release.record["measures"].items():
        assert again.measures[name]["total"] == pytest.approx(value["total"], abs=1e-6), name


@pytest.mark.parametrize(
    "hierarchy",
    [
        shoal.suppression(),
        shoal.intervals(5, 10, 20),
        shoal.any_interval(),
        shoal.any_subset(),
        shoal.laminar([{str(v) for v in range(20, 30)}, {str(v) for v in range(20, 25)}, {str(v) for v in range(40, 61)}]),
        [[str(v), f"{v // 10}0s", "*"] for v in range(100)],
    ],
    ids=["suppression", "intervals", "any interval", "any subset", "laminar", "rows"],
)
def test_every_kind_of_hierarchy_goes_all_the_way(hierarchy, tmp_path):
    frame = pl.DataFrame(DATA)
    release = shoal.anonymize(frame, k=3, quasi_identifiers=["age", "sex"], hierarchies={"age": hierarchy})
    assert release.verdict.has_checked_cells
    release.write(tmp_path / "r.csv")
    shoal.verify(frame, tmp_path / "r.csv", k=3, quasi_identifiers=["age", "sex"], hierarchies={"age": hierarchy})


def test_free_generalization_says_that_guarantees_do_not_hold():
    release = shoal.anonymize(
        pl.DataFrame(DATA), k=3, quasi_identifiers=["age"], hierarchies={"age": shoal.any_interval()}, algorithm="forest"
    )
    assert release.manifest["guarantee"] is None


def test_a_value_below_a_group_of_the_same_name_is_fine():
    frame = pl.DataFrame({"job": ["Other", "Other", "cook", "nurse", "clerk", "clerk"]})
    rows = [["Other", "Other", "*"], ["cook", "Other", "*"], ["nurse", "Other", "*"], ["clerk", "office", "*"]]
    release = shoal.anonymize(frame, k=2, quasi_identifiers=["job"], hierarchies={"job": rows})
    shoal.verify(frame, release.table, k=2, quasi_identifiers=["job"], hierarchies={"job": rows})


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    rows=st.lists(st.tuples(st.sampled_from(["1", "2", "3", "12", None]), st.sampled_from(["a", "b", "c", None])), min_size=2, max_size=24),
    k=st.integers(2, 5),
    measure=st.sampled_from(registry.names(measures.CATALOG)),
    missing=st.sampled_from(["value", "suppress"]),
    withhold=st.sampled_from([0.0, 0.2]),
)
def test_every_small_table_is_released_or_infeasible(rows, k, measure, missing, withhold):
    frame = pl.DataFrame({"p": [r[0] for r in rows], "q": [r[1] for r in rows]}, schema={"p": pl.String, "q": pl.String})
    if len(rows) < k:
        with pytest.raises(shoal.Infeasible):
            shoal.anonymize(frame, k=k, quasi_identifiers=["p", "q"])
        return
    release = shoal.anonymize(frame, k=k, quasi_identifiers=["p", "q"], measure=measure, missing=missing, withhold=withhold)
    assert release.lower_bound is None or release.lower_bound <= release.loss + 1e-9
    assert release.manifest["n_withheld"] <= withhold * len(rows)


def test_a_code_with_a_letter_among_codes_is_no_stray_number():
    """2A004 is in Corsica. Codes with a zero in front are not put into intervals in any case."""
    codes = pl.DataFrame({"zip": [f"{i:05}" for i in range(6400, 6440)] * 3 + ["2A004"] * 5})
    assert not any("are not numbers" in note for note in shoal.anonymize(codes, k=5, quasi_identifiers=["zip"], effort=0.1).record["notes"])
    numbers = pl.DataFrame({"n": [str(10 + i % 50) for i in range(119)] + ["12x"]})
    assert any("are not numbers" in note for note in shoal.anonymize(numbers, k=5, quasi_identifiers=["n"], effort=0.1).record["notes"])


def test_a_column_may_be_called_like_a_pattern(tmp_path: Path) -> None:
    """To the library of tables '*' is all columns, and '^.*$' those that match."""
    frame = pl.DataFrame({"*": ["a", "a", "b", "b"] * 3, "^.*$": ["1", "2", "1", "2"] * 3, "x": [f"{i % 5}" for i in range(12)]})
    release = shoal.anonymize(frame, k=3, quasi_identifiers=["*", "^.*$"], keep=["x"])
    for made in (release.frame, release.frame[::-1]):
        shoal.verify(frame, made, k=3, quasi_identifiers=["*", "^.*$"], keep=["x"], reordered=True)
    release.write(tmp_path / "r.csv")
    (tmp_path / "m.json").write_text(json.dumps(release.manifest, default=lambda part: dict(part) if hasattr(part, "keys") else list(part)))
    assert shoal.read(tmp_path / "r.csv", manifest=tmp_path / "m.json").count({"*": "a"}).value == 6
    release.report(tmp_path / "report.html")
    release.owner_report(tmp_path / "owner.html")
