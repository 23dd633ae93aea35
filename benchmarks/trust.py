"""Whether "verified" means verified: random tables recounted a second way, published figures beside an exhaustive optimum, recorded releases of other
tools, doctored releases, forged proofs, reconstruction, stale files, and what checking and writing cost.

``python -m benchmarks trust`` prints a short run of each. The counts of a long one are given by name:
``python -m benchmarks.trust --tables 300000 --figures 2000 --releases 100000 --proofs 100000 --groups 200 --steps 10000 --tab-steps 300 --rows 1000000 --proved 30162``.
``--only NAME`` takes one of them, and may be repeated. Every line names the seed that repeats it; where a line says with which seed to go on,
counts of several runs may be added up.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import before
from benchmarks.workers import portions

if TYPE_CHECKING:
    from tests.attacks.forging import Tally

SHORT = {
    "tables": 2000, "figures": 100, "releases": 1000, "proofs": 1000, "groups": 20, "steps": 300, "tab_steps": 30, "rows": 100_000, "proved": 3000,
}  # fmt: skip


def main() -> None:
    """A short run of everything."""
    run(argparse.Namespace(**SHORT, seed=0, only=[]))


def run(asked: argparse.Namespace) -> None:
    for name in asked.only or MEASUREMENTS:
        start = time.perf_counter()
        print(f"{name}: {MEASUREMENTS[name](asked)}  [{time.perf_counter() - start:.0f} s]", flush=True)


def random_tables(asked: argparse.Namespace) -> str:
    """Random tables and policies, each release recounted by the naive second way."""
    from tests.fuzz.__main__ import sweep

    tally, n_defects = sweep(asked.seed, asked.tables, say=None)
    return (
        f"{tally.total():,} tables from seed {asked.seed}, {tally['released']:,} released, {n_defects} wrong or unexpected; "
        f"go on with --seed {asked.seed + asked.tables}"
    )


def figures_of(seed: int) -> tuple[int, list[str]]:
    """One table by every algorithm, all rows kept, with deletion and with a budget: how many releases, and what is wrong with their figures."""
    from collections import Counter

    from tests.published import faults

    tally: Counter[str] = Counter()
    found = faults(seed, tally=tally)
    return tally.total(), found


def published_figures(asked: argparse.Namespace) -> str:
    """Loss, bound, ratio, factor and "optimal" of small tables, held to an exhaustive optimum of the same problem."""
    releases, wrong, tables = 0, [], 0
    for more, found in portions(figures_of, asked.seed):
        releases, tables, wrong = releases + more, tables + 1, wrong + found
        if tables >= asked.figures:
            break
    told = "".join(f"\n  {one}" for one in wrong)
    return f"{releases:,} releases of {tables:,} tables, {len(wrong)} false figures; go on with --seed {asked.seed + tables}{told}"


def recorded_releases(asked: argparse.Namespace) -> str:
    """Releases of other tools: verdict, smallest class and losses as the index tells."""
    from benchmarks import peers

    found = peers.recorded()
    wrong = {one.name: differences for one in found if (differences := peers.differences(one))}
    told = "".join(f"\n  {name}: {'; '.join(differences)}" for name, differences in wrong.items())
    where = "vectors/ and ../shared/peers" if peers.MORE.exists() else "vectors/ (../shared/peers is not there)"
    return f"{len(found) - len(wrong)} of {len(found)} of {where} get verdict, smallest class, entropy and LM as their index says{told}"


# ---- attackers, in processes of their own ----

DOCTORED_EACH = 50
"""Broken releases made of one table."""


def doctor(seed: int) -> tuple[int, int, list[str]]:
    """One table's releases that break something: how many were made in all, how many break something, which of these were accepted."""
    import numpy as np
    from tests.attacks.doctoring import case, is_accepted, mutations

    rng = np.random.default_rng([seed, 2])
    original, release = case(rng)
    made = broken = 0
    accepted = []
    for doctored in mutations(rng, original, release):
        made += 1
        if doctored.breaks:
            broken += 1
            if is_accepted(original, release, doctored.frame):
                accepted.append(f"seed {seed}: {doctored.name} breaks {', '.join(doctored.breaks)}")
        if broken == DOCTORED_EACH:
            break
    return made, broken, accepted


