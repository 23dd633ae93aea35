"""The audit: a proof checked against the original, the release and the policy, and the loss of the release beside the bound."""

from __future__ import annotations

from pathlib import Path

from shoal.errors import NotAnonymous
from shoal.judge.verdict import Audit
from shoal.proof.check import check_proof
from shoal.release.cases import case_for
from shoal.release.measure import measure_tables
from shoal.release.resolve import Hierarchies
from shoal.table import Table


def audit(known: Hierarchies, after: Table, proof: str | Path, max_withheld: int | None) -> Audit:
    """Check the bound that a proof claims, where so many rows may be withheld at no loss, and compare the release's loss with it."""
    case = case_for(known, max_withheld)
    bound = check_proof(case, proof)
    policy, columns = known.policy, measure_tables(known, after).columns
    weight = {ladder.name: ladder.weight for ladder in case.ladders}
    lost = f"{policy.measure}_all_rows" if policy.deletion else policy.measure
    parts = [(weight[name], columns[name][lost]) for name in weight]
    loss = None
    if all(part is not None for _, part in parts):
        loss = sum(w * part for w, part in parts if part is not None)
        if loss < bound * (1 - 1e-9) - 1e-9:
            raise NotAnonymous(f"The proof does not hold: the release loses {loss:,.2f} and the proof claims at least {bound:,.2f}.")
    return Audit(policy.measure, bound, loss, case.max_withheld, case.deletion)
