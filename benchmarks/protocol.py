"""The protocols: CPU seconds and exponentiations, all roles on this machine, beside the paper's own group."""

from __future__ import annotations

import inspect
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from tests.protocol import board_fuzz
from tests.protocol.processes import servers
from tests.protocol.rehearsal import Room, make_session, randomness_key, rehearse, run
from tests.protocol.star_fuzz import Fuzz

import shoal
from benchmarks import protocol_star
from shoal.protocol.agent import Secrets
from shoal.protocol.extraction.messages import Share, decode_cells, encode_cells, row_binding, subject_of
from shoal.protocol.extraction.opening import keys_of, open_group
from shoal.protocol.group import Group, make_group
from shoal.protocol.replica import Replica
from shoal.protocol.sealing import derive, seal
from shoal.protocol.shares import evaluate, lagrange, random_polynomial
from shoal.protocol.star.aggregate import aggregate
from shoal.protocol.star.messages import FIELD, check_of, make_share
from shoal.protocol.star.rounds import Round
from shoal.protocol.suppression.partition import CATALOG as PARTITIONS
from shoal.protocol.suppression.partition import partition

COLUMNS = [{"name": "qi", "role": "quasi-identifier"}, {"name": "ill", "role": "sensitive"}]


def cpu(call: Callable[[], Any]) -> tuple[Any, float]:
    start = time.process_time()
    result = call()
    return result, time.process_time() - start


def line(what: str, found: str, reach: str = "") -> None:
    print(f"  {what:<74} {found:>26}   {reach}", flush=True)


def extraction_rows(session: Any, group: Group, groups: list[list[int]]) -> tuple[list[tuple[bytes, dict[int, Share]]], list[bytes]]:
    """Submissions of many customers, made with the whole polynomial at hand; their proofs are left out, since nobody looks at them."""
    polynomial = random_polynomial(group, session.threshold)
    made = []
    for g, members in enumerate(groups):
        subject = subject_of(session, "quasi-identifier", [str(g)])
        base = group.hash_to_group(subject, b"shoal-v1-extraction-quasi-identifier")
        shares = {}
        for i in members:
            binding = row_binding(session, subject, i)
            key = derive(group.power(base, evaluate(polynomial, 2 * i - 1, group.order)), binding)
            sealed = seal(key, encode_cells([f"ill {i}"], session.row_bytes), binding)
            shares[i] = Share(group.power(base, evaluate(polynomial, 2 * i, group.order)), b"", sealed)
        made.append((subject, shares))
    return made, [group.generate(c) for c in polynomial]


def random_groups(n: int) -> list[list[int]]:
    rng, rows, groups = random.Random(0), list(range(1, n + 1)), []
    rng.shuffle(rows)
    while rows:
        size = rng.randint(4, 16)
        groups.append(sorted(rows[:size]))
        rows = rows[size:]
    return groups


def extraction(n: int = 100_000, k: int = 5) -> None:
    """Groups of 4 to 16: some stay shut."""
    print(f" extraction, N={n:,}, k={k}", flush=True)
    session, group = make_session("extraction", k, COLUMNS, row_bytes=64), make_group()
    groups = random_groups(n)
    (made, commitments), spent = cpu(lambda: extraction_rows(session, group, groups))
    line("customers: sealing and share, without proof", f"{spent / n * 1e6:.0f} us a customer")
    group.powers = 0
    opened, spent = cpu(lambda: sum(len(open_group(session, group, s, shares, commitments).rows) for s, shares in made))
    assert opened == sum(len(g) for g in groups if len(g) >= k)
    line("miner's opening, CPU", f"{spent:.1f} s", "reach: at most 60 s")
    before = opening_of("7545a2c5b4c2", n, k)  # the last commit of 0.1.0
    if before:
        line("  the same by the code of 0.1.0, in this run", f"{before:.1f} s", "reach: no slower than that")
    line("exponentiations", f"{group.powers:,}", f"reach: at most k x opened rows = {k * opened:,}")
    compare(session, groups, k, spent / opened)


OPENING = """
import random, sys
from benchmarks import protocol as p
session, group = p.make_session("extraction", int(sys.argv[2]), p.COLUMNS, row_bytes=64), p.make_group()
made, commitments = p.extraction_rows(session, group, random_groups(int(sys.argv[1])))
print(p.cpu(lambda: [p.open_group(session, group, s, shares, commitments) for s, shares in made])[1])
"""


