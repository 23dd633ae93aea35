"""Release: a table that a recount has verified, and everything that can be said about it.

There is one way to make one, :func:`make_release`, and it verifies. Writers take only a Release, and only the very table that was
verified: they compare its fingerprint with the verdict's.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import InitVar, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.disk.atomic import check_place
from shoal.errors import NotAnonymous, Refused
from shoal.hierarchies.encoded import Encoded
from shoal.judge import gate
from shoal.judge.counts import N, by_names
from shoal.judge.criteria.base import Requirement
from shoal.judge.texts import Texts
from shoal.judge.verdict import Verdict
from shoal.judge.verify import verify
from shoal.policy.policy import Policy
from shoal.problem import Bound, Ints, Moment, Problem, Solution
from shoal.release import doors, forms
from shoal.release.decode import classes_of_groups, shown_by_groups
from shoal.release.frozen import FrozenDict
from shoal.release.record import Story
from shoal.release.resolve import Hierarchies
from shoal.release.texts import from_encoded
from shoal.release.written import WrittenFile, with_reading, written_file
from shoal.table import Coded, Table
from shoal.text.rounding import times_the_least

_KEY = object()
ROUNDING = 1e-7
"""How far the solver's loss and the recounted one may differ, as a share: both add up millions of cells, in another order."""


