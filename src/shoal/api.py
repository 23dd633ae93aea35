"""The library's verbs: anonymize, verify, measure. Each is its steps in their order, and short."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from shoal import algorithms, hierarchies, io, registry
from shoal.algorithms.base import Algorithm, too_many
from shoal.bounds import best
from shoal.clock import PATIENCE, Clock, Deadline
from shoal.columns.roles import refuse_identifiers as look_for_identifiers
from shoal.encode import Encoding, encode
from shoal.errors import Infeasible, NotCompared, PolicyError, Refused, ShoalWarning
from shoal.policy import SETTINGS, ColumnPolicy, Policy, override, with_demands, with_roles
from shoal.policy import demands_of as demands_asked
from shoal.privacy.asking import shorthands
from shoal.privacy.base import Demand
from shoal.privacy.meaning import scale_of
from shoal.problem import Bound, Problem, Solution, Watch
from shoal.release.audit import audit
from shoal.release.form_reading import read_back
from shoal.release.measure import Measured, measure_tables
from shoal.release.proof import why_none
from shoal.release.record import Story, unprotected_words
from shoal.release.release import Release, decode_and_verify, make_release
from shoal.release.resolve import Hierarchies
from shoal.release.telling import order_words
from shoal.release.texts import Texts, from_encoded
from shoal.release.verify import Verdict
from shoal.release.verify import verify as recount
from shoal.table import Table
from shoal.workload import questions, weights_of

NOBODY = Watch()
TURNS = 4
"""How far prices are raised for an algorithm that has no bound of its own: most of the gain, in a second or two on tens of thousands of rows."""


def anonymize(
    data: Any,
    *,
    k: int | None = None,
    quasi_identifiers: Iterable[str] | None = None,
    sensitive: Iterable[str] | None = None,
    identifiers: Iterable[str] | None = None,
    keep: Iterable[str] | None = None,
    hierarchies: Mapping[str, Any] | str | Path | None = None,
    measure: str | None = None,
    algorithm: str | None = None,
    withhold: float | None = None,
    deletion: bool | None = None,
    require: Mapping[str, Any] | None = None,
    weights: Mapping[str, float] | None = None,
    workload: str | Path | Iterable[str] | None = None,
    missing: str | None = None,
    keep_order: bool | None = None,
    missing_values: Iterable[str] | None = None,
    person: str | None = None,
    time_limit: float | None = None,
    stop_at_ratio: float | None = None,
    effort: float | None = None,
    seed: int | None = None,
    policy: Policy | str | Path | None = None,
    proof: bool = False,
    watch: Watch = NOBODY,
    suppress: float | None = None,
    **shorthands: Any,
) -> Release:
    """Turn a table about people into a verified k-anonymous release.

    data                a pandas, polars or pyarrow table, a path, or any object with the Arrow stream
    k                   every released row is one of at least k alike (5)
    quasi_identifiers   columns that outsiders may know of somebody: generalized
    sensitive           columns to keep but to watch
    identifiers         columns to drop
    keep                columns to release as they are, on purpose; a column that looks like names or numbers of people is refused unless it is here
    hierarchies         what cells may become: ``{"age": shoal.intervals(5, 10)}``, a path or rows for a column, or a folder with one file per column;
                        a column without one gets the default for its kind of values
    measure             the measure of loss that is minimised; ``shoal measures`` lists them
    algorithm           the algorithm that searches ("auto"); ``shoal algorithms`` lists them
    withhold            the fraction of the rows that may be left out at no loss (0)
    deletion            let any row be withheld, at the loss of suppressing it whole (False)
    require             criteria of the sensitive columns by name, ``{"t-closeness": 0.3}``; ``shoal criteria`` lists them
    shorthands          the same as keywords: ``l_diversity=3``, ``t_closeness=0.3``
    weights             how much a column's loss counts, ``{"age": 2}`` (1)
    workload            questions that analysts will ask, a file or lines such as ``"age=30..39 sex"``: columns weigh by how many questions need them
    missing             what a missing cell is: "value" like any other, "suppress" to star it (columns with a hierarchy), "error" to stop ("value")
    missing_values      texts that stand for a missing cell in columns that have a role, such as ``["NA", "?"]``
    person              a column that says which person a row is about: k then counts people, not rows, and the column is dropped
    keep_order          whether rows stay in the input's order; if not, they are sorted by what they show (True)
    time_limit          seconds that the search may take
    stop_at_ratio       stop once the release is proved this close to the best possible (1)
    effort              how much the search works, in multiples of what a table of this size usually gets (1)
    seed                where the search begins (0)
    policy              a Policy or the path of a TOML file; other arguments override it
    proof               whether ``release.proof`` will be called: if no proof file is possible, an error says so before the search, not after (False)
    watch               is told of the progress
    suppress            the old name of ``withhold``

    Raises a :class:`shoal.ShoalError`: PolicyError, DataError, HierarchyError, Infeasible, Refused or NotAnonymous. Nothing is released that a
    recount has not verified.
    """
    clock = Clock()
    asked = make_policy(
        policy, k=k, measure=measure, algorithm=algorithm, withhold=withhold, suppress=suppress, deletion=deletion, missing=missing, keep_order=keep_order, time_limit=time_limit,
        stop_at_ratio=stop_at_ratio, effort=effort, seed=seed, quasi_identifiers=quasi_identifiers, sensitive=sensitive, identifiers=identifiers,
        keep=keep, missing_values=missing_values, person=person, hierarchies=hierarchies, weights=weights, workload=workload, require=require, **shorthands,
    )  # fmt: skip
    with clock("read"):
        watch.tell("reading")
        table = asked.with_missing(io.read(data))
        refuse_identifiers(table, asked)
    with clock("encode"):
        watch.tell("encoding")
        encoding = encode(table, asked)
        if proof and (reason := why_none(encoding.problem)) is not None:
            raise Refused(reason)
    chosen: Algorithm = registry.find(algorithms.CATALOG, asked.algorithm, "algorithm")
    limit = asked.time_limit
    deadline = Deadline(watch, None if limit is None else limit * (PATIENCE if chosen.counts_work else 1.0) - sum(clock.seconds.values()))
    with clock("solve"):
        solution = solve(encoding.problem, chosen, deadline)
        if solution.n_groups == 0:
            raise Infeasible(
                "Infeasible: every row would be withheld, and nothing released. Lower k, or let fewer rows be withheld (--withhold, --deletion)."
            )
    with clock("bound"):
        bound, why = bound_of(encoding.problem, solution, deadline)
        solution = replace(solution, is_repeatable=not deadline.has_stopped)
    with clock("verify"):
        watch.tell("verifying")
        groups = solution.plan.groups_of(encoding.kinds)
        frame, verdict = decode_and_verify(table, asked, solution, groups, texts_of(encoding))
    if encoding.unprotected:
        warnings.warn(f"UNPROTECTED: {unprotected_words(encoding.unprotected)}", ShoalWarning, stacklevel=2)
    release = make_release(table, Story(encoding, asked, chosen, solution, groups, bound, why, clock.seconds), frame, verdict)
    if asked.keep_order and release.facts["telling_order"]:
        warnings.warn(f"ORDER: {order_words(release.facts['telling_order'])}", ShoalWarning, stacklevel=2)
    return release


def refuse_identifiers(table: Table, policy: Policy) -> None:
    """Raise if a column that nobody gave a role names people: it would be released as it is."""
    look_for_identifiers(table, [name for name in table.columns if name not in policy.columns])


def solve(problem: Problem, algorithm: Algorithm, watch: Watch = NOBODY) -> Solution:
    """Run an algorithm, unless it refuses the problem."""
    reason = too_many(algorithm, problem) or algorithm.refuses(problem)
    if reason is not None:
        raise Refused(reason)
    return algorithm.solve(problem.by_rows() if algorithm.by_rows else problem, watch)


def bound_of(problem: Problem, solution: Solution, watch: Watch = NOBODY) -> tuple[Bound | None, str]:
    """The best bound there is on the released rows, or why there is none."""
    if solution.bound is not None:
        return solution.bound, ""
    if solution.n_groups == 0:
        return Bound("nothing released", 0.0), ""
    try:
        return best(released_part(problem, solution), watch, TURNS), ""
    except Refused as reason:
        return None, str(reason)


def released_part(problem: Problem, solution: Solution) -> Problem:
    """The problem over the rows that are released."""
    return problem if solution.n_withheld == 0 else problem.over(solution.plan.released(problem.n_units))


def texts_of(encoding: Encoding) -> dict[str, Texts]:
    """The hierarchies as texts, which is all that verification is told of them."""
    return {column.name: from_encoded(made) for column, made in zip(encoding.problem.columns, encoding.encoded, strict=True)}


def verify(
    original: Any,
    released: Any,
    *,
    k: int | None = None,
    quasi_identifiers: Iterable[str] | None = None,
    hierarchies: Mapping[str, Any] | str | Path | None = None,
    sensitive: Iterable[str] | None = None,
    require: Mapping[str, Any] | None = None,
    measure: str | None = None,
    weights: Mapping[str, float] | None = None,
    missing: str | None = None,
    missing_values: Iterable[str] | None = None,
    person: str | None = None,
    policy: Policy | str | Path | None = None,
    proof: str | Path | None = None,
    reordered: bool = False,
    withheld: int | None = None,
    suppressed: Iterable[str] = (),
    spreadsheet_safe: bool = False,
    form: str = "labels",
    **shorthands: Any,
) -> Verdict:
    """Recount a release by any tool; raise :class:`shoal.NotAnonymous` where it breaks its promise.

    Each released cell must cover its original one. Columns that are in both tables and are not quasi-identifiers must be equal. Rows are
    compared by position, or in their order where there are fewer; ``reordered`` (or a policy without
    ``keep_order``) lets them stand in any order, ``withheld`` says how many
    may be left out. ``suppressed`` are texts that stand for any value (``"NA"``; ``""`` for an empty cell), and ``spreadsheet_safe`` says
    that the release was written so; ``form`` that it was written as ``bounds`` or ``typed``. ``person`` is the original's column that says which person a row is about: every group must then have
    rows of k people. Where nothing wrong is found but cells cannot be compared, :class:`shoal.NotCompared` carries the verdict.
    What is not given is taken from the policy, if there is one. With a ``proof``, the witness of the bound is checked too, and the loss is
    compared with it. Then ``measure``, ``weights`` and ``missing`` must be those that the release was made with, because only prices are
    taken from a proof.
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
        weights=weights,
        quasi_identifiers=quasi_identifiers,
        sensitive=sensitive,
        hierarchies=hierarchies,
        require=require,
        **shorthands,
    )
    names = asked.named("quasi-identifier")
    if not names:
        raise PolicyError("Name the quasi-identifiers with --qi (quasi_identifiers=[…] in Python).")
    before, after = asked.with_missing(io.read(original)), io.read(released)
    known = Hierarchies(before, asked)
    if spreadsheet_safe:
        after = replace(after, frame=io.undefuse(after.frame))
    verdict = recount(
        before.frame,
        after.frame,
        k=asked.k,
        quasi_identifiers=names,
        hierarchies={name: known.texts(name) for name in names if name in before.columns},
        demands=demands_of(before, asked),
        dropped=asked.named("identifier"),
        needed=[name for name, column in asked.columns.items() if column.role in ("sensitive", "insensitive")],
        reordered=reordered or not asked.keep_order,
        withheld=withheld,
        suppressed=tuple(suppressed),
        person=asked.person,
        form=form,
    )
    if not verdict.has_checked_cells:
        raise NotCompared(verdict.why_not, verdict)
    if proof is None:
        return verdict
    return verdict.with_audit(audit(known, replace(after, frame=read_back(after.frame, names, form)[0]), proof))


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


