"""Naming the rooms loads none of the heavy libraries."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

HEAVY = ("polars", "pyarrow", "pandas")


def loaded(code: str) -> set[str]:
    """The heavy libraries that a fresh interpreter has loaded after some code."""
    report = f"import sys; print(*(name for name in {HEAVY} if name in sys.modules))"
    return set(subprocess.run([sys.executable, "-c", f"{code}\n{report}"], capture_output=True, check=True, text=True).stdout.split())


@pytest.mark.parametrize(
    "code", ["import shoal.io, shoal.disk.atomic", "from shoal.table import ROLES", "import shoal.demo; shoal.demo.files()"]
)
def test_rooms_load_on_use(code):
    assert loaded(code) == set()


def test_polars_tables_need_neither_pandas_nor_pyarrow():
    assert loaded("import polars as pl; from shoal.io import read; read(pl.DataFrame({'a': ['x']})).coded('a')") == {"polars"}


def test_pandas_is_not_loaded_for_files(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,2\n")
    assert "pandas" not in loaded(
        f"from shoal.io import read; from tests.io.verified import write; write(read({str(path)!r}).frame, {str(tmp_path / 'o.parquet')!r})"
    )


def test_functions_stay_functions_after_their_modules_are_imported():
    code = "import shoal.io.places, shoal.io.writing, shoal.io.targets.frames; from shoal.io import read, write, to_kind; assert callable(read)"
    assert "polars" in loaded(code)


def test_a_name_that_is_not_there_raises():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = importlib.import_module("shoal.io").nothing
