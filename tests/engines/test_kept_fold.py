"""A run that was interrupted takes up what it had counted, if the input is still the same."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import polars as pl
import pytest

import shoal
from shoal.engines.counter import Counter
from shoal.engines.passing import Passing
from shoal.errors import WriteError

ASKED = {"k": 3, "quasi_identifiers": ["age"], "keep": ["x"]}


@pytest.fixture
def people(tmp_path: Path) -> Path:
    pl.DataFrame({"age": [str(20 + i % 7) for i in range(60)], "x": ["a", "NA"] * 30}).write_csv(tmp_path / "p.csv")
    return tmp_path / "p.csv"


@pytest.fixture
def interrupted(people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that a run left which was stopped while it wrote."""
    with monkeypatch.context() as patch:
        patch.setattr(Passing, "apply", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt()))
        with pytest.raises(KeyboardInterrupt):
            shoal.publish(people, tmp_path / "r.csv", engine="files", work=tmp_path / "work", **ASKED)
    return tmp_path / "work"


@pytest.fixture
def n_folds(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How often rows were counted."""
    true, told = Counter.fold, []
    monkeypatch.setattr(Counter, "fold", lambda self, *a: (told.append(1), true(self, *a))[1])
    return told


def test_it_is_private(interrupted: Path) -> None:
    assert stat.S_IMODE(interrupted.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in interrupted.iterdir()} == {0o600}
    assert len(list(interrupted.iterdir())) == 2


def test_the_rows_are_counted_once_and_the_release_is_the_same(people: Path, interrupted: Path, n_folds: list[int], tmp_path: Path) -> None:
    shoal.publish(people, tmp_path / "r.csv", engine="files", work=interrupted, **ASKED)
    assert len(n_folds) == 1  # the recount
    shoal.publish(people, tmp_path / "other.csv", engine="files", **ASKED)
    assert (tmp_path / "r.csv").read_bytes() == (tmp_path / "other.csv").read_bytes()
    assert list(interrupted.iterdir()) == []  # it holds data, and is not needed any more


@pytest.mark.parametrize("change", ["input", "columns", "marks", "damaged", "doctored"])
def test_what_is_of_another_input_is_not_taken(change: str, people: Path, interrupted: Path, n_folds: list[int], tmp_path: Path) -> None:
    asked = dict(ASKED)
    if change == "input":
        people.write_bytes(people.read_bytes().replace(b"20,a", b"26,a", 1))
        os.utime(people, ns=(0, 0))
    elif change == "columns":
        asked = {"k": 3, "quasi_identifiers": ["age", "x"]}
    elif change == "marks":
        asked = {**ASKED, "missing_values": ["20"]}
    elif change == "damaged":
        (interrupted / "folded.parquet").write_bytes(b"PAR1")
    else:
        pl.read_parquet(interrupted / "folded.parquet")[1:].write_parquet(interrupted / "folded.parquet")
    shoal.publish(people, tmp_path / "r.csv", engine="files", work=interrupted, **asked)
    assert len(n_folds) == 2


def test_counts_that_somebody_changed_with_care_do_not_pass_the_recount(people: Path, interrupted: Path, tmp_path: Path) -> None:
    """Even with its hash made anew: the release is held to the input itself."""
    import hashlib
    import json

    kept = interrupted / "folded.parquet"
    pl.read_parquet(kept)[1:].write_parquet(kept)
    about = json.loads((interrupted / "folded.json").read_text())
    (interrupted / "folded.json").write_text(json.dumps({**about, "sha256": hashlib.sha256(kept.read_bytes()).hexdigest()}))
    with pytest.raises(shoal.DataError, match="changed"):
        shoal.publish(people, tmp_path / "r.csv", engine="files", work=interrupted, **ASKED)
    assert not (tmp_path / "r.csv").exists()


def test_a_folder_that_others_can_read_is_refused(people: Path, tmp_path: Path) -> None:
    (tmp_path / "open").mkdir(mode=0o755)
    with pytest.raises(WriteError, match="chmod 700"):
        shoal.publish(people, tmp_path / "r.csv", engine="files", work=tmp_path / "open", **ASKED)
