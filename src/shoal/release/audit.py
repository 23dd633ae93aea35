"""The audit: a proof checked against the original, and the loss of the release measured from its cells beside the bound."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from shoal.errors import NotAnonymous
from shoal.policy import Policy
from shoal.release.measure import measure_tables
from shoal.release.proof_check import check_proof
from shoal.release.verify import Audit
from shoal.table import Table
from shoal.table.text import as_text


def audit(
    before: Table, after: Table, policy: Policy, hierarchies: Mapping[str, Sequence[Sequence[str | None]]], proof: str | Path
) -> Audit:
    """Check the bound that a proof claims for the rows released, and compare the release's loss with it."""
    names = policy.named("quasi-identifier")
    texts = before.frame.select(as_text(before.frame[name]).alias(name) for name in names)
    given = {name: [[label or None for label in row] for row in rows] for name, rows in hierarchies.items()}  # '' stands for a missing cell
    found = check_proof(texts, proof, k=policy.k, hierarchies=given, n_released=after.n_rows)
    if set(found.quasi_identifiers) != set(names):
        raise NotAnonymous("The proof does not hold: it speaks of other quasi-identifiers.")
    columns = measure_tables(before, after, policy).columns
    parts = [columns[name][found.measure] for name in found.quasi_identifiers]
    loss = None
    if all(part is not None for part in parts):
        loss = sum(weight * part for weight, part in zip(found.weights, parts, strict=True) if part is not None)
        if loss < found.lower_bound * (1 - 1e-9) - 1e-9:
            raise NotAnonymous(
                f"The proof does not hold: the release loses {loss:,.2f} and the proof claims at least {found.lower_bound:,.2f}."
            )
    return Audit(found.measure, found.lower_bound, loss)
