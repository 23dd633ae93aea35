"""Large tables, file to verified release, beside 0.1.0: CPU seconds of each step, peak memory, loss and ratio.

python -m benchmarks engines              a million rows of enlarged Adult, this version and 0.1.0
SHOAL_ROWS=10000000 python -m benchmarks engines
"""

from __future__ import annotations

import json
import os

from benchmarks import adult, before

N_ROWS = 1_000_000
CODE = """
import json, resource, sys, time, warnings
import shoal
warnings.simplefilter("ignore")
start = time.process_time()
how = {"keep": [sys.argv[4]]} if "keep" in shoal.anonymize.__kwdefaults__ else {}
release = shoal.anonymize(sys.argv[1], k=5, quasi_identifiers=sys.argv[2].split(","), hierarchies=sys.argv[3], **how)
m = getattr(release, "record", release.manifest)
used = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps({"cpu": time.process_time() - start, "peak": used.ru_maxrss / 2**20, "per_cell": m["loss_per_cell"], "ratio": m["ratio"],
                  "bound": m["bound"], "smallest": m["smallest_group"], "groups": m["n_groups"], "seconds": dict(m["seconds"])}))
"""
LINE = "{:8} {:>8} {:>9} {:>9} {:>7} {:>9}  {}"


def main() -> None:
    if not adult.is_there():
        print("Adult is not beside the repository (../shared/data): nothing to measure.")
        return
    n_rows = int(os.environ.get("SHOAL_ROWS", N_ROWS))
    path = adult.path(n_rows)
    print(f"{n_rows:,} rows of {len(adult.QUASI_IDENTIFIERS)} quasi-identifiers, k = 5, entropy, CSV to verified release")
    print(LINE.format("", "CPU s", "peak GiB", "per cell", "ratio", "smallest", "elapsed seconds of each step"))
    if before.install() is None:
        print("0.1.0 is not in this repository's history: nothing to compare with.")
        return
    for name, old in (("today", False), ("0.1.0", True)):
        told = before.run(CODE, str(path), ",".join(adult.QUASI_IDENTIFIERS), str(adult.HIERARCHIES), adult.SENSITIVE, old=old)
        found = json.loads(told)
        steps = ", ".join(f"{step} {seconds:.1f}" for step, seconds in found["seconds"].items())
        figures = (f"{found['cpu']:.1f}", f"{found['peak']:.2f}", f"{found['per_cell']:.5f}", f"{found['ratio']:.4f}", found["smallest"])
        print(LINE.format(name, *figures, steps), flush=True)
