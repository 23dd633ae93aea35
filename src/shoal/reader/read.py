"""``shoal.read``: from a released table to a Reading."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal import io, kernels, measures, registry
from shoal.errors import DataError, PolicyError
from shoal.judge.forms import read_back
from shoal.measures.base import Measure
from shoal.policy.policy import Policy
from shoal.reader.column import Labels, exact_labels, fit_column, labels_of
from shoal.reader.explained import Given, Rows, explained
from shoal.reader.reading import Reading
from shoal.release.counted import CountedRelease
from shoal.release.manifest import DEFAULT
from shoal.release.release import Release
from shoal.text.headers import no_such_columns

LEAST_PRIOR = 0.5
"""The least prior: how often each value counts as seen in advance. It is higher for a release of large groups, where rarer values are hidden."""
RARE_HIDDEN_MORE = 0.5
"""How the likelihood of a hidden value depends on its frequency where nobody says which measure was minimised."""


def _are_texts(found: Any) -> bool:
    return isinstance(found, list | tuple) and all(isinstance(one, str) for one in found)


FORMS: Mapping[str, Callable[[Any], bool]] = {
    "quasi_identifiers": _are_texts,
    "hierarchies": lambda found: isinstance(found, Mapping) and _are_texts(list(found.values())),
    "orders": lambda found: isinstance(found, Mapping) and all(_are_texts(order) for order in found.values()),
}
"""What the keys that are read here must be."""


def read(
    release: Any,
    *,
    quasi_identifiers: Iterable[str] | None = None,
    hierarchies: Mapping[str, Any] | str | Path | None = None,
    manifest: Mapping[str, Any] | str | Path | None = None,
    measure: str | None = None,
    lean: float | None = None,
    form: str = "labels",
    missing_values: Iterable[str] = (),
    policy: Policy | str | Path | None = None,
) -> Reading:
    """Read a release by any tool: a path, a dataframe or a :class:`shoal.Release`.

    ``hierarchies`` are those that its labels come from; intervals, sets, prefixes and dates need none. ``measure`` is what the release
    minimised; the ``manifest`` says it too. It decides how much more often rare values are hidden (``lean``), which a release by itself
    does not tell. Without any of these the reader assumes that rare values are hidden more often. ``form`` is the one it was written in;
    ``bounds`` and ``typed`` need the names of the quasi-identifiers, here or in the manifest. ``missing_values`` are texts that stand for a
    missing cell, in any column. ``policy`` is the one it was made by, for whoever has it: hierarchies are taken from there.

    Where the manifest says that a column's hierarchy lists its values, and nobody gives it, the names that the column shows cannot be read: questions about it are errors.
    """
    names = None if quasi_identifiers is None else list(quasi_identifiers)
    facts = _facts(manifest)
    if isinstance(release, Release | CountedRelease):
        facts = {**release.manifest, **facts}
        policy = release.policy if policy is None else policy
    if policy is not None:
        policy = policy if isinstance(policy, Policy) else Policy.read(policy)
        hierarchies = hierarchies_in(policy) if hierarchies is None else hierarchies
        facts = {"hierarchies": dict.fromkeys(policy.columns, DEFAULT), "missing": policy.missing, **facts}
    table = io.read(release.table if isinstance(release, Release | CountedRelease) else release)
    table = table.with_missing(tuple(missing_values), table.columns)
    names = names if names is not None else facts.get("quasi_identifiers")
    if form != "labels":
        if names is None:
            raise PolicyError(f"To read the form '{form}', name the quasi-identifiers (--qi), or give the manifest.")
        table = replace(table, frame=read_back(table.frame, names, form)[0])
    absent = [name for name in names or [] if name not in table.columns]
    if absent:
        raise DataError(no_such_columns(table.frame, table.source, absent))
    told = {name: explained(name, facts, hierarchies) for name in table.columns if names is None or name in names}
    read_as = {name: labels_of(table.column(name), told[name]) for name in told}
    measure = measure or facts.get("measure")
    chosen = lean if lean is not None else lean_of(measure)
    if not 0 <= chosen <= 2:
        raise PolicyError(f"The lean lies between 0 and 2, not at {chosen:g}.")
    is_told = lean is not None or measure in measures.CATALOG
    may_miss = facts.get("missing") != "value" and not any(None in labels.shown for labels in read_as.values())
    times = release.times if isinstance(release, CountedRelease) else None
    found = _fitted(table.frame, table.kind, read_as, chosen, times, is_told, may_miss)
    _speaks_of(facts, found.n_rows, table.frame, [name for name in told if names is not None])
    return replace(found, unread=frozenset(n for n, t in told.items() if t.is_list_missing and not found.columns[n].is_line))


def _speaks_of(facts: Mapping[str, Any], n_rows: int, frame: pl.DataFrame, names: Sequence[str]) -> None:
    """Refuse a manifest of another release: it has so many rows, and no more groups than it says. Files in other types may have fewer."""
    told, groups = facts.get("n_released"), facts.get("n_groups")
    if isinstance(told, int) and told != n_rows:
        raise DataError(
            f"The manifest is of a release with {told:,} rows, and this table has {n_rows:,}. Give the manifest of this release and all of its rows; "
            "without a manifest, a part of a release can be read too."
        )
    shown = pl.DataFrame([frame[name] for name in names]).n_unique() if names else 0
    if isinstance(groups, int) and shown > groups:
        raise DataError(
            f"The manifest is of a release with {groups:,} groups, and this table has {shown:,}: it is the manifest of another release, or cells were changed."
        )


def lean_of(measure: str | None) -> float:
    """How the likelihood of a hidden value depends on its frequency, by the measure that was minimised."""
    found: Measure | None = registry.find(measures.CATALOG, measure) if measure in measures.CATALOG else None
    return RARE_HIDDEN_MORE if found is None else found.lean


def _fitted(
    frame: pl.DataFrame,
    kind: str,
    read_as: Mapping[str, Labels],
    lean: float,
    times: NDArray[np.int64] | None,
    is_told: bool,
    may_miss: bool,
) -> Reading:
    """Group the rows by what the generalized columns show, and fit each column."""
    generalized = [name for name, labels in read_as.items() if labels.is_generalized]
    group = np.zeros(frame.height, dtype=np.int64)
    for name in generalized:
        label = read_as[name].label
        group = kernels.rank_keys(group * (int(label.max(initial=0)) + 1) + label)[2].astype(np.int64)
    size = np.bincount(group, weights=times).astype(np.int64)
    prior = max(LEAST_PRIOR, float(size.min()) / 4)
    first = kernels.rank_keys(group)[0]
    columns = {}
    for name in frame.columns:
        labels = read_as[name] if name in read_as else exact_labels(frame[name])
        shown = groups_showing(labels, first, size, times)
        columns[name] = fit_column(labels, size[group], shown, lean, prior, times, is_told=is_told, may_miss=may_miss)
    return Reading(frame, columns, group, lean, kind, times)


def groups_showing(
    labels: Labels, first: NDArray[np.int32], size: NDArray[np.int64], times: NDArray[np.int64] | None = None
) -> NDArray[np.int64]:
    """How many groups show each label: those that are told apart here, or as many of the smallest size as its rows make. Groups may differ in exact columns too.

    ``first`` is a row of each group.
    """
    n_groups = np.bincount(labels.label[first], minlength=len(labels.shown))
    n_rows = np.bincount(labels.label, weights=times, minlength=len(labels.shown))
    return np.maximum(n_groups, n_rows // max(int(size.min(initial=2**62)), 1)).astype(np.int64)


def _facts(manifest: Mapping[str, Any] | str | Path | None) -> dict[str, Any]:
    """What a manifest says; PolicyError where it is none."""
    found: Any = manifest
    if isinstance(manifest, str | Path):
        try:
            found = json.loads(Path(manifest).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            raise PolicyError(f"'{manifest}' is not a manifest: it cannot be read as JSON.") from None
    if found is None and manifest is None:
        return {}
    if not isinstance(found, Mapping):
        raise PolicyError("The manifest is not one of a release: it must be an object with keys and values.")
    for key, fits in FORMS.items():
        if key in found and not fits(found[key]):
            raise PolicyError(f"The manifest is not one of a release: it has '{key}' in another form.")
    return dict(found)


def given_rows(release: Release | CountedRelease, name: str) -> Rows | None:
    """The hierarchy that the owner gave a column, as rows of text; None where its labels can be read without one."""
    return explained(name, {}, hierarchies_in(release.policy)).rows


def hierarchies_in(policy: Policy) -> Given:
    """What the columns were given, or the folder."""
    given = {name: column.hierarchy for name, column in policy.columns.items() if column.hierarchy is not None}
    return given or policy.hierarchies