def demands_of(table: Table, policy: Policy) -> list[Demand]:
    """The demands of a policy on a table's sensitive columns."""
    return [
        scale_of(table.coded(name).values.to_list()).demand(criterion, name, parameters)
        for name in policy.named("sensitive")
        for criterion, parameters in policy.columns[name].demands
    ]


def make_policy(
    policy: Policy | str | Path | None,
    *,
    quasi_identifiers: Iterable[str] | None = None,
    sensitive: Iterable[str] | None = None,
    identifiers: Iterable[str] | None = None,
    keep: Iterable[str] | None = None,
    missing_values: Iterable[str] | None = None,
    hierarchies: Mapping[str, Any] | str | Path | None = None,
    weights: Mapping[str, float] | None = None,
    workload: str | Path | Iterable[str] | None = None,
    require: Mapping[str, Any] | None = None,
    **settings: Any,
) -> Policy:
    """One policy, made of a policy file, if there is one, and everything that was given beside it."""
    base = Policy.given(policy)
    criteria = {key: value for key in shorthands() if (value := settings.pop(key, None)) is not None}
    unknown = [key for key in settings if key not in SETTINGS]
    if unknown:
        raise TypeError(f"there is no argument called '{unknown[0]}'")
    if missing_values:
        settings["missing_values"] = missing_values if isinstance(missing_values, str) else tuple(missing_values)
    if isinstance(hierarchies, str | Path):
        settings["hierarchies"] = hierarchies
    base = override(base, **settings)
    columns = with_roles(base.columns, quasi_identifiers, sensitive, identifiers, keep)
    if hierarchies is not None and not isinstance(hierarchies, str | Path):
        columns = _with_hierarchies(columns, hierarchies)
    names = [name for name, column in columns.items() if column.role == "quasi-identifier"]
    asked = {} if workload is None else weights_of(questions(workload), names)
    for name, weight in {**asked, **(weights or {})}.items():
        if name not in names:
            raise PolicyError(f"A weight was given for '{name}', which is not a quasi-identifier. Name it as one, or leave the weight out.")
        columns[name] = replace(columns[name], weight=float(weight))
    return base.changed(columns=with_demands(columns, demands_asked({**criteria, "require": require or {}})))


def _with_hierarchies(columns: Mapping[str, ColumnPolicy], given: Mapping[str, Any]) -> dict[str, ColumnPolicy]:
    found = dict(columns)
    for name, value in given.items():
        if name not in found or found[name].role != "quasi-identifier":
            raise PolicyError(
                f"A hierarchy was given for '{name}', which is not a quasi-identifier. Name it as one, or leave the hierarchy out."
            )
        spec = hierarchies.as_spec(value)
        found[name] = replace(found[name], hierarchy=spec, hierarchy_text=hierarchies.as_toml(spec))
    return found


__all__ = ["anonymize", "bound_of", "make_policy", "measure", "solve", "verify"]
