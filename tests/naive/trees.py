"""All trees of a size, up to renaming, by hanging a leaf on every vertex of the smaller ones."""

from __future__ import annotations

from functools import cache

Tree = tuple[tuple[int, int], ...]


def canonical(n: int, edges: Tree) -> str:
    near: list[list[int]] = [[] for _ in range(n)]
    for a, b in edges:
        near[a].append(b)
        near[b].append(a)

    def name(v: int, above: int) -> str:
        return "(" + "".join(sorted(name(c, v) for c in near[v] if c != above)) + ")"

    return min(name(v, -1) for v in range(n))


@cache
def all_trees(n: int) -> tuple[Tree, ...]:
    if n == 1:
        return ((),)
    found: dict[str, Tree] = {}
    for smaller in all_trees(n - 1):
        for v in range(n - 1):
            tree = (*smaller, (v, n - 1))
            found.setdefault(canonical(n, tree), tree)
    return tuple(found.values())


def towards(n: int, edges: Tree, root: int) -> list[int]:
    """For each vertex the next one on the way to the root; −1 for the root."""
    to = [-1] * n
    seen, waiting = {root}, [root]
    while waiting:
        v = waiting.pop()
        for a, b in edges:
            for x, y in ((a, b), (b, a)):
                if x == v and y not in seen:
                    to[y] = v
                    seen.add(y)
                    waiting.append(y)
    return to


def spans_are_disjoint(to: list[int], group: list[int]) -> bool:
    """Whether each group can be joined up by edges of its own: the least subtrees of two groups share no edge."""
    n = len(to)
    size = [group.count(g) for g in range(max(group) + 1)]
    below = [[0] * len(size) for _ in range(n)]
    depth = [0] * n
    for v in range(n):
        u = v
        while to[u] >= 0:
            depth[v] += 1
            u = to[u]
    for v in sorted(range(n), key=lambda v: -depth[v]):
        below[v][group[v]] += 1
        if to[v] >= 0:
            for g in range(len(size)):
                below[to[v]][g] += below[v][g]
    for v in range(n):
        users = sum(0 < below[v][g] < size[g] for g in range(len(size)))
        if to[v] >= 0 and users > 1:
            return False
    return True
