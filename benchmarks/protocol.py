"""The protocols: CPU seconds and exponentiations, all roles on this machine, beside the paper's own group; and the games.

python -m benchmarks protocol                       everything, from end to end
python -m benchmarks.protocol extraction hospitals  some parts
"""

from __future__ import annotations

import inspect
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from tests.protocol import board_fuzz, miner_fuzz
from tests.protocol.rehearsal import Room, make_session, randomness_key, rehearse, run
from tests.protocol.star_fuzz import Fuzz

import shoal
from benchmarks import protocol_servers, protocol_star
from benchmarks.before import COMMIT
from benchmarks.lines import cpu, line
from shoal.protocol.extraction.messages import Share, decode_cells, encode_cells, row_binding, subject_of
from shoal.protocol.extraction.opening import keys_of, open_group
from shoal.protocol.group import Group, make_group
from shoal.protocol.sealing import derive, seal
from shoal.protocol.shares import evaluate, lagrange, random_polynomial
from shoal.protocol.star.aggregate import aggregate
from shoal.protocol.star.messages import FIELD, check_of, make_share
from shoal.protocol.star.rounds import Round
from shoal.protocol.suppression.partition import CATALOG as PARTITIONS
from shoal.protocol.suppression.partition import partition

COLUMNS = [{"name": "qi", "role": "quasi-identifier"}, {"name": "ill", "role": "sensitive"}]


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
    line("customers: sealing and share, without proof", f"{spent / n * 1e6:.0f} us per customer")
    group.powers = 0
    opened, spent = cpu(lambda: sum(len(open_group(session, group, s, shares, commitments).rows) for s, shares in made))
    assert opened == sum(len(g) for g in groups if len(g) >= k)
    line("miner's opening, CPU", f"{spent:.1f} s", "reach: at most 60 s")
    both = side_by_side(n, k)
    if both:
        now, before = both
        line(
            "  beside 0.1.0, both at the same time, each on a core",
            f"{now:.1f} and {before:.1f} s",
            f"{now / before:.2f} x, reach: no slower",
        )
    line("exponentiations", f"{group.powers:,}", f"reach: at most k x opened rows = {k * opened:,}")
    compare(session, groups, k, spent / opened)


OPENING = """
import sys
from benchmarks import protocol as p
session, group = p.make_session("extraction", int(sys.argv[2]), p.COLUMNS, row_bytes=64), p.make_group()
made, commitments = p.extraction_rows(session, group, random_groups(int(sys.argv[1])))
assert p.__file__.startswith(sys.argv[3]) and sys.modules["shoal"].__file__.startswith(sys.argv[3])
print(p.cpu(lambda: [p.open_group(session, group, s, shares, commitments) for s, shares in made])[1])
"""


def side_by_side(n: int, k: int) -> tuple[float, float] | None:
    """The CPU seconds of the same opening by this code and by that of 0.1.0, run at the same time; None where the history does not reach back."""
    root = Path(__file__).resolve().parent.parent
    with tempfile.TemporaryDirectory() as place:
        archive = subprocess.run(["git", "archive", COMMIT], cwd=root, capture_output=True, check=False)
        if archive.returncode:
            return None
        subprocess.run(["tar", "-x", "-C", place], input=archive.stdout, check=True)
        for native in Path(shoal.__file__).parent.glob("kernels/*.so"):
            shutil.copy(native, Path(place) / "src" / "shoal" / "kernels" / native.name)
        script, running = "import random\n" + inspect.getsource(random_groups) + OPENING, []
        for home in (root, Path(place)):
            environment = {**os.environ, "PYTHONPATH": f"{home / 'src'}{os.pathsep}{home}"}
            asked = [sys.executable, "-c", script, str(n), str(k), str(home)]
            running.append(subprocess.Popen(asked, env=environment, stdout=subprocess.PIPE, text=True, cwd=home))
        now, before = (float(one.communicate()[0]) for one in running)
    return now, before


def compare(session: Any, groups: list[list[int]], k: int, ours: float) -> None:
    """The same table in the paper's group, on a sample of its groups."""
    group = make_group("safe-prime-2048")
    sample = [g for g in groups if len(g) >= k][:8]
    (made, commitments), _ = cpu(lambda: extraction_rows(session, group, sample))
    rows = sum(map(len, sample))
    _, spent = cpu(lambda: [open_group(session, group, s, shares, commitments) for s, shares in made])
    line(
        "safe prime, coefficients once for each group and Horner (sample), a row",
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
        "safe prime, k exponentiations per row as printed, a row",
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
    line("CPU per share, opening and decoding of the rows included", f"{spent / n * 1e6:.1f} us", "reach: at most 15 us")


def games() -> None:
    """Every attack of the threat model, by an adversary with exactly those powers, against the product and against a weaker rule."""
    print(" games: adversaries against the product, and each of them against a rule of 0.1.0 or of the paper", flush=True)
    folder = Path(__file__).resolve().parent.parent / "tests" / "protocol"
    files = [folder / name for name in ("games", "test_star_games.py", "test_attacks.py")]
    asked = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0", *map(str, files)]
    done = subprocess.run(asked, capture_output=True, text=True, check=False, cwd=folder.parent.parent)
    line("lost by the adversary and won against the weaker rule", "all" if not done.returncode else "NOT ALL", "reach: all")
    if done.returncode:
        print(done.stdout[-2000:], flush=True)


def mutated(n: int = 100_000, modes: tuple[str, ...] = ("extraction", "suppression", "star")) -> None:
    """Each play raises at an unforeseen error, a state that a refused message changed, or an honest customer who was stopped."""
    for mode in modes:
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
        altered: Counter[str] = Counter()
        while sum(altered.values()) < n // 10:
            seed += 1
            altered += miner_fuzz.Fuzz(mode, seed).play(2000 if mode == "suppression" else 20_000)
        line("answers altered by the miner; unforeseen errors, customers who could not go on", f"{sum(altered.values()):,}; 0, 0")
        line("  " + ", ".join(f"{count:,} {what}" for what, count in altered.items()), "")


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


PARTS: dict[str, Callable[[], Any]] = {
    "games": games,
    "star": star,
    "extraction": extraction,
    "suppression": suppression,
    "nested": nested,
    "stalled": protocol_servers.stalled,
    "hospitals": protocol_servers.hospitals,
    "killed": protocol_servers.killed,
    "mutated-extraction": lambda: mutated(modes=("extraction",)),
    "mutated-suppression": lambda: mutated(modes=("suppression",)),
    "mutated-star": lambda: mutated(modes=("star",)),
    "nested-star": protocol_star.run,
}


def main(names: list[str] | None = None) -> None:
    for name in names or list(PARTS):
        start = time.time()
        PARTS[name]()
        line(f"  ({name}: seconds on the wall clock)", f"{time.time() - start:.0f} s")


if __name__ == "__main__":
    main(sys.argv[1:])
