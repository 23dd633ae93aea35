"""The numbers of the owner's report. Everything a page shows is computed here, once; a page only draws it.

It tells more than the release: figures of the original stand beside those of the release. What may be published is in
:mod:`shoal.report.public`. Even here, values of the original are shown only where at least k rows share them; rarer
ones are pooled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal import measures, registry
from shoal.judge.criteria.judging import count, definition_of
from shoal.privacy.asking import criteria
from shoal.problem import Moment, QuasiIdentifier
from shoal.reader.expect import Expected, expect
from shoal.reader.reading import Reading
from shoal.release.counted import CountedRelease
from shoal.release.manifest import kept_back, printed
from shoal.release.record import NOTICE
from shoal.release.release import Release
from shoal.release.risk import risks
from shoal.report.attention import attention
from shoal.report.levels import EXACT, GENERAL, HIDDEN, levels_used
from shoal.report.once import coded_after, read_once
from shoal.report.pairs import pair_table
from shoal.report.shapes import shape
from shoal.table import Coded
from shoal.table.once import once

MOST_BARS = 20
FORMAT = "shoal-report-3"


def owner_model(release: Release | CountedRelease) -> dict[str, Any]:
    """Everything that can be said about a release, as plain data.

    The first field says that it is not to be published.
    """
    before, after = release.risks() if isinstance(release, CountedRelease) else risks(release)
    reading = read_once(release)
    first = first_model(release)
    columns = [column_model(release, j, reading) for j in range(release.problem.n_columns)]
    return {
        **first,
        "record": release.record,
        "identity": identity(release, for_owner=True),
        "sizes": sizes(np.array(release.verdict.sizes, dtype=np.int64), release.problem.k),
        "sizes_before": sizes(release.problem.weight, release.problem.k),
        "risk": {"before": asdict(before), "after": asdict(after)},
        "loss_by_column": loss_by_column(release),
        "history": [asdict(moment) for moment in release.history],
        "curves": curves(release.history, release.lower_bound),
        "columns": columns,
        "pairs": pair_table(release, reading),
        "expected": expected_figures(release, for_owner=True, reading=reading),
        "policy": printed(release.policy, for_owner=True),
        "kept_back": kept_back(release.policy),
        "notes": [note.replace(release.source, source_name(release.source)) for note in release.notes],
    }


def first_model(release: Release | CountedRelease) -> dict[str, Any]:
    """The numbers of the first page alone: what a notebook shows. No file is made to be hashed for it."""
    sensitive = [sensitive_model(release, name) for name in release.policy.named("sensitive")]
    columns = [{"name": c.name, "levels": levels_used(release, j)} for j, c in enumerate(release.problem.columns)]
    return {
        "notice": NOTICE,
        "format": FORMAT,
        "edition": "owner",
        "record": release.facts,
        "source": source_name(release.source),
        "file": asdict(release.file),
        "identity": {"date": release.facts["date"], "tool": "shoal", "version": release.facts["shoal"]},
        "attention": attention(release, sensitive, for_owner=True),
        "asked": asked(release),
        "cells": cells(columns),
        "columns": columns,
        "sensitive": sensitive,
    }


def identity(release: Release | CountedRelease, for_owner: bool) -> dict[str, Any]:
    """Which release this is, made when and with what.

    A hash of the input could be used to guess a small table: it is the owner's.
    """
    found = {
        "date": release.facts["date"],
        "tool": "shoal",
        "version": release.facts["shoal"],
        "release_sha256": release.manifest["release_sha256"],
        "policy_sha256": release.manifest["policy_sha256"],
    }
    if not for_owner:
        return found
    return {**found, "input_sha256": release.record["input_sha256"]}


def cells(columns: Sequence[dict[str, Any]]) -> dict[str, float]:
    """The share of all cells of quasi-identifiers that are exact, generalized and hidden."""
    kinds = (EXACT, GENERAL, HIDDEN)
    return {
        kind: sum(level["share"] for c in columns for level in c["levels"] if level["kind"] == kind)
        / max(len(columns), 1)
        for kind in kinds
    }


def expected_figures(
    release: Release | CountedRelease, for_owner: bool, reading: Reading | None = None
) -> dict[str, Any]:
    """How far counts of one, two and three columns are off: as the release alone lets one expect; for the owner also as
    they are.
    """
    known: dict[bool, Expected] = once(release, ("expected",), dict)
    if for_owner not in known:  # what may be published is one half of what the owner gets
        known[for_owner] = (
            Expected(known[True].expected) if True in known else expect(release, for_owner=for_owner, reading=reading)
        )
    found = known[for_owner]
    told: dict[str, Any] = {"counts": {str(n): error for n, error in found.expected.items()}}
    return (
        told if found.measured is None else {**told, "measured": {str(n): error for n, error in found.measured.items()}}
    )


def source_name(source: str) -> str:
    """What a page calls the table: the file's name, without the folders that led to it."""
    return Path(source).name or source


