"""A customer's state file after her part: keys and everything that could reveal her row are wiped; receipts and the
heads that she saw are kept.

The signing key stays too: it says nothing of the row, and ``shoal customer digest`` fetches the board with it.
"""

from __future__ import annotations

import os

from shoal.errors import PolicyError
from shoal.protocol.agent import Secrets

KEPT = ("receipts", "seals")


class Finished(PolicyError):
    """A state file whose part in the session is over."""


def check_open(secrets: Secrets) -> None:
    """Refuse a state file whose keys are wiped."""
    if "done" in secrets.pending:
        n = len(secrets.pending.get("receipts", {}))
        raise Finished(
            f"The row of '{secrets.path}' was submitted ({n} receipts are kept) and its keys are wiped: nothing is "
            "sent again."
        )


def finish(secrets: Secrets) -> None:
    """Wipe what is no longer needed."""
    secrets.seal_secret, secrets.token, secrets.randomness_token = 0, "", ""
    secrets.pending = {"done": True, **{name: secrets.pending[name] for name in KEPT if name in secrets.pending}}
    if secrets.path is None:
        return
    with open(secrets.path, "r+b") as old:  # saving makes a new file: the old one is overwritten before it is removed
        size = os.fstat(old.fileno()).st_size
        secrets.save()
        old.write(bytes(size))
        old.flush()
        os.fsync(old.fileno())
