"""``make fuzz``: random cases until it is stopped, or so many: ``python -m tests.fuzz [FIRST_SEED] [COUNT]``."""

from __future__ import annotations

import itertools
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor

from tests.fuzz.run import Outcome, run

BATCH = 200
WORKERS = 2


def batch(first: int, count: int) -> list[Outcome]:
    return [run(seed) for seed in range(first, first + count)]


def sweep(first: int, count: int | None, say: Callable[[str], None] | None = print) -> tuple[Counter[str], int]:
    """Run cases: what became of them, and how many defects. Every defect is printed with its seed."""
    last = None if count is None else first + count
    starts = itertools.count(first, BATCH) if last is None else iter(range(first, last, BATCH))
    tally: Counter[str] = Counter()
    n_defects, begun, told = 0, time.monotonic(), time.monotonic()
    with ProcessPoolExecutor(WORKERS) as pool:

        def submit(start: int) -> Future[list[Outcome]]:
            return pool.submit(batch, start, BATCH if last is None else min(BATCH, last - start))

        waiting = [submit(start) for start in itertools.islice(starts, 2 * WORKERS)]
        try:
            while waiting:
                for outcome in waiting.pop(0).result():
                    tally[outcome.what] += 1
                    for fault in outcome.faults:
                        n_defects += 1
                        print(f"seed {outcome.seed}: {outcome.what}: {fault} {outcome.message}", flush=True)
                waiting += [submit(start) for start in itertools.islice(starts, 1)]
                if say is not None and time.monotonic() - told > 30:
                    told = time.monotonic()
                    say(f"{tally.total():,} cases from seed {first} in {told - begun:.0f} s, {n_defects} defects: {dict(tally)}")
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
    return tally, n_defects


def main(first: int, count: int | None) -> int:
    tally, n_defects = sweep(first, count, lambda text: print(text, flush=True))
    print(f"{tally.total():,} cases from seed {first}, {n_defects} defects: {dict(tally)}")
    return 1 if n_defects else 0


if __name__ == "__main__":
    given = [int(x) for x in sys.argv[1:3]]
    sys.exit(main(given[0] if given else int(time.time()), given[1] if len(given) > 1 else None))