def doctored_releases(asked: argparse.Namespace) -> str:
    """Mutated releases that break k, truth, a criterion or a shared column."""
    made = broken = tables = 0
    accepted: list[str] = []
    for more in portions(doctor, asked.seed):
        made, broken, tables = made + more[0], broken + more[1], tables + 1
        accepted += more[2]
        if broken >= asked.releases:
            break
    told = "".join(f"\n  {one}" for one in accepted)
    return f"{made:,} of {tables:,} tables, {broken:,} break something, {len(accepted)} of these accepted; go on with --seed {asked.seed + tables}{told}"


def forge(seed: int) -> Tally:
    """A portion of forged proofs."""
    from tests.attacks.forging import attack

    return attack(500, seed)


def forged_proofs(asked: argparse.Namespace) -> str:
    """Forged proofs of small tables whose optimum is known by exhaustion, until so many claimed more than it."""
    from tests.attacks.forging import Tally

    found, used = Tally(), 0
    for more in portions(forge, asked.seed):
        used += 1
        for field in fields(Tally):
            if field.name != "kinds":
                setattr(found, field.name, getattr(found, field.name) + getattr(more, field.name))
        if found.claiming_more >= asked.proofs:
            break
    return (
        f"{found.forged:,} files for {found.tables:,} tables, {found.claiming_more:,} claim more than the optimum, {found.wrong} of these accepted; "
        f"{found.honest:,} of {found.tables:,} honest proofs accepted; go on with --seed {asked.seed + used}"
    )


GROUPS_EACH = 5


def reconstruct(seed: int) -> tuple[int, int]:
    from tests.attacks.reconstruction import run as attack

    return attack(GROUPS_EACH, seed)


def reconstruction(asked: argparse.Namespace) -> str:
    """All assignments of the hidden values of small groups, held against everything that is published."""
    alone = published = groups = used = 0
    for more in portions(reconstruct, asked.seed):
        alone, published, groups, used = alone + more[0], published + more[1], groups + GROUPS_EACH, used + 1
        if groups >= asked.groups:
            break
    return (
        f"{groups} groups: {alone:,} assignments fit the releases alone, {published:,} fit everything published; "
        f"go on with --seed {asked.seed + used}"
    )


# ---- the studio ----


def stale_files(asked: argparse.Namespace) -> str:
    """Random steps of several tabs before one studio; every file is held against the table and run that it was asked of."""
    from tests.attacks.stale import over_http

    with tempfile.TemporaryDirectory() as folder:
        done = over_http(asked.steps, asked.seed, Path(folder))
    return f"{asked.steps:,} steps over HTTP from seed {asked.seed}, every file the right one: {dict(done)}"


def browser_tabs(asked: argparse.Namespace) -> str:
    """The same in the tabs of a real browser."""
    from tests.attacks.stale_tabs import in_browser
    from tests.conftest import find_browser

    if find_browser() is None:
        return "not measured: no Chromium is installed ('make browser' looks for one and installs it)"
    with tempfile.TemporaryDirectory() as folder:
        done = in_browser(asked.tab_steps, asked.seed, Path(folder))
    return f"{asked.tab_steps:,} steps in browser tabs from seed {asked.seed}, every file the right one: {dict(done)}"


# ---- what checking and writing cost ----


def checking(asked: argparse.Namespace) -> str:
    """CPU seconds of finding and of checking a proof, for each measure and for clusterings."""
    from benchmarks.checking import clusterings, free_proofs, proofs

    lines, slower = [], 0
    for name, found, checked in [*proofs(asked.proved), *free_proofs(asked.proved), *clusterings(min(asked.proved, 2000))]:
        slower += checked > found
        lines.append(f"\n  {name:32} found {found:7.2f} s, checked {checked:7.2f} s{'  SLOWER THAN FINDING' if checked > found else ''}")
    return f"{len(lines) - slower} of {len(lines)} proofs are checked no slower than found, Adult's first {asked.proved:,} rows, k = 5{''.join(lines)}\n "


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
        return "not measured: 0.1.0 is not in this copy's history, and there is nothing to compare with"
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
    "random-tables": random_tables,
    "published-figures": published_figures,
    "recorded-releases": recorded_releases,
    "doctored-releases": doctored_releases,
    "forged-proofs": forged_proofs,
    "reconstruction": reconstruction,
    "stale-files": stale_files,
    "browser-tabs": browser_tabs,
    "checking": checking,
    "verify-and-write": verify_and_write,
}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for key, count in SHORT.items():
        parser.add_argument(f"--{key.replace('_', '-')}", type=int, default=count)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", action="append", choices=MEASUREMENTS, default=[])
    run(parser.parse_args())
