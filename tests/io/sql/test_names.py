"""All databases alike: the same rows give the same release, and what a database gives back is compared with what was written."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import polars as pl
import pytest

import shoal
from shoal.errors import DataError, WriteError
from shoal.io import read
from shoal.io.places import SOURCES
from shoal.io.sql import names as databases
from tests.servers import Server

ROWS = [(20 + i % 7, f"8033{i % 3}", ["flu", "gout", None, ""][i % 4]) for i in range(40)]
ASKED = {"k": 4, "quasi_identifiers": ["age", "zip"], "sensitive": ["ill"], "algorithm": "mondrian"}
Address = Callable[[str], str]


@pytest.fixture(params=SOURCES)
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Address]:
    """A database with the table ``people``; gives the address of a table of it, or of one of another database for a name that begins with ``new``."""
    made = "CREATE TABLE people (age INTEGER, zip VARCHAR(5), ill VARCHAR(9))"
    if request.param == "postgresql":
        server: Server = request.getfixturevalue("server")
        server.do("DROP SCHEMA public CASCADE", "CREATE SCHEMA public", made)
        with server.connect() as connection:
            connection.cursor().executemany("INSERT INTO people VALUES (%s, %s, %s)", ROWS)
        yield server.address
        return
    driver = sqlite3 if request.param == "sqlite" else duckdb
    with driver.connect(str(tmp_path / "people.db")) as connection:
        connection.execute(made)
        connection.executemany("INSERT INTO people VALUES (?, ?, ?)", ROWS)
    connection.close()
    yield lambda table: f"{request.param}:///{tmp_path}/{'new' if table.startswith('new') else 'people'}.db?table={table}"


def test_the_same_rows_give_the_same_release_and_come_back_as_they_were_written(address: Address) -> None:
    """A missing cell and an empty text are two things in every one of them."""
    wanted = shoal.anonymize(pl.DataFrame(ROWS, schema=["age", "zip", "ill"], orient="row"), **ASKED)
    release = shoal.anonymize(address("people"), **ASKED)
    assert release.frame.equals(wanted.frame)
    assert release.manifest == wanted.manifest
    release.write(address("new"))
    assert release.manifest == wanted.manifest
    assert read(address("new")).frame.equals(wanted.frame)
    with pytest.raises(WriteError, match="exists already"):
        release.write(address("new"))
    release.write(address("new"), force=True)
    assert shoal.verify(address("people"), address("new"), k=4, quasi_identifiers=["age", "zip"]).n_rows == 40


def test_sorted_rows_are_written_where_they_are_asked_for(address: Address) -> None:
    shoal.anonymize(address("people"), **ASKED, keep_order=False).write(address("new"))
    written = read(address("new")).frame
    assert written.equals(written.sort(written.columns, nulls_last=True))


def test_a_form_for_analysis_and_a_guard_for_spreadsheets_are_for_files(address: Address) -> None:
    release = shoal.anonymize(address("people"), **ASKED)
    for how, said in (({"form": "bounds"}, "files only"), ({"spreadsheet_safe": True}, "spreadsheet")):
        with pytest.raises(WriteError, match=said):
            release.write(address("new"), **how)


def test_a_library_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(databases.LIBRARIES, "absent_library", "postgres")
    with pytest.raises(DataError, match=r"pip install 'shoal\[postgres\]'"):
        databases.library("absent_library")


@pytest.mark.parametrize(("names", "said"), [([], "no columns"), (["a", "a"], "one name"), (["a", " "], "without a name")])
def test_columns_need_names_of_their_own(names: list[str], said: str) -> None:
    with pytest.raises(DataError, match=said):
        databases.check_names(names, "it")
