"""Large tables, file to verified release: CPU seconds of each step, peak memory, loss and ratio; in memory, by `files`, and beside 0.1.0.

python -m benchmarks engines              a million rows of enlarged Adult
SHOAL_ROWS=10000000 python -m benchmarks engines
SHOAL_ROWS=100000000 SHOAL_MEMORY=4GB python -m benchmarks engines    Parquet to Parquet, by `files` alone
SHOAL_EFFORT=0.2 makes the search shorter; SHOAL_ENGINES=files,0.1.0 runs only these
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks import adult, before

N_ROWS = 1_000_000
MOST_IN_MEMORY = 10_000_000
BOTH = """
import json, sys, time, warnings
import shoal
warnings.simplefilter("ignore")
path, names, hierarchies, kept, output, engine, memory, effort = sys.argv[1:]
start = time.process_time()
spent, last = {}, [None, start]
def told(release):
    m = getattr(release, "record", release.manifest)
    peak = int(open("/proc/self/status").read().split("VmHWM:")[1].split()[0])  # getrusage tells the parent's if that was higher
    print(json.dumps({"cpu": time.process_time() - start, "peak": peak / 2**20, "per_cell": m["loss_per_cell"], "ratio": m["ratio"],
                      "bound": m["bound"], "smallest": m["smallest_group"], "groups": m["n_groups"], "seconds": spent or dict(m["seconds"])}))
"""
OLD = """
told(shoal.anonymize(path, k=5, quasi_identifiers=names.split(","), hierarchies=hierarchies, measure="entropy"))
"""
NEW = """
class Stages(shoal.Watch):
    def tell(self, stage, done=None, loss=None, bound=None):
        now = time.process_time()
        if last[0] is not None:
            spent[last[0]] = spent.get(last[0], 0.0) + now - last[1]
        last[:] = [stage, now]
made = shoal.publish(path, output, engine=engine, k=5, quasi_identifiers=names.split(","), hierarchies=hierarchies, measure="entropy", keep=[kept],
                     force=True, memory=memory or None, effort=float(effort), watch=Stages())
spent[last[0]] = spent.get(last[0], 0.0) + time.process_time() - last[1]
told(made)
"""
LINE = "{:8} {:>8} {:>9} {:>9} {:>7} {:>9}  {}"


def main() -> None:
    if not adult.is_there():
        print("Adult is not beside the repository (../shared/data): nothing to measure.")
        return
    n_rows = int(os.environ.get("SHOAL_ROWS", N_ROWS))
    is_huge = n_rows > MOST_IN_MEMORY
    path = adult.parquet(n_rows) if is_huge else adult.path(n_rows)
    print(f"{n_rows:,} rows of {len(adult.QUASI_IDENTIFIERS)} quasi-identifiers, k = 5, {path.suffix[1:]} to verified {path.suffix[1:]}")
    print(LINE.format("", "CPU s", "peak GiB", "per cell", "ratio", "smallest", "CPU seconds of each stage (0.1.0: elapsed seconds)"))
    asked = os.environ.get("SHOAL_ENGINES", "files" if is_huge else "memory,files,0.1.0")
    for name in asked.split(","):
        if name == "0.1.0" and before.install() is None:
            print("0.1.0 is not in this repository's history: nothing to compare with.")
            continue
        with _output(path.suffix) as output:
            how = (str(output), name, os.environ.get("SHOAL_MEMORY", ""), os.environ.get("SHOAL_EFFORT", "1"))
            code = BOTH + (OLD if name == "0.1.0" else NEW)
            told = before.run(
                code, str(path), ",".join(adult.QUASI_IDENTIFIERS), str(adult.HIERARCHIES), adult.SENSITIVE, *how, old=name == "0.1.0"
            )
        found = json.loads(told)
        steps = ", ".join(f"{step} {seconds:.1f}" for step, seconds in found["seconds"].items())
        figures = (f"{found['cpu']:.1f}", f"{found['peak']:.2f}", f"{found['per_cell']:.5f}", f"{found['ratio']:.4f}", found["smallest"])
        print(LINE.format(name, *figures, steps), flush=True)


@contextmanager
def _output(suffix: str) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder) / f"release{suffix}"