@dataclass(frozen=True, eq=False)
class Release:
    """A verified release."""

    frame: pl.DataFrame
    """The released table, in polars."""
    groups: NDArray[np.int32]
    """Group number of each released row."""
    rows: NDArray[np.int64]
    """Which row of the original each released row is; for the owner's eyes."""
    kinds: NDArray[np.int32]
    """The kind of each row of the original: which unit of the problem it is of."""
    facts: FrozenDict
    """The record, without what is known only after writing."""
    told: FrozenDict
    """The manifest, without what is known only after writing."""
    original: Table
    policy: Policy
    problem: Problem
    hierarchies: Mapping[str, Encoded]
    """Of each quasi-identifier, as it was built for the solver."""
    solution: Solution
    bound: Bound | None
    verdict: Verdict
    _written: dict[str, Any] = field(default_factory=dict, init=False, repr=False)
    key: InitVar[object] = None

    def __post_init__(self, key: object) -> None:
        if key is not _KEY:
            raise NotAnonymous("A Release is made by verifying, and stays as it was made: use shoal.anonymize.")
        for array in (self.groups, self.rows, self.kinds):
            array.setflags(write=False)

    @property
    def tuples(self) -> NDArray[np.int32]:
        """The tuple of the problem that each released row carries."""
        return self.problem.tuple_of_unit[self.kinds[self.rows]]

    @property
    def times(self) -> None:
        """How many rows each line of the frame stands for: every line is one. Where only counts are known, see :mod:`shoal.release.counted`."""
        return

    @property
    def columns(self) -> list[str]:
        """The released columns."""
        return self.frame.columns

    @property
    def source(self) -> str:
        """What the original is called."""
        return self.original.source

    @property
    def notes(self) -> tuple[str, ...]:
        """What reading had to assume."""
        return self.original.notes

    def before(self, names: Sequence[str]) -> tuple[pl.DataFrame, None]:
        """Cells of the original, of the rows that are released."""
        return self.original.frame[list(names)][self.rows], None

    def sensitive(self, name: str) -> tuple[Coded, Ints, None]:
        """A sensitive column of the original, and which rows look alike; −1 for one that is withheld."""
        group = np.full(self.original.n_rows, -1, dtype=np.int32)
        group[self.rows] = classes_of_groups(self.solution)[self.groups]
        return self.original.coded(name), group, None

    @property
    def history(self) -> tuple[Moment, ...]:
        """Loss and bound over the run."""
        return self.solution.history

    @property
    def manifest(self) -> FrozenDict:
        """What the release is, in numbers that may be published with it. ``docs/disclosure.md`` says why each of them may.

        It is frozen; ``release_sha256`` speaks of the file written last, before that of plain CSV.
        """
        return FrozenDict({**self.told, "release_sha256": self._sha256})

    @property
    def seconds(self) -> FrozenDict:
        """How long each step took, so far."""
        more = self._written.get("seconds", {})
        return FrozenDict({step: spent + more.get(step, 0.0) for step, spent in self.facts["seconds"].items()})

    def took(self, step: str, seconds: float) -> None:
        """Say how long a step took after the release was made."""
        self._written.setdefault("seconds", {})[step] = seconds

    @property
    def record(self) -> FrozenDict:
        """Everything that is known of the run, exactly. It tells more than the release: it is for the owner."""
        source = {} if self.facts["input_sha256"] else {"input_sha256": doors.load("csv_sha256")(self.original.frame)}
        return FrozenDict({**self.facts, **source, "seconds": self.seconds, "release_sha256": self._sha256})

    @property
    def file(self) -> WrittenFile:
        """The file that was written last."""
        found: WrittenFile = self._written.get("file", WrittenFile())
        return with_reading(found, *self._written.get("reading", (None, None, None)))

    def read_by(self, delimiter: str | None, encoding: str | None, output_delimiter: str | None) -> None:
        """Say how files were read and written, for the commands in a report."""
        self._written["reading"] = (delimiter, encoding, output_delimiter)

    def meant_for(self, path: str | Path, **how: Any) -> None:
        """Say where it will be written, for what is said of it before: a table of a database is written last."""
        self._written["file"] = written_file(path, **how)

    @property
    def _sha256(self) -> str:
        if "sha256" not in self._written:
            self._written["sha256"] = doors.load("release_sha256")(self)
        return str(self._written["sha256"])

    @property
    def table(self) -> Any:
        """The released table, of the kind that was given: pandas in, pandas out; a path gives polars.

        It is in the input's order, whatever the policy says of files; that order may reveal something. :meth:`write` sorts rows where asked to.
        """
        return self.to_table()

    def to_table(self, *, keep_index: bool = False, form: str = "labels") -> Any:
        """The released table as ``table`` gives it, or in a form for analysis: ``bounds`` or ``typed``.

        With ``keep_index`` a pandas table keeps its index, which shows the rows withheld.
        """
        frame, given = gate.check(*self.in_form(form)), self.original
        untouched = [name for name in frame.columns if name in given.columns and name not in self.hierarchies]
        how = {"rows": self.rows, "untouched": untouched, "keep_index": keep_index}
        return doors.load("to_kind")(frame, given.kind, given=given.given, **how)

    def in_form(self, form: str, *, lists_as_text: bool = False) -> tuple[pl.DataFrame, Verdict]:
        """The released table in a form, and the verdict on that very table: recounted in this form, or :class:`NotAnonymous`."""
        if form == "labels":
            return self.frame, self.verdict
        frame = forms.in_form(gate.check(self.frame, self.verdict), dict(self.hierarchies), form, lists_as_text)
        texts = {name: from_encoded(made) for name, made in self.hierarchies.items()}
        return frame, recounted(frame, self.original, self.policy, self.problem, self.rows, texts, form)

    @property
    def loss(self) -> float:
        """In the chosen measure with its weights, recounted from the released texts."""
        return float(self.facts["loss"])

    @property
    def lower_bound(self) -> float | None:
        """No release of this table by these hierarchies can lose less, whichever rows it withholds of those it may."""
        bound = self.facts["lower_bound"]
        return None if bound is None else float(bound)

    @property
    def ratio(self) -> float | None:
        """Loss over bound: 1.05 means that it loses at most 1.05 times the least possible."""
        ratio = self.facts["ratio"]
        return None if ratio is None else float(ratio)

    def write(self, path: str | Path, *, force: bool = False, **how: Any) -> str:
        """Write the table; the ending decides the format (.csv, .csv.gz, .parquet). Gives the SHA-256 of the file's bytes.

        Rows are in the input's order unless ``keep_order=False`` (here or in the policy) has them sorted by what they show; a text file has
        the input's ``delimiter`` unless another is given. A file that exists is replaced only with ``force``.
        """
        start = time.perf_counter()
        sha256 = str(doors.load("write_release")(self, path, force=force, **how))
        self._written.update(sha256=sha256, file=written_file(path, **how))
        self.took("write", time.perf_counter() - start)
        return sha256

    def report(self, path: str | Path | None = None, *, force: bool = False) -> Any:
        """Write the report that may be published with the table, as a page (.html), text (.md) or data (.json)."""
        gate.check(self.frame, self.verdict)
        return doors.load("write_report")(self, path, force=force)

    def owner_report(self, path: str | Path | None = None, *, force: bool = False) -> Any:
        """Write the report with everything in it, for the owner alone: the original's figures beside the release's."""
        gate.check(self.frame, self.verdict)
        return doors.load("write_owner_report")(self, path, force=force)

    def compare(self, other: Release) -> Any:
        """This release beside another, in figures and in a picture, warnings first: for a notebook or a terminal, and for the owner."""
        return doors.load("compare")(self, other)

    def proof(self, path: str | Path, *, force: bool = False) -> None:
        """Write the witness of the bound. It shows data: it is for the owner and an auditor, not for publication."""
        from shoal.release.cases import case_for
        from shoal.release.witness import prove, why_none

        if self.bound is None:
            raise Refused(f"There is no bound to prove: {self.facts['bound']}.")
        check_place(path, force=force)
        if (reason := why_none(self.problem)) is not None:
            raise Refused(reason)
        prove(path, self.problem, self.bound, case_for(Hierarchies(self.original, self.policy, self.hierarchies)))

    def _repr_html_(self) -> str:
        return str(doors.load("fragment")(self))

    def __repr__(self) -> str:
        m = self.facts
        near = "" if self.ratio is None else f", proved {times_the_least(self.ratio)}"
        told = f"; UNPROTECTED: {', '.join(m['unprotected'])}" if m["unprotected"] else ""
        groups = f"{m['n_groups']} groups of at least {m['smallest_group']}"
        return f"<Release: {len(self.groups)} rows in {groups}, {m['measure']} {self.loss:g}{near}{told}>"


