"""Addresses say one thing or are refused, and a password in one is never repeated."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import pytest

from shoal.errors import DataError
from shoal.io.addresses import Uri, check_query, parse, with_query


def test_what_an_address_says() -> None:
    assert parse("sqlite:///people.db?table=people") == Uri("people.db", "people")
    assert parse("sqlite:////data/a%20b.db?table=r%26d") == Uri("/data/a b.db", "r&d")
    assert parse("SQLITE:///p.db?query=SELECT%201%20AS%20x") == Uri("p.db", None, "SELECT 1 AS x")
    assert Uri("p.db", None, "SELECT 'Ada'").name == "p.db (a query)"


def test_what_an_address_of_a_server_says() -> None:
    assert parse("postgresql://ada@host:5433/clinic?table=public.people") == Uri(
        "postgresql://ada@host:5433/clinic", "public.people", scheme="postgresql"
    )
    found = parse("postgres:///clinic?host=/run/pg&user=ada&sslmode=require&query=SELECT%201%20AS%20x")
    settings = (("host", "/run/pg"), ("user", "ada"), ("sslmode", "require"))
    assert found == Uri("postgresql:///clinic", None, "SELECT 1 AS x", "postgresql", settings)
    assert parse("postgresql://one:1,two:2,[::1]/clinic?table=p") is not None
    assert parse("duckdb:///p.duckdb?table=people") == Uri("p.duckdb", "people", scheme="duckdb")


def test_a_query_beside_an_address() -> None:
    query = "SELECT '100%&?' AS \"a b\" FROM people -- #"
    assert parse(with_query("postgresql://ada@host/db", query)) == Uri("postgresql://ada@host/db", None, query, "postgresql")
    assert parse(with_query("postgresql:///db?host=/run", query)) == Uri("postgresql:///db", None, query, "postgresql", (("host", "/run"),))
    assert with_query("people.csv", None) == "people.csv"
    for address in ("people.csv", "sqlite:///p.db?table=a", "sqlite:///p.db?query=b"):
        with pytest.raises(DataError, match="query"):
            with_query(address, query)


@pytest.mark.parametrize("path", ["people.csv", "-", "a:b.csv", "c:/people.csv", Path("x.parquet"), 3, None])
def test_anything_else_is_no_address(path: object) -> None:
    assert parse(path) is None


@pytest.mark.parametrize(
    "address",
    ["sqlite://people.db?table=p", "sqlite:///?table=p", "sqlite:///p.db", "sqlite:///p.db?table=", "sqlite:///p.db?table=a&query=b",
     "sqlite:///p.db?tabel=a", "sqlite:///p.db?table=a#b", "http://host/p.csv"],
)  # fmt: skip
def test_an_address_that_says_nothing_or_two_things_is_refused(address: str) -> None:
    with pytest.raises(DataError, match=r"sqlite:///FILE\.db"):
        parse(address)


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://ada:s3cret@host/db?table=people", "sqlite://ada:s3cret@host/db?table=people", "mysql://ada:s3cret@host/db?table=people",
        "postgresql://ada:s3cret/more@host/db?table=people", "postgresql://ada:s3cret?more@host/db?table=people", "postgresql://ada:s3cret#more@host/db?table=p",
        "postgresql://host/db?table=p&password=s3cret", "postgresql://host/db?table=p&PassWord=s3cret", "postgresql://host/db?sslpassword=s3cret&table=p",
        "postgresql://ada:12?s3cret@host/db?table=people", "postgresql://ada:12#s3cret@host/db?table=people", "postgresql://[s3cret/db?table=p",
    ],
)  # fmt: skip
def test_a_password_is_refused_and_not_repeated(address: str) -> None:
    """Also one that has a letter in it which should have been written with %, so that the address says something else."""
    with pytest.raises(DataError) as caught:
        parse(address)
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize(
    ("said", "meant"), [("people", "people"), ('"my people"', "my people"), ('"a""b"', 'a"b'), ('"', '"'), ('a"b', 'a"b')]
)
def test_a_table_may_be_quoted_as_in_sql(said: str, meant: str) -> None:
    for scheme in ("sqlite", "duckdb"):
        found = parse(f"{scheme}:///people.db?table={quote(said)}")
        assert found is not None
        assert found.table == meant


@pytest.mark.parametrize(
    "query", ["delete from people returning *", "  -- all\n/* of\nthem */ (UPDATE people SET a = 1", "pragma table_info(x)"]
)
def test_a_query_that_does_something_is_refused(query: str) -> None:
    with pytest.raises(DataError, match="Only a SELECT is read") as caught:
        check_query(Uri("people.db", query=query))
    assert "people SET" not in str(caught.value)


@pytest.mark.parametrize(
    "query", ["select 1", "WITH x AS (SELECT 1) SELECT * FROM x", "VALUES (1)", "(select 1)", "", "-- delete\nselect 1", "deleted"]
)
def test_a_question_is_none_of_these(query: str) -> None:
    check_query(Uri("people.db", query=query))
    check_query(Uri("people.db", table="delete"))
