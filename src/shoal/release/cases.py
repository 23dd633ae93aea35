"""The case of a proof, made of the original, the policy and its hierarchies.

Hierarchies come from the builders that the solver's come from, as it is the policy's text that says what they are; what a node costs is worked out by
the checker, from the blocks of each level.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from shoal.errors import DataError, Refused
from shoal.hierarchies.encode import Encoded
from shoal.judge.criteria import judging
from shoal.judge.criteria.reading import read_people, read_values
from shoal.judge.measures import base as measures
from shoal.judge.measures.base import RecountedMeasure
from shoal.policy.policy import Policy
from shoal.proof.case import Case, Different, Ladder, Longs, fold
from shoal.release.resolve import Hierarchies
from shoal.table import Table


def case_for(known: Hierarchies, max_withheld: int | None = None) -> Case:
    """What a proof has to prove: ``known`` is the original under the policy, which says how many rows may be withheld unless that is given."""
    before, policy = known.table, known.policy
    built = {name: known.built(name) for name in policy.named("quasi-identifier")}
    most = policy.most_withheld(before.n_rows) if max_withheld is None else max_withheld
    return case_of(before, policy, built, measures.definition_of(policy.measure), most)


def case_of(before: Table, policy: Policy, built: Mapping[str, Encoded], measure: RecountedMeasure, max_withheld: int) -> Case:
    """The case of a table: ``built`` are the hierarchies that the policy asks for, of every quasi-identifier."""
    names = [name for name in before.columns if name in built]
    free = [name for name in names if built[name].free is not None]
    if free and not measure.has_free_proofs:
        raise Refused(f"In '{measure.name}', columns that may show any interval or any subset ({', '.join(free)}) have no proof to check.")
    leaves = [_leaves(before, name, built[name]) for name in names]
    ladders = tuple(_ladder(policy, name, built[name], leaf) for name, leaf in zip(names, leaves, strict=True))
    codes, rows, tuple_of_row = fold(leaves)
    most = 0 if policy.deletion else max(min(max_withheld, before.n_rows - policy.k), 0)  # one group stays
    return Case(policy.k, measure, ladders, codes, rows, most, policy.deletion, different_values(before, policy, tuple_of_row))


def different_values(table: Table, policy: Policy, tuple_of_row: Longs) -> Different | None:
    """The different values that the policy asks every group to hold, or the people: of the column that must show most. A missing cell is not one.

    Where all rows together have too few, nothing is counted.
    """
    asked = [] if policy.person is None else [(policy.k, policy.person, read_people)]
    for criterion, name, parameters in policy.demands:
        key = judging.definition_of(criterion).different
        asked += [(int(parameters[key]), name, read_values)] if key else []
    least, name, read = max(asked, default=(1, "", read_values), key=lambda one: one[0])
    if least < 2:
        return None
    coded = table.coded(name)
    reading = read(coded.values.to_list())
    value = np.array([*(-1 if place is None else place for place in reading.places), -1], dtype=np.int64)[coded.codes]
    there, n_values = value >= 0, reading.n_values + 1
    pairs = np.unique(tuple_of_row[there] * n_values + value[there])
    tuples, values = np.divmod(pairs, n_values)
    if len(np.unique(values)) < least:
        return None
    n_tuples = int(tuple_of_row.max(initial=-1)) + 1
    return Different(least, np.searchsorted(tuples, np.arange(n_tuples + 1)).astype(np.int64), values)


def _leaves(table: Table, name: str, made: Encoded) -> Longs:
    """The number of each row's value in the hierarchy."""
    coded = table.coded(name)
    if made.missing_code is None and coded.n_missing:
        raise DataError(f"Column '{name}' has missing cells, and its hierarchy has none.")
    of_value = np.append(made.code_of, -1 if made.missing_code is None else made.missing_code).astype(np.int64)
    return of_value[coded.codes]


def _ladder(policy: Policy, name: str, made: Encoded, leaf: Longs) -> Ladder:
    tree = made.tree
    blocks = tuple(tree.cut(level).astype(np.int64) for level in range(tree.height + 1))
    count = np.bincount(leaf, minlength=tree.n_leaves).astype(np.int64)
    starred = made.missing_code if policy.missing == "suppress" and made.free is None else None
    return Ladder(name, tree.labels[: tree.n_leaves], blocks, tree.bounds, count, policy.columns[name].counts, starred, made.free)
