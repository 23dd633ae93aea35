"""The manifest: what a release is, in numbers, for people and scripts."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

import shoal
from shoal import measures, registry
from shoal.algorithms.base import Algorithm
from shoal.encode import Encoding
from shoal.problem import Bound, Problem, Solution
from shoal.release.release import Release

FORMAT = "shoal-manifest-1"


def ratio_of(loss: float, lower_bound: float) -> float | None:
    """loss / bound; 1 when both are 0; None when nothing but 0 is proved."""
    if lower_bound > 0:
        return max(loss / lower_bound, 1.0)
    return 1.0 if loss <= 1e-12 else None


def totals(problem: Problem, solution: Solution, class_sizes: NDArray[np.int64]) -> dict[str, dict[str, float]]:
    """Every measure of this release, without attribute weights: totals, and per cell of a quasi-identifier.

    ``class_sizes`` count the rows that look alike: two groups may show the same.
    """
    kept = solution.group >= 0
    group = solution.group[kept]
    size = np.bincount(group, minlength=solution.n_groups)
    cells = max(len(group) * problem.n_columns, 1)
    found: dict[str, float] = {}
    for name in measures.CATALOG:
        measure = registry.find(measures.CATALOG, name)
        total = 0.0
        for j, column in enumerate(problem.columns):
            sets = solution.sets[j]
            if sets is None:
                paid = measure.price(column.tree, column.count)[solution.nodes[:, j]]
            else:
                paid = measure.set_price(column.tree, column.count, sets)[solution.nodes[:, j]]
            total += float((paid * size).sum())
            if measure.offset is not None:
                leaves = problem.codes[problem.tuple_of_row[kept], j]
                total -= float(measure.offset(column.tree, column.count)[leaves].sum())
        found[name] = max(total, 0.0)
    for name in measures.REPORTED:
        found[name] = registry.find(measures.REPORTED, name).total(class_sizes, int((~kept).sum()), problem.n_rows)
    return {name: {"total": total, "per_cell": total / cells} for name, total in found.items()}


def fill(
    release: Release,
    encoding: Encoding,
    algorithm: Algorithm,
    bound: Bound | None,
    why_no_bound: str,
    seconds: Mapping[str, float],
) -> None:
    """Write everything that is known into the release's manifest."""
    problem, solution, verdict = release.problem, release.solution, release.verdict
    released = len(release.rows)
    cells = max(released * problem.n_columns, 1)
    if bound is not None and bound.value > solution.loss * (1 + 1e-9) + 1e-9:
        why_no_bound = f"the bound '{bound.name}' contradicts the loss and was thrown away; please report this"
        bound = None
    lower = None if bound is None else max(min(bound.value, solution.loss), 0.0)
    release.manifest.update(
        format=FORMAT,
        shoal=shoal.__version__,
        k=problem.k,
        n_rows=problem.n_rows,
        n_released=released,
        n_withheld=solution.n_withheld,
        n_groups=verdict.n_groups,
        smallest_group=verdict.smallest_group,
        quasi_identifiers=[column.name for column in problem.columns],
        sensitive=release.policy.named("sensitive"),
        identifiers_dropped=release.policy.named("identifier"),
        unprotected=list(encoding.unprotected),
        hierarchies={c.name: e.description for c, e in zip(problem.columns, encoding.encoded, strict=True)},
        algorithm=algorithm.name,
        guarantee=solution.guarantee,
        guarantee_note=solution.note or algorithm.guarantee_text,
        measure=problem.measure.name,
        loss=solution.loss,
        loss_per_cell=solution.loss / cells,
        lower_bound=lower,
        ratio=None if lower is None else ratio_of(solution.loss, lower),
        bound=why_no_bound if bound is None else bound.name,
        bound_note="" if bound is None else bound.note,
        measures=totals(problem, solution, np.array(release.verdict.sizes, dtype=np.int64)),
        criteria=[
            {"name": "k-anonymity", "required": problem.k, "reached": verdict.smallest_group},
            *(
                {"name": d.criterion.name, "column": d.column, "required": dict(d.parameters), "reached": verdict.reached[d.text()]}
                for d in problem.demands
            ),
        ],
        missing=dict(encoding.n_missing),
        max_withheld=problem.n_rows if problem.deletion else problem.max_withheld,
        notes=list(encoding.notes),
        seconds=dict(seconds),
        seed=problem.seed,
        policy_sha256=release.policy.sha256(),
        release_sha256=registry.load("shoal.io:fingerprint")(release.frame),
    )