def recounted(
    frame: pl.DataFrame,
    table: Table,
    policy: Policy,
    problem: Problem,
    rows: NDArray[np.int64],
    texts: Mapping[str, Texts],
    form: str = "labels",
) -> Verdict:
    """The verdict on a released table, in the form in which it is written."""
    names = [column.name for column in problem.columns]
    return verify(
        table.frame,
        frame,
        k=policy.k,
        quasi_identifiers=names,
        hierarchies=texts,
        demands=[Requirement(*demand) for demand in policy.demands],
        rows=rows,
        untouched=[name for name in frame.columns if name in table.columns and name not in names],
        measure=problem.measure.name,
        weights={column.name: column.weight for column in problem.columns},
        person=policy.person,
        sensitive=policy.named("sensitive"),
        form=form,
        deletion=problem.deletion,
    )


def check_solution(solution: Solution, verdict: Verdict) -> None:
    """No more rows are withheld than may be, the groups that were counted are as large as those that were chosen, and the recounted loss is the solver's.

    Only where a label names two sets, one in the other, may the loss be more. What a recount by an engine says is so held to what the plan says: either may be wrong, and then nothing is released.
    """
    problem = solution.problem
    if verdict.n_withheld > problem.most_withheld:
        raise NotAnonymous(f"{verdict.n_withheld} rows were withheld and only {problem.most_withheld} may be.")
    shown = shown_by_groups(solution)
    alike = by_names(shown, shown.columns).with_columns(pl.Series(N, solution.sizes)).group_by(pl.exclude(N)).agg(pl.col(N).sum())
    if not np.array_equal(np.sort(alike[N].to_numpy()), verdict.size_array()):
        raise NotAnonymous(
            "The groups that were counted in the release are not those that were chosen. Nothing is released; please report this."
        )
    recounted = float(verdict.loss or 0.0)
    slack = ROUNDING * (1 + abs(solution.loss))
    too_much = recounted > solution.loss + slack and not any(column.has_namesakes for column in verdict.columns)
    if too_much or recounted < solution.loss - slack:
        raise NotAnonymous(
            f"The loss recounted from the released texts is {recounted:.9g}, and the solver's {solution.loss:.9g}. "
            "Nothing is released; please report this."
        )


def make_release(
    table: Table, story: Story, frame: pl.DataFrame, verdict: Verdict, groups: Ints, kinds: Ints, facts: FrozenDict, told: FrozenDict
) -> Release:
    """A Release of what was decoded and verified. ``groups`` and ``kinds`` are of each row of the original."""
    gate.check(frame, verdict)
    problem = story.encoding.problem
    rows = np.flatnonzero(groups >= 0)
    return Release(
        frame=frame,
        groups=groups[rows],
        rows=rows,
        kinds=kinds,
        facts=facts,
        told=told,
        original=table,
        policy=story.policy,
        problem=problem,
        hierarchies=FrozenDict({c.name: made for c, made in zip(problem.columns, story.encoding.encoded, strict=True)}),
        solution=story.solution,
        bound=story.bound,
        verdict=verdict,
        key=_KEY,
    )
