"""Restricted matching: binary tables with exactly two zeros in every column are grouped at the least loss, by one
weighted matching.

Problem.     Given rows over columns of two values, one of which occurs exactly k = 2 times in each column, find groups
             of at least two rows that minimise the number of suppressed cells (or their price: each column may have its
             own).
Guarantee.   Optimal.
Method.      The rows are the vertices of a graph, each column the edge between its two zeros. Rows u and v differ in
             deg u + deg v − 2c(uv) columns, c(uv) being the columns that are zero in both. So pairs cost 4(m − ν) in
             all, with ν the greatest weight of a matching under c; rows left over are paired as they come. An odd
             number of rows needs one triple T, and the least of 4m + deg T − 3c(T) − 4ν(G − T) is taken: over triples
             without an edge by one matching with three vertices added that take T away, over triples with one edge by
             one matching for each edge, over paths and triangles one by one; dual prices tell which cannot be better.
Deviations.  The printed Algorithm 1 takes a perfect matching and suppresses all but one cell of a row; it forgets that
             rows agree on ones too and is not optimal for any table of four rows or more (Fig. 4: 16 stars, the optimum
             is 12). ``as_printed=True`` runs it. Repeated columns are kept: deleting them, as the paper does, changes
             the loss.
Complexity.  One matching for an even number of rows; up to 1 + m + Σ deg² for an odd number, few of which are needed.
Notation.    n rows, m columns, G = (U, E) = rows and columns, e_j = column j, t = suppressor.
Reference.   Sun, Wang, Li. On the complexity of restricted k-anonymity problem. APWeb 2008. Section 6, algorithm 1 and
             corollary 10.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from shoal import kernels
from shoal.algorithms.base import Algorithm
from shoal.errors import Infeasible, Refused
from shoal.problem import Ints, Longs, Problem, Solution, Watch, close


@dataclass(frozen=True, eq=False)
class Graph:
    """Rows as vertices, columns as edges; parallel columns are one edge with their prices added."""

    n: int
    u: Ints
    v: Ints
    weight: Longs
    """c(uv), in whole units of price."""

    @property
    def degree(self) -> Longs:
        total = np.zeros(self.n, dtype=np.int64)
        np.add.at(total, self.u, self.weight)
        np.add.at(total, self.v, self.weight)
        return total


def solve(problem: Problem, watch: Watch, as_printed: bool = False) -> Solution:
    """Match the rows; with ``as_printed`` by the paper's Algorithm 1, for comparison."""
    if problem.n_rows < 2:
        raise Infeasible("The table has a single row: no group of 2 can be made. Add rows.")
    reason = refuses(problem)
    if reason:
        raise Refused(reason)
    if as_printed:
        return printed(problem)
    watch.tell("matching")
    graph = graph_of(problem)
    group = (
        pair_up(problem.n_rows, best_mates(graph))
        if problem.n_rows % 2 == 0
        else best_with_triple(graph, problem.deletion)
    )
    note = (
        "A best matching of all rows: none was withheld."
        if problem.max_withheld
        else "Optimal: a best matching was found."
    )
    solution = close(problem, group, guarantee=guarantee(problem), note=note)
    watch.tell("matching", 1.0, loss=solution.loss)
    return solution


def zeros_of(problem: Problem, j: int) -> NDArray[np.int64]:
    """The rows that hold the value of a column that occurs exactly k times (the one called '0', if both do)."""
    column = problem.columns[j]
    rare = np.flatnonzero(column.count == problem.k)
    named = [int(leaf) for leaf in rare if column.tree.labels[leaf] == "0"]
    zero = named[0] if named else int(rare[0])
    return np.flatnonzero(problem.codes[problem.tuple_of_unit, j] == zero)


def graph_of(problem: Problem) -> Graph:
    """The graph of Fig. 3."""
    ends = np.array([zeros_of(problem, j) for j in range(problem.n_columns)], dtype=np.int64).reshape(-1, 2)
    price = np.array([column.price[column.tree.root] for column in problem.columns])
    highest = float(price.max(initial=0.0))
    units = np.ones(len(price)) if (price == highest).all() else np.round(price / highest * 2**30)
    keys, edge = np.unique(ends[:, 0] * problem.n_rows + ends[:, 1], return_inverse=True)
    weight = np.bincount(edge.reshape(-1), weights=units, minlength=len(keys)).astype(np.int64)
    u, v = np.divmod(keys, problem.n_rows)
    return Graph(problem.n_rows, u.astype(np.int32), v.astype(np.int32), weight)


def matching(n: int, u: Ints, v: Ints, gain: Longs) -> kernels.Matching:
    found = kernels.best_matching(n, u, v, 2 * gain)
    assert found is not None
    return found


def best_mates(graph: Graph) -> Ints:
    return matching(graph.n, graph.u, graph.v, graph.weight).mate


