"""From a table and a policy to a Problem: texts become leaf codes, equal rows are folded, nodes are priced."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal import hierarchies, measures, registry
from shoal.errors import DataError, Infeasible, PolicyError
from shoal.hierarchies import files
from shoal.hierarchies.encode import Encoded, ValuesError
from shoal.hierarchies.encode import encode as build
from shoal.policy.policy import Policy
from shoal.policy.workload import over_mean, relevance
from shoal.privacy.base import Demand, histogram
from shoal.privacy.meaning import people_of, scale_of
from shoal.problem import Problem, QuasiIdentifier, quasi_identifier
from shoal.table import Coded, Table
from shoal.table.fold import fold
from shoal.table.folded import Folded, fold_table
from shoal.text.dates import date_forms, parse_dates
from shoal.text.headers import no_such_columns
from shoal.text.missing import MARKS, marks_in
from shoal.text.numbers import has_leading_zeros, parse_numbers

IN_INTERVALS = ("intervals", "grid", "dates")
STRAY = 0.1
"""A note is made about a column if at most this share of its values are not numbers, or not dates of its form."""


@dataclass(frozen=True, eq=False)
class Encoding:
    """A Problem, and what is needed to tell people about it."""

    problem: Problem
    """Its units are the kinds of rows."""
    encoded: tuple[Encoded, ...]
    """The hierarchy of each quasi-identifier, in the problem's order."""
    kinds: NDArray[np.int32]
    """The kind of each row of a table in memory; of a folded table, which kind of the problem each of its entries is."""
    unprotected: tuple[str, ...]
    """Columns that are released as they are and that nobody gave a role."""
    n_missing: dict[str, int]
    notes: tuple[str, ...] = ()
    """What had to be assumed, in words for the user."""


def encode(table: Table, policy: Policy) -> Encoding:
    """Turn what the user asked for, about this table, into numbers."""
    check_columns(table.frame, table.source, policy)
    _check_policy(policy, table.source, table.n_rows)
    folded, kind_of_row = fold_table(table, columns_to_fold(table.columns, policy))
    made = encode_folded(folded, weighed(folded, policy))
    return replace(made, kinds=made.kinds[kind_of_row])


def columns_to_fold(columns: Sequence[str], policy: Policy) -> list[str]:
    """The columns that decide what can be released: the quasi-identifiers, those that a criterion asks about, the people's and the target."""
    watched = [name for name in policy.named("sensitive") if policy.columns[name].demands]
    wanted = {*policy.named("quasi-identifier"), *watched, *(name for name in (policy.person, policy.target) if name is not None)}
    return [name for name in columns if name in wanted]


def weighed(folded: Folded, policy: Policy) -> Policy:
    """The policy with its quasi-identifiers weighed by what they tell of the target, if there is one."""
    if policy.target is None:
        return policy
    target = folded.coded[policy.target].codes
    told = {name: relevance(folded.coded[name].codes, target, folded.rows) for name in policy.named("quasi-identifier")}
    if not any(told.values()):
        raise PolicyError(
            f"No quasi-identifier tells more of the target '{policy.target}' than chance would. Take a column of few values, such as groups of its values."
        )
    columns = {name: replace(policy.columns[name], relevance=weight) for name, weight in over_mean(told).items()}
    return policy.changed(columns={**policy.columns, **columns})


def weighed_by(table: Table, policy: Policy) -> Policy:
    """The same for a table in memory."""
    if policy.target is None:
        return policy
    check_columns(table.frame, table.source, policy)
    return weighed(fold_table(table, [*policy.named("quasi-identifier"), policy.target])[0], policy)


def encode_folded(folded: Folded, policy: Policy) -> Encoding:
    """The same of a table that was folded elsewhere. The order of its kinds makes no difference."""
    _check_policy(policy, folded.source, folded.n_rows)
    names = [name for name in folded.columns if name in set(policy.named("quasi-identifier"))]
    measure = registry.find(measures.CATALOG, policy.measure, "measure")
    encoded = [_encode_column(folded, policy, name) for name in names]
    leaves = [_leaf_codes(folded.coded[name], made) for name, made in zip(names, encoded, strict=True)]
    codes, _, tuple_of_kind = fold(leaves)
    demands, sensitive = _demands(folded, policy)
    for demand, values in zip(demands, sensitive, strict=True):
        _check_feasible(demand, values, folded.rows)
    order = _order_of_kinds(folded, tuple_of_kind, sensitive)
    columns = [
        _price_column(policy, name, made, leaf, folded.rows, measure) for name, made, leaf in zip(names, encoded, leaves, strict=True)
    ]
    problem = Problem(
        columns=tuple(columns),
        codes=codes,
        weight=np.bincount(tuple_of_kind, weights=folded.rows, minlength=len(codes)).astype(np.int64),
        tuple_of_unit=tuple_of_kind[order],
        rows_of_unit=folded.rows[order].astype(np.int32),
        kind_of_unit=np.arange(folded.n_kinds, dtype=np.int32),
        k=policy.k,
        measure=measure,
        demands=demands,
        sensitive=tuple(values[order] for values in sensitive),
        max_withheld=policy.most_withheld(folded.n_rows),
        deletion=policy.deletion,
        seed=policy.seed,
        time_limit=policy.time_limit,
        stop_at_ratio=policy.stop_at_ratio,
        effort=policy.effort,
    )
    place = np.empty(folded.n_kinds, dtype=np.int32)
    place[order] = np.arange(folded.n_kinds, dtype=np.int32)
    notes = [_stray_values(folded, policy, folded.coded[name]) for name in names]
    notes.append(_weights_taken(policy, names))
    notes.append(
        _marks_taken(
            folded, policy, [made for made, note in zip(zip(names, encoded, strict=True), notes[: len(names)], strict=True) if not note]
        )
    )
    return Encoding(
        problem,
        tuple(encoded),
        place,
        tuple(name for name in folded.columns if name not in set(policy.columns)),
        {name: folded.coded[name].n_missing for name in names if folded.coded[name].n_missing},
        tuple(note for note in notes if note),
    )


