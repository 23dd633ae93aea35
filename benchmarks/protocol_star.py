"""Nested STAR over HTTPS with many customers, every server killed twice by SIGKILL: what is lost, what counts twice, how long it takes.

python -m benchmarks.protocol_star [customers]
"""

from __future__ import annotations

import multiprocessing
import random
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.protocol.processes import Cast, servers

from shoal.protocol.agent import Secrets
from shoal.protocol.session import Session, read_session
from shoal.protocol.transport import client

K = 5
THREADS = 4
ZIPS = [f"{n:05d}" for n in range(2000)]
SCHEMA = """
[[columns]]
name = "zip"
role = "quasi-identifier"
hierarchy = [{zips}]

[[columns]]
name = "sex"
role = "quasi-identifier"
values = ["f", "m"]

[[columns]]
name = "ill"
role = "sensitive"
""".format(zips=", ".join(f'["{z}", "{z[:4]}*", "{z[:3]}**", "*"]' for z in ZIPS))


def row_of(i: int) -> dict[str, str]:
    """Some places are common, many are rare: most customers find enough others on the first rung, some climb to the last."""
    rng = random.Random(i)
    return {"zip": ZIPS[min(int(rng.paretovariate(0.6) * 3), len(ZIPS) - 1)], "sex": rng.choice("fm"), "ill": f"ill {i}"}


def live(place: str, part: int, parts: int, n: int) -> None:
    """Every so many-th customer, from her token to the end, in a few threads."""
    session, codes = read_session(Path(place) / "miner" / "session.toml"), (Path(place) / "codes").read_text().split()
    mine = list(range(part, n, parts))
    with ThreadPoolExecutor(THREADS) as pool:
        for done in [pool.submit(live_together, session, codes, mine[t::THREADS]) for t in range(THREADS)]:
            done.result()


def live_together(session: Session, codes: list[str], mine: list[int]) -> None:
    """Some customers, who share connections and questions about the status."""
    assert session.randomness is not None
    assert session.registrar is not None
    link, left = client.MinerLink(session, patience=1200), []
    randomness, registrar = client.RandomnessLink(session.randomness, patience=1200), client.Connection(session.registrar, patience=1200)
    for i in mine:
        secrets = Secrets.fresh(session)
        secrets.token = client.fetch_token(registrar, session.registrar.key, session, secrets, "join", codes[i])
        secrets.randomness_token = client.fetch_token(registrar, session.registrar.randomness_key, session, secrets, "randomness", codes[i])
        left.append(client.Customer(session, link, secrets, row_of(i), randomness, roles=()))
        left[-1].join()
    while left:
        status = link.view("status")
        left = [c for c in left if c.work(status) != "done"]
        time.sleep(0.3)


def status_of(cast: Cast) -> dict[str, Any]:
    """The status; a miner who was killed plays his log again before he answers."""
    link = client.MinerLink(cast.session, patience=1200)
    status = link.view("status")
    link.connection.close()
    return status


def kill(cast: Cast, name: str, when: str, reached: int) -> None:
    """Kill a server when so many have come so far, and start it again."""
    while (now := status_of(cast))[when] < reached and now["phase"] not in ("reveal", "closed"):
        time.sleep(0.2)
    cast.kill(name)
    cast.restart(name)
    print(
        f"  SIGKILL of the {name} with {now['customers']:,} joined, {now['submitted']:,} in a round, {now['opened']:,} shares", flush=True
    )


def cpu_of(cast: Cast) -> float:
    """Seconds of CPU that the servers that run now have used."""
    total = 0.0
    for process in cast.processes.values():
        fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        total += (int(fields[11]) + int(fields[12])) / 100
    return total


def run(n: int = 10_000, clients: int = 4) -> dict[str, float]:
    """One session; what came out of it."""
    print(f" nested STAR, {n:,} customers over HTTPS, k={K}, registrar, randomness server and miner killed twice each", flush=True)
    hour = ["--seconds", "join=3600", "--seconds", "submit=3600", "--seconds", "round=1800", "--hours", "6"]
    with tempfile.TemporaryDirectory() as place, servers(Path(place), "star", K, SCHEMA, n, ["--customers", n, *hour]) as cast:
        start = time.time()
        crowd = [multiprocessing.Process(target=live, args=(place, part, clients, n), daemon=True) for part in range(clients)]
        for process in crowd:
            process.start()
        for share in (4, 2):
            kill(cast, "registrar", "customers", n // share)
        for share in (4, 2):
            kill(cast, "randomness", "submitted", n // share)
            kill(cast, "miner", "submitted", n // share + n // 8)
        for process in crowd:
            process.join()
        while status_of(cast)["phase"] != "closed":
            time.sleep(0.2)
        taken, status, spent = time.time() - start, status_of(cast), cpu_of(cast)
        table = cast.release()[1:]
    seen = Counter(row[-1] for row in table)
    sizes = Counter(tuple(row[:-1]) for row in table)
    assert all(process.exitcode == 0 for process in crowd), "a customer's program failed"
    assert min(sizes.values()) >= K
    assert not set(seen) - {f"ill {i}" for i in range(n)}
    lost, twice = n - len(seen), sum(seen.values()) - len(seen)
    print(
        f"  {status['round']} rounds; rows lost {lost}, twice {twice} (reach: 0, 0; fewer than {K} may be left over at the top)", flush=True
    )
    print(
        f"  {taken:.0f} s on the wall clock (reach: 900 s on two cores), {spent:.0f} s CPU of the servers since their last start",
        flush=True,
    )
    return {"lost": lost, "twice": twice, "seconds": taken}


if __name__ == "__main__":
    run(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
