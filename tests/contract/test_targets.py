"""The laws of a target, for every format: unseen until it is published, read back as it was written, gone if it is not."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from shoal.errors import DataError, NotAnonymous, WriteError
from shoal.io import open_target, read
from shoal.io.target import Target, check_told, told_of
from tests.places import TARGETS

FRAME = pl.DataFrame(
    {
        "age": ["30-39", "30-39", "*", "*", "*", ""],
        "n": [5, None, -3, 2**53, 0, 1],
        "f": [0.5, -2.25, None, 1e300, 0.1, 3.0],
        "t": ["", None, 'q"', "é\n", ";,\t", "\\."],
        "d": pl.Series(["2024-01-31", None, "2023-02-28"] * 2).str.to_date(),
    }
)


@pytest.fixture(params=TARGETS)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return TARGETS[request.param](tmp_path)


def written(place: str, frame: pl.DataFrame = FRAME, force: bool = False) -> Target:
    target = open_target(place, force=force)
    target.check()
    target.write(frame.iter_slices(2), ["age"])
    return target


def is_there(place: str) -> bool:
    try:
        return read(place).n_rows > 0
    except DataError:
        return False


def left_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*"))


def test_what_is_read_back_is_what_was_written_and_nobody_sees_it_before(place: str) -> None:
    with written(place) as target:
        check_told(target.rows(), told_of([FRAME]))
        check_told(target.rows(), told_of([FRAME]))
        assert not is_there(place)
        target.publish(target.sha256() or told_of([FRAME]))
        assert is_there(place)
    target.close()  # twice is nothing
    found = read(place).frame
    assert found.select("age", "t").equals(FRAME.select("age", "t"))
    assert found["f"].cast(pl.Float64).equals(FRAME["f"])


def test_what_is_not_published_is_gone(place: str, tmp_path: Path) -> None:
    with written(place):
        pass
    assert not is_there(place)
    assert left_in(tmp_path) == []


def test_an_error_on_the_way_leaves_nothing(place: str, tmp_path: Path) -> None:
    def rows():  # type: ignore[no-untyped-def]
        yield FRAME
        raise DataError("lost on the way")

    with pytest.raises(DataError, match="lost on the way"), open_target(place) as target:
        target.write(rows(), ["age"])
    assert not is_there(place)
    assert left_in(tmp_path) == []


def test_what_exists_stays_until_another_is_published_with_force(place: str) -> None:
    with written(place) as target:
        target.publish(target.sha256() or told_of([FRAME]))
    other = FRAME[:3]
    with pytest.raises(WriteError, match="exists already"):
        written(place, other)
    with written(place, other, force=True) as target:
        assert read(place).n_rows == FRAME.height
        target.publish(target.sha256() or told_of([other]))
    assert read(place).n_rows == 3


def test_other_rows_than_were_verified_are_not_published(tmp_path: Path) -> None:
    """A file by its bytes, a table that is copied once more by its rows. A transaction that is not ended nobody else can change."""
    for name in ("csv", "gzip", "parquet"):
        with written(TARGETS[name](tmp_path)) as target, pytest.raises(NotAnonymous, match="changed since"):
            target.publish("0" * 64)
        assert left_in(tmp_path) == []