def asked(release: Release | CountedRelease) -> dict[str, Any]:
    """What the user asked for."""
    p = release.policy
    return {
        "k": p.k,
        "measure": p.measure,
        "algorithm": p.algorithm,
        "withhold": p.withhold,
        "deletion": p.deletion,
        "missing": p.missing,
        "keep_order": p.keep_order,
        "seed": p.seed,
        "time_limit": p.time_limit,
        "demands": [d.text() for d in release.problem.demands],
        "weights": {c.name: c.weight for c in release.problem.columns if c.weight != 1 and p.target is None},
        "free": {c.name: c.free for c in release.problem.columns if c.free},
    }


def curves(history: Sequence[Moment], proved: float | None = None) -> dict[str, list[tuple[float, float]]]:
    """Loss, bound and their ratio over the work done: the best known at each moment.

    ``proved`` is the bound in the end. Where the search itself had no bound, this one is drawn over the whole run,
    since it was true all the time.
    """
    if not history:
        return {"loss": [], "bound": [], "ratio": []}
    loss = _best([(m.work, m.loss) for m in history], min)
    bound = _best([(m.work, m.bound) for m in history], max)
    if proved is not None and all(proved <= value for _, value in loss):
        bound = bound or [(history[0].work, proved)]
        bound.append((history[-1].work, max(proved, bound[-1][1])))
    ratio = []
    for work, lost in loss:
        known = [value for at, value in bound if at <= work and value > 0]
        if known:
            ratio.append((work, max(lost / known[-1], 1.0)))
    return {"loss": loss, "bound": bound, "ratio": ratio}


def _best(
    points: Sequence[tuple[float, float | None]], better: Callable[[float, float], float]
) -> list[tuple[float, float]]:
    """The points that are known, each no worse than the one before."""
    found: list[tuple[float, float]] = []
    for work, value in points:
        if value is not None:
            found.append((work, better(value, found[-1][1]) if found else value))
    return found


def sizes(group_sizes: NDArray[np.int64], k: int) -> list[dict[str, Any]]:
    """Groups and rows by size of the group: in steps that fit k."""
    edges = sorted({1, 2, 3, k, 2 * k, 3 * k, 5 * k, 10 * k, 50 * k})
    bins = []
    for low, high in zip(edges, [*edges[1:], None], strict=True):
        inside = (group_sizes >= low) & (group_sizes < high) if high else group_sizes >= low
        label = f"{low}+" if high is None else str(low) if high == low + 1 else f"{low}–{high - 1}"
        bins.append({"size": label, "groups": int(inside.sum()), "rows": int(group_sizes[inside].sum())})
    while len(bins) > 1 and bins[-1]["groups"] == 0:
        bins.pop()
    return bins


def loss_by_column(release: Release | CountedRelease) -> list[dict[str, Any]]:
    """Loss per cell of each quasi-identifier, by every measure, and the share of the most it could be."""
    problem, solution = release.problem, release.solution
    size, counted = solution.sizes, solution.plan.released(problem.n_units)
    n_deleted = solution.n_withheld if problem.deletion else 0  # at the price of suppressing them whole
    if n_deleted:
        counted = problem.rows_of_unit.astype(np.int64)
    n = max(int(size.sum()) + n_deleted, 1)
    rows = []
    for j, column in enumerate(problem.columns):
        found = {"column": column.name}
        for name in measures.CATALOG:
            measure = registry.find(measures.CATALOG, name)
            paid = _paid(release, column, j, measure)
            all_hidden = float(measure.price(column.tree, column.count)[column.tree.root])
            total, most = float((paid * size).sum()) + all_hidden * n_deleted, all_hidden * n
            if measure.offset is not None:
                leaves = problem.codes[problem.tuple_of_unit, j]
                off = float((measure.offset(column.tree, column.count)[leaves] * counted).sum())
                total, most = total - off, most - off
            found[name] = {"per_cell": max(total, 0.0) / n, "share": total / most if most > 0 else 0.0}  # type: ignore[assignment]
        rows.append(found)
    return rows