def need_quasi_identifiers(policy: Policy) -> None:
    """Raise if no quasi-identifier was named."""
    if not policy.named("quasi-identifier"):
        raise PolicyError(
            "No quasi-identifier was named. Name the columns that outsiders may know with --qi (quasi_identifiers=[…] in Python)."
        )


def _check_policy(policy: Policy, source: str, n_rows: int) -> None:
    need_quasi_identifiers(policy)
    if n_rows < policy.k:
        raise Infeasible(f"{source} has {n_rows} rows, which cannot make a group of k={policy.k}. Lower k.")


def _order_of_kinds(folded: Folded, tuple_of_kind: NDArray[np.int32], sensitive: Sequence[NDArray[np.int32]]) -> NDArray[np.int64]:
    """Kinds by their tuples, then by their sensitive values, then by their texts: the same order, however the table was folded."""
    texts = [column.codes for column in folded.coded.values()]
    return np.lexsort([*reversed(texts), *reversed(sensitive), tuple_of_kind])


def check_columns(rows: pl.DataFrame, source: str, policy: Policy) -> None:
    """Every column that the policy speaks of must be there. ``rows`` are all or some of the table."""
    spoken_of = dict.fromkeys([*policy.columns, *([] if policy.target is None else [policy.target])])
    absent = [name for name in spoken_of if name not in rows.columns]
    if absent:
        raise PolicyError(no_such_columns(rows, source, absent))


def column_spec(policy: Policy, column: Coded) -> Any:
    """The hierarchy of a column: the policy's, else a file in the hierarchies folder, else the default for its kind of values."""
    name = column.name
    if policy.suppression_only:
        return hierarchies.suppression()
    asked = policy.columns.get(name)
    if asked is not None and asked.hierarchy is not None:
        return asked.hierarchy
    if policy.hierarchies is not None:
        path = files.find(Path(policy.hierarchies), name)
        if path is not None:
            return hierarchies.from_file(path)
    return hierarchies.default_spec(name, column.values.to_list(), column.counts())


def is_default(policy: Policy, name: str) -> bool:
    """Whether nobody gave the column a hierarchy, so that it gets the one for its kind of values."""
    asked = policy.columns.get(name)
    if policy.suppression_only or (asked is not None and asked.hierarchy is not None):
        return False
    return policy.hierarchies is None or files.find(Path(policy.hierarchies), name) is None


def resolve(table: Table, policy: Policy, name: str) -> tuple[Coded, Encoded]:
    """A quasi-identifier's values and its hierarchy: the one place where it is decided, for the solver, the verifier and the measures."""
    column = table.coded(name)
    return column, _build(policy, column)


def _build(policy: Policy, column: Coded) -> Encoded:
    return build(column.name, column.values.to_list(), column.n_missing > 0, column_spec(policy, column))


def _weights_taken(policy: Policy, names: Sequence[str]) -> str | None:
    """A note on what the columns weigh for the sake of a target."""
    if policy.target is None:
        return None
    told = ", ".join(f"{name} {policy.columns[name].counts:g}" for name in names)
    return f"Weights by what each column tells of '{policy.target}': {told}. They are a property of the table: keep them with the record."


UNLIKE = {"number": "put into intervals", "date": "grouped by months and years"}


