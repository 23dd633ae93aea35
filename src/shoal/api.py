"""The library's verbs: anonymize, verify, measure. Each is its steps in their order, and short."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from shoal import io
from shoal.clock import Clock
from shoal.columns.whose import rows_counted
from shoal.encode import weighed_by
from shoal.engines.base import Counting, Job, RowEngine
from shoal.engines.choice import bytes_of, engine_for
from shoal.engines.driver import NOBODY, make
from shoal.engines.memory import MEMORY, InMemory
from shoal.engines.stored import InSession, Stored
from shoal.errors import NotCompared, PolicyError, ShoalWarning
from shoal.judge.criteria.base import Requirement
from shoal.judge.forms import read_back
from shoal.judge.verdict import Verdict
from shoal.judge.verify import verify as recount
from shoal.judge.words import doubts_of
from shoal.policy.doors import takes_settings
from shoal.policy.given import make_policy
from shoal.policy.keywords import Keywords
from shoal.policy.policy import Policy
from shoal.problem import Watch
from shoal.release.measure import Measured, measure_tables
from shoal.release.record import inside_words, unprotected_words
from shoal.release.release import Release, make_release
from shoal.release.resolve import Hierarchies
from shoal.release.telling import order_words


@takes_settings
def anonymize(
    data: Any,
    *,
    policy: Policy | str | Path | None = None,
    proof: bool = False,
    watch: Watch = NOBODY,
    **asked: Unpack[Keywords],
) -> Release:
    """Turn a table about people into a verified k-anonymous release.

    data                a pandas, polars or pyarrow table, a path, or any object with the Arrow stream
    policy              a Policy or the path of a TOML file; other arguments override it
    proof               whether ``release.proof`` will be called: if no proof file is possible, an error says so before the search, not after (False)
    watch               is told of the progress
    {settings}

    Raises a :class:`shoal.ShoalError`: PolicyError, DataError, HierarchyError, Infeasible, Refused or NotAnonymous. Nothing is released that a
    recount has not verified.
    """
    said = make_policy(policy, **asked)
    release = _run(Job(data, said, watch=watch), MEMORY, proof)
    assert isinstance(release, Release)
    warn(release.facts, said)
    return release


def stage(
    data: Any,
    output: str | Path,
    *,
    engine: str | None = None,
    memory: int | str | None = None,
    work: str | Path | None = None,
    force: bool = False,
    delimiter: str | None = None,
    encoding: str | None = None,
    output_delimiter: str | None = None,
    form: str = "labels",
    spreadsheet_safe: bool = False,
    proof: bool = False,
    report: bool = False,
    watch: Watch = NOBODY,
    policy: Policy | str | Path | None = None,
    **asked: Unpack[Keywords],
) -> Release | Stored:
    """A verified release that ``write`` publishes as ``output``: made where the rows are, by the engine of this name or the one that fits them.

    Of an engine that has the rows elsewhere this is a :class:`Stored` release: use it in a ``with`` block, which removes what was not written. ``memory`` (bytes, or
    ``"4GB"``) says how much the run may use, and ``work`` names a folder for what an interrupted run can take up again. ``proof`` and ``report`` say that these will be
    asked for: where the rows are elsewhere, that is refused before the work begins. All other arguments are those of :func:`anonymize`.
    """
    said = make_policy(policy, **asked)
    job = Job(
        data, said, str(output), force=force, delimiter=delimiter, encoding=encoding, output_delimiter=output_delimiter, form=form,
        spreadsheet_safe=spreadsheet_safe, memory=bytes_of(memory), work=None if work is None else str(work), proof=proof, report=report, watch=watch,
    )  # fmt: skip
    made = _run(job, engine_for(job, engine), proof)
    warn(made.facts, said)
    return made


def publish(data: Any, output: str | Path, *, engine: str | None = None, **asked: Any) -> Release | Stored:
    """Turn a table into a verified release that is published as ``output``, by the engine that fits: see :func:`stage` for the arguments.

    For tables that are larger than memory, or lie in a database. What comes back has the manifest and the record.
    """
    made = stage(data, output, engine=engine, **asked)
    how = {key: asked[key] for key in ("force", "form", "spreadsheet_safe") if key in asked}
    if isinstance(made, Release):
        made.write(output, delimiter=asked.get("output_delimiter"), **how)
        return made
    with made:
        made.write()
    return made


def in_session(
    data: Any,
    *,
    policy: Policy | str | Path | None = None,
    memory: int | str | None = None,
    report: bool = False,
    watch: Watch = NOBODY,
    **asked: Unpack[Keywords],
) -> InSession:
    """A verified release of a DataFrame of Spark, in its session; see :mod:`shoal.spark`. ``memory`` is what the driver may use, and ``report`` says that reports will be asked for."""
    said = make_policy(policy, **asked)
    job = Job(data, said, memory=bytes_of(memory), report=report, watch=watch)
    made = _run(job, engine_for(job, "spark"), proof=False)
    assert isinstance(made, InSession)
    warn(made.facts, said)
    return made


def _run(job: Job, engine: RowEngine, proof: bool) -> Release | Stored:
    """The plan, by one engine."""
    clock = Clock()
    with clock("read"):
        job.watch.tell("reading")
        rows = engine.open(job)
    try:
        made = make(rows, job.policy, clock, job.watch, proof, job.report)
    except BaseException:
        rows.clean()
        raise
    if isinstance(rows, InMemory):
        return make_release(rows.table, made.story, rows.frame, made.verdict, rows.groups, rows.kinds, made.facts, made.told)
    assert isinstance(rows, Counting)
    return InSession(rows, made) if job.output is None else Stored(rows, made, job.output)


def warn(facts: Mapping[str, Any], asked: Policy) -> None:
    """Tell the caller of columns that are released as they are, of rows that may be of one person, and of an order that tells what cells hide."""
    if facts["unprotected"]:
        warnings.warn(f"UNPROTECTED: {unprotected_words(facts['unprotected'])}", ShoalWarning, stacklevel=3)
    for found in facts["several_rows"]:
        warnings.warn(f"K COUNTS ROWS: {rows_counted(found, facts['n_rows'])}", ShoalWarning, stacklevel=3)
    for found in facts["names_inside"]:
        warnings.warn(f"NAMES INSIDE: {inside_words(found)}", ShoalWarning, stacklevel=3)
    if asked.keep_order and facts["telling_order"]:
        warnings.warn(f"ORDER: {order_words(facts['telling_order'])}", ShoalWarning, stacklevel=3)


def verify(
    original: Any,
    released: Any,
    *,
    k: int | None = None,
    quasi_identifiers: Iterable[str] | None = None,
    hierarchies: Mapping[str, Any] | str | Path | None = None,
    suppression_only: bool | None = None,
    sensitive: Iterable[str] | None = None,
    keep: Iterable[str] | None = None,
    require: Mapping[str, Any] | None = None,
    measure: str | None = None,
    weights: Mapping[str, float] | None = None,
    missing: str | None = None,
    missing_values: Iterable[str] | None = None,
    person: str | None = None,
    target: str | None = None,
    policy: Policy | str | Path | None = None,
    proof: str | Path | None = None,
    reordered: bool = False,
    withheld: int | None = None,
    deletion: bool | None = None,
    suppressed: Iterable[str] = (),
    spreadsheet_safe: bool = False,
    form: str = "labels",
    **shorthands: Any,
) -> Verdict:
    """Recount a release by any tool; raise :class:`shoal.NotAnonymous` where it breaks its promise.

    Each released cell must cover its original one. Columns that are in both tables and are not quasi-identifiers must be equal. Rows are
    compared by position, or in their order where there are fewer; ``reordered`` (or a policy without
    ``keep_order``) lets them stand in any order, ``withheld`` says how many
    may be left out: without it as many as the policy allows, and any number without a policy. ``suppressed`` are texts that stand for any value (``"NA"``; ``""`` for an empty cell), and ``spreadsheet_safe`` says
    that the release was written so; ``form`` that it was written as ``bounds`` or ``typed``. ``person`` is the original's column that says which person a row is about: every group must then have
    rows of k people. Where nothing wrong is found but cells cannot be compared, :class:`shoal.NotCompared` carries the verdict. So it does where a column
    is in the release alone, or tells what quasi-identifiers hide, unless it is named as sensitive, or in ``keep`` as released on purpose.
    What is not given is taken from the policy, if there is one. With a ``proof``, the witness of the bound is checked too, and the loss is
    compared with it. Then ``measure``, ``weights``, ``target``, ``missing`` and ``deletion`` must be those that the release was made with, because only
    prices are taken from a proof. The bound is about every release that leaves out at most so many rows as may be left out here.
    """
    if policy is None and k is None:
        raise PolicyError("Say which k the release promises.")
    asked = make_policy(
        policy,
        k=k,
        measure=measure,
        missing=missing,
        missing_values=missing_values,
        person=person,
        deletion=deletion,
        weights=weights,
        quasi_identifiers=quasi_identifiers,
        sensitive=sensitive,
        keep=keep,
        hierarchies=hierarchies,
        suppression_only=suppression_only,
        target=target,
        require=require,
        **shorthands,
    )
    names = asked.named("quasi-identifier")
    if not names:
        raise PolicyError("Name the quasi-identifiers with --qi (quasi_identifiers=[…] in Python).")
    from shoal.engines.verifying import AskedOfFiles, are_large, verify_files

    named = [*asked.named("sensitive"), *asked.named("insensitive")]
    if proof is None and form == "labels" and not spreadsheet_safe and are_large(original, released):
        may = asked.may_lack if withheld is None and policy is not None else lambda n_rows: withheld
        return _whole(verify_files(original, released, AskedOfFiles(asked, may, tuple(suppressed), named=tuple(named))))
    before, after = asked.with_missing(io.read(original)), io.read(released)
    if proof is not None:
        asked = weighed_by(before, asked)
    known = Hierarchies(before, asked)
    if spreadsheet_safe:
        after = replace(after, frame=io.undefuse(after.frame))
    verdict = recount(
        before.frame,
        after.frame,
        k=asked.k,
        quasi_identifiers=names,
        hierarchies={name: known.texts(name) for name in names if name in before.columns},
        demands=[Requirement(*demand) for demand in asked.demands],
        dropped=asked.named("identifier"),
        needed=named,
        reordered=reordered or not asked.keep_order,
        withheld=asked.may_lack(before.n_rows) if withheld is None and policy is not None else withheld,
        suppressed=tuple(suppressed),
        person=asked.person,
        form=form,
        deletion=asked.deletion,
        named=named,
    )
    if proof is None or not verdict.is_whole:
        return _whole(verdict)
    from shoal.release.audit import audit

    most = withheld if withheld is not None else None if policy is not None else verdict.n_withheld
    return verdict.with_audit(audit(known, replace(after, frame=read_back(after.frame, names, form)[0]), proof, most))


def _whole(verdict: Verdict) -> Verdict:
    """The verdict, if all of the release was looked at."""
    if not verdict.is_whole:
        raise NotCompared(" ".join([*doubts_of(verdict), verdict.why_not]).strip(), verdict)
    return verdict


def measure(
    original: Any,
    released: Any,
    *,
    quasi_identifiers: Iterable[str] | None = None,
    hierarchies: Mapping[str, Any] | str | Path | None = None,
    missing_values: Iterable[str] | None = None,
    policy: Policy | str | Path | None = None,
) -> Measured:
    """What a release by any tool has lost, by every measure.

    Rows are matched by position if both tables have the same number of rows, else in their order or in any order. What is not given is
    taken from the policy, if there is one.
    """
    asked = make_policy(policy, quasi_identifiers=quasi_identifiers, hierarchies=hierarchies, missing_values=missing_values)
    return measure_tables(Hierarchies(asked.with_missing(io.read(original)), asked), io.read(released))


__all__ = ["anonymize", "measure", "publish", "stage", "verify"]
