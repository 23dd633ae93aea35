"""The *desk*: everything that a person works on in the studio. One person, one table, some runs."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from shoal import api, hierarchies, io, measures
from shoal.errors import DataError, HierarchyError, PolicyError, ShoalError
from shoal.hierarchies.encode import encode
from shoal.hierarchies.encoded import Encoded, Spec
from shoal.hierarchies.files import read_rows
from shoal.hierarchies.suggest import suggest
from shoal.policy import ColumnPolicy, Policy
from shoal.policy_check import check_column
from shoal.report.risk import Assessment, assess_table
from shoal.report.suggest import ASK, Suggestion, overview
from shoal.studio.runs import Run
from shoal.studio.sketch import MOST_VALUES, Sketch
from shoal.studio.work import AnyJob, Job
from shoal.table import Coded, Table


class Stale(DataError):
    """A page is about a table that is no longer loaded."""


class Absent(DataError):
    """A page asks for something that never existed."""


MOST_FOR_TRIPLES = 12
"""Quasi-identifiers up to which all triples are looked at; pairs beyond."""


@dataclass
class Settings:
    """What is asked of a run, as the form says it."""

    k: int = 5
    measure: str = measures.DEFAULT
    algorithm: str = "auto"
    withhold: float = 0.0
    deletion: str = ""
    require: Mapping[str, str] = field(default_factory=dict)
    """What is asked of sensitive columns: a criterion's name, and its parameters as on the command line."""
    missing: str = "value"
    keep_order: str = ""
    """Whether rows keep the input's order; else they are sorted by what they show."""
    time_limit: str = ""
    near_enough: str = ""
    """Stop once proved within so many percent."""
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Loaded:
    """A table, and what its columns look like."""

    table: Table
    columns: tuple[Suggestion, ...]
    defaults: Mapping[str, str]
    """The hierarchy that a column gets if none is chosen, in words."""


