"""The order of words in a release: what ``cold to warm`` stands for.

Where the policy lists the words, the whole list is told: it is part of the policy. Where shoal found the order itself, the list would tell which words the table has; then
only words that the release itself names are told, shown as they are or as an end of a label. Their order is that of what they say.
"""

from __future__ import annotations

from shoal.encode import Encoding
from shoal.hierarchies.builders.neighbours import Neighbours
from shoal.policy.policy import Policy
from shoal.problem import Solution


def orders(policy: Policy, encoding: Encoding, solution: Solution) -> dict[str, list[str]]:
    """For each column of ordered words, these from low to high."""
    found = {}
    for j, (column, made) in enumerate(zip(encoding.problem.columns, encoding.encoded, strict=True)):
        if isinstance(made.spec, Neighbours):
            is_asked = policy.columns[column.name].hierarchy is not None
            found[column.name] = list(made.spec.order) if is_asked else _named(made.spec, encoding, solution, j)
    return found


def _named(spec: Neighbours, encoding: Encoding, solution: Solution, j: int) -> list[str]:
    """The words that some released label names: a value, both of a pair, or the first and the last of more."""
    tree = encoding.encoded[j].tree
    named: set[int] = set()
    for node in set(solution.nodes[:, j].tolist()) - {tree.root}:
        leaves = sorted(tree.leaves_below(node).tolist())
        named |= {leaves[0], leaves[-1]}
    return [word for i, word in enumerate(spec.order) if i in named]
