"""Fifty patients, a researcher, a hospital's registrar and a randomness server, each a process of its own, run all three protocols.

python examples/hospitals/run.py [--patients 50] [--protocol extraction] [--protocol star] …
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
SHOAL = [sys.executable, "-c", "import sys; from shoal.cli.main import run; sys.exit(run())"]
K = 3


def shoal(*arguments: object) -> str:
    """Run a command of shoal to its end."""
    done = subprocess.run([*SHOAL, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"shoal {' '.join(map(str, arguments[:2]))} failed:\n{done.stderr}")
    return done.stdout


@contextlib.contextmanager
def running(*arguments: object) -> Iterator[subprocess.Popen[bytes]]:
    """A command of shoal that runs meanwhile."""
    process = subprocess.Popen([*SHOAL, *map(str, arguments)])
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()


def url() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"https://127.0.0.1:{probe.getsockname()[1]}"


def patients(count: int, seed: int = 7) -> list[dict[str, str]]:
    """Made-up patients; some kinds are common, some are rare."""
    rng = random.Random(seed)
    ages, zips = ["20-29", "30-39", "40-49", "50-59", "60-69", "70-79"], ["07028", "07029", "07030", "07031"]
    ills = ["asthma", "colitis", "diabetes", "flu", "migraine", "stroke"]
    rows = []
    for _ in range(count):
        age = rng.choices(ages, [1, 2, 1, 1, 6, 5])[0]
        rows.append({"age": age, "zip": rng.choices(zips, [6, 2, 1, 1])[0], "sex": rng.choice("fm"), "diagnosis": rng.choice(ills)})
    return rows


@contextlib.contextmanager
def served(place: Path, protocol: str, k: int, count: int) -> Iterator[Path]:
    """The registrar, the randomness server and the miner of a session for so many rows, set up and running; its session file."""
    shoal("registrar", "init", place / "registrar", "--url", url(), "--bits", 2048)
    shoal("registrar", "invite", place / "registrar", "--count", count, "-o", place / "codes")
    more: list[object] = []
    if protocol == "star":
        shoal("randomness", "init", place / "randomness", "--url", url())
        more = ["--randomness", place / "randomness" / "randomness.toml"]
    for limit in ("join=600", "deal=120", "check=300", "submit=900", "round=300", "lease=60"):
        more += ["--seconds", limit]
    print(shoal("miner", "init", place / "miner", "--protocol", protocol, "-k", k, "--schema", HERE / "columns.toml", "--url", url(),
                "--customers", count, "--registrar", place / "registrar" / "registrar.toml", *more).strip())  # fmt: skip
    file = place / "miner" / "session.toml"
    with contextlib.ExitStack() as stack:
        stack.enter_context(running("registrar", "serve", place / "registrar", "--session", file))
        if protocol == "star":
            stack.enter_context(running("randomness", "serve", place / "randomness", "--session", file))
        stack.enter_context(running("miner", "serve", place / "miner"))
        yield file


def wait_for_end(place: Path) -> None:
    """Until the miner has closed the session, 100 seconds at most."""
    for _ in range(100):
        if json.loads(shoal("miner", "status", place / "miner", "--json"))["phase"] in ("closed", "failed"):
            return
        time.sleep(1)


def release(place: Path, file: Path, told: str) -> None:
    """Write the table, show it, and check the transcript."""
    print(shoal("miner", "release", place / "miner", "-o", place / "table.csv", "--transcript", place / "transcript.jsonl").strip())
    print(told)
    show_table(place / "table.csv")
    print(shoal("miner", "audit", place / "transcript.jsonl", "--session", file, "--table", place / "table.csv").strip())


def session(place: Path, protocol: str, rows: list[dict[str, str]]) -> None:
    """One whole session."""
    with served(place, protocol, K, len(rows)) as file:
        crowd = []
        for n, (row, code) in enumerate(zip(rows, (place / "codes").read_text().split(), strict=True)):
            (place / f"row{n}.json").write_text(json.dumps(row))
            command = [
                "customer",
                "submit",
                file,
                "--state",
                place / f"state{n}.json",
                "--row",
                place / f"row{n}.json",
                "--invitation",
                code,
            ]
            crowd.append(subprocess.Popen([*SHOAL, *map(str, command), "--poll", "2", "--patience", "300"], stdout=subprocess.DEVNULL))
        failed = sum(process.wait() != 0 for process in crowd)
        wait_for_end(place)
    release(place, file, f"{len(rows) - failed} of {len(rows)} patients' programs ended well.")
    show_views(place, protocol)


def show_table(path: Path) -> None:
    """The released groups with the diagnoses in each."""
    header, *rows = [line.split(",") for line in path.read_text().splitlines()]
    print("  " + " ".join(f"{name:<8}" for name in header[:3]) + "diagnoses")
    for group, count in sorted(Counter(tuple(row[:3]) for row in rows).items()):
        ills = Counter(row[3] for row in rows if tuple(row[:3]) == group)
        print(
            "  " + " ".join(f"{cell:<8}" for cell in group) + f"{count:>2}: " + ", ".join(f"{n} {ill}" for ill, n in sorted(ills.items()))
        )


def show_views(place: Path, protocol: str) -> None:
    """What each party saw, counted from the transcript (which is the miner's view)."""
    messages = [json.loads(line)["message"] for line in (place / "transcript.jsonl").read_text().splitlines()[1:-1]]
    kinds = Counter(m["kind"] for m in messages)
    print("The miner saw: " + ", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items())) + ".")
    text = " ".join(json.dumps(m["body"]) for m in messages)
    clear = sum(text.count(f'"{z}"') for z in ("07028", "07029", "07030", "07031"))
    print(f"  zip codes in clear in his messages: {clear} (extraction shows every quasi-identifier; the others none before opening)")
    if protocol == "suppression":
        print(
            f"  and the distances of all {len([m for m in messages if m['kind'] == 'row']) * (len([m for m in messages if m['kind'] == 'row']) - 1) // 2} pairs of rows"
        )
        print(
            f"Mixers and decryptors: {len({m['sender'] for m in messages if m['kind'] in ('mix', 'share', 'counts')})} patients saw ciphertexts and shares; the closing ones counts in shuffled order."
        )
    if protocol == "star":
        print("The randomness server saw: blinded elements, which are random to it, and tokens that name nobody.")
    print("The registrar saw: " + shoal("registrar", "status", place / "registrar").strip() + " It cannot tell which entry is whose.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--patients", type=int, default=50)
    parser.add_argument("--protocol", action="append", choices=["extraction", "suppression", "star"])
    given = parser.parse_args()
    rows = patients(given.patients)
    for protocol in given.protocol or ["extraction", "suppression", "star"]:
        print(f"\n=== {protocol}: {len(rows)} patients, k = {K}", flush=True)
        start = time.time()
        with tempfile.TemporaryDirectory(prefix="shoal-") as place:
            session(Path(place), protocol, rows)
        print(f"({time.time() - start:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
