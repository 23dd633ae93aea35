"""Work in several processes, in portions whose seeds follow each other: a run is continued by giving the seed that it named last."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

Found = TypeVar("Found")
WORKERS = 2


def portions(work: Callable[[int], Found], first_seed: int, workers: int = WORKERS) -> Iterator[Found]:
    """``work(seed)`` for one seed after the other, without end; close the iterator to stop."""
    os.environ.update(POLARS_MAX_THREADS="1", SHOAL_THREADS="1", PYTHONWARNINGS="ignore")  # for the processes that begin now: one core each
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        seeds = itertools.count(first_seed)
        waiting = [pool.submit(work, seed) for seed in itertools.islice(seeds, 2 * workers)]
        try:
            while True:
                found = waiting.pop(0).result()
                waiting.append(pool.submit(work, next(seeds)))
                yield found
        finally:
            pool.shutdown(cancel_futures=True)
