"""Reports of releases that are not in memory: made of counts, and the same as those of memory."""

from __future__ import annotations

import json
import stat
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal import api
from shoal.engines.counter import Counter
from shoal.errors import Refused
from shoal.io.sources import text
from shoal.reader.expect import expect
from shoal.reader.read import read
from tests.engines.reported import near, reports_of, same_as_of_rows

ASKED: dict[str, Any] = {
    "k": 4,
    "effort": 0.02,
    "quasi_identifiers": ["age", "town", "born"],
    "sensitive": ["illness", "income"],
    "keep": ["visit"],
}


@pytest.fixture(autouse=True)
def short_stretches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "ROWS", 70)


@pytest.fixture
def people(tmp_path: Path) -> Path:
    rng = np.random.default_rng(6)
    n = 900
    frame = pl.DataFrame(
        {
            "age": [str(v) for v in rng.integers(20, 60, n)],
            "town": [None if v == "" else v for v in rng.choice(["Graz", "Linz", "Wien", ""], n, p=[0.4, 0.3, 0.28, 0.02]).tolist()],
            "born": [
                f"19{y}-0{m}-1{d}" for y, m, d in zip(rng.integers(60, 70, n), rng.integers(1, 9, n), rng.integers(0, 9, n), strict=True)
            ],
            "illness": rng.choice(["cold", "flu", "gout"], n, p=[0.8, 0.15, 0.05]).tolist(),
            "income": [str(v) for v in rng.integers(10, 30, n) * 100],
            "visit": [str(i) for i in range(n)],
        }
    )
    frame.write_csv(tmp_path / "people.csv")
    return tmp_path / "people.csv"


def reports(people: Path, folder: Path, engine: str, **asked: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The report and the owner's, as data."""
    folder.mkdir()
    made = api.stage(people, folder / "r.csv", engine=engine, report=True, **{**ASKED, **asked})
    made.write(folder / "r.csv")
    return reports_of(made, folder)


@pytest.mark.parametrize(
    "asked", [{}, {"withhold": 0.05}, {"require": {"distinct-l-diversity": 2}, "sensitive": ["illness"], "keep": ["visit", "income"]}]
)
def test_a_report_of_counts_is_the_report_of_the_rows(people: Path, tmp_path: Path, asked: dict[str, Any]) -> None:
    public, owner = reports(people, tmp_path / "files", "files", **asked)
    expected, owners = reports(people, tmp_path / "memory", "memory", **asked)
    same_as_of_rows(public, expected)
    same_as_of_rows(owner, owners)


def test_counts_that_are_read_from_lines_are_those_read_from_rows(people: Path, tmp_path: Path) -> None:
    """What the report expects of counts rests on these; which questions it draws is chance."""
    rows = read(shoal.anonymize(people, **ASKED))
    with api.stage(people, tmp_path / "r.csv", engine="files", report=True, **ASKED) as made:  # type: ignore[union-attr]
        made.write()
        counted = made._counted()
    lines = read(counted)
    assert lines.n_rows == rows.n_rows == 900
    asked: list[dict[str, Any]] = [
        {"age": (30, 39)},
        {"town": "Graz"},
        {"age": (20, 25), "town": ["Linz", "Wien"]},
        {"illness": "flu", "age": (40, 60)},
    ]
    for where in asked:
        near(asdict(lines.count(where)), asdict(rows.count(where)))
    near(asdict(lines.mean("age", {"town": "Linz"})), asdict(rows.mean("age", {"town": "Linz"})))
    found = expect(counted, reading=lines)
    assert found.measured is not None
    assert all(error is not None and 0 <= error < 1 for error in (found.expected[1], found.measured[1]))


def test_the_page_says_what_was_not_looked_at(people: Path, tmp_path: Path) -> None:
    with api.stage(people, tmp_path / "r.csv", engine="files", report=True, **ASKED) as made:  # type: ignore[union-attr]
        with pytest.raises(Refused, match="write it first"):
            made.report(tmp_path / "r.html")
        made.write()
        page = made.report(tmp_path / "r.html")
    assert "Not looked at: whether a column tells what another hides" in page
    assert "no column was found that tells what another hides" not in page
    made.owner_report(tmp_path / "o.html")  # what was counted stays when the rows are gone
    assert stat.S_IMODE((tmp_path / "o.html").stat().st_mode) == 0o600


def test_what_was_not_counted_cannot_be_reported(people: Path, tmp_path: Path) -> None:
    made = shoal.publish(people, tmp_path / "r.csv", engine="files", **ASKED)
    with pytest.raises(Refused, match="report=True"):
        made.report(tmp_path / "r.html")


def test_a_report_changes_nothing_about_the_release(people: Path, tmp_path: Path) -> None:
    """Counting more must not change what is released, nor what the verdict says of it."""
    with_it = api.stage(people, tmp_path / "a.csv", engine="files", report=True, **ASKED)
    with_it.write()  # type: ignore[call-arg]
    without = shoal.publish(people, tmp_path / "b.csv", engine="files", **ASKED)
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    assert with_it.manifest == without.manifest
    with_it.close()  # type: ignore[union-attr]


@pytest.mark.parametrize("name", ["group", "n", "c0", "kept", "label"])
def test_columns_may_have_the_names_that_we_use(name: str, tmp_path: Path) -> None:
    n = 60
    frame = pl.DataFrame(
        {name: [str(20 + i % 9) for i in range(n)], "rows": [str(i % 3) for i in range(n)], "c1": [str(i % 4) for i in range(n)]}
    )
    frame.write_csv(tmp_path / "p.csv")
    with api.stage(
        tmp_path / "p.csv", tmp_path / "r.csv", engine="files", report=True, k=3, quasi_identifiers=[name, "rows"], sensitive=["c1"]
    ) as made:  # type: ignore[union-attr]
        made.write()
        made.report(tmp_path / "r.json")
        made.owner_report(tmp_path / "o.json")
    assert {c["name"] for c in json.loads((tmp_path / "r.json").read_text())["columns"]} == {name, "rows"}


def test_in_which_order_an_engine_found_the_lines_is_not_seen(people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine that counts with several threads gives its lines in any order; which questions are drawn must be told by the release alone."""
    once = reports(people, tmp_path / "once", "files")
    true = Counter.fold
    monkeypatch.setattr(Counter, "fold", lambda *given, **named: true(*given, **named).reverse())
    again = reports(people, tmp_path / "again", "files")
    for owner in (once[1], again[1]):
        owner["record"].pop("seconds")
    assert once == again


def test_what_is_expected_of_counts_depends_on_what_is_released_alone(people: Path, tmp_path: Path) -> None:
    """Rows in another order, or counted elsewhere: the same questions are drawn, and the same figures are published."""
    made = shoal.anonymize(people, **ASKED)
    turned = np.random.default_rng(2).permutation(made.frame.height)
    one = read(made)
    other = replace(
        one,
        frame=one.frame[turned],
        group=one.group[turned],
        columns={name: replace(c, kind=c.kind[turned]) for name, c in one.columns.items()},
        _parts={},
    )
    with api.stage(people, tmp_path / "r.csv", engine="files", report=True, **ASKED) as stored:  # type: ignore[union-attr]
        stored.write()
        counted = stored._counted()
    found = expect(made, for_owner=True, reading=one)
    near(asdict(expect(made, for_owner=False, reading=other))["expected"], found.expected)
    near(asdict(expect(counted, for_owner=True)), asdict(found))
