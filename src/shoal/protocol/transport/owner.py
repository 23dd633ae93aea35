"""An owner who holds many rows, such as a hospital: one customer for each row, in one program.

Each row has a token, keys and an index of its own, so the claims hold for it as for a person's row. The rows share
connections and one copy of the board, which is checked once. To whoever counts colluders, an owner of r rows is r
customers.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from shoal.errors import PolicyError
from shoal.protocol.agent import Customer
from shoal.protocol.replica import Replica
from shoal.protocol.session import Session
from shoal.protocol.transport import client, folders
from shoal.protocol.transport.state import finish


def state_files(state: Path | None, count: int) -> list[Path | None]:
    """One file for each row, in a folder that only its owner reads."""
    if state is None:
        return [None] * count
    if state.exists() and not state.is_dir():
        raise PolicyError(f"'{state}' is a file. With a table of rows, --state names a folder.")
    state.mkdir(mode=0o700, parents=True, exist_ok=True)
    folders.make_private(state)
    return [state / f"row-{n + 1}.json" for n in range(count)]


def make_customers(
    session: Session,
    rows: Sequence[Mapping[str, str]],
    invitations: Sequence[str],
    state: Path | None = None,
    proxy: str | None = None,
    patience: float = 60.0,
) -> list[Customer]:
    """One customer per row.

    All rows are checked against the schema before anything is sent; a few of them offer to deal and help.
    """
    for line, row in enumerate(rows, start=2):
        try:
            session.check_row(row)
        except PolicyError as error:
            raise PolicyError(f"Line {line} of the table: {error}") from error
    if session.registrar is not None and len(invitations) != len(rows):
        raise PolicyError(
            f"There are {len(rows)} rows and {len(invitations)} invitations: each row needs one of its own."
        )
    codes = list(invitations) or [""] * len(rows)
    replica = Replica(session) if session.protocol != "star" else None
    made: list[Customer] = []
    for n, (row, file) in enumerate(zip(rows, state_files(state, len(rows)), strict=True)):
        roles = ("deal", "help") if n < session.helpers else ()
        customer = client.make_customer(session, row, codes[n], file, proxy, roles, patience)
        if made:
            customer.link, customer.randomness = made[0].link, made[0].randomness
        customer.replica = replica
        made.append(customer)
    return made


def take_part(
    customers: Sequence[Customer], poll: float = 0.5, until: Callable[[Customer, str], bool] | None = None
) -> Sequence[Customer]:
    """All rows of an owner, from joining to the end."""
    left = list(customers)
    while left:
        status = left[0].link.view("status")
        phases = [(c, c.work(status, fetch=n == 0)) for n, c in enumerate(left)]
        for customer, phase in phases:
            if phase == "done":
                finish(customer.secrets)
        left = [c for c, phase in phases if phase != "done" and not (until and until(c, phase))]
        if left and not any(phase == "working" for _, phase in phases):
            time.sleep(poll * random.uniform(0.5, 1.5))
    return customers
