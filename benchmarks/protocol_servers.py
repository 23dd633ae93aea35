"""The protocols' servers as real processes: killed while customers submit, flooded with idle connections, and three hospitals by one command."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

from tests.protocol.processes import servers

from benchmarks.lines import line
from shoal.protocol.agent import Secrets
from shoal.protocol.replica import Replica

SCHEMA = """
[[columns]]
name = "qi"
role = "quasi-identifier"

[[columns]]
name = "ill"
role = "sensitive"
"""


def killed(n: int = 2000, k: int = 5, threads: int = 8) -> None:
    print(f" {n:,} customers over HTTPS with registrar, the miner killed twice by SIGKILL while they submit", flush=True)
    from shoal.protocol.transport import client

    with tempfile.TemporaryDirectory() as place:
        options = ["--customers", n, "--seconds", "deal=300", "--seconds", "check=600", "--seconds", "submit=600", "--seconds", "join=900"]
        with servers(Path(place), "extraction", k, SCHEMA, n_codes=n, options=options) as cast:
            session, codes = cast.session, cast.codes()

            def live(part: int) -> None:
                link = client.MinerLink(session, patience=120)
                mine, replica = [], Replica(session)  # one owner's rows share a copy of the board
                for i in range(part, n, threads):
                    secrets = Secrets.fresh(session)
                    client.fetch_tokens(session, secrets, codes[i], patience=120)
                    row = {"qi": str(i % (n // 10)), "ill": f"ill {i}"}
                    mine.append(client.Customer(session, link, secrets, row, roles=("deal",) if i < 20 else (), replica=replica))
                    mine[-1].join()
                left = mine
                while left:
                    status = link.view("status")
                    left = [c for place, c in enumerate(left) if c.work(status, fetch=place == 0) != "done"]
                    time.sleep(0.2)

            start = time.time()
            crowd = [threading.Thread(target=live, args=(p,), daemon=True) for p in range(threads)]
            for thread in crowd:
                thread.start()
            for least in (n // 4, n // 2):
                while (now := cast.status())["submitted"] < least and now["phase"] != "closed":
                    time.sleep(0.2)
                line("SIGKILL when so many had submitted", f"{now['submitted']:,}")
                cast.kill("miner")
                cast.restart("miner")
            for thread in crowd:
                thread.join()
            table = cast.release()
            seen = Counter(row[1] for row in table[1:])
            line("seconds on the wall clock", f"{time.time() - start:.0f} s")
            line("rows lost, rows counted twice", f"{n - len(seen)}, {sum(c - 1 for c in seen.values())}", "reach: 0, 0")


def stalled(idle: int = 2000, half: int = 200, seconds: float = 20.0) -> None:
    print(f" {idle:,} idle connections and {half} half-sent bodies at the miner, from the address of the honest customers", flush=True)
    from tests.protocol.stalling import Stalling, longest_wait

    from shoal.protocol.transport import client

    with tempfile.TemporaryDirectory() as place, servers(Path(place), "extraction", 5, SCHEMA, n_codes=1) as cast:
        session, stop = cast.session, threading.Event()

        def honest() -> None:
            link = client.MinerLink(session, patience=60)
            link.view("status")
            link.connection.close()

        before, _ = longest_wait(honest, 3.0)
        line("longest wait of an honest request on a connection of its own, alone", f"{before:.2f} s")
        outsider = Stalling(session.miner)
        outsider.idle(idle)
        outsider.half_bodies(half)

        def again() -> None:
            while not stop.is_set():  # and whatever is cut off comes back
                outsider.idle(20)
                outsider.half_bodies(2)
                time.sleep(0.2)

        crowd = threading.Thread(target=again, daemon=True)
        crowd.start()
        worst, n = longest_wait(honest, seconds)
        stop.set()
        crowd.join()
        line(f"longest wait of {n:,} honest requests, with them", f"{worst:.2f} s", "reach: at most 5 s")
        outsider.close()


def hospitals() -> None:
    """The example with three owners, as one command."""
    print(" three hospitals with 300 rows each, STAR over HTTPS with tokens, by one command", flush=True)
    script = Path(__file__).resolve().parent.parent / "examples" / "hospitals" / "owners.py"
    start, before = time.time(), os.times()
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    found = f"{time.time() - start:.0f} s, {spent:.0f} s CPU" if not done.returncode else "FAILED"
    line("seconds on the wall clock, and of all processes", found, "reach: at most 300 s on two cores")
