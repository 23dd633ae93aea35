"""Top-down cuts, group by group, as the docstring of the algorithm says them."""

from __future__ import annotations

from shoal.problem import Problem, QuasiIdentifier


def cut_tree(problem: Problem, column: QuasiIdentifier, leaf_of: dict[int, int], tuples: list[int]) -> tuple[float, list[list[int]]] | None:
    """Children of the node that covers the tuples; those below k together, and the smallest other with them if they are still below k."""
    tree, weight, k = column.tree, problem.weight, problem.k
    node = join_all(column, [leaf_of[t] for t in tuples])
    if node < tree.n_leaves:
        return None
    parts: dict[int, list[int]] = {}
    for t in tuples:
        child = leaf_of[t]
        while int(tree.parent[child]) != node:
            child = int(tree.parent[child])
        parts.setdefault(child, []).append(t)
    rows = {child: int(weight[members].sum()) for child, members in parts.items()}
    alone = [child for child in parts if rows[child] >= k]
    rest = [child for child in parts if rows[child] < k]
    if rest and sum(rows[c] for c in rest) < k and alone:
        least = min(alone, key=lambda c: rows[c])
        alone.remove(least)
        rest.append(least)
    cuts = [parts[c] for c in alone]
    if rest:
        cuts.append([t for c in rest for t in parts[c]])
    if len(cuts) < 2:
        return None
    saved = sum(
        rows[c] * (float(column.price[node]) - float(column.price[join_all(column, [leaf_of[t] for t in parts[c]])])) for c in alone
    )
    return saved, cuts


def cut_median(
    problem: Problem, column: QuasiIdentifier, leaf_of: dict[int, int], tuples: list[int]
) -> tuple[float, list[list[int]]] | None:
    """The cut between two values that parts the rows most evenly."""
    values = sorted({leaf_of[t] for t in tuples})
    unit = float(column.price[column.tree.root]) / max(column.tree.n_leaves - 1, 1)
    all_rows = int(problem.weight[tuples].sum())
    best: tuple[int, float, list[list[int]]] | None = None
    for last in values[:-1]:
        low, high = [t for t in tuples if leaf_of[t] <= last], [t for t in tuples if leaf_of[t] > last]
        below = int(problem.weight[low].sum())
        if min(below, all_rows - below) < problem.k:
            continue
        first = min(v for v in values if v > last)
        saved = unit * (all_rows * (values[-1] - values[0]) - below * (last - values[0]) - (all_rows - below) * (values[-1] - first))
        if best is None or abs(2 * below - all_rows) < best[0]:
            best = (abs(2 * below - all_rows), saved, [low, high])
    return None if best is None else best[1:]


def join_all(column: QuasiIdentifier, leaves: list[int]) -> int:
    node = leaves[0]
    for leaf in leaves[1:]:
        node = column.tree.join(node, leaf)
    return node


def cut(problem: Problem, tuples: list[int]) -> list[list[int]]:
    """The groups of some tuples: the cut that saves most, the first among equals, and again."""
    best: tuple[float, list[list[int]]] | None = None
    for j, column in enumerate(problem.columns):
        leaf_of = {t: int(problem.codes[t, j]) for t in tuples}
        found = (cut_median if column.free == "interval" else cut_tree)(problem, column, leaf_of, tuples)
        if found is not None and (best is None or found[0] > best[0] + 1e-9):
            best = found
    return [tuples] if best is None else [group for part in best[1] for group in cut(problem, part)]
