"""Auto: every measure and option at once, never below the optimum, the same on any number of cores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal import kernels, measures, privacy, registry
from shoal.algorithms import auto
from shoal.algorithms.auto import AUTO
from shoal.bounds.dual import RisingPrices
from shoal.demands import are_met
from shoal.engines import driver
from shoal.errors import Infeasible
from shoal.privacy.base import Demand
from shoal.problem import Problem, Solution, Watch, close
from shoal.search import Annealing, effort, rounds, top_down
from tests.naive.optimum import optimum
from tests.tables import make_problem, random_problem

pytestmark = pytest.mark.usual_effort

QUICK = 0.02


def solve(problem: Problem) -> Solution:
    solution = AUTO.solve(replace(problem, time_limit=QUICK), Watch())
    sizes = np.bincount(solution.group[solution.group >= 0], minlength=solution.n_groups)
    assert (sizes >= problem.k).all()
    assert solution.n_withheld <= (problem.n_rows if problem.deletion else problem.max_withheld)
    assert solution.loss == pytest.approx(close(problem, solution.group).loss)
    if problem.demands:
        assert are_met(problem, solution.group).all()
    if solution.bound is not None:
        assert solution.bound.value <= solution.loss * (1 + 1e-9) + 1e-9
    return solution


@pytest.mark.parametrize("measure", list(measures.CATALOG))
def test_never_below_the_optimum_and_seldom_far_above(measure: str) -> None:
    rng = np.random.default_rng(1)
    ratios = []
    for _ in range(3):
        n, k = 13, int(rng.integers(2, 5))
        problem = random_problem(rng, n, 3, k, values=4, measure=measure, deep=True)
        solution, best = solve(problem), optimum(problem)
        assert solution.loss >= best - 1e-9
        ratios.append(solution.loss / best if best > 0 else 1.0)
    assert np.mean(ratios) < 1.02


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_every_measure_and_option_works_with_every_other(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(2, 80)), int(rng.integers(2, 7))
    names = list(measures.CATALOG)
    problem = random_problem(
        rng,
        n,
        int(rng.integers(1, 6)),
        k,
        int(rng.integers(1, 9)),
        names[rng.integers(len(names))],
        bool(rng.integers(2)),
    )
    problem = with_options(problem, rng)
    if (n < k and not problem.deletion and problem.max_withheld < n) or breaks_a_demand(problem):
        with pytest.raises(Infeasible, match=str(n)):
            solve(problem)
    else:
        solve(problem)


def breaks_a_demand(problem: Problem) -> bool:
    return problem.n_rows >= problem.k and not are_met(problem, np.zeros(problem.n_rows, dtype=np.int32)).all()


def with_options(problem: Problem, rng: np.random.Generator) -> Problem:
    n = problem.n_rows
    columns = tuple(
        replace(c, free=(None, "interval", "subset")[rng.integers(3)], shown=np.arange(c.tree.n_nodes, dtype=np.int32))
        if rng.random() < 0.3
        else c
        for c in problem.columns
    )
    value = np.unique(rng.integers(0, 4, n), return_inverse=True)[1].astype(np.int32)
    asked = [
        ("distinct-l-diversity", {"l": 2.0}),
        ("entropy-l-diversity", {"l": 1.5}),
        ("recursive-l-diversity", {"c": 3.0, "l": 2.0}),
        ("t-closeness", {"t": 0.5}),
        ("t-closeness", {"t": 0.3, "ordered": 1.0}),
    ]
    chosen = [asked[i] for i in rng.choice(5, size=rng.integers(0, 3), replace=False)]
    deletion = bool(rng.random() < 0.2)
    return replace(
        problem,
        columns=columns,
        demands=tuple(Demand(registry.find(privacy.CATALOG, name), "disease", what) for name, what in chosen),
        sensitive=tuple(value for _ in chosen),
        max_withheld=int(rng.integers(0, n // 4 + 1)) if rng.random() < 0.4 and not deletion else 0,
        deletion=deletion,
        seed=int(rng.integers(100)),
    )


@pytest.mark.parametrize(
    "rows",
    [
        [["a", "x"]] * 40,
        [[str(i), str(i)] for i in range(40)],
        [[str(i % 7)] for i in range(40)],
        [["a", str(i // 20)] for i in range(40)],
    ],
    ids=["all equal", "all distinct", "one column", "heavy duplicates"],
)
def test_plain_tables_get_groups(rows: list[list[str]]) -> None:
    solution = solve(make_problem(rows, 5, measure="entropy"))
    assert solution.n_groups >= 1


def test_a_table_barely_above_k_becomes_one_group() -> None:
    rows = [[str(i), str(i % 3)] for i in range(21)]
    solution = solve(make_problem(rows, 20, measure="lm"))
    assert solution.n_groups == 1


def test_the_groups_are_the_same_on_one_core_and_on_two(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    problem = replace(random_problem(rng, 9_000, 6, 3, values=6, measure="entropy", deep=True), time_limit=0.5)
    found = []
    for cores in (1, 2):
        monkeypatch.setattr("os.cpu_count", lambda cores=cores: cores)
        found.append(AUTO.solve(problem, Watch()).group)
    assert (found[0] == found[1]).all()


def test_stops_when_asked_and_tells_how_it_goes() -> None:
    class Impatient(Watch):
        def __init__(self) -> None:
            self.told: list[str] = []

        def tell(
            self, stage: str, done: float | None = None, loss: float | None = None, bound: float | None = None
        ) -> None:
            self.told.append(stage)

        def wants_stop(self) -> bool:
            return "search" in self.told

    problem = random_problem(np.random.default_rng(2), 3000, 5, 4, values=5, measure="entropy")
    watch = Impatient()
    solution = AUTO.solve(replace(problem, time_limit=100.0), watch)
    assert solution.history[0].stage == "split"
    losses = [moment.loss for moment in solution.history if moment.loss is not None]
    assert losses == sorted(losses, reverse=True)
    assert [stage for stage in dict.fromkeys(watch.told) if stage != "cuts"] == ["split", "boxes", "cover", "search"]


def test_stops_at_the_ratio_that_was_asked_for() -> None:
    problem = random_problem(np.random.default_rng(2), 2000, 4, 4, values=5, measure="tree", deep=True)
    solution = AUTO.solve(replace(problem, time_limit=2.0, stop_at_ratio=2.0), Watch())
    assert solution.bound is not None
    assert len(solution.history) < 6


@pytest.mark.parametrize("measure", ["entropy", "tree"])
@pytest.mark.parametrize("limit", [0.0, 1e-12])
def test_a_limit_of_no_time_at_all_still_ends_with_a_release_and_a_bound(measure: str, limit: float) -> None:
    problem = random_problem(np.random.default_rng(3), 200, 4, 4, values=6, measure=measure, deep=True)
    solution = AUTO.solve(replace(problem, time_limit=limit), Watch())
    assert np.bincount(solution.group).min() >= 4
    assert solution.bound is not None
    assert 0.0 < solution.bound.value <= solution.loss


def test_withheld_rows_lower_the_loss() -> None:
    problem = random_problem(np.random.default_rng(3), 400, 5, 4, values=6, measure="entropy", deep=True)
    all_rows = solve(problem)
    some = solve(replace(problem, max_withheld=20))
    assert some.loss < all_rows.loss
    assert 0 < some.n_withheld <= 20


@pytest.mark.parametrize("turns", [0, 1])
def test_a_stop_is_heard_between_two_turns_of_the_prices(turns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person who stopped a run of 10,000 rows waited for 6 to 8 seconds: turns of the prices were made until their
    share of the effort was spent.
    """

    class Impatient(Watch):
        def wants_stop(self) -> bool:
            return len(made) >= turns and is_priced

    made: list[object] = []
    is_priced = False
    turn, tell = RisingPrices.turn, Watch.tell

    def counted(prices: RisingPrices) -> None:
        made.append(prices)
        turn(prices)

    def heard(watch: Watch, stage: str, *about: object, **more: object) -> None:
        nonlocal is_priced
        is_priced |= stage == "boxes"
        tell(watch, stage)

    monkeypatch.setattr(RisingPrices, "turn", counted)
    monkeypatch.setattr(Watch, "tell", heard)
    problem = random_problem(np.random.default_rng(3), 400, 4, 4, values=6, measure="entropy", deep=True)
    solution = AUTO.solve(replace(problem, effort=20.0), Impatient())
    assert is_priced
    assert len(made) == turns
    assert solution.n_groups > 0


