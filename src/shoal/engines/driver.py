"""The plan of a release, the same for every engine: values, fold, solve, apply, recount. Nothing is published here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from shoal import algorithms, registry
from shoal.algorithms.base import Algorithm, too_many
from shoal.bounds import best
from shoal.clock import PATIENCE, Clock, Deadline
from shoal.encode import Encoding, check_columns, columns_to_fold, encode_folded, need_quasi_identifiers
from shoal.engines.base import RowSet
from shoal.engines.looking import Looked, look
from shoal.engines.recipe import Recipe
from shoal.errors import Infeasible, Refused
from shoal.policy import Policy
from shoal.problem import Bound, Problem, Solution, Watch
from shoal.release.counting import ReleasePromise
from shoal.release.disclosure import freedom
from shoal.release.frozen import FrozenDict
from shoal.release.manifest import make_manifest
from shoal.release.proof import why_none
from shoal.release.record import Story, hidden_columns, make_record
from shoal.release.release import check_solution
from shoal.release.texts import Texts, from_encoded
from shoal.release.verify import Verdict
from shoal.system import give_back_memory
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
        encoding = encode_folded(folded, policy)
        if proof and (reason := why_none(encoding.problem)) is not None:
            raise Refused(reason)
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
    facts = make_record(story, verdict, rows.telling_order(hidden_columns(story)), rows.input_sha256())
    return Made(story, verdict, facts, make_manifest(facts, story, freedom(story.solution)))


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
        if solution.n_groups == 0:
            raise Infeasible(
                "Infeasible: every row would be withheld, and nothing released. Lower k, or let fewer rows be withheld (--withhold, --deletion)."
            )
    with clock("bound"):
        bound, why = bound_of(encoding.problem, solution, deadline)
    solution = replace(solution, is_repeatable=solution.is_repeatable and not deadline.has_stopped)
    return Story(encoding, policy, chosen, solution, bound, why, clock.seconds)


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


def promise_of(story: Story, columns: Sequence[str]) -> ReleasePromise:
    """What the release must keep, in texts and numbers."""
    problem, policy = story.encoding.problem, story.policy
    return ReleasePromise(
        k=problem.k,
        quasi_identifiers=tuple(column.name for column in problem.columns),
        demands=tuple(demand for demand in problem.demands if not demand.criterion.about_rows),
        texts=texts_of(story.encoding),
        columns=tuple(name for name in columns if name not in policy.named("identifier")),
        max_withheld=problem.n_rows if problem.deletion else problem.max_withheld,
        measure=problem.measure.name,
        weights={column.name: column.weight for column in problem.columns},
        person=policy.person,
        sensitive=tuple(policy.named("sensitive")),
    )


__all__ = ["Folded", "Made", "bound_of", "choose", "make", "released_part", "solve", "texts_of"]
