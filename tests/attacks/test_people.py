"""Games about people with several rows: every small table is released and attacked, every small release is held to all ways to match its rows."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import polars as pl
import pytest

import shoal

K = 2


def persons(n: int) -> Iterator[list[str | None]]:
    """Who each of n rows is about, up to names; None where it is not known."""
    for made in itertools.product((None, *range(n)), repeat=n):
        known = [m for m in made if m is not None]
        if known == sorted(known, key=lambda m: known.index(m)) and list(dict.fromkeys(known)) == list(range(len(set(known)))):
            yield [None if m is None else f"p{m}" for m in made]


def up_to_order(person: list[str | None], cells: list[Any]) -> tuple[Any, ...]:
    """The same for tables that differ in the order of their rows and in people's names alone."""
    of: dict[str | None, list[Any]] = {}
    for who, cell in zip(person, cells, strict=True):
        of.setdefault(who, []).append(cell)
    nobodys = tuple(sorted(of.pop(None, [])))
    return nobodys, tuple(sorted(tuple(sorted(rows)) for rows in of.values()))


def people_beside(release: shoal.Release, person: list[str | None], group: int) -> set[str]:
    rows = (row for row, g in zip(release.rows.tolist(), release.groups.tolist(), strict=True) if g == group)
    return {who for row in rows if (who := person[row]) is not None}


@pytest.mark.parametrize(
    "asked", [{}, {"withhold": 0.5}, {"weights": {"x": 5.0}}, {"l_diversity": 2}, {"algorithm": "mondrian"}], ids=lambda asked: str(asked)
)
def test_whoever_knows_one_row_of_somebody_finds_the_rows_of_k_people(asked):
    """All tables of four rows with two values: one person with most rows, rows of one person in two groups, rows of nobody."""
    n, made, scattered, seen = 4, 0, 0, set()
    for person in persons(n):
        for x in itertools.product("12", repeat=n):
            if x[0] == "2":
                continue  # the same up to names
            same = up_to_order(person, list(zip(x, "abab", strict=True)) if "l_diversity" in asked else list(x))
            if same in seen:
                continue
            seen.add(same)
            frame = pl.DataFrame({"who": person, "x": x, "ill": ["a", "b", "a", "b"]}, schema_overrides={"who": pl.String})
            try:
                release = shoal.anonymize(frame, k=K, quasi_identifiers=["x"], sensitive=["ill"], person="who", **asked)
            except shoal.Infeasible:
                if not asked:
                    assert len({who for who in person if who is not None}) < K
                continue
            made += 1
            for group in set(release.groups.tolist()):
                assert len(people_beside(release, person, group)) >= K
            told = release.record["people"]
            places: dict[str, set[int]] = {}
            for row, g in zip(release.rows.tolist(), release.groups.tolist(), strict=True):
                if person[row] is not None:
                    places.setdefault(str(person[row]), set()).add(g)
            assert told["n_people"] == len(places)
            assert told["n_scattered"] == sum(len(groups) > 1 for groups in places.values())
            scattered += told["n_scattered"] > 0
            assert told["n_alone"] == sum(list(places.values()).count(groups) == 1 for groups in places.values())
    assert made > 20
    assert asked == {"l_diversity": 2} or scattered > 0


def ways(x: tuple[str, ...], shown: tuple[str, ...]) -> list[tuple[int, ...]]:
    """Every way to match released rows with rows of the original so that each cell covers its own."""
    return [
        rows
        for rows in itertools.permutations(range(len(x)), len(shown))
        if all(s in ("*", x[r]) for s, r in zip(shown, rows, strict=True))
    ]


def fewest_people(person: list[str | None], shown: tuple[str, ...], rows: tuple[int, ...]) -> int:
    groups: dict[str, set[str]] = {s: set() for s in shown}
    for s, row in zip(shown, rows, strict=True):
        if person[row] is not None:
            groups[s].add(str(person[row]))
    return min(len(people) for people in groups.values())


@pytest.mark.parametrize("n_released", [4, 3])
def test_the_verifier_accepts_only_what_holds_in_every_way_and_rejects_only_what_holds_in_none(n_released):
    """Any release of four rows, in any order, ours or forged: what is counted is true, and what cannot be counted is said."""
    n, said = 4, {"accepted": 0, "rejected": 0, "unknown": 0}
    for x, person in itertools.product((("1", "1", "2", "2"), ("1", "1", "1", "2")), persons(n)):
        frame = pl.DataFrame({"who": person, "x": x}, schema_overrides={"who": pl.String})
        for shown in itertools.combinations_with_replacement("12*", n_released):
            matched = ways(x, shown)
            released = pl.DataFrame({"x": shown})
            counts = {fewest_people(person, shown, rows) for rows in matched}
            try:
                shoal.verify(frame, released, k=K, quasi_identifiers=["x"], person="who", reordered=True)
            except shoal.NotCompared:
                said["unknown"] += 1
                assert matched
                assert all(shown.count(s) >= K for s in shown)
            except shoal.NotAnonymous:
                said["rejected"] += 1
                assert not matched or max(counts) < K or any(shown.count(s) < K for s in shown)
            else:
                said["accepted"] += 1
                assert matched
                assert min(counts) >= K
    assert min(said.values()) > 0, said
