"""Refining groups: what a release tells somebody who knows how it was made.

Downcoding (Cohen, USENIX Security 2022) and what came after it. ``docs/disclosure.md`` gives the figures on Adult.

He has:   the release, its hierarchies, and the knowledge that a group shows the closure of its rows: in each column the lowest node that
          holds them all.
          No other table, and nothing published beside the release but the names of its columns.
He wants: to know of a group more than it shows, with certainty.
He does:  a cell that shows a node says that the rows of its group do not all lie in one child of that node.
          Where it has two children, he claims that each of them holds one of the rows.
He gets:  every claim right, for most of the groups; and with k = 2 whole rows. That each group has k rows stays true: it is all that
          is promised.
"""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import polars as pl

import shoal
from shoal import demo

INTERVAL = re.compile(r"\[(\d+), (\d+)\)")


@dataclass(frozen=True)
class Claim:
    """That a group, named by what it shows, has a row whose value in a column is one of some."""

    looks: tuple[str | None, ...]
    column: str
    child: str
    values: frozenset[str]

    def is_true(self, rows: list[dict[str, str | None]]) -> bool:
        return any(row[self.column] in self.values for row in rows)


def halves(label: str | None, finest: int) -> list[tuple[str, frozenset[str]]]:
    """The two children of an interval whose hierarchy doubles widths from ``finest`` on; nothing for the finest."""
    found = INTERVAL.fullmatch(label or "")
    if found is None or int(found[2]) - int(found[1]) <= finest:
        return []
    low, high = int(found[1]), int(found[2])
    middle = (low + high) // 2
    return [(f"[{a}, {b})", frozenset(map(str, range(a, b)))) for a, b in ((low, middle), (middle, high))]


def couples(hierarchy: list[list[str]]) -> dict[str, list[tuple[str, frozenset[str]]]]:
    """Of a hierarchy that was given, the nodes of two children, with the leaves of each."""
    leaves, children = defaultdict(set), defaultdict(set)
    for row in hierarchy:
        for label in row:
            leaves[label].add(row[0])
        for low, high in pairwise(row):
            if low != high:
                children[high].add(low)
    return {node: [(child, frozenset(leaves[child])) for child in sorted(kids)] for node, kids in children.items() if len(kids) == 2}


def listed(text: str) -> list[list[str]]:
    return list(csv.reader(text.splitlines(), delimiter=";"))


def groups_of(release: shoal.Release) -> dict[tuple[str | None, ...], list[int]]:
    """Rows that look alike, which is all of the groups that an outsider sees."""
    found = defaultdict(list)
    for i, looks in enumerate(release.frame.select(release.manifest["quasi_identifiers"]).rows()):
        found[looks].append(i)
    return found


def claims(release: shoal.Release, finest: int, given: dict[str, list[list[str]]]) -> Iterator[Claim]:
    """Everything that he claims: from the release and the hierarchies alone."""
    known = {name: couples(hierarchy) for name, hierarchy in given.items()}
    names = release.manifest["quasi_identifiers"]
    for looks in groups_of(release):
        for name, label in zip(names, looks, strict=True):
            parts = halves(label, finest) if name == "age" else known.get(name, {}).get(label or "", [])
            yield from (Claim(looks, name, child, values) for child, values in parts)


def test_most_groups_are_refined_and_no_claim_is_wrong() -> None:
    """The shipped table and its shipped hierarchies, k = 5."""
    files = demo.files()
    table = pl.read_csv(files.table, infer_schema=False).head(400)
    given = {name: listed((files.hierarchies / f"{name}.csv").read_text(encoding="utf-8")) for name in ("job", "nationality")}
    release = shoal.anonymize(table, policy=files.policy, withhold=0.0, effort=0.05)
    before, groups = table.to_dicts(), groups_of(release)
    made = list(claims(release, 5, given))
    assert all(claim.is_true([before[i] for i in groups[claim.looks]]) for claim in made)
    refined = {claim.looks for claim in made}
    assert len(refined) > len(groups) / 2
    assert min(map(len, groups.values())) >= 5, "what is promised is kept"


def test_with_groups_of_two_whole_rows_are_known() -> None:
    """Two rows that show two values of one column, and are exact else, are both known; he does not know which is whose."""
    rng = np.random.default_rng(5)
    table = pl.DataFrame(
        {"age": rng.integers(20, 36, 240).astype(str), "sex": rng.choice(["f", "m"], 240), "ward": rng.choice(list("abcd"), 240)}
    )
    sexes = [["f", "*"], ["m", "*"]]
    hierarchies = {"age": shoal.intervals(2, 4, 8), "sex": sexes, "ward": shoal.suppression()}
    release = shoal.anonymize(table, k=2, quasi_identifiers=["age", "sex", "ward"], hierarchies=hierarchies, effort=0.05)
    before, groups = table.rows(), groups_of(release)
    whole = 0
    for looks, rows in groups.items():
        wide = [j for j, label in enumerate(looks) if label == "*" or INTERVAL.fullmatch(label)]
        if len(rows) != 2 or len(wide) != 1:
            continue
        found = INTERVAL.fullmatch(looks[wide[0]])
        values = ["f", "m"] if wide == [1] else [found[1], str(int(found[1]) + 1)] if found and int(found[2]) - int(found[1]) == 2 else []
        claimed = [tuple(value if j == wide[0] else label for j, label in enumerate(looks)) for value in values]
        if claimed:
            assert sorted(claimed) == sorted(before[i] for i in rows)
            whole += 2
    assert whole >= 10
