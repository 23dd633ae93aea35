"""A column's values into leaf codes of its hierarchy's tree."""

from __future__ import annotations

from collections.abc import Sequence

from shoal.errors import DataError, HierarchyError
from shoal.hierarchies.encoded import Encoded, Spec, ValuesError
from shoal.hierarchies.tree import Tree
from shoal.text.labels import ROOT

__all__ = ["Encoded", "Spec", "ValuesError", "encode"]


def encode(column: str, values: Sequence[str], has_missing: bool, spec: Spec) -> Encoded:
    """Build the tree that ``spec`` asks for and find each value's leaf.

    ``values`` are the distinct texts of the column, sorted, without missing cells.
    Raises a :class:`ValuesError` with the positions of values that do not fit; its ``at_lines`` adds where they stand.
    """
    if not len(values) and not has_missing:
        raise DataError(f"Column '{column}' is empty: there is nothing to encode.")
    starred = [i for i, v in enumerate(values) if v[:1] == ROOT and not v.strip(ROOT)]
    if starred:
        advice = (
            "In a release * is a suppressed cell. If they stand for missing values, say --missing-value '*' "
            "(missing_values=['*'] in Python); else write them in another way."
        )
        raise ValuesError(column, starred, len(values), "{look} like *", advice)
    encoded = spec.build(column, values, has_missing)
    _refuse_misreadings(column, values, encoded)
    return encoded


def _refuse_misreadings(column: str, values: Sequence[str], encoded: Encoded) -> None:
    """Refuse a value that is written like the label of a node elsewhere: in a release the two could not be told apart.

    A value that is written like a node above it is allowed: 'Other' below 'Other' is common, and to read it as the
    larger set is true.
    """
    tree = encoded.tree
    inner = {label: node for node, label in enumerate(tree.labels[tree.n_leaves :], tree.n_leaves)}
    doubled = [
        i for i, v in enumerate(values) if v in inner and tree.join(int(encoded.code_of[i]), inner[v]) != inner[v]
    ]
    if doubled:
        advice = "A reader of the release could not tell them apart. Give the group another name in the hierarchy."
        raise ValuesError(column, doubled, len(values), "{are} written like a group of the column's hierarchy", advice)
    _refuse_namesakes(column, tree)


def _refuse_namesakes(column: str, tree: Tree) -> None:
    """Two nodes with the same label must lie one above the other."""
    below: dict[str | None, int] = {}
    for node in range(tree.n_leaves, tree.n_nodes):
        label = tree.labels[node]
        if label in below and tree.join(below[label], node) != node:
            raise HierarchyError(
                f"Column '{column}': the label '{label}' stands for two different sets. Give one of them another name."
            )
        below[label] = node
