"""The laws of a source, for every format; and every source to every target, compared with CSV to CSV."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.errors import DataError
from shoal.io import open_source, read
from shoal.io.source import FileSource, Source
from shoal.io.sources import parquet, sqlite, text
from shoal.io.sql import duckdb, postgres
from shoal.text.cells import as_text
from tests.places import SOURCES, TARGETS

PEOPLE = pl.DataFrame(
    {
        "age": [str(20 + i % 3) for i in range(9)],
        "zip": [f"803{i % 2}" for i in range(9)],
        "ill": [["flu", "gôut", 'a "b", c'][i % 3] for i in range(9)],
    }
)
ASKED: dict[str, Any] = {"k": 3, "quasi_identifiers": ["age", "zip"], "keep": ["ill"], "algorithm": "mondrian"}


@pytest.fixture(params=[3, 1 << 16])
def rows(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Three stretches, where a format has stretches, or one."""
    for module in (text, parquet, sqlite, duckdb, postgres):
        monkeypatch.setattr(module, "ROWS", request.param)
    return int(request.param)


@pytest.fixture(params=SOURCES)
def given(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    return SOURCES[request.param](PEOPLE, tmp_path)


def joined(source: Source, *asked: Any) -> pl.DataFrame:
    parts = list(source.stretches(*asked))
    assert [part.first for part in parts] == [sum(before.frame.height for before in parts[:i]) for i in range(len(parts))]
    assert all(part.lines is None or len(part.lines) == part.frame.height for part in parts)
    return pl.concat(part.frame for part in parts)


@pytest.mark.usefixtures("rows")
def test_a_source_gives_the_same_rows_whatever_is_asked_of_it(given: Any) -> None:
    with open_source(given) as source:
        whole = source.held()
        assert pl.DataFrame([as_text(column) for column in whole.frame.iter_columns()]).equals(PEOPLE)
        assert source.columns == tuple(PEOPLE.columns)
        assert joined(source).equals(whole.frame), "asked twice, and its stretches joined"
        assert joined(source, ["ill", "age"]).equals(whole.frame.select("ill", "age")), "some columns"
        for most in (1, 4, 100):
            assert joined(source, None, most).equals(whole.frame[:most]), "the first rows"
            assert joined(source, ["zip"], most).equals(whole.frame[:most].select("zip"))
        assert (whole.source, whole.notes, whole.delimiter) == (source.name, source.notes, source.delimiter)
    source.close()  # twice is nothing


def test_formats_that_have_stretches_come_in_some(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (text, parquet, sqlite, postgres):
        monkeypatch.setattr(module, "ROWS", 3)
    for name in ("csv", "gzip", "latin-1", "parquet", "folder", "sqlite", "postgres"):
        with open_source(SOURCES[name](PEOPLE, tmp_path)) as source:
            assert len(list(source.stretches())) == 3, name


def test_a_file_that_is_changed_is_refused_or_gives_what_it_gave(given: Any, tmp_path: Path) -> None:
    with open_source(given) as source:
        before = source.held().frame
        if isinstance(source, FileSource):
            for path in source.files:
                path.write_bytes(path.read_bytes() + b"\n")
            with pytest.raises(DataError, match="was changed while it was read"):
                list(source.stretches())
        else:
            assert joined(source).equals(before)


def test_what_was_put_aside_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    aside = tmp_path / "aside"
    aside.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(aside))
    for name in ("gzip", "latin-1"):
        with open_source(SOURCES[name](PEOPLE, tmp_path)) as source:
            source.held()
            assert [path.stat().st_mode & 0o077 for path in aside.rglob("*")].count(0) == len(list(aside.rglob("*"))) > 0
        assert list(aside.iterdir()) == []


@pytest.mark.usefixtures("rows")
@pytest.mark.parametrize("target", TARGETS)
def test_any_source_goes_to_any_target(given: Any, target: str, tmp_path: Path) -> None:
    wanted = shoal.anonymize(PEOPLE, **ASKED).frame
    output = TARGETS[target](tmp_path)
    made = shoal.publish(given, output, engine="files", **ASKED)
    found = read(output).frame
    assert pl.DataFrame([as_text(column) for column in found.iter_columns()]).equals(
        pl.DataFrame([as_text(column) for column in wanted.iter_columns()])
    )
    assert made.verdict.smallest_group >= 3