def _stray_values(folded: Folded, policy: Policy, column: Coded) -> str | None:
    """A note on a column of numbers or dates that has a few other values, and so did not get the hierarchy that a user would expect."""
    if not is_default(policy, column.name):
        return None
    values = column.values.to_list()
    _, no_numbers = parse_numbers(values)
    kind, wrong = "number", no_numbers
    unfit = date_forms(values) if len(no_numbers) == len(values) else {}
    if unfit:
        kind, form = "date", min(unfit, key=lambda name: unfit[name])
        wrong = parse_dates(values, form)[1]
    if not 0 < len(wrong) <= STRAY * len(values) or (kind == "number" and has_leading_zeros(values)):  # codes are no numbers anyway
        return None
    where = folded.where(column.name, wrong.tolist())
    marks = [mark for mark in MARKS if any(values[i] == mark for i in wrong.tolist())]
    if len(marks) == len(wrong):
        advice = f"If they stand for missing values, say so: {' '.join(f'--missing-value {quote(mark)}' for mark in marks)} (missing_values={marks} in Python)."
    else:
        advice = "Correct them, or name a hierarchy."
    return f"{column.name}: {len(wrong)} of {len(values)} values are not {kind}s like the rest ({where}), so it was not {UNLIKE[kind]}. {advice}"


def _marks_taken(folded: Folded, policy: Policy, columns: Sequence[tuple[str, Encoded]]) -> str | None:
    """A note on cells that probably stand for nothing and were taken as values, what that cost, and the flag to give."""
    held: list[str] = []
    marks: dict[str, None] = {}
    for name, made in columns:
        column, counts = folded.coded[name], folded.coded[name].counts()
        found = marks_in(column.values, counts) if column.n_values > 1 else ()
        if found:
            is_mark = column.values.is_in(list(found))
            usual = hierarchies.default_spec(name, column.values.filter(~is_mark).to_list(), counts[~is_mark.to_numpy()])
            is_lost = is_default(policy, name) and usual.name in IN_INTERVALS and made.spec.name not in IN_INTERVALS
            held.append(f"{int(counts[is_mark.to_numpy()].sum()):,} of {name}{' (so it was not put into intervals)' if is_lost else ''}")
            marks |= dict.fromkeys(found)
    if not held:
        return None
    flags = " ".join(f"--missing-value {quote(mark)}" for mark in marks)
    return (
        f"Cells that hold {' or '.join(repr(mark) for mark in marks)} were taken as values: {', '.join(held)}. If they stand for missing values, say so: {flags} "
        f"(missing_values={list(marks)} in Python)."
    )


def _encode_column(folded: Folded, policy: Policy, name: str) -> Encoded:
    column = folded.coded[name]
    if policy.missing == "error" and column.n_missing:
        raise DataError(
            f"Column '{name}': {column.n_missing} of {folded.n_rows} cells are missing ({folded.where(name, [-1])}). "
            "Fill them, or choose --missing value or --missing suppress."
        )
    try:
        return _build(policy, column)
    except ValuesError as error:
        raise error.at_lines(folded.where(name, error.missing_values.tolist())) from None


def _leaf_codes(column: Coded, made: Encoded) -> NDArray[np.int32]:
    if made.missing_code is None:
        return made.code_of[column.codes]
    table = np.append(made.code_of, np.int32(made.missing_code)).astype(np.int32)
    return table[column.codes]  # a missing cell has code −1, which is the last


def _price_column(
    policy: Policy, name: str, made: Encoded, leaf: NDArray[np.int32], rows: NDArray[np.int64], measure: Any
) -> QuasiIdentifier:
    count = np.bincount(leaf, weights=rows, minlength=made.tree.n_leaves).astype(np.int64)
    starred = made.missing_code if policy.missing == "suppress" else None
    return quasi_identifier(name, made.tree, count, measure, policy.columns[name].counts, made.free, starred)


def _demands(folded: Folded, policy: Policy) -> tuple[tuple[Demand, ...], tuple[NDArray[np.int32], ...]]:
    demands: list[Demand] = []
    codes: list[NDArray[np.int32]] = []
    if policy.person is not None:
        column = folded.coded[policy.person]
        scale = people_of(column.values.to_list())
        demands.append(scale.demand_of_people(policy.person, policy.k))
        codes.append(scale.codes(column.codes))
    for criterion, name, parameters in policy.demands:
        column = folded.coded[name]
        scale = scale_of(column.values.to_list())
        demands.append(scale.demand(criterion, name, parameters))
        codes.append(scale.codes(column.codes))
    return tuple(demands), tuple(codes)


def _check_feasible(demand: Demand, values: NDArray[np.int32], rows: NDArray[np.int64]) -> None:
    """Raise if the whole table as one group breaks a demand: then every release does, because every criterion survives merging."""
    counts = histogram(np.zeros(len(values), dtype=np.int32), values, 1, rows=rows)
    if not demand.is_met(counts)[0]:
        reached = float(demand.reached(counts)[0])
        if demand.criterion.about_rows:
            raise Infeasible(
                f"Infeasible: the rows are of {reached:g} different people by '{demand.column}', and a group needs {demand.parameters['k']:g}. Lower k."
            )
        raise Infeasible(
            f"Infeasible: even the whole table as one group does not reach {demand.text()}: it reaches {reached:.4g}. Ask for less of '{demand.column}'."
        )
