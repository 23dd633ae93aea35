"""The plan of a release, the same for every engine: values, fold, solve, apply, recount. Nothing is published here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from shoal import algorithms, registry
from shoal.algorithms.base import Algorithm, solve
from shoal.bounds import best
from shoal.clock import PATIENCE, Clock, Deadline
from shoal.disk.system import give_back_memory
from shoal.encode import Encoding, check_columns, columns_to_fold, encode_folded, need_quasi_identifiers, weighed
from shoal.engines.base import RowSet
from shoal.engines.looking import Looked, look
from shoal.engines.recipe import Recipe
from shoal.errors import Refused
from shoal.judge.criteria.base import Requirement
from shoal.judge.promise import ReleasePromise
from shoal.judge.texts import Texts
from shoal.judge.verdict import Verdict
from shoal.policy.policy import Policy
from shoal.problem import Bound, Problem, Solution, Watch
from shoal.release.disclosure import freedom
from shoal.release.frozen import FrozenDict
from shoal.release.manifest import make_manifest
from shoal.release.record import Story, hidden_columns, make_record
from shoal.release.release import check_solution
from shoal.release.texts import from_encoded
from shoal.table.folded import Folded

NOBODY = Watch()
Elsewhere = Callable[[Problem, Algorithm, Watch], Solution | None]
TURNS = 4
"""How far prices are raised for an algorithm that has no bound of its own: most of the gain, in a second or two on tens of thousands of rows."""


@dataclass(frozen=True, eq=False)
class Made:
    """A release that was written where nobody sees it, recounted, and can be published."""

    story: Story
    verdict: Verdict
    facts: FrozenDict
    """The record, without what is known only after publishing."""
    told: FrozenDict
    """The manifest, likewise."""


def make(rows: RowSet, policy: Policy, clock: Clock, watch: Watch = NOBODY, proof: bool = False, report: bool = False) -> Made:
    """Choose a release of these rows, write it unseen and recount it."""
    with clock("encode"):
        watch.tell("encoding")
        looked = check(rows, policy)
        folded = rows.fold(columns_to_fold(rows.columns, policy))
        policy = weighed(folded, policy)
        encoding = encode_folded(folded, policy)
        if proof:
            _refuse_without_witness(encoding.problem)
    story = choose(encoding, policy, clock, watch, rows.solve)
    story = replace(story, several_rows=looked.several_rows, names_inside=looked.names_inside)
    give_back_memory()
    with clock("verify"):
        watch.tell("verifying")
        promise = replace(promise_of(story, rows.columns), is_reported=report)
        dropped = frozenset(rows.columns) - frozenset(promise.columns)
        rows.apply(Recipe(folded, encoding, story.solution, dropped, promise.counted if report else ()))
        verdict = rows.verdict(promise, folded)
        check_solution(story.solution, verdict)
    with clock("tell"):
        order, source, free = rows.telling_order(hidden_columns(story)), rows.input_sha256(), freedom(story.solution)
    facts = make_record(story, verdict, order, source)
    return Made(story, verdict, facts, make_manifest(facts, story, free))


def _refuse_without_witness(problem: Problem) -> None:
    """Where no proof file is possible, an error says so before the search."""
    from shoal.release.witness import why_none

    if (reason := why_none(problem)) is not None:
        raise Refused(reason)


def check(rows: RowSet, policy: Policy) -> Looked:
    """Refuse a policy that speaks of columns that are not there, and then columns that name people and have no role."""
    check_columns(rows.head, rows.source, policy)
    looked = look(rows, policy)
    need_quasi_identifiers(policy)
    return looked


def choose(encoding: Encoding, policy: Policy, clock: Clock, watch: Watch = NOBODY, elsewhere: Elsewhere | None = None) -> Story:
    """Solve, here unless ``elsewhere`` does, and prove how good that is."""
    chosen: Algorithm = registry.find(algorithms.CATALOG, policy.algorithm, "algorithm")
    limit = policy.time_limit
    deadline = Deadline(watch, None if limit is None else limit * (PATIENCE if chosen.counts_work else 1.0) - sum(clock.seconds.values()))
    with clock("solve"):
        found = None if elsewhere is None else elsewhere(encoding.problem, chosen, deadline)
        solution = solve(encoding.problem, chosen, deadline) if found is None else found
    with clock("bound"):
        bound, why = bound_of(encoding.problem, solution, deadline)
    solution = replace(solution, is_repeatable=solution.is_repeatable and not deadline.has_stopped)
    return Story(encoding, policy, chosen, solution, bound, why, clock.seconds)


def bound_of(problem: Problem, solution: Solution, watch: Watch = NOBODY) -> tuple[Bound | None, str]:
    """The best bound there is, or why there is none."""
    if solution.bound is not None:
        return solution.bound, ""
    try:
        return best(problem, watch, TURNS), ""
    except Refused as reason:
        return None, str(reason)


def texts_of(encoding: Encoding) -> dict[str, Texts]:
    """The hierarchies as texts, which is all that verification is told of them."""
    return {column.name: from_encoded(made) for column, made in zip(encoding.problem.columns, encoding.encoded, strict=True)}


def promise_of(story: Story, columns: Sequence[str]) -> ReleasePromise:
    """What the release must keep, in texts and numbers."""
    problem, policy = story.encoding.problem, story.policy
    return ReleasePromise(
        k=policy.k,
        quasi_identifiers=tuple(column.name for column in problem.columns),
        demands=tuple(Requirement(*demand) for demand in policy.demands),
        texts=texts_of(story.encoding),
        columns=tuple(name for name in columns if name not in policy.named("identifier")),
        max_withheld=problem.most_withheld,
        deletion=problem.deletion,
        measure=problem.measure.name,
        weights={column.name: column.weight for column in problem.columns},
        person=policy.person,
        sensitive=tuple(policy.named("sensitive")),
    )


__all__ = ["Folded", "Made", "bound_of", "choose", "make", "solve", "texts_of"]
