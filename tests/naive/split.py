"""The top-down split, the slow way: the same choices with sets and dictionaries."""

from __future__ import annotations

from shoal.problem import Problem


def split(problem: Problem) -> set[frozenset[int]]:
    """The groups of tuples that the split makes."""
    whole = list(range(problem.n_tuples))
    return {frozenset(piece) for piece in pieces(problem, whole)}


def pieces(problem: Problem, tuples: list[int]) -> list[list[int]]:
    best, opened = 0.0, None
    for j, column in enumerate(problem.columns):
        node = closure(problem, tuples, j)
        leaves = {int(problem.codes[t, j]) for t in tuples}
        if len(leaves) == 1:
            continue
        children: dict[int, list[int]] = {}
        for t in tuples:
            v = int(problem.codes[t, j])
            while column.tree.parent[v] != node:
                v = int(column.tree.parent[v])
            children.setdefault(v, []).append(t)
        large = {v: rows(problem, c) * (column.price[node] - column.price[v]) for v, c in children.items() if rows(problem, c) >= problem.k}
        small = sum(rows(problem, c) for v, c in children.items() if v not in large)
        saved = sum(large.values())
        kept = None
        if 0 < small < problem.k and large:
            kept = min(large, key=lambda v: large[v])
            saved = saved - large[kept]
        if saved > best:
            best = saved
            apart = [c for v, c in children.items() if v in large and v != kept]
            stays = {t for v, c in children.items() if v not in large or v == kept for t in c}
            behind = [t for t in tuples if t in stays]
            opened = apart + ([behind] if behind else [])
    if opened is not None:
        return [piece for part in opened for piece in pieces(problem, part)]
    return runs(problem, tuples)


def runs(problem: Problem, tuples: list[int]) -> list[list[int]]:
    paid = sum(float(c.price[closure(problem, tuples, j)]) for j, c in enumerate(problem.columns))
    out: list[list[int]] = [[]]
    for i, t in enumerate(tuples):
        out[-1].append(t)
        if rows(problem, out[-1]) >= problem.k and rows(problem, tuples[i + 1 :]) >= problem.k and paid > 0:
            out.append([])
    return out


def rows(problem: Problem, tuples: list[int]) -> int:
    return int(sum(problem.weight[t] for t in tuples))


def closure(problem: Problem, tuples: list[int], j: int) -> int:
    node = int(problem.codes[tuples[0], j])
    for t in tuples:
        node = problem.columns[j].tree.join(node, int(problem.codes[t, j]))
    return node
