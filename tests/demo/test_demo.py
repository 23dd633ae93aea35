"""The demo's table is what its generator makes, and hard enough to be worth showing."""

from __future__ import annotations

import tomllib

import pytest

from shoal import demo
from shoal.demo import generate
from shoal.io import read

QIS = ["age", "sex", "postcode", "admitted", "job", "nationality"]


@pytest.fixture(scope="module")
def table():
    return read(demo.files().table)


def test_the_generator_makes_the_shipped_bytes():
    home = demo.files().table.parent
    made = generate.render()
    assert sorted(made) == [
        "hierarchies/diagnosis.csv",
        "hierarchies/job.csv",
        "hierarchies/nationality.csv",
        "patients.csv",
    ]
    for name, data in made.items():
        assert (home / name).read_bytes() == data, name


def test_main_writes_every_file(tmp_path):
    generate.main(str(tmp_path))
    assert sorted(str(p.relative_to(tmp_path)) for p in tmp_path.rglob("*.csv")) == sorted(generate.render())


def test_another_seed_makes_other_patients():
    assert generate.make_table(50, seed=1) != generate.make_table(50, seed=2)
    assert generate.make_table(50, seed=1) == generate.make_table(50, seed=1)


def test_ten_thousand_patients_with_missing_cells(table):
    assert table.n_rows == 10_000
    assert table.columns == list(generate.HEADER)
    assert table.frame["record"].n_unique() == 10_000
    missing = dict(zip(table.columns, table.frame.null_count().row(0), strict=True))
    assert missing["name"] == missing["record"] == 0
    assert all(missing[c] > 0 for c in [*QIS, "diagnosis"])


def test_it_is_not_easy(table):
    frame = table.frame
    assert frame.select(QIS).n_unique() > 9_900
    for column in ("job", "nationality", "diagnosis", "postcode"):
        counts = frame[column].drop_nulls().value_counts(sort=True)["count"].to_list()
        assert counts[0] > 20 * counts[-1], column
    assert min(frame["nationality"].drop_nulls().value_counts()["count"]) < 5


def test_columns_hang_together(table):
    frame = table.frame.drop_nulls()
    assert set(frame.filter(frame["diagnosis"] == "childbirth")["sex"]) == {"female"}
    assert set(frame.filter(frame["age"].cast(int) < 6)["job"]) == {"child"}
    winter = frame["admitted"].str.slice(5, 2).is_in(["11", "12", "01", "02", "03"])
    flu = frame["diagnosis"] == "influenza"
    assert (flu & winter).sum() > 2 * (flu & ~winter).sum()


def test_hierarchies_cover_their_columns(table):
    for path in sorted(demo.files().hierarchies.glob("*.csv")):
        rows = [line.split(";") for line in path.read_text(encoding="utf-8").splitlines()]
        leaves = [row[0] for row in rows]
        assert len(set(leaves)) == len(leaves)
        assert {row[-1] for row in rows} == {"*"}
        assert set(table.coded(path.stem).values) <= set(leaves)


def test_the_policy_gives_every_column_a_role(table):
    files = demo.files()
    policy = tomllib.loads(files.policy.read_text(encoding="utf-8"))
    assert set(policy["columns"]) == set(table.columns)
    assert [c for c, p in policy["columns"].items() if p["role"] == "quasi-identifier"] == QIS
    for column in policy["columns"].values():
        if isinstance(column.get("hierarchy"), str):
            assert (files.policy.parent / column["hierarchy"]).is_file()
