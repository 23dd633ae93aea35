"""What a column gets when nobody says anything."""

from __future__ import annotations

import polars as pl
import pytest

import shoal
from shoal.hierarchies import default_spec


@pytest.mark.parametrize(
    ("column", "values", "description"),
    [
        ("age", [str(i) for i in range(17, 91)], "intervals of 5, 10, 20"),
        ("income", ["100", "2500", "90000"], "intervals of 5000, 10000, 20000, 40000"),
        ("height", ["1.52", "1.7", "1.99"], "intervals of 0.05, 0.1, 0.2"),
        (
            "admitted",
            ["2024-01-01", "2024-02-03", "2024-02-04", "2024-05-01", "2025-05-01"],
            "dates by month, quarter, year",
        ),
        (
            "seen",
            ["2024-01-01 10:00", "2024-01-01 10:30", "2024-02-03 11:30", "2024-02-03 14:30", "2024-02-04 14:30"],
            "dates by hour, day, week",
        ),
        ("born", ["03/04/1990", "05/06/1991", "01/02/1991"], "dates by year"),
        ("zip", ["81241", "81243", "90001"], "prefixes of 4"),
        ("postcode", ["8124", "8131"], "prefixes of 2"),
        ("place", ["01067", "01069", "99999"], "prefixes of 4"),
        ("icd", ["C50.1", "C50.2", "I10.0"], "prefixes of 4"),
        ("post code", ["SW1A 1AA", "SW1A 2AA", "N1 9GU"], "3 levels over 3 values"),
        ("post code", ["K1A 0B1", "K1A 0B2", "M5V 3L9"], "prefixes of 6"),
        ("job", ["nurse", "clerk", "nurse 2"], "suppression"),
        ("education", ["11th", "12th", "Bachelors"], "suppression"),
        ("code", ["1-2", "blue", "3"], "suppression"),
        ("nothing", [], "suppression"),
        ("huge", ["1", "1e300"], "suppression"),
        ("wage", [str(10 + 3 * i) for i in range(40)] + ["40000", "90000"], "a grid of 1, 2, 5 times powers of ten"),
        ("precinct", ["1", "2", "3", "4", "5"], "suppression"),
        ("smokes", ["0", "1"], "suppression"),
        ("age group", ["18-24", "25-34", "35-64", "65+", "<18"], "neighbours among 5 ordered values"),
        ("amount", ["$1,200", "$3", "$45,000.50"], "intervals of 5000, 10000, 20000"),
        ("price", ["1,5", "12,25", "7,5"], "intervals of 0.5, 1, 2, 4"),
        ("unclear", ["1,234", "5,678"], "suppression"),
        ("lat", ["51.51", "51.62", "51.53"], "intervals of 0.01"),
        ("called at", ["07:05", "07:45", "19:30"], "times by hour, quarter and half of the day"),
    ],
)
def test_a_column_gets_the_hierarchy_of_its_kind(column: str, values: list[str], description: str) -> None:
    assert default_spec(column, sorted(values)).description == description


@pytest.mark.parametrize("base", [2**53, 2**60, 2**62, 2**63 - 100, 10**18])
@pytest.mark.parametrize("spread", [1, 10, 10**6])
def test_whole_numbers_of_any_size_have_a_hierarchy(base: int, spread: int):
    """Numbers near 2^62 got "intervals of 5000000 are too narrow for numbers as large as these" instead of one."""
    values = sorted({str(base - (i * i * spread) % 97_000) for i in range(40)})
    table = shoal.anonymize(pl.DataFrame({"id": values * 2}), k=4, quasi_identifiers=["id"])
    assert table.manifest["n_rows"] == len(values) * 2