def opening_of(tag: str, n: int, k: int) -> float | None:
    """The CPU seconds of the same opening by the code of an earlier version, from a checkout beside this one; None if there is none."""
    with tempfile.TemporaryDirectory() as place:
        old = Path(place) / "old"
        made = subprocess.run(["git", "worktree", "add", "--detach", str(old), tag], capture_output=True, check=False)
        if made.returncode:
            return None
        try:
            for native in Path(shoal.__file__).parent.glob("kernels/*.so"):
                shutil.copy(native, old / "src" / "shoal" / "kernels" / native.name)
            script = inspect.getsource(random_groups) + OPENING
            done = subprocess.run(
                [sys.executable, "-c", script, str(n), str(k)],
                env={**os.environ, "PYTHONPATH": f"{old / 'src'}{os.pathsep}{old}"},
                capture_output=True,
                text=True,
                check=False,
                cwd=place,
            )
            return float(done.stdout) if not done.returncode else None
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(old)], capture_output=True, check=False)


def compare(session: Any, groups: list[list[int]], k: int, ours: float) -> None:
    """The same table in the paper's group, on a sample of its groups."""
    group = make_group("safe-prime-2048")
    sample = [g for g in groups if len(g) >= k][:8]
    (made, commitments), _ = cpu(lambda: extraction_rows(session, group, sample))
    rows = sum(map(len, sample))
    _, spent = cpu(lambda: [open_group(session, group, s, shares, commitments) for s, shares in made])
    line(
        "safe prime, coefficients once a group and Horner (sample), a row",
        f"{spent / rows * 1e3:.2f} ms",
        f"{spent / rows / ours:.0f} x ristretto255",
    )
    shares = made[0][1]
    used = list(shares.items())[:k]

    def literally() -> None:
        for j in shares:
            group.combine([s.share for _, s in used], lagrange([2 * i for i, _ in used], 2 * j - 1, group.order))

    _, literal = cpu(literally)
    _, horner = cpu(lambda: keys_of(group, [2 * i for i, _ in used], [s.share for _, s in used], [2 * j - 1 for j in shares]))
    each = literal / len(shares)
    line(
        "safe prime, k exponentiations a row as printed, a row",
        f"{each * 1e3:.2f} ms",
        f"{each / ours:.0f} x ristretto255, reach: at least 20 x",
    )
    line(f"  what Horner saves in a group of {len(shares)}", f"{literal / horner:.1f} x")


def suppression(n: int = 200, m: int = 8, t: int = 3, k: int = 5) -> None:
    print(f" suppression, N={n}, m={m}, t={t}, k={k}, two mixers in a chain; all parties together", flush=True)
    columns = [{"name": f"c{j}", "role": "quasi-identifier", "values": list("abcd")} for j in range(m)] + [
        {"name": "ill", "role": "sensitive"}
    ]
    rng = random.Random(1)
    rows = [{f"c{j}": rng.choice("aaabbcd") for j in range(m)} | {"ill": f"ill {i}"} for i in range(n)]
    session = make_session("suppression", k, columns, decryptors=t)
    room = Room(session)
    customers = [room.customer(row) for row in rows]
    _, spent = cpu(lambda: run(room, customers, until="mix"))
    parties = [room.miner.board.group, *(c.group for c in customers), *(c.board.group for c in customers)]
    setup = sum(g.powers for g in parties)
    line("keys, encryption and proofs, the board checked by everybody", f"{spent:.1f} s, {setup:,} powers")
    _, mixing = cpu(lambda: run(room, customers, until="test"))
    items = m * n * (n - 1) // 2
    on_items = sum(g.powers for g in parties) - setup
    line(
        f"distances, checks and letters included: exponentiations for each of {items:,} items",
        f"{on_items / items:.3f}",
        f"reach: at most 3 x (2 + t) = {3 * (2 + t)}",
    )
    helpers = [c for c in customers if c.helper and c.helper.rows]
    checking = sum(2 * m * len(c.helper.rows) for c in helpers if c.helper)
    line(f"  of these for checking the rows' proofs, by {len(helpers)} helpers", f"{checking / items:.3f}")
    _, testing = cpu(lambda: run(room, customers))
    result, opening = cpu(room.miner.release)
    assert len(result.rows) == n
    line("CPU: set-up, distances, partition and tests, opening", f"{spent:.0f} + {mixing:.0f} + {testing:.0f} + {opening:.1f} s")
    line("CPU altogether", f"{spent + mixing + testing + opening:.1f} s", "reach: at most 240 s")
    truth = np.array([[sum(a[f"c{j}"] != b[f"c{j}"] for j in range(m)) for b in rows] for a in rows])
    assert (room.miner.state.distances == truth).all()