def _paid(release: Release | CountedRelease, column: QuasiIdentifier, j: int, measure: Any) -> NDArray[np.float64]:
    sets, nodes = release.solution.sets[j], release.solution.nodes[:, j]
    made = (
        measure.price(column.tree, column.count) if sets is None else measure.set_price(column.tree, column.count, sets)
    )
    paid: NDArray[np.float64] = made[nodes]
    return paid


def column_model(release: Release | CountedRelease, j: int, reading: Reading) -> dict[str, Any]:
    """One quasi-identifier: common values before, labels after, and how far up its hierarchy cells were lifted."""
    column = release.problem.columns[j]
    k = release.problem.k
    common = np.flatnonzero(column.count >= k)
    order = common[np.argsort(-column.count[common], kind="stable")]
    before = [{"label": _text(column.tree.labels[int(v)]), "rows": int(column.count[v])} for v in order[:MOST_BARS]]
    pooled = int(column.count.sum()) - int(column.count[order[:MOST_BARS]].sum())
    labels = labels_of(release, column.name)
    after = [{"label": _text(label), "rows": n} for label, n in labels[:MOST_BARS]]
    return {
        "name": column.name,
        "hierarchy": release.record["hierarchies"][column.name],
        "n_values": int((column.count > 0).sum()),
        "n_labels": len(labels),
        "before": before,
        "before_pooled": pooled,
        "after": after,
        "after_pooled": sum(n for _, n in labels[MOST_BARS:]),
        "levels": levels_used(release, j),
        "shape": shape(release, reading, column.name, for_owner=True),
    }


def sensitive_model(release: Release | CountedRelease, name: str) -> dict[str, Any]:
    """What groups say about a sensitive column, whether or not anything was asked of it."""

    def made() -> dict[str, Any]:
        column, group, times = release.sensitive(name)
        return sensitive_figures(column, group, times)

    return deepcopy(once(release, ("sensitive", name), made))


def labels_of(release: Release | CountedRelease, name: str) -> list[tuple[str | None, int]]:
    """What the cells of a column show, and how many show it: the most frequent first."""
    coded = coded_after(release, name)
    shown: list[tuple[str | None, int]] = list(zip(coded.values.to_list(), coded.counts().tolist(), strict=True))
    n_missing = (release.frame.height if release.times is None else int(release.times.sum())) - sum(n for _, n in shown)
    return sorted([*shown, *([(None, n_missing)] if n_missing else [])], key=lambda r: (-r[1], r[0] or ""))


def sensitive_figures(
    column: Coded, group: NDArray[np.int32], times: NDArray[np.int64] | None = None
) -> dict[str, Any]:
    """What groups of a table say about a column, held against the whole table; rows with a negative group are in none.

    With ``times``, each entry stands for so many rows.
    """
    n = pl.Series("n", np.ones(len(group), dtype=np.int64) if times is None else times)
    cells = pl.DataFrame([text_of(column), n, pl.Series("group", group)])
    whole, groups = count(cells.select("value", "n"), cells.filter(pl.col("group") >= 0))
    found: dict[str, Any] = {"column": column.name, "n_values": len(whole.counts)}
    for criterion in criteria():
        if criterion.reported is not None:
            definition, asked = definition_of(criterion.name), {p.name: 1.0 for p in criterion.parameters}
            reached = [definition.reached(one, whole, asked) for one in groups]
            found[criterion.name] = {
                "worst": float(definition.weakest(reached)),
                "median": float(np.median(reached)) if groups else 0.0,
            }
    distinct = Counter(len(one.counts) for one in groups)
    found["groups_by_distinct"] = [{"distinct": n_values, "groups": n} for n_values, n in sorted(distinct.items())]
    found["rows_in_groups_of_one_value"] = sum(one.n_rows for one in groups if len(one.counts) <= 1)
    return found


def text_of(column: Coded) -> pl.Series:
    """The text of each entry of a column, as ``value``."""
    return column.values.gather(pl.Series(column.codes).replace(-1, None)).alias("value")


def _text(label: str | None) -> str:
    return "(missing)" if label is None else label
