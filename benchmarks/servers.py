"""From table to table of PostgreSQL, SQLite and DuckDB, and on a Spark cluster of two workers of which one loses its executor: elapsed seconds of each step besides the search.

python -m benchmarks servers              a million rows of enlarged Adult, k = 5, by mondrian: the search is not what is measured
SHOAL_ROWS=10000000 python -m benchmarks servers
SHOAL_SERVERS=postgres,sqlite python -m benchmarks servers     only these; there are postgres, sqlite, duckdb and spark
"""

from __future__ import annotations

import hashlib
import io
import os
import resource
import signal
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl
from tests.clusters import cluster, session
from tests.engines.stations import STATIONS
from tests.servers import running

import shoal
from benchmarks import adult
from shoal.engines.spark_places import Folder
from shoal.io.sql.names import quoted
from shoal.io.targets.postgres import fill

N_ROWS = 1_000_000
ASKED = {
    "k": 5,
    "quasi_identifiers": adult.QUASI_IDENTIFIERS,
    "hierarchies": str(adult.HIERARCHIES),
    "keep": [adult.SENSITIVE],
    "algorithm": "mondrian",
    "measure": "entropy",
}
SEARCH = ("solve", "bound")


def main() -> None:
    if not adult.is_there():
        print("Adult is not beside the repository (../shared/data): nothing to measure.")
        return
    warnings.simplefilter("ignore")
    n_rows = int(os.environ.get("SHOAL_ROWS", N_ROWS))
    table = pl.read_csv(adult.path(n_rows), separator=";", infer_schema=False)
    print(f"{n_rows:,} rows of {table.width} columns, k = 5, elapsed seconds")
    wanted = os.environ.get("SHOAL_SERVERS", ",".join(MEASURED)).split(",")
    for name in wanted:
        for line in MEASURED[name](table):
            print(f"{name:9} {line}", flush=True)


def told(made: Any, seconds: float) -> str:
    steps = {step: each for step, each in made.record["seconds"].items() if step not in SEARCH}
    search = sum(made.record["seconds"][step] for step in SEARCH if step in made.record["seconds"])
    parts = ", ".join(f"{step} {each:.1f}" for step, each in steps.items())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    return f"{seconds - search:.1f} s besides the search ({parts}); search {search:.1f} s; peak of this process {peak:.2f} GiB; smallest group {made.record['smallest_group']}"


def postgres(table: pl.DataFrame) -> Iterator[str]:
    server = running()
    with server.connect() as connection:
        connection.execute(f"CREATE TABLE adult ({', '.join(f'{quoted(name)} text' for name in table.columns)})".encode())
        fill(connection, "adult", table.columns, table.iter_slices(1 << 16))
    for engine in ("postgres", "memory"):
        start = time.perf_counter()
        made = shoal.publish(server.address("adult"), server.address(f"release_{engine}"), engine=engine, **ASKED)
        yield f"engine {engine}: {told(made, time.perf_counter() - start)}"
    (same,) = server.do("SELECT count(*) FROM (SELECT * FROM release_postgres EXCEPT ALL SELECT * FROM release_memory) AS other")
    yield f"rows in which the two releases differ: {same[0]}"


def in_file(engine: str, table: pl.DataFrame) -> Iterator[str]:
    """SQLite and DuckDB, file to file."""
    with tempfile.TemporaryDirectory() as name:
        data, output = STATIONS[engine].put(table, Path(name))
        start = time.perf_counter()
        made = shoal.publish(data, output, engine=engine, **ASKED)
        yield told(made, time.perf_counter() - start)


def spark(table: pl.DataFrame) -> Iterator[str]:
    session()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        table.write_parquet(folder / "adult.parquet")
        start = time.perf_counter()
        made = shoal.publish(str(folder / "adult.parquet"), str(folder / "files.parquet"), engine="files", **ASKED)
        alone = time.perf_counter() - start
        yield f"the engine files, for comparison: {told(made, alone)}"
        wanted = pl.read_parquet(folder / "files.parquet").sort(pl.all())
        for kills in (False, True):
            killed: list[int] = []
            start = time.perf_counter()
            made = _run(folder, f"release{kills}", killed if kills else None)
            seconds = time.perf_counter() - start
            found = pl.read_parquet(folder / f"release{kills}" / "*.parquet").sort(pl.all())
            same = "equal to files, sorted" if _bytes(found) == _bytes(wanted) else "NOT the release of files"
            who = "an executor killed" if killed else "NOBODY WAS KILLED" if kills else "nobody killed"
            yield f"{who}: {told(made, seconds)}; {seconds / alone:.1f} times as long as files; {same}"


def _bytes(frame: pl.DataFrame) -> bytes:
    """Sorted rows as the bytes of a CSV, hashed."""
    frame.write_csv(stream := io.BytesIO())
    return hashlib.sha256(stream.getbuffer()).digest()


def _run(folder: Path, output: str, killed: list[int] | None) -> Any:
    true, done = Folder.write, threading.Event()

    def kill(part: str) -> None:
        while killed is not None and not killed and not done.is_set():
            if any(Path(part).rglob("*.parquet")):
                killed.extend(cluster().executors()[:1])
                for number in killed:
                    os.kill(number, signal.SIGKILL)
            time.sleep(0.01)

    def write(self: Folder, rows: Any) -> Any:
        threading.Thread(target=kill, args=(self.part,)).start()
        try:
            return true(self, rows)
        finally:
            done.set()

    Folder.write = write  # type: ignore[method-assign]
    try:
        return shoal.publish(str(folder / "adult.parquet"), str(folder / output), engine="spark", **ASKED)
    finally:
        Folder.write = true  # type: ignore[method-assign]


MEASURED: dict[str, Callable[[pl.DataFrame], Iterator[str]]] = {
    "postgres": postgres,
    "sqlite": partial(in_file, "sqlite"),
    "duckdb": partial(in_file, "duckdb"),
    "spark": spark,
}


if __name__ == "__main__":
    main()