def test_a_search_has_stopped_moving_when_its_cost_is_the_least_and_stays() -> None:
    moving = [9.0, 8.0, 7.0, 6.5, 6.2, 6.1, 6.0, 5.9]
    assert not rounds.is_still(moving, 24)
    assert rounds.is_still([*moving, *[5.9] * 6], 24)
    assert not rounds.is_still([*moving, *[5.9] * 4], 24)
    assert not rounds.is_still([5.0, *[5.9] * 9], 24), "it moved once, and may again when it is cooler"


def test_a_long_search_is_not_still_because_it_cools_slowly() -> None:
    """A search of ten minutes ended after a third of them: a round gained less than a share of 0.0001, and so did
    six.
    """
    slow = [6.0 - 0.00005 * number for number in range(300)]
    assert rounds.is_still(slow, 24)
    assert not rounds.is_still(slow, 545)
    assert rounds.is_still([*slow, *[slow[-1]] * 80], 545)


@pytest.mark.parametrize("seed", [10, 11, 19])
def test_a_run_ends_when_bound_and_loss_have_stopped_moving(seed: int) -> None:
    """A limit lengthened a run that had nothing left to do."""
    problem = replace(
        random_problem(np.random.default_rng(seed), 60, 3, 3, values=4, deep=True, measure="entropy"), effort=4.0
    )
    found = AUTO.solve(problem, Watch())
    searched = [moment for moment in found.history if moment.stage == "search"]
    assert rounds.STILL_ROUNDS < len(searched) < rounds.LEAST_ROUNDS