def pair_up(n: int, mate: Ints, alone: tuple[int, ...] = ()) -> Ints:
    """Groups of two: those matched, and those left over as they come; rows ``alone`` get −1."""
    group = np.full(n, -1, dtype=np.int32)
    matched = np.flatnonzero(mate > np.arange(n))
    group[matched] = group[mate[matched]] = np.arange(len(matched), dtype=np.int32)
    rest = np.setdiff1d(np.flatnonzero(group < 0), alone)
    group[rest] = len(matched) + np.arange(len(rest), dtype=np.int32) // 2
    return group


# ---- an odd number of rows ----


def best_with_triple(graph: Graph, deletion: bool) -> Ints:
    """The best triple and the best pairs beside it (or one row deleted and pairs, where that is allowed)."""
    degree, m = graph.degree, int(graph.weight.sum())
    whole = matching(graph.n, graph.u, graph.v, graph.weight)
    score = 4 * degree + 8 * whole.dual  # four times deg v + 4 y(v): gains are doubled c's, so y(v) is dual / 2
    least, group = triple_without_edge(graph, degree, m)
    if deletion:
        least, group = min((least, group), delete_one(graph, degree, m), key=lambda found: found[0])
    gained = int(graph.weight[whole.mate[graph.u] == graph.v].sum())
    for bound, triple, open_end in sorted(
        triples_with_edge(graph, score, 16 * (m - gained)), key=lambda found: found[0]
    ):
        if bound >= 4 * least:
            break
        cost, found = (triple_with_edge if open_end else triple_as_given)(graph, degree, m, triple)
        if cost < least:
            least, group = cost, found
    return group


def triples_with_edge(graph: Graph, score: Longs, base: int) -> Iterator[tuple[int, tuple[int, ...], bool]]:
    """Four times a lower bound on the loss, with an edge and any third row, or with a path or triangle; and whether the
    third is open.
    """
    c = {(int(a), int(b)): int(w) for a, b, w in zip(graph.u, graph.v, graph.weight, strict=True)}
    near: list[list[int]] = [[] for _ in range(graph.n)]
    for a, b in c:
        near[a].append(b)
        near[b].append(a)
    lowest = int(score.min())
    for (a, b), w in c.items():
        yield base + int(score[a] + score[b]) + lowest - 12 * w, (a, b), True
    for middle, others in enumerate(near):
        for i, a in enumerate(others):
            for b in others[:i]:
                inside = sum(c.get((min(x, y), max(x, y)), 0) for x, y in ((a, b), (a, middle), (b, middle)))
                yield base + int(score[a] + score[b] + score[middle]) - 12 * inside, (a, b, middle), False


def without(graph: Graph, rows: tuple[int, ...]) -> NDArray[np.bool_]:
    """The edges that touch none of some rows."""
    return ~(np.isin(graph.u, rows) | np.isin(graph.v, rows))


def take_away(
    graph: Graph, kept: NDArray[np.bool_], rows: Longs, worth: Longs, times: int
) -> tuple[int, tuple[int, ...], Ints]:
    """The greatest 4c of a matching plus ``worth`` of rows taken away, exactly ``times`` of them: total, those rows,
    and the mates.
    """
    force = 8 * int(graph.weight.sum()) + int(np.abs(worth).max(initial=0)) + 1
    extra = graph.n + np.repeat(np.arange(times, dtype=np.int32), len(rows))
    u = np.concatenate([graph.u[kept], np.tile(rows, times)]).astype(np.int32)
    v = np.concatenate([graph.v[kept], extra]).astype(np.int32)
    gain = np.concatenate([4 * graph.weight[kept], np.tile(worth + force, times)])
    mate = matching(graph.n + times, u, v, gain).mate
    taken = tuple(int(x) for x in mate[graph.n :])
    inner = mate[: graph.n].copy()
    inner[list(taken)] = -1
    return total_gain(graph, inner) + int(sum(worth[rows == x][0] for x in taken)), taken, inner


def total_gain(graph: Graph, mate: Ints) -> int:
    return 4 * int(graph.weight[mate[graph.u] == graph.v].sum())


def grouped(graph: Graph, mate: Ints, triple: tuple[int, ...]) -> Ints:
    group = pair_up(graph.n, mate, triple)
    group[list(triple)] = group.max() + 1
    return group


def triple_without_edge(graph: Graph, degree: Longs, m: int) -> tuple[int, Ints]:
    """The best triple if c(T) counted for nothing: right for those without an edge, never too low for the others."""
    rows = np.arange(graph.n)
    gain, triple, mate = take_away(graph, np.ones(len(graph.u), dtype=bool), rows, -degree, 3)
    return 4 * m - gain, grouped(graph, mate, triple)


def triple_with_edge(graph: Graph, degree: Longs, m: int, edge: tuple[int, ...]) -> tuple[int, Ints]:
    """The best triple that holds both ends of an edge, other edges inside of it counting for nothing."""
    a, b = edge
    inside = int(graph.weight[(graph.u == a) & (graph.v == b)].sum())
    rows = np.setdiff1d(np.arange(graph.n), edge)
    gain, third, mate = take_away(graph, without(graph, edge), rows, -degree[rows], 1)
    return 4 * m + int(degree[a] + degree[b]) - 3 * inside - gain, grouped(graph, mate, (a, b, *third))


