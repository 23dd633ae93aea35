"""Three hospitals with 300 rows each make one k-anonymous table without showing each other a row; each party is a process of its own.

python examples/hospitals/owners.py [--hospitals 3] [--rows 300] [--protocol star]
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import json
import resource
import subprocess
import tempfile
import time
from pathlib import Path

from run import HERE, SHOAL, patients, running, shoal, show_table, url

K = 5


def session(place: Path, protocol: str, n_hospitals: int, n_rows: int) -> None:
    """Set up the servers, let every hospital hand in its table, and release."""
    total = n_hospitals * n_rows
    shoal("registrar", "init", place / "registrar", "--url", url(), "--bits", 2048)
    shoal("registrar", "invite", place / "registrar", "--count", total, "-o", place / "codes")
    more: list[object] = []
    if protocol == "star":
        shoal("randomness", "init", place / "randomness", "--url", url())
        more = ["--randomness", place / "randomness" / "randomness.toml"]
    for limit in ("join=600", "deal=120", "check=300", "submit=900", "round=300", "lease=60"):
        more += ["--seconds", limit]
    print(shoal("miner", "init", place / "miner", "--protocol", protocol, "-k", K, "--schema", HERE / "columns.toml", "--url", url(),
                "--customers", total, "--registrar", place / "registrar" / "registrar.toml", *more).strip())  # fmt: skip
    file = place / "miner" / "session.toml"
    with contextlib.ExitStack() as stack:
        stack.enter_context(running("registrar", "serve", place / "registrar", "--session", file))
        if protocol == "star":
            stack.enter_context(running("randomness", "serve", place / "randomness", "--session", file))
        stack.enter_context(running("miner", "serve", place / "miner"))
        owners = [hospital(place, file, h, n_rows) for h in range(n_hospitals)]
        failed = sum(process.wait() != 0 for process in owners)
        for _ in range(100):
            if json.loads(shoal("miner", "status", place / "miner", "--json"))["phase"] in ("closed", "failed"):
                break
            time.sleep(1)
        time.sleep(1)
    print(shoal("miner", "release", place / "miner", "-o", place / "table.csv", "--transcript", place / "transcript.jsonl").strip())
    print(f"{n_hospitals - failed} of {n_hospitals} hospitals' programs ended well.")
    show_table(place / "table.csv")
    print(shoal("miner", "audit", place / "transcript.jsonl", "--session", file, "--table", place / "table.csv").strip())


def hospital(place: Path, file: Path, number: int, n_rows: int) -> subprocess.Popen[bytes]:
    """One hospital's program: its table, its invitations, one command."""
    rows = patients(n_rows, seed=number)
    with open(place / f"hospital{number}.csv", "w", newline="") as out:
        writer = csv.DictWriter(out, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    codes = (place / "codes").read_text().split()[number * n_rows : (number + 1) * n_rows]
    (place / f"codes{number}").write_text("\n".join(codes))
    command = ["customer", "submit", place / f"hospital{number}.csv", "--session", file, "--state", place / f"state{number}",
               "--invitations", place / f"codes{number}", "--patience", "300"]  # fmt: skip
    return subprocess.Popen([*SHOAL, *map(str, command)], stdout=subprocess.DEVNULL)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hospitals", type=int, default=3)
    parser.add_argument("--rows", type=int, default=300)
    parser.add_argument("--protocol", choices=["extraction", "suppression", "star"], default="star")
    given = parser.parse_args()
    start = time.time()
    with tempfile.TemporaryDirectory(prefix="shoal-") as place:
        session(Path(place), given.protocol, given.hospitals, given.rows)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"({time.time() - start:.0f} s; {used.ru_utime + used.ru_stime:.0f} s of one core, all parties together)", flush=True)


if __name__ == "__main__":
    main()
