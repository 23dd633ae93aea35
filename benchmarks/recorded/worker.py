"""Makes recorded runs with the shoal that the path leads to: ``python -m benchmarks.recorded.worker FOLDER [NAME…]``.

Each run has a folder of its own; ``.said.json`` in it holds what each step said and the status it ended with. One process makes all of them.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import traceback
import warnings
from pathlib import Path
from typing import Any
from urllib.parse import quote

from benchmarks.recorded.run import Run, Step
from benchmarks.recorded.runs import runs


def folder_of(name: str) -> str:
    """A run's folder: its name, and what a path does not hold in percents."""
    return quote(name, safe=" ,='")


def say_frame(frame: Any) -> None:
    """A dataframe of any kind: its type, its columns' types, and every cell."""
    import polars as pl

    print(type(frame).__module__.split(".")[0], type(frame).__name__)
    if hasattr(frame, "dtypes") and hasattr(frame, "index"):
        print(dict(frame.dtypes), list(frame.index)[:5])
    held = pl.from_arrow(frame) if hasattr(frame, "schema") and not isinstance(frame, pl.DataFrame) else frame
    held = pl.from_pandas(held) if hasattr(held, "dtypes") and hasattr(held, "index") else held
    print(held.schema)
    print(*held.rows(), sep="\n")


def say_json(figures: Any) -> None:
    """Figures of a manifest or a record, without seconds."""
    print(json.dumps({k: v for k, v in figures.items() if k != "seconds"}, indent=1, default=str, ensure_ascii=False))


def python(code: str) -> int:
    """Run a piece of Python; errors and warnings are told as a person sees them."""
    import numpy as np
    import pandas as pd
    import polars as pl
    import pyarrow as pa
    import pyarrow.parquet  # the pieces name it

    import shoal
    import shoal.api

    names = {"np": np, "pd": pd, "pl": pl, "pa": pa, "shoal": shoal, "say": print, "say_frame": say_frame, "say_json": say_json}
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always", shoal.ShoalWarning)
        try:
            exec(code, names)
            status = 0
        except (shoal.ShoalError, TypeError) as error:
            print(f"{type(error).__name__}: {error}", file=sys.stderr)
            status = getattr(error, "exit_status", 2)
    for warning in heard:
        if issubclass(warning.category, shoal.ShoalWarning):
            print(f"{warning.category.__name__}: {warning.message}", file=sys.stderr)
    return status


def do(step: Step, stdin: bytes) -> dict[str, Any]:
    """One step with its own standard input and output."""
    from shoal.cli.main import run as command

    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8", newline=""), io.TextIOWrapper(io.BytesIO(), "utf-8", newline="")
    kept, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(stdin), "utf-8")
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                status: int | str = python(step) if isinstance(step, str) else command(list(step))
            except (Exception, SystemExit):
                traceback.print_exc()
                status = "an exception that nobody caught"
    finally:
        sys.stdin = kept
    said = {}
    for name, stream in (("stdout", out), ("stderr", err)):
        stream.flush()
        said[name] = stream.buffer.getvalue().decode("utf-8", "replace")  # type: ignore[attr-defined]
    return {"status": status, **said}


def make(run: Run, at: Path, inputs: Path) -> None:
    """One run, in its folder."""
    at.mkdir()
    (at / "in").symlink_to(inputs)
    for name, text in run.files.items():
        (at / name).write_text(text, encoding="utf-8")
    stdin = (inputs / run.stdin).read_bytes() if run.stdin else b""
    os.chdir(at)
    said = [do(step, stdin) for step in run.steps]
    (at / ".said.json").write_text(json.dumps(said, ensure_ascii=False), encoding="utf-8")


def main(folder: Path, names: list[str]) -> None:
    os.environ["COLUMNS"] = "100"
    for run in runs():
        if not names or run.name in names:
            make(run, folder / "runs" / folder_of(run.name), folder / "in")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), sys.argv[2:])
