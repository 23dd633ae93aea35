"""One random case from end to end: anonymize, recount naively, verify with the same flags, and look at every message."""

from __future__ import annotations

import io
import tempfile
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

import shoal
from shoal.io.text.records import render
from tests.fuzz.cases import MARK, Case, make
from tests.naive import recount
from tests.naive.recount import Cell

EXPECTED = (shoal.Infeasible, shoal.Refused, shoal.PolicyError, shoal.DataError, shoal.HierarchyError)
TOLERANCE = 1e-6
SCRATCH = "/dev/shm" if Path("/dev/shm").is_dir() else None


@dataclass
class Outcome:
    """What became of a case."""

    seed: int
    what: str
    """released, or the kind of error that it was refused with."""
    faults: list[str] = field(default_factory=list)
    message: str = ""


def run(seed: int) -> Outcome:
    """Run the case of a seed. Anything in ``faults`` is a defect."""
    case = make(seed)
    with tempfile.TemporaryDirectory(dir=SCRATCH) as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return run_case(case, hand_over(case, Path(folder)))


def run_case(case: Case, data: Any) -> Outcome:
    """Anonymize and recount one table."""
    try:
        release = shoal.anonymize(data, **case.keywords)
    except shoal.ShoalError as error:
        return refused(case, error)
    except Exception as error:
        return Outcome(case.seed, "crash", [f"{type(error).__name__}"], str(error))
    return Outcome(case.seed, "released", released(case, data, release))


def hand_over(case: Case, folder: Path) -> Any:
    """The table in the form of the case: a frame of texts or of typed columns, of one library or another, or a file."""
    frame = pl.DataFrame({name: pl.Series(case.cells[name], dtype=pl.String) for name in case.header})
    if case.form == "typed":
        return frame.select(typed(frame[name]) for name in frame.columns)
    if case.form == "pandas":
        return frame.to_pandas()
    if case.form == "pyarrow":
        return frame.to_arrow()
    if case.form == "parquet":
        frame.write_parquet(path := folder / "table.parquet")
        return path
    if case.form == "csv":
        rows = [case.header, *zip(*(case.cells[name] for name in case.header), strict=True)]
        text = "\n".join(",".join("" if c is None else '"' + c.replace('"', '""') + '"' for c in row) for row in rows)
        (path := folder / "table.csv").write_bytes(f"{text}\n".encode())
        return path
    return frame


def typed(column: pl.Series) -> pl.Series:
    """Numbers as numbers and days as days, where that says the same."""
    for kind in (pl.Int64, pl.Float64, pl.Date):
        made = column.cast(kind, strict=False) if kind is not pl.Date else column.str.to_date("%Y-%m-%d", strict=False)
        texts = [None if v is None else str(v) for v in made.to_list()]
        if texts == column.to_list() and made.null_count() < len(made) and "nan" not in texts:
            return made
    return column


def refused(case: Case, error: shoal.ShoalError) -> Outcome:
    """A refusal must be of an expected kind, must not show a cell, and must be true where the naive way can tell."""
    said = str(error)
    found = []
    if not isinstance(error, EXPECTED):
        found.append(f"unexpected {type(error).__name__}")
    if "did not expect" in said:
        found.append("did not expect")
    if MARK in said:
        found.append("the message shows a cell")
    if isinstance(error, shoal.Infeasible) and case.keywords["algorithm"] == "auto" and is_feasible(case):
        found.append("infeasible, though the whole table as one group keeps every promise")
    return Outcome(case.seed, type(error).__name__, found, said)


def is_feasible(case: Case) -> bool:
    """Whether all rows, all cells starred, are a release."""
    whole = all(recount.CRITERIA[name](case.cells[column], case.cells[column], p) for name, column, p in case.demands)
    people = recount.too_few_people([[]] * case.n_rows, [], case.cells[case.person], case.keywords["k"]) if case.person is not None else []
    return case.n_rows >= case.keywords["k"] and whole and not people


def released(case: Case, data: Any, release: shoal.Release) -> list[str]:
    """What is wrong with a release, from the bytes of its file."""
    header, rows = read_back(release.frame)
    asked = case.asked()
    found = recount.faults(asked, header, rows)
    if found:
        return found
    if sorted(header) != sorted(name for name in case.header if name not in case.dropped):
        found.append("columns were lost or added")
    at = {name: header.index(name) for name in header}
    if case.person is not None:
        shown = [at[c.name] for c in case.quasi_identifiers]
        found += recount.too_few_people(rows, shown, [case.cells[case.person][i] for i in release.rows], case.keywords["k"])
    found += wrong_losses(case, asked, at, rows, release)
    try:
        kept = ("k", "quasi_identifiers", "hierarchies", "sensitive", "keep", "l_diversity", "t_closeness", "person")
        shoal.verify(data, release.frame, **{key: value for key, value in case.keywords.items() if key in kept})
    except shoal.NotCompared as error:
        if case.person is None or len(rows) == case.n_rows or "could not be counted" not in str(error):
            found.append(f"its own verifier could not compare: {error}")
    except shoal.ShoalError as error:
        found.append(f"its own verifier says: {type(error).__name__}: {error}")
    except Exception as error:
        found.append(f"its own verifier crashed: {type(error).__name__}: {error}")
    return found


def read_back(frame: pl.DataFrame) -> tuple[list[str], list[list[Cell]]]:
    """The release as somebody reads it who has only the file."""
    stream = io.BytesIO()
    render(frame).write_csv(stream)
    first, *rows = recount.parse_csv(stream.getvalue().decode())
    return [str(name) for name in first], rows


def wrong_losses(case: Case, asked: recount.Asked, at: dict[str, int], rows: Sequence[Sequence[Cell]], release: shoal.Release) -> list[str]:
    """The losses that the release states, where the naive way has the measure too."""
    source = [int(i) for i in release.rows]
    if case.keywords.get("deletion"):  # a deleted row counts as one of stars
        away = sorted(set(range(case.n_rows)) - set(source))
        rows, source = [*rows, *(["*"] * len(at) for _ in away)], source + away
    naive = recount.losses(asked, at, rows, source)
    name = case.keywords["measure"]
    found = []
    if name in naive and abs(naive[name] - release.loss) > TOLERANCE * max(1.0, abs(naive[name])):
        found.append(f"{name} is {release.loss}, and naively {naive[name]}")
    if release.lower_bound is not None and release.lower_bound > release.loss * (1 + 1e-9) + 1e-9:
        found.append("the bound is above the loss")
    return found