class Stopping(Watch):
    """Stands in the place of a kernel, and ends its n-th call as it ends when somebody asks to stop."""

    def __init__(self, kernel: Callable[..., object], calls: int) -> None:
        self.kernel, self.calls = kernel, calls

    def __call__(self, *given: object, **more: object) -> object:
        self.calls -= 1
        if self.wants_stop():
            raise InterruptedError
        return self.kernel(*given, **more)

    def wants_stop(self) -> bool:
        return self.calls < 0


LONG = (
    "covering_prices",
    "cheapest_boxes",
    "companion_distances",
    "companions_by_tables",
    "neighbours",
    "nearest",
    "tight_boxes",
    "anchored_sets",
)


@pytest.mark.parametrize("what", ["trees", "free", "non-uniform", "diverse", "withheld"])
@pytest.mark.parametrize("name", LONG)
def test_stopped_in_any_kernel_the_release_is_whole_and_the_bound_is_sound(
    what: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first or second call of a kernel ends as it does when somebody asks to stop: what was found by then is
    released, with what was proved by then.
    """

    measure = "root-share" if what == "non-uniform" else "entropy"
    problem = random_problem(np.random.default_rng(5), 90, 3, 3, values=5, measure=measure, deep=True)
    if what == "free":
        problem = replace(problem, columns=tuple(replace(column, free="subset") for column in problem.columns))
    if what == "diverse":
        demand = Demand(registry.find(privacy.CATALOG, "distinct-l-diversity"), "x", {"l": 2})
        problem = replace(problem, demands=(demand,), sensitive=(np.arange(problem.n_units, dtype=np.int32) % 3,))
    if what == "withheld":
        problem = replace(problem, max_withheld=5)
    whole = solve(problem)
    for calls in (0, 1):
        watch = Stopping(getattr(kernels, name), calls)
        with monkeypatch.context() as patched:
            patched.setattr(kernels, name, watch)
            solution = AUTO.solve(replace(problem, time_limit=QUICK), watch)
            bound, _ = driver.bound_of(problem, solution, watch)
        sizes = np.bincount(solution.group[solution.group >= 0], minlength=solution.n_groups)
        assert (sizes >= problem.k).all()
        assert bound is not None
        assert 0 <= bound.value <= min(solution.loss, whole.loss if what != "withheld" else np.inf) + 1e-9


def test_prices_go_on_while_they_gain_more_than_the_search() -> None:
    """At a million rows a turn of the prices is worth four rounds of the search, and was not made."""
    problem = random_problem(np.random.default_rng(8), 400, 4, 4, 6, "entropy", deep=True)
    annealing = Annealing(problem, top_down(problem), np.zeros(problem.n_tuples))
    annealing.last_work = effort.CELLS_PER_SECOND // 2
    assert rounds.fall_of([100.0, 98.0], annealing) == pytest.approx(0.04)
    assert rounds.fall_of([100.0, 101.0], annealing) == 0.0
    assert rounds.fall_of([100.0], annealing) == 0.0
    run, prices = auto.begin(problem, Watch()), RisingPrices(problem)
    before, work = prices.worth(prices.best), prices.work
    rounds.raise_prices(run, prices, 0.0, least=1)
    seconds = (prices.work - work) / effort.PRICED_PER_SECOND
    assert prices.turns == 1
    assert run.rise == pytest.approx((prices.worth(prices.best) / before - 1.0) / seconds)
