"""Whether "verified" means verified: random tables recounted a second way, doctored releases, forged proofs, reconstruction, stale files.

``python -m benchmarks trust`` prints a short run of each. The counts of a long one are given by name:
``python -m benchmarks.trust --tables 300000 --releases 100000 --proofs 100000 --groups 200 --steps 10000 --rows 1000000``.
Every line ends with the seed or the count that repeats it.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from pathlib import Path

from benchmarks import before

SHORT = {"tables": 2000, "releases": 1000, "proofs": 1000, "groups": 20, "steps": 300, "rows": 100_000}


def main() -> None:
    """A short run of everything."""
    run(argparse.Namespace(**SHORT, seed=0))


def run(asked: argparse.Namespace) -> None:
    for name, measure in MEASUREMENTS.items():
        start = time.perf_counter()
        print(f"{name}: {measure(asked)}  [{time.perf_counter() - start:.0f} s]", flush=True)


def random_tables(asked: argparse.Namespace) -> str:
    """Random tables and policies, each release recounted by the naive second way."""
    from tests.fuzz.__main__ import sweep

    tally, n_defects = sweep(asked.seed, asked.tables, say=None)
    return f"{tally.total():,} tables from seed {asked.seed}, {tally['released']:,} released, {n_defects} wrong or unexpected"


def forged_proofs(asked: argparse.Namespace) -> str:
    """Forged proofs of small tables whose optimum is known by exhaustion."""
    from tests.attacks.forging import attack

    found = attack(asked.proofs, asked.seed)
    return (
        f"{found.forged:,} files for {found.tables:,} tables, {found.claiming_more:,} claim more than the optimum, {found.wrong} of these accepted; "
        f"{found.honest:,} of {found.tables:,} honest proofs accepted"
    )


def reconstruction(asked: argparse.Namespace) -> str:
    """All assignments of the hidden values of small groups, held against everything that is published."""
    from tests.attacks.reconstruction import run as attack

    alone, published = attack(asked.groups, asked.seed)
    return f"{asked.groups} groups: {alone:,} assignments fit the releases alone, {published:,} fit everything published"


def stale_files(asked: argparse.Namespace) -> str:
    """Random steps of several tabs before one studio; every file is held against the table and run that it was asked of."""
    from tests.attacks.stale import over_http

    with tempfile.TemporaryDirectory() as folder:
        done = over_http(asked.steps, asked.seed, Path(folder))
    return f"{asked.steps:,} steps over HTTP, every file the right one: {dict(done)}"


# ---- verify and write, beside 0.1.0 ----

TIMED = """
import json, sys, time
import shoal
source, folder, old = sys.argv[1], sys.argv[2], sys.argv[3] == "old"
names = json.loads(sys.argv[4])
release = shoal.anonymize(source, k=5, quasi_identifiers=names, algorithm="mondrian")
verify = (release.manifest if old else release.record)["seconds"]["verify"]
start = time.perf_counter()
release.write(folder + "/release.csv", **({} if old else {"force": True}))
print(json.dumps({"verify": verify, "write": time.perf_counter() - start}))
"""


def verify_and_write(asked: argparse.Namespace) -> str:
    """Seconds of verifying and writing a release of so many rows with 8 quasi-identifiers, this version and 0.1.0 in turn."""
    from benchmarks.tables import SIZES, make

    if before.install() is None:
        return "0.1.0 is not in this copy's history: nothing to compare with"
    spent: dict[str, list[float]] = {"old": [], "new": []}
    with tempfile.TemporaryDirectory() as folder:
        make(Path(folder), asked.rows)
        for _ in range(3):
            for which, found in spent.items():
                said = before.run(TIMED, f"{folder}/t.parquet", folder, which, json.dumps(list(SIZES)), old=which == "old")
                found.append(sum(json.loads(said).values()))
    old, new = (statistics.median(spent[which]) for which in ("old", "new"))
    return f"{asked.rows:,} × {len(SIZES)}: 0.1.0 {old:.2f} s, now {new:.2f} s, {new / old:.2f} ×"


MEASUREMENTS = {
    "random tables": random_tables,
    "forged proofs": forged_proofs,
    "reconstruction": reconstruction,
    "stale files": stale_files,
    "verify and write": verify_and_write,
}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    for key, count in SHORT.items():
        parser.add_argument(f"--{key}", type=int, default=count)
    parser.add_argument("--seed", type=int, default=0)
    run(parser.parse_args())
