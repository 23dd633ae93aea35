"""The way out for a release: only what was verified, in the order that was asked for, with the hash of the very bytes."""

import hashlib

import polars as pl
import pytest

import shoal
from shoal.errors import NotAnonymous
from shoal.io.releases import csv_sha256, release_sha256, write_release

TABLE = pl.DataFrame({"age": ["30", "10", "10", "30"], "ill": ["b", "a", "c", "d"]})


@pytest.fixture
def release():
    return shoal.anonymize(TABLE, k=2, quasi_identifiers=["age"], sensitive=["ill"])


@pytest.mark.parametrize("what", [TABLE, None, "release.csv"])
def test_only_a_release_is_written(tmp_path, what):
    with pytest.raises(NotAnonymous, match="Only a verified Release"):
        write_release(what, tmp_path / "r.csv")
    assert list(tmp_path.iterdir()) == []


def test_the_hash_is_that_of_the_file(tmp_path, release):
    told = write_release(release, tmp_path / "r.csv")
    assert told == hashlib.sha256((tmp_path / "r.csv").read_bytes()).hexdigest() == release_sha256(release)


def test_rows_keep_their_order_or_are_sorted_as_asked(tmp_path, release):
    write_release(release, tmp_path / "sorted.csv", keep_order=False)
    write_release(release, tmp_path / "kept.csv")
    assert (tmp_path / "sorted.csv").read_text() == "age,ill\n10,a\n10,c\n30,b\n30,d\n"
    assert (tmp_path / "kept.csv").read_text() == "age,ill\n30,b\n10,a\n10,c\n30,d\n"


def test_the_delimiter_of_the_original_is_kept(tmp_path):
    (tmp_path / "t.csv").write_text("age;ill\n10;a\n10;b\n")
    release = shoal.anonymize(tmp_path / "t.csv", k=2, quasi_identifiers=["age"], sensitive=["ill"])
    write_release(release, tmp_path / "r.csv")
    assert (tmp_path / "r.csv").read_text() == "age;ill\n10;a\n10;b\n"
    write_release(release, tmp_path / "c.csv", delimiter=",")
    assert (tmp_path / "c.csv").read_text() == "age,ill\n10,a\n10,b\n"


def test_a_table_without_a_form_as_text_has_a_hash_too():
    one, two = (csv_sha256(pl.DataFrame({"a": [[1, n]]})) for n in (2, 3))
    assert one != two
    assert one == csv_sha256(pl.DataFrame({"a": [[1, 2]]}))
