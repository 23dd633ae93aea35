"""Addresses say one thing or are refused, and a password in one is never repeated."""

from __future__ import annotations

from pathlib import Path

import pytest

from shoal.errors import DataError
from shoal.io.uris import Uri, parse


def test_what_an_address_says() -> None:
    assert parse("sqlite:///people.db?table=people") == Uri("people.db", "people")
    assert parse("sqlite:////data/a%20b.db?table=r%26d") == Uri("/data/a b.db", "r&d")
    assert parse("SQLITE:///p.db?query=SELECT%201%20AS%20x") == Uri("p.db", None, "SELECT 1 AS x")
    assert Uri("p.db", None, "SELECT 'Ada'").name == "p.db (a query)"


@pytest.mark.parametrize("path", ["people.csv", "-", "a:b.csv", "c:/people.csv", Path("x.parquet"), 3, None])
def test_anything_else_is_no_address(path: object) -> None:
    assert parse(path) is None


@pytest.mark.parametrize(
    "address",
    ["sqlite://people.db?table=p", "sqlite:///?table=p", "sqlite:///p.db", "sqlite:///p.db?table=", "sqlite:///p.db?table=a&query=b",
     "sqlite:///p.db?tabel=a", "sqlite:///p.db?table=a#b", "postgresql://ada@host/db?table=people", "http://host/p.csv"],
)  # fmt: skip
def test_an_address_that_says_nothing_or_two_things_is_refused(address: str) -> None:
    with pytest.raises(DataError, match=r"sqlite:///FILE\.db"):
        parse(address)


@pytest.mark.parametrize("scheme", ["postgresql", "sqlite"])
def test_a_password_is_refused_and_not_repeated(scheme: str) -> None:
    with pytest.raises(DataError, match="password in the address") as caught:
        parse(f"{scheme}://ada:s3cret@host/db?table=people")
    assert "s3cret" not in str(caught.value)