def star(n: int = 100_000, k: int = 5) -> None:
    print(f" STAR, opening of {n:,} shares, k={k}", flush=True)
    session = make_session("star", k, COLUMNS, randomness_key=randomness_key(), row_bytes=64)
    rng = random.Random(2)
    secrets = [rng.randrange(1, FIELD) for _ in range(n // 10)]
    tags = [bytes(32) + check_of(secret) for secret in secrets]
    held = {i: rng.randrange(len(secrets)) for i in range(1, n + 1)}
    shares = {i: make_share(session, 0, i, tags[g], secrets[g], encode_cells([f"q{i}", "ill"], 64)) for i, g in held.items()}

    def work() -> int:
        groups = Round(0, {i: tags[g] for i, g in held.items()}).groups
        found = aggregate(session, 0, groups, shares)
        return len([decode_cells(data, 2) for group in found.groups for data in group.values()])

    opened, spent = cpu(work)
    assert opened == sum(size for size in Counter(held.values()).values() if size >= k)
    line("CPU a share, opening and decoding of the rows included", f"{spent / n * 1e6:.1f} us", "reach: at most 15 us")


def mutated(n: int = 100_000) -> None:
    """Each play raises at an unforeseen error, a state that a refused message changed, or an honest customer who was stopped."""
    for mode in ("extraction", "suppression", "star"):
        print(f" {mode}, {n:,} signed and mutated messages in every phase", flush=True)
        sent: Counter[str] = Counter()
        start, seed = time.process_time(), 11
        while sum(sent.values()) < n:
            sent += Fuzz(seed).play(n) if mode == "star" else board_fuzz.Fuzz(mode, seed).play(n // 4)
            seed += 1
        line(
            "sent; unforeseen errors, states changed, honest customers stopped",
            f"{sum(sent.values()):,}; 0, 0, 0",
            "reach: 100,000; 0, 0, 0",
        )
        line("  " + ", ".join(f"{count:,} {what}" for what, count in sent.items()), f"{time.process_time() - start:.0f} s")


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


def nested(n: int = 1000, m: int = 4, k: int = 5) -> None:
    print(f" nested STAR beside suppression by distances: {n:,} rows, m={m}, k={k}", flush=True)
    rng = np.random.default_rng(3)
    sizes = (12, 8, 6, 4)[:m]
    table = np.column_stack([np.minimum(rng.geometric(2.2 / s, size=n) - 1, s - 1) for s in sizes])
    columns = [{"name": f"c{j}", "role": "quasi-identifier", "values": [str(v) for v in range(s)]} for j, s in enumerate(sizes)]
    rows = [{f"c{j}": str(v) for j, v in enumerate(row)} | {"ill": f"ill {i}"} for i, row in enumerate(table)]
    session = make_session("star", k, [*columns, {"name": "ill", "role": "sensitive"}], randomness_key=randomness_key())
    (result, room), spent = cpu(lambda: rehearse(session, rows))
    cells = result.n_suppressed + result.n_withheld * m
    messages = sum(message.kind in ("tag", "share") for message in room.messages)
    line(
        f"nested STAR, {room.miner.state.rung} rounds, {messages:,} messages, {spent:.0f} s CPU: suppressed",
        f"{cells / (n * m):.1%}",
        f"({result.n_withheld} rows withheld)",
    )
    distances = (table[:, None, :] != table[None]).sum(axis=2).astype(np.int64)
    for name in PARTITIONS:
        groups, spent = cpu(lambda name=name: partition(name, distances, k))
        stars = sum(len(g) * int((table[g] != table[g][0]).any(axis=0).sum()) for g in groups)
        line(
            f"suppression by distances, partition {name}, {spent:.1f} s CPU: suppressed",
            f"{stars / (n * m):.1%}",
            "reach: STAR below" if name == "meyerson-williams" else "",
        )


def main() -> None:
    star()
    mutated()
    extraction()
    suppression()
    nested()
    stalled()
    killed()
    protocol_star.run()
