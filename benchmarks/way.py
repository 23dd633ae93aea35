"""How long the way through the house is: functions, files, calls and CPU seconds from a table of six rows to a verified release.

Functions of shoal that are called at least once; imports, class bodies, comprehensions and lambdas are not counted. Each walk is a process of its own. With
``SHOAL_AGAINST=REVISION`` the figures of another revision stand beside.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from benchmarks.checkout import ROOT, checkout, environment

TABLE = "age,sex,postcode,job,illness\n31,f,81010,nurse,flu\n38,m,81012,cook,cold\n33,f,81010,baker,gout\n52,m,90411,judge,flu\n57,f,90413,clerk,cold\n51,m,90411,smith,flu\n"
ASKED = ["-k", "3", "--qi", "age,sex,postcode,job", "--sensitive", "illness"]
MADE = ["anonymize", "six.csv", "-o", "out.csv", *ASKED]
DATABASE = "import sqlite3; b = sqlite3.connect('six.db'); b.execute('CREATE TABLE six (age, sex, postcode, job, illness)'); b.executemany('INSERT INTO six VALUES (?,?,?,?,?)', [line.split(',') for line in open('six.csv').read().split()[1:]]); b.commit()"  # fmt: skip
WALKS: dict[str, list[str]] = {
    "help": ["--help"],
    "six rows, CSV to CSV": MADE,
    "the same, quiet": [*MADE, "--quiet"],
    "by the engine files": [*MADE, "--engine", "files"],
    "SQLite to SQLite": ["anonymize", "sqlite:///six.db?table=six", "-o", "sqlite:///out.db?table=r", *ASKED, "--engine", "sqlite"],
    "people are counted": ["anonymize", "six.csv", "-o", "out.csv", "-k", "3", "--qi", "age,sex,postcode", "--person", "job"],
    "reports, proof, record": [*MADE, "--report", "r.html", "--owner-report", "o.html", "--proof", "proof", "--record", "record.json"],
    "verify": ["verify", "six.csv", "released.csv", *ASKED],
}


class Steps:
    """Counts calls of functions whose files lie in a folder."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.calls: Counter[CodeType] = Counter()

    def __call__(self, frame: FrameType, event: str, given: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(self.folder) and not code.co_name.startswith("<") and code.co_flags & 2:
            self.calls[code] += 1

    def told(self) -> dict[str, int]:
        return {"functions": len(self.calls), "files": len({code.co_filename for code in self.calls}), "calls": self.calls.total()}


def walk() -> None:
    """In a process of its own: one command, traced; the figures are the last line of standard error."""
    from shoal.cli import main as command

    steps = Steps(str(Path(sys.modules["shoal"].__path__[0])))
    sys.setprofile(steps)
    try:
        command()
    finally:
        sys.setprofile(None)
        if os.environ.get("SHOAL_WAY"):
            lines = sorted(((n, code.co_filename, code.co_qualname) for code, n in steps.calls.items()), reverse=True)
            Path(os.environ["SHOAL_WAY"]).write_text("".join(f"{n}\t{path}\t{name}\n" for n, path, name in lines))
        print(json.dumps(steps.told()), file=sys.stderr)


def taken(tree: Path, arguments: list[str], at: Path, traced: bool) -> tuple[dict[str, int], float]:
    """One walk in a tree: what it called, and the CPU seconds of the process."""
    for made in at.glob("*"):
        if made.name not in ("six.csv", "six.db", "released.csv"):
            made.unlink()
    command = ["-m", "benchmarks.way"] if traced else ["-m", "shoal"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    answer = subprocess.run(
        [sys.executable, *command, *arguments], cwd=at, env=environment(tree, TMPDIR=str(at)), capture_output=True, text=True, check=False
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if answer.returncode:
        raise SystemExit(f"{' '.join(arguments)} ended with {answer.returncode}: {answer.stderr}")
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return json.loads(answer.stderr.splitlines()[-1]) if traced else {}, spent


def walks(tree: Path, names: list[str], repeats: int = 3) -> dict[str, dict[str, float]]:
    """The figures of each walk; of CPU seconds the fewest of some repeats, untraced and with warm bytecode."""
    with tempfile.TemporaryDirectory() as folder:
        at = Path(folder)
        (at / "six.csv").write_text(TABLE)
        subprocess.run([sys.executable, "-c", DATABASE], cwd=at, check=True)
        taken(tree, [*MADE, "--quiet"], at, traced=False)
        (at / "out.csv").rename(at / "released.csv")
        found: dict[str, dict[str, float]] = {}
        for name in names:
            counted, _ = taken(tree, WALKS[name], at, traced=True)
            found[name] = {**counted, "CPU s": min((taken(tree, WALKS[name], at, traced=False)[1] for _ in range(repeats)), default=0.0)}
        return found


def main() -> None:
    against = os.environ.get("SHOAL_AGAINST")
    trees = {**({against: checkout(against)} if against else {}), "this tree": ROOT}
    told = {side: walks(tree, list(WALKS)) for side, tree in trees.items()}
    for side, found in told.items():
        print(f"\n{side:<26}{'functions':>10}{'files':>7}{'calls':>8}{'CPU s':>7}")
        for name, n in found.items():
            print(f"  {name:<24}{n['functions']:>10}{n['files']:>7}{n['calls']:>8,}{n['CPU s']:>7.2f}")


if __name__ == "__main__":
    walk()
