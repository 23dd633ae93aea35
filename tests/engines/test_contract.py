"""What every engine of the catalog keeps: the same tables give the same releases, the same manifests and the same errors as in memory."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal import api, engines
from shoal.errors import ShoalError
from shoal.text.cells import as_text
from tests.engines.reported import reports_of, same_as_of_rows
from tests.engines.stations import STATIONS

ENGINES = [pytest.param(name, marks=pytest.mark.slow) if name == "spark" else name for name in engines.CATALOG]
"""Spark takes seconds for a question, however small; tests/engines/test_spark.py has the short run."""
OF_THE_PLACE = ("release_sha256", "input_sha256", "telling_order", "file", "source")
"""What a report says of the place where a release is."""
PLACES = re.compile(r"(lines?|rows?) \d+(, \d+)*( and \d+ more)?")
"""Rows of a file have lines and others only numbers: where a message names them, engines may differ."""


def test_every_engine_has_a_station() -> None:
    assert set(STATIONS) == set(engines.CATALOG)


def people(n: int = 400, seed: int = 0) -> pl.DataFrame:
    """Texts, numbers, missing cells, quotes, line ends, and a tuple with many rows."""
    rng = np.random.default_rng(seed)
    town = np.array(["Graz", "Linz, Donau", 'the "old" town', "Wien\nSüd", "", None, "a'b"], dtype=object)[
        rng.choice(7, n, p=[0.5, 0.1, 0.1, 0.1, 0.1, 0.05, 0.05])
    ]
    return pl.DataFrame(
        {
            "age": [str(v) for v in rng.choice([20, 21, 22, 30, 31, 47, 61, 80], n, p=[0.4, 0.1, 0.1, 0.1, 0.1, 0.1, 0.05, 0.05])],
            "town": pl.Series(list(town), dtype=pl.String),
            "illness": rng.choice(["cold", "flu", "asthma", "ulcer"], n).tolist(),
            "visit": [f"{i % 97}" for i in range(n)],
        }
    )


ASKED: dict[str, dict[str, Any]] = {
    "plain": {"k": 4, "quasi_identifiers": ["age", "town"], "sensitive": ["illness"], "keep": ["visit"]},
    "withheld": {"k": 6, "quasi_identifiers": ["age", "town"], "sensitive": ["illness"], "keep": ["visit"], "withhold": 0.05},
    "deletion": {"k": 9, "quasi_identifiers": ["town", "age"], "keep": ["visit", "illness"], "deletion": True, "measure": "lm"},
    "criteria": {
        "k": 3,
        "quasi_identifiers": ["age", "town"],
        "sensitive": ["illness"],
        "keep": ["visit"],
        "require": {"distinct-l-diversity": 2, "t-closeness": 0.5},
    },
    "dropped": {"k": 5, "quasi_identifiers": ["age"], "identifiers": ["town", "visit"], "keep": ["illness"], "algorithm": "mondrian"},
    "missing": {
        "k": 5,
        "quasi_identifiers": ["age", "town"],
        "keep": ["illness", "visit"],
        "missing_values": ["Graz"],
        "missing": "suppress",
    },
    "weights": {
        "k": 5,
        "quasi_identifiers": ["age", "town"],
        "keep": ["illness", "visit"],
        "weights": {"age": 3.0},
        "algorithm": "full-domain",
    },
    "sorted": {"k": 4, "quasi_identifiers": ["age", "town"], "keep": ["illness", "visit"], "keep_order": False},
    "free": {"k": 4, "quasi_identifiers": ["age"], "keep": ["illness", "visit", "town"], "hierarchies": {"age": shoal.any_interval()}},
}
for each in ASKED.values():
    each.setdefault("effort", 0.1)  # engines are compared here, not searches
WRONG: dict[str, dict[str, Any]] = {
    "no such column": {"quasi_identifiers": ["age", "height"], "keep": ["illness", "visit"]},
    "no quasi-identifier": {"sensitive": ["illness"], "keep": ["visit"]},
    "too few rows": {"k": 500, "quasi_identifiers": ["age"], "keep": ["illness", "visit"]},
    "missing cells": {"quasi_identifiers": ["town"], "keep": ["illness", "visit"], "missing": "error"},
    "a value that is in no hierarchy": {
        "quasi_identifiers": ["age"],
        "keep": ["illness", "visit"],
        "hierarchies": {"age": shoal.levels([["20", "young"], ["21", "young"]])},
    },
    "beyond reach": {"quasi_identifiers": ["age"], "sensitive": ["illness"], "keep": ["visit"], "require": {"distinct-l-diversity": 9}},
}


def test_a_name_that_is_no_engine_is_an_error_that_lists_them(tmp_path: Path) -> None:
    with pytest.raises(shoal.PolicyError, match=r"There are: .*memory"):
        shoal.publish(people(), tmp_path / "r.csv", engine="memroy", **ASKED["plain"])


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("engine", ENGINES)
def test_the_release_and_its_figures_are_those_of_memory(engine: str, asked: str, tmp_path: Path) -> None:
    table, station = people(), STATIONS[engine]
    data, output = station.put(table, tmp_path)
    expected = shoal.anonymize(shoal.io.read(data) if isinstance(data, str) else data, **ASKED[asked])
    made = shoal.publish(data, output, engine=engine, **ASKED[asked])
    assert {**made.manifest, "release_sha256": 0} == {**expected.manifest, "release_sha256": 0}
    left_out = {"release_sha256", "input_sha256", "seconds", *(() if station.keeps_order else ("telling_order",))}
    assert {k: v for k, v in made.record.items() if k not in left_out} == {k: v for k, v in expected.record.items() if k not in left_out}
    found, frame = texts(station.get(output)), texts(expected.frame)
    if ASKED[asked].get("keep_order", True) and station.keeps_order:
        assert found.equals(frame)
    else:
        assert sorted(found.rows(), key=repr) == sorted(frame.rows(), key=repr)
        assert not station.keeps_order or found.equals(found.sort(found.columns, nulls_last=True))


@pytest.mark.parametrize("asked", ["plain", "withheld", "missing", "sorted"])
@pytest.mark.parametrize("engine", [one for one in ENGINES if one != "memory"])
def test_the_reports_are_those_of_memory(engine: str, asked: str, tmp_path: Path) -> None:
    """Whoever signs a release gets a page for it, wherever the table is; its numbers are those of the same release in memory."""
    data, output = STATIONS[engine].put(people(), tmp_path)
    expected = shoal.anonymize(shoal.io.read(data) if isinstance(data, str) else data, **ASKED[asked])
    (tmp_path / "expected").mkdir()
    made = api.stage(data, output, engine=engine, report=True, **ASKED[asked])
    made.write(output)
    for found, of_rows in zip(reports_of(made, tmp_path), reports_of(expected, tmp_path / "expected"), strict=True):
        for model in (found, of_rows):
            for part, name in itertools.product(
                (model, *(model.get(each, {}) for each in ("record", "manifest", "identity"))), OF_THE_PLACE
            ):
                part.pop(name, None)
        same_as_of_rows(found, of_rows)


def texts(frame: pl.DataFrame) -> pl.DataFrame:
    return pl.DataFrame([as_text(column) for column in frame.iter_columns()])


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("engine", ENGINES)
def test_the_errors_are_those_of_memory_and_nothing_is_written(engine: str, wrong: str, tmp_path: Path) -> None:
    data, output = STATIONS[engine].put(people(), tmp_path)
    before = sorted(tmp_path.rglob("*"))
    told = []
    for act in (lambda: shoal.anonymize(data, **WRONG[wrong]), lambda: shoal.publish(data, output, engine=engine, **WRONG[wrong])):
        with pytest.raises(ShoalError) as caught:
            act()
        told.append((type(caught.value), PLACES.sub("PLACES", str(caught.value))))
    assert told[0] == told[1]
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("engine", ENGINES)
def test_the_order_of_rows_decides_only_which_rows_of_a_kind_go_where(engine: str, tmp_path: Path) -> None:
    """The same rows in another order: the same rows are released, the first of a kind to the group with the lowest number."""
    table, station = people(200, seed=3), STATIONS[engine]
    turned = table.sample(fraction=1.0, shuffle=True, seed=1)
    found = []
    for name, rows in (("one", table), ("two", turned)):
        (tmp_path / name).mkdir()
        data, output = station.put(rows, tmp_path / name)
        shoal.publish(data, output, engine=engine, **ASKED["dropped"])
        found.append(sorted(texts(station.get(output)).select("age").rows(), key=repr))
    assert found[0] == found[1]


@pytest.mark.parametrize("engine", ENGINES)
def test_an_output_that_exists_stays_unless_it_is_said(engine: str, tmp_path: Path) -> None:
    station = STATIONS[engine]
    data, output = station.put(people(), tmp_path)
    shoal.publish(data, output, engine=engine, **ASKED["plain"])
    before = texts(station.get(output))
    with pytest.raises(shoal.errors.WriteError, match="exists already"):
        shoal.publish(data, output, engine=engine, **ASKED["dropped"])
    assert texts(station.get(output)).equals(before)
    shoal.publish(data, output, engine=engine, force=True, **ASKED["dropped"])
    assert "town" not in station.get(output).columns