@dataclass
class Desk:
    """What is on the desk."""

    folder: Path
    """Private: uploads and downloads, wiped at the end."""
    root: Path
    """Where files may be picked from."""
    key: str = ""
    """Of the table on the desk: new with each load, so that no address of an earlier table leads to this one."""
    loading: Job[Loaded] | None = None
    roles: dict[str, str] = field(default_factory=dict)
    specs: dict[str, Spec] = field(default_factory=dict)
    """The hierarchies that were chosen; a column without one gets the default of its kind."""
    weights: dict[str, float] = field(default_factory=dict)
    """How much a column's loss counts; 1 where nothing is said."""
    marks: tuple[str, ...] = ()
    """Texts that stand for a missing cell in columns that have a role."""
    settings: Settings = field(default_factory=Settings)
    runs: list[Run] = field(default_factory=list)
    _sketches: dict[str, Sketch] = field(default_factory=dict)
    _coded: dict[str, Coded] = field(default_factory=dict)
    _risk: tuple[tuple[Any, ...], Job[Assessment]] | None = None
    _left: list[AnyJob] = field(default_factory=list)
    """Work that nobody waits for any more, and that may still go on."""
    _lock: threading.RLock = field(default_factory=threading.RLock)
    """A lock, held while a table is replaced and while something is done to one."""

    def load(self, path: Path, name: str) -> None:
        """Begin to read a file. What was on the desk before is closed."""
        with self._lock:
            self.stop()
            self.key = secrets.token_hex(8)
            self.roles, self.specs, self.weights, self._sketches, self._coded, self.runs = {}, {}, {}, {}, {}, []
            self.marks = ()
            self._left += [job for job in (self.loading, self._risk and self._risk[1]) if job]
            is_ours = path.is_relative_to(self.folder)
            self._risk = None
            self.loading = Job(f"Reading {name}", lambda: _load(path, name, is_ours))

    def stop(self) -> None:
        """Ask every run to stop."""
        for run in self.runs:
            run.ear.stop.set()
        self._left += [run.job for run in self.runs]

    def is_busy(self, patience: float) -> bool:
        """Whether some work still goes on after so many seconds."""
        until = time.monotonic() + patience
        jobs = [job for job in (self.loading, self._risk and self._risk[1], *self._left) if job]
        for job in jobs:
            job.wait(max(until - time.monotonic(), 0.0))
        return any(job.state == "working" for job in jobs)

    @property
    def loaded(self) -> Loaded | None:
        return self.loading.result if self.loading is not None else None

    @property
    def table(self) -> Table:
        if self.loaded is None:
            raise DataError("There is no table yet. Load one first.")
        return self.loaded.table

    def named(self, role: str) -> list[str]:
        """The columns with a role, in the table's order."""
        return [name for name in self.table.columns if self.roles.get(name) == role]

    def give_roles(self, roles: Mapping[str, str]) -> None:
        """Take the roles that the user confirmed."""
        if sum(role == "person" for role in roles.values()) > 1:
            raise PolicyError("Only one column can say which person a row is about.")
        self.roles = {name: role for name, role in roles.items() if role}

    def give_marks(self, text: str) -> None:
        """Take the texts that stand for a missing cell, with commas between them."""
        marks = tuple(dict.fromkeys(mark.strip() for mark in text.split(",") if mark.strip()))
        if marks != self.marks:
            self.marks = marks
            self._coded, self._sketches, self._risk = {}, {}, None

    @property
    def person(self) -> str | None:
        """The column that says which person a row is about."""
        return next(iter(self.named("person")), None)

    @property
    def suggested_marks(self) -> tuple[str, ...]:
        """Texts that probably stand for a missing cell."""
        return tuple(dict.fromkeys(mark for s in (self.loaded.columns if self.loaded else ()) for mark in s.marks))

    def suggested_role(self, name: str) -> str:
        """A role that the user may confirm."""
        if self.loaded is None:
            return ""
        role = next((s.role for s in self.loaded.columns if s.column == name), "")
        return "" if role == ASK else role

    def risk(self) -> Job[Assessment]:
        """What the quasi-identifiers give away; counted once for the same columns."""
        names, watched = tuple(self.named("quasi-identifier")), tuple(self.named("sensitive"))
        if not names:
            raise PolicyError("Choose the quasi-identifiers first: the columns that outsiders may know of somebody.")
        person = self.person
        if self._risk is None or self._risk[0] != (names, watched, person, self.marks):
            size = 3 if len(names) <= MOST_FOR_TRIPLES else 2
            table = self.table.with_missing(self.marks, [*names, *watched, *([person] if person else [])])
            job = Job("Counting who stands out", lambda: assess_table(table, names, watched, largest_subset=size, person=person))
            self._risk = (names, watched, person, self.marks), job
        return self._risk[1]

    @property
    def is_working(self) -> bool:
        """Whether a page is being waited for."""
        jobs: list[AnyJob | None] = [self.loading, self._risk[1] if self._risk else None]
        return any(job is not None and job.state == "working" for job in jobs)

    def coded(self, name: str) -> Coded:
        """A column as values and codes."""
        if name not in self._coded:
            self._coded[name] = self.table.with_missing(self.marks, [name]).coded(name)
        return self._coded[name]

    def spec(self, name: str) -> Spec:
        """The hierarchy of a column: the chosen one, or the default."""
        return self.specs[name] if name in self.specs else _default(self.coded(name))

    def encoded(self, name: str, spec: Spec | None = None) -> Encoded:
        """A column's hierarchy over its values; raises where it does not fit them."""
        coded = self.coded(name)
        return encode(name, coded.values.to_list(), coded.n_missing > 0, spec or self.spec(name))

    def hierarchy_text(self, name: str) -> str:
        """A column's hierarchy in words: the chosen one, or the default."""
        if name in self.specs:
            return self.specs[name].description
        if self.loaded is None:
            return ""
        is_new = bool(self.marks) and name in self.loaded.defaults
        return f"{_default(self.coded(name)).description if is_new else self.loaded.defaults.get(name, 'by its values')} (default)"

    def choose(self, name: str, spec: Spec | None) -> None:
        """Take a hierarchy for a column, if it fits; None for the default."""
        if spec is None:
            self.specs.pop(name, None)
        else:
            self.encoded(name, spec)
            self.specs[name] = spec
        self._sketches.pop(name, None)

    def weigh(self, name: str, text: str) -> None:
        """Say how much a column's loss counts."""
        weight = _number(text, "The weight")
        if weight is None or weight == 1:
            self.weights.pop(name, None)
            return
        check_column(name, "quasi-identifier", None, weight, ())
        self.weights[name] = weight

    def choose_suggested(self, name: str) -> None:
        """Take the suggestion for a column's values."""
        coded = self.coded(name)
        self.choose(name, hierarchies.levels(suggest(name, coded.values.to_list(), coded.counts()).rows))

    def choose_file(self, name: str, path: Path) -> None:
        """Take a hierarchy file. Its rows become part of the policy, since the upload will be wiped."""
        self.choose(name, hierarchies.levels(read_rows(path)))

    def sketch(self, name: str) -> Sketch:
        """The column's hierarchy, to be arranged by hand."""
        if name not in self._sketches:
            if self.coded(name).n_values > MOST_VALUES:
                raise HierarchyError(
                    f"Column '{name}' has {self.coded(name).n_values:,} values: too many to arrange by hand (the most is {MOST_VALUES:,}). "
                    "Choose intervals or prefixes, or send a hierarchy file."
                )
            encoded = self.encoded(name)
            if encoded.free is not None:
                raise HierarchyError("Freely chosen intervals or sets have no tree to arrange. Choose another kind first.")
            self._sketches[name] = Sketch.of_tree(encoded.tree)
        return self._sketches[name]

    def keep_sketch(self, name: str) -> None:
        """Make what was arranged the column's hierarchy."""
        spec = hierarchies.levels(self.sketch(name).rows())
        self.encoded(name, spec)
        self.specs[name] = spec

    def rows_below(self, name: str) -> dict[str, int]:
        """How many rows have each value: for sums of at least k, never to be shown for fewer."""
        coded = self.coded(name)
        return dict(zip(coded.values.to_list(), np.asarray(coded.counts()).tolist(), strict=True))

    def policy(self) -> Policy:
        """All of it as a policy, which repeats the run on the command line."""
        s = self.settings
        names = self.named("quasi-identifier")
        near = _number(s.near_enough, "How close is near enough")
        asked = api.make_policy(
            None, k=s.k, measure=s.measure, algorithm=s.algorithm, withhold=s.withhold, deletion=bool(s.deletion) or None,
            missing=s.missing, keep_order=bool(s.keep_order), seed=s.seed, stop_at_ratio=1 + near / 100 if near is not None else None, time_limit=_number(s.time_limit, "The time limit"), quasi_identifiers=names, sensitive=self.named("sensitive"),
            identifiers=self.named("identifier"), hierarchies={n: self.specs[n] for n in names if n in self.specs},
            weights={n: self.weights[n] for n in names if n in self.weights}, require=dict(s.require), person=self.person, missing_values=self.marks,
        )  # fmt: skip
        if not names:
            raise PolicyError("Choose the quasi-identifiers first: the columns that outsiders may know of somebody.")
        kept = {name: ColumnPolicy(role="insensitive") for name in self.named("insensitive")}
        return asked.changed(columns={**asked.columns, **kept})

    def start(self, key: str, settings: Settings | None = None) -> Run:
        """Begin a run of the table of this key with what is on the desk."""
        with self.holding(key):
            self.settings = settings or self.settings
            return self._start()

    def _start(self) -> Run:
        run = Run(len(self.runs) + 1, self.key, self.table, self.policy(), self.folder)
        self.runs.append(run)
        return run

    def run(self, key: str, number: int) -> Run:
        """A run of the table that is on the desk; never one of another table that had the same number."""
        self.need(key)
        if not 1 <= number <= len(self.runs):
            raise Absent("There is no such run of this table.")
        return self.runs[number - 1]

    @contextmanager
    def holding(self, key: str) -> Iterator[None]:
        """While something is done to the table of this key, no other table can replace it."""
        with self._lock:
            self.need(key)
            yield

    def need(self, key: str) -> None:
        """Raise :class:`Stale` for a page of a table that is no longer on the desk."""
        if not self.key or key != self.key:
            raise Stale(
                "This page is of a table that is no longer on the desk: another one was loaded since, perhaps in another tab. "
                "Nothing was changed, and no file was sent."
            )


def _load(path: Path, name: str, is_ours: bool) -> Loaded:
    """Read a table; an upload is then deleted, since it is no longer needed."""
    try:
        table = replace(io.read(path), source=name)
    except ShoalError as error:
        raise type(error)(str(error).replace(str(path), name)) from None
    finally:
        if is_ours:
            path.unlink(missing_ok=True)
    if table.n_rows == 0:
        raise DataError(f"{name} has no rows.")
    found, defaults = overview(table), {}
    for column in (s.column for s in found if s.kind != "nested"):
        coded = table.coded(column)
        if coded.n_values <= MOST_VALUES:
            defaults[column] = _default(coded).description
    return Loaded(table, tuple(found), defaults)


def _default(coded: Coded) -> Spec:
    """The hierarchy that a column gets by itself."""
    return hierarchies.default_spec(coded.name, coded.values.to_list(), coded.counts())


def _number(text: str, what: str) -> float | None:
    try:
        return float(text) if text.strip() else None
    except ValueError:
        raise PolicyError(f"{what} must be a number.") from None
