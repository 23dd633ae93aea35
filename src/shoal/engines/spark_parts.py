"""Parts of a table solved on the workers of Spark, each in a process of its own with our kernels. A worker needs shoal and what it needs: ``shoal spark package`` packs it.

The driver takes one answer for each part. So a task that is done again, because a worker was lost, changes nothing.
"""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

from shoal import algorithms, registry
from shoal.algorithms.base import Algorithm, solve
from shoal.clock import PATIENCE, Deadline
from shoal.engines.driver import NOBODY
from shoal.engines.parts import PartAnswer, answer_of, cut, joined, part_of
from shoal.errors import DataError, ShoalError
from shoal.problem import Problem, Solution, Watch

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

IN_A_PART = 200_000
"""Different rows that a worker solves at a time: about 0.6 GB in its process."""
SCHEMA = "part int, answer binary"
LACKING = (
    "The table is to be solved in parts on the workers, and they lack shoal. Pack it with `shoal spark package -o shoal-env.tar.gz` and name the file with --archive; "
    "for a session of your own, set spark.archives=shoal-env.tar.gz#shoal-env and spark.executorEnv.PYTHONPATH=./shoal-env."
)


def solve_in_parts(session: SparkSession, problem: Problem, algorithm: Algorithm, most: int, watch: Watch) -> Solution:
    """Cut, solve on the workers, and put together."""
    watch.tell("solving in parts")
    most = min(most, IN_A_PART)
    parts = cut(problem, most)
    answers = _on_workers(session, [_packed(part_of(problem, units), algorithm) for units in parts])
    return joined(problem, answers, most, watch)


def _packed(part: Problem, algorithm: Algorithm) -> bytes:
    from pyspark import cloudpickle

    packed: bytes = cloudpickle.dumps((part, algorithm.name))  # type: ignore[no-untyped-call]
    return packed


def _on_workers(session: SparkSession, parts: list[bytes]) -> list[PartAnswer]:
    """The answer of each part, in their order."""
    import pyarrow as pa

    given = pa.table({"part": pa.array(range(len(parts)), pa.int32()), "answer": pa.array(parts, pa.large_binary())})
    spread = session.createDataFrame(given).repartition(len(parts), "part")
    found = spread.groupBy("part").applyInArrow(_answered, SCHEMA).toArrow()
    told: dict[int, Any] = {row["part"]: pickle.loads(row["answer"]) for row in found.to_pylist()}
    for answer in told.values():
        if isinstance(answer, ShoalError):
            raise answer
    if sorted(told) != list(range(len(parts))):
        raise DataError("Spark did not answer for every part. Nothing was released; please report this.")
    return [told[i] for i in range(len(parts))]


def _answered(given: Any) -> Any:
    """On a worker: solve a part."""
    import pyarrow as pa

    rows = given.to_pylist()
    answers = [pickle.dumps(solve_packed(row["answer"])) for row in rows]
    return pa.table({"part": pa.array([row["part"] for row in rows], pa.int32()), "answer": pa.array(answers, pa.binary())})


def solve_packed(packed: bytes) -> PartAnswer | ShoalError:
    """The answer of a part, or why there is none: Spark would turn an error into words of its own."""
    part, name = pickle.loads(packed)
    algorithm: Algorithm = registry.find(algorithms.CATALOG, name, "algorithm")
    limit = part.time_limit
    deadline = Deadline(NOBODY, None if limit is None else limit * (PATIENCE if algorithm.counts_work else 1.0))
    try:
        return answer_of(solve(part, algorithm, deadline))
    except ShoalError as error:
        return error


def check_workers(session: SparkSession) -> None:
    """Raise, before the work, if the workers cannot import shoal. They are asked in a way that needs no library of theirs."""

    def has_all(_: int) -> bool:
        import importlib.util

        return all(importlib.util.find_spec(name) is not None for name in ("pyarrow", "shoal"))

    if not all(session.sparkContext.parallelize(range(4), 4).map(has_all).collect()):
        raise DataError(LACKING)
