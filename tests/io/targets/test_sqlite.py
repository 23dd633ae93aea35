"""Tables of SQLite, written where nobody sees them."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from shoal.errors import NotAnonymous, WriteError
from shoal.io import read
from shoal.io.addresses import Uri
from shoal.io.target import told_of
from shoal.io.targets.sqlite import SqliteTarget
from tests.io.sources.test_sqlite import make

MARK = "Zebulon-7731"
FRAME = pl.DataFrame(
    {"age": ["30-39"] * 5, "n": [5, 4, 3, None, 1], "f": [0.1, None, -2.5, 1e300, 3.0], "t": ["", None, 'q"', "é\n", MARK]}
)


def test_what_was_written_comes_back_and_appears_only_when_it_is_published(tmp_path: Path) -> None:
    to = SqliteTarget(Uri(str(tmp_path / "out.db"), "the release"))
    to.write(iter([FRAME[:2], FRAME[2:]]), ["age"])
    assert not (tmp_path / "out.db").exists()
    assert pl.concat(to.rows()).equals(FRAME)
    to.publish(told_of(to.rows()))
    to.close()
    assert read(f"sqlite:///{tmp_path}/out.db?table=the%20release").frame.equals(FRAME)


def test_a_file_with_other_tables_gets_the_table_in_one_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path / "out.db", [(MARK + "old",)], "x", "release")
    make(tmp_path / "out.db", [(1,)], "y", "other")
    uri = Uri(str(tmp_path / "out.db"), "release")
    for force in (False, True):
        to = SqliteTarget(uri, force=force)
        to.write(iter([FRAME]), ["age"])
        if force:
            with pytest.raises(NotAnonymous, match="other rows"):
                to.publish("0")
            to.publish(told_of(to.rows()))
        else:
            with pytest.raises(WriteError, match="exists already"):
                to.publish(told_of(to.rows()))
        to.close()
    assert read(f"sqlite:///{tmp_path}/out.db?table=release").frame.equals(FRAME)
    assert read(f"sqlite:///{tmp_path}/out.db?table=other").n_rows == 1
    assert (MARK + "old").encode() not in (tmp_path / "out.db").read_bytes(), "what was replaced is overwritten"


def test_whole_numbers_that_sqlite_has_not_are_texts(tmp_path: Path) -> None:
    big = pl.DataFrame({"n": pl.Series([2**64 - 1, 1], dtype=pl.UInt64)})
    with SqliteTarget(Uri(str(tmp_path / "out.db"), "release")) as to:
        to.write(iter([big]))
        assert told_of(to.rows()) == told_of([big])
