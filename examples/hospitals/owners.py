"""Three hospitals with 300 rows each make one k-anonymous table without showing each other a row; each party is a process of its own.

python examples/hospitals/owners.py [--hospitals 3] [--rows 300] [--protocol star]
"""

from __future__ import annotations

import argparse
import csv
import resource
import subprocess
import tempfile
import time
from pathlib import Path

from run import SHOAL, patients, release, served, wait_for_end

K = 5


def session(place: Path, protocol: str, n_hospitals: int, n_rows: int) -> None:
    """Set up the servers, let every hospital hand in its table, and release."""
    with served(place, protocol, K, n_hospitals * n_rows) as file:
        owners = [hospital(place, file, h, n_rows) for h in range(n_hospitals)]
        failed = sum(process.wait() != 0 for process in owners)
        wait_for_end(place)
        time.sleep(1)
    release(place, file, f"{n_hospitals - failed} of {n_hospitals} hospitals' programs ended well.")


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