def triple_as_given(graph: Graph, degree: Longs, m: int, triple: tuple[int, ...]) -> tuple[int, Ints]:
    inner = np.isin(graph.u, triple) & np.isin(graph.v, triple)
    kept = without(graph, triple)
    mate = matching(graph.n, graph.u[kept], graph.v[kept], graph.weight[kept]).mate
    cost = 4 * m + int(degree[list(triple)].sum()) - 3 * int(graph.weight[inner].sum()) - total_gain(graph, mate)
    return cost, grouped(graph, mate, triple)


def delete_one(graph: Graph, degree: Longs, m: int) -> tuple[int, Ints]:
    """One row suppressed whole, the others in pairs."""
    gain, alone, mate = take_away(graph, np.ones(len(graph.u), dtype=bool), np.arange(graph.n), 2 * degree, 1)
    return 5 * m - gain, pair_up(graph.n, mate, alone)


# ---- the printed algorithm ----


def printed(problem: Problem) -> Solution:
    """Algorithm 1 as it is printed: a perfect matching, of which each row keeps its one cell; all cells suppressed if
    there is none.
    """
    graph = graph_of(problem)
    mate = matching(graph.n, graph.u, graph.v, np.ones(len(graph.u), dtype=np.int64)).mate
    note = "Algorithm 1 as printed: no guarantee."
    if (mate < 0).any():
        solution = close(problem, np.zeros(problem.n_rows, dtype=np.int32), note=note)
        nodes = np.array([[column.tree.root for column in problem.columns]], dtype=np.int32)
        return replace(
            solution,
            nodes=nodes,
            loss=suppressed_loss(problem, np.ones((1, problem.n_columns), dtype=bool), np.array([problem.n_rows])),
        )
    solution = close(problem, pair_up(graph.n, mate), note=note)
    kept_column = {tuple(sorted(zeros_of(problem, j))): j for j in reversed(range(problem.n_columns))}
    nodes = np.array([[column.tree.root for column in problem.columns]] * solution.n_groups, dtype=np.int32)
    starred = np.ones(nodes.shape, dtype=bool)
    for g in range(solution.n_groups):
        rows = np.flatnonzero(solution.group == g)
        j = kept_column[tuple(sorted(rows))]
        nodes[g, j], starred[g, j] = problem.codes[problem.tuple_of_unit[rows[0]], j], False
    return replace(solution, nodes=nodes, loss=suppressed_loss(problem, starred, np.full(solution.n_groups, 2)))


def suppressed_loss(problem: Problem, starred: NDArray[np.bool_], size: NDArray[np.int64]) -> float:
    """The loss when some cells of each group are suppressed and all others shown as they are."""
    root = np.array([column.price[column.tree.root] for column in problem.columns])
    leaf = np.array([column.price[: column.tree.n_leaves].max() for column in problem.columns])
    paid = float(((starred * root + ~starred * leaf) * size[:, None]).sum())
    return paid - float(problem.offset_of_tuple[problem.tuple_of_unit].sum())


def guarantee(problem: Problem) -> float | None:
    return None if problem.max_withheld else 1.0


def refuses(problem: Problem) -> str | None:
    """Why the table is no restricted instance, by its first column that breaks the rule."""
    if problem.k != 2:
        return (
            f"restricted-matching is exact for k = 2 alone, not {problem.k} (the problem is NP-hard from 3 on). Take "
            "--algorithm exact or auto."
        )
    if problem.demands:
        return (
            "restricted-matching makes groups by distance alone and asks nothing of sensitive values. Take --algorithm "
            "auto."
        )
    for column in problem.columns:
        start = (
            f"restricted-matching takes columns of two values, one of them in exactly {problem.k} rows; column "
            f"'{column.name}' "
        )
        end = " Take --algorithm one-two-factor or auto."
        present = column.count[column.count > 0]
        if column.free is not None:
            return f"{start}is generalized freely.{end}"
        if len(present) != 2:
            return f"{start}has {len(present)} values.{end}"
        if problem.k not in present:
            return f"{start}has its values in {present.min()} and {present.max()} rows.{end}"
        if column.price[: column.tree.n_leaves][column.count > 0].any() and not column.offset.any():
            return f"{start}has cells that are suppressed whatever happens.{end}"
        if (
            column.price[column.tree.join(*(int(x) for x in np.flatnonzero(column.count)))]
            < column.price[column.tree.root]
        ):
            return f"{start}has a hierarchy that joins them below its root.{end}"
        if column.offset.any():
            return f"{start}is measured by {problem.measure.name}, by which rows pay differently.{end}"
    if int(problem.columns[0].count.sum()) != problem.n_rows:
        return (
            "restricted-matching needs the whole table: some rows were taken out of it. Take --algorithm "
            "one-two-factor or auto."
        )
    return None


RESTRICTED_MATCHING = Algorithm(
    name="restricted-matching",
    title="Restricted 2-anonymity by weighted matching",
    reference="Sun, Wang and Li 2008, section 6",
    recoding="local",
    guarantee_text="optimal, for k = 2 and columns of two values one of which occurs exactly twice",
    guarantee=guarantee,
    refuses=refuses,
    solve=solve,
)
