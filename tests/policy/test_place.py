"""TOML from values, and where a key stands in a file."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.errors import DataError, PolicyError
from shoal.policy.place import Place
from shoal.policy.toml import toml_key, toml_value

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner),
    max_leaves=8,
)
FILE = Place(
    Path("p.toml"),
    """k = 5
columns."zip code".weight = 2

[columns.age]  # a remark
role = "sensitive"

[columns."a.b"]
'odd key' = 1
""",
)


@given(TEXT, VALUES)
def test_what_is_written_is_read_back(key: str, value: object) -> None:
    assert tomllib.loads(f"{toml_key(key)} = {toml_value(value)}") == {key: value}


@pytest.mark.parametrize(
    ("key", "line"),
    [
        (("k",), 1),
        (("columns", "zip code", "weight"), 2),
        (("columns", "age", "role"), 5),
        (("columns", "age", "weight"), 4),
        (("columns", "a.b", "odd key"), 8),
        (("seed",), None),
    ],
)
def test_the_line_of_a_key_or_of_the_table_around_it(key: tuple[str, ...], line: int | None) -> None:
    assert FILE.line_of(key) == line


def test_an_error_names_file_line_and_key() -> None:
    with pytest.raises(PolicyError, match=r"^p\.toml, line 5, key 'columns\.age\.role': no such role\.$"):
        FILE.fail(("columns", "age", "role"), "no such role.")

    def work() -> None:
        raise DataError("the file is not there")

    with pytest.raises(PolicyError, match=r"line 1, key 'k': the file is not there\.$"):
        FILE.within(("k",), work)


def test_values_must_be_of_their_kind_but_a_whole_number_may_stand_for_a_fraction() -> None:
    assert FILE.typed(("k",), 3, float, "a number") == 3.0
    assert FILE.typed(("k",), True, bool, "true or false") is True
    for value, kind in ((True, int), (True, float), ("3", int), (3, str)):
        with pytest.raises(PolicyError, match="this should be"):
            FILE.typed(("k",), value, kind, "another thing")
