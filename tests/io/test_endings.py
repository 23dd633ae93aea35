"""What a file's name says of its form."""

import pytest

from shoal.errors import DataError
from shoal.io.endings import Form, form_of


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("people.csv", Form("csv")),
        ("PEOPLE.CSV", Form("csv")),
        ("people.txt", Form("csv")),
        ("-", Form("csv")),
        ("people.csv.gz", Form("csv", compressed=True)),
        ("people.tsv", Form("csv", delimiter="\t")),
        ("people.tsv.gz", Form("csv", compressed=True, delimiter="\t")),
        ("people.parquet", Form("parquet")),
        ("people.pq", Form("parquet")),
        ("/dev/null", Form("csv")),
    ],
)
def test_the_ending_decides(name, form):
    assert form_of(name) == form


@pytest.mark.parametrize("name", ["people", "people.docx", "people.parquet.gz", "csv", "people.csv.zip"])
def test_another_ending_is_refused_and_those_there_are_are_named(name):
    with pytest.raises(DataError, match=r"shoal does not know\. It reads and writes \.csv, .* and reads Excel"):
        form_of(name)
