"""A hierarchy in a file: the same tree as its rows, and errors that say the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from shoal.errors import HierarchyError, PolicyError
from shoal.hierarchies import from_file, levels
from shoal.hierarchies.builders.file import File
from shoal.hierarchies.encode import ValuesError, encode
from tests.hierarchies.builders.test_levels import JOBS


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "job.csv").write_text("".join(";".join(row) + "\n" for row in JOBS))
    return tmp_path / "job.csv"


def test_a_file_is_the_tree_of_its_rows(path: Path) -> None:
    one, other = (encode("job", ["clerk", "nurse"], False, spec) for spec in (from_file(path), levels(JOBS)))
    assert one.tree.labels == other.tree.labels
    assert (one.tree.parent == other.tree.parent).all()
    assert one.description == "from job.csv"


def test_a_policy_repeats_it_from_any_folder(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(path.parent)
    written = from_file("job.csv").to_toml()
    assert Path(written).is_absolute()
    assert File.from_toml(written).path == path.resolve()
    with pytest.raises(PolicyError, match="the path of a hierarchy file"):
        File.from_toml(["job.csv"])


def test_an_error_names_the_file(path: Path) -> None:
    path.write_text("nurse;health;*\nclerk;*\n")
    with pytest.raises(HierarchyError, match=r"job\.csv"):
        encode("job", ["nurse"], False, from_file(path))
    with pytest.raises(HierarchyError, match=r"none\.csv"):
        encode("job", ["nurse"], False, from_file(path.with_name("none.csv")))


def test_a_value_that_the_file_lacks_is_not_shown(path: Path) -> None:
    with pytest.raises(ValuesError) as told:
        encode("job", ["SECRET"], False, from_file(path))
    assert "SECRET" not in str(told.value)
