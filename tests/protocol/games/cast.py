"""What the games share: a session in one process, and what an adversary computes from what she holds."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence

from shoal.protocol import letters
from shoal.protocol.agent import Customer
from shoal.protocol.elgamal import Ciphertext
from shoal.protocol.group import Group
from shoal.protocol.keygen import Keys
from shoal.protocol.messages import Body, bytes_of
from shoal.protocol.session import Session, parse_session
from shoal.protocol.shares import lagrange
from shoal.protocol.suppression import customer as product
from shoal.protocol.suppression import mixing, packing
from shoal.protocol.suppression.customer import Helper
from shoal.protocol.suppression.jobs import Job
from shoal.protocol.suppression.rows import cell_element
from tests.protocol.registry import registrar_text
from tests.protocol.rehearsal import Room, make_session, run

VALUES = ["1", "2", "3"]
COLUMNS = [{"name": n, "role": "quasi-identifier", "values": VALUES} for n in "abcd"] + [
    {"name": "ill", "role": "sensitive"}
]
ROWS = [list(r) for r in ("1111", "1112", "1211", "2311", "1133", "3211", "1321", "2222")]
SEED = b"the mixer's own " * 2


def registered(session: Session) -> Session:
    """The same session with a registrar, who gives tokens and seals the board."""
    return parse_session(session.raw.replace(b"open = true", b"") + registrar_text().encode())


def suppression(
    until: str = "mix", rows: Sequence[Sequence[str]] = ROWS, **more: object
) -> tuple[Room, list[Customer]]:
    """A session of suppression that has come to a phase."""
    room = Room(registered(make_session("suppression", 3, COLUMNS, **more)))
    customers = [room.customer(dict(zip("abcd", r, strict=True)) | {"ill": f"ill {n}"}) for n, r in enumerate(rows)]
    run(room, customers, until=until)
    return room, customers


def chunk(room: Room) -> Job:
    """The one chunk of so small a table."""
    (job,) = room.miner.state.rules.jobs.values()
    return job


def helper_of(customer: Customer) -> Helper:
    """A customer at work, as her program makes it."""
    customer.follow()
    if customer.helper is None:
        if customer.keys is None:
            customer.collect(customer.board)
        customer.helper = Helper(
            customer.session,
            customer.group,
            customer.keys,
            customer.secrets.seal_secret,
            customer.replica.rules,
            customer.quasi_identifier,
            customer.sensitive,
        )
    return customer.helper


def mix(customer: Customer, items: Sequence[Ciphertext] | None = None, seed: bytes = SEED) -> list[Ciphertext]:
    """A mixer's step with coins that the adversary remembers; with ``items`` she sends those instead of what she
    should.
    """
    helper, task = helper_of(customer), customer.ask("task")
    job = helper.rules.jobs[task["job"]]
    stage = len(job.mixed)
    made = list(items) if items is not None else product.do_stage(helper, job, stage, task, seed)
    place = job.mix_place(stage)
    sealed = {
        str(d): letters.write(helper.session, helper.group, helper.index, helper.seal_key(d), place, seed)
        for d in product.confidants(job, stage)
    }
    coins = product.coins_of(helper.session, helper.group, job, stage, seed)
    customer.send("order", {"order": mixing.pair_order(coins, len(made), helper.columns)}, place)
    customer.send("mix", {**packing.pack_items(made), "letters": sealed}, f"{place}/{packing.digest_of(made)}")
    return made


def check_and_share(customers: Sequence[Customer], job: Job) -> None:
    """The checkers sign what was mixed, then the decryptors answer."""
    for index in (*itertools.chain(*job.roles.checkers), *job.roles.decryptors):
        customers[index - 1].work()


def finish(room: Room, customers: Iterable[Customer], job: Job) -> None:
    """Everybody does her part until a job is closed."""
    people = list(customers)
    for _ in range(20):
        for customer in people:
            if not job.done:
                customer.work()


def clear_parts(group: Group, share: Body, count: int) -> list[bytes] | None:
    """The shares in a message, if they can be read by who holds no key: as elements one after the other."""
    data = bytes_of(share["letter"]["box"])[12:-16]
    try:
        return packing.unpack(group, data, count)
    except Exception:
        return None


def decrypt(
    group: Group,
    items: Sequence[Ciphertext],
    parts: Mapping[int, Sequence[bytes]],
    among: Sequence[int],
    keys: Sequence[Keys],
    t: int,
) -> list[bytes] | None:
    """What t shares decrypt: those that were seen (their weights for ``among`` taken off) and those of the keys that
    are held.
    """
    raw: dict[int, list[bytes]] = {}
    for index, seen in parts.items():
        weight = lagrange(list(among), 0, group.order)[list(among).index(index)]
        raw[index] = [group.power(p, group.inverse(weight)) for p in seen]
    for held in keys:
        raw[held.index] = [group.power(c.hint, held.points["key"][held.index]) for c in items]
    if len(raw) < t:
        return None
    chosen = list(raw)[:t]
    weights = lagrange(chosen, 0, group.order)
    masks = [group.combine([raw[i][n] for i in chosen], weights) for n in range(len(items))]
    return [group.divide(c.body, mask) for c, mask in zip(items, masks, strict=True)]


def quotients_of(room: Room) -> dict[bytes, tuple[int, str, str]]:
    """Every quotient of two values of a column, with its meaning: the table for looking up."""
    group, session = room.group, room.session
    cells = {(j, v): cell_element(session, group, j, v) for j in range(4) for v in VALUES}
    return {
        group.divide(cells[j, a], cells[j, b]): (j, a, b)
        for j in range(4)
        for a, b in itertools.permutations(VALUES, 2)
    }


def undo(room: Room, job: Job, seed: bytes, plain: Sequence[bytes]) -> set[tuple[int, int, int, str, str]]:
    """With the coins of the only mixer: which two cells are behind each element."""
    return undo_all(room, job, [seed], plain)


def undo_all(
    room: Room, job: Job, seeds: Sequence[bytes], plain: Sequence[bytes]
) -> set[tuple[int, int, int, str, str]]:
    """With the coins of all mixers, one after the other: which two cells are behind each element."""
    group, columns, items = room.group, 4, list(plain)
    for stage in reversed(range(len(seeds))):
        coins = product.coins_of(room.session, group, job, stage, seeds[stage])
        powers, before, at = coins.powers("powers", len(items)), list(items), 0
        for pair in mixing.pair_order(coins, len(items), columns):
            for column in coins.permutation(f"columns/{pair}", columns):
                n = pair * columns + column
                before[n] = group.power(items[at], group.inverse(powers[n]))
                at += 1
        items = before
    table = quotients_of(room)
    hits = ((n, table.get(item)) for n, item in enumerate(items))
    return {(*job.pairs[n // columns], *hit) for n, hit in hits if hit}


def truth(rows: Sequence[Sequence[str]] = ROWS) -> set[tuple[int, int, int, str, str]]:
    """All differing pairs of cells."""
    pairs = itertools.combinations(range(len(rows)), 2)
    return {
        (i + 1, k + 1, j, a, b)
        for i, k in pairs
        for j, (a, b) in enumerate(zip(rows[i], rows[k], strict=True))
        if a != b
    }
