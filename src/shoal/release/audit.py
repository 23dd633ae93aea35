"""The audit: a proof checked against the original, the release and the policy, and the loss of the release beside the bound."""

from __future__ import annotations

from pathlib import Path

from shoal import measures, registry
from shoal.errors import NotAnonymous
from shoal.release.measure import measure_tables
from shoal.release.proof_case import Case, case_of
from shoal.release.proof_check import check_proof
from shoal.release.resolve import Hierarchies
from shoal.release.verify import Audit
from shoal.table import Table


def audit(known: Hierarchies, after: Table, proof: str | Path) -> Audit:
    """Check the bound that a proof claims for the rows released, and compare the release's loss with it."""
    case = case_for(known, after)
    found = check_proof(case, proof)
    policy, columns = known.policy, measure_tables(known, after).columns
    parts = [(ladder.weight, columns[ladder.name][policy.measure]) for ladder in case.ladders]
    loss = None
    if all(part is not None for _, part in parts):
        loss = sum(weight * part for weight, part in parts if part is not None)
        if loss < found.lower_bound * (1 - 1e-9) - 1e-9:
            raise NotAnonymous(
                f"The proof does not hold: the release loses {loss:,.2f} and the proof claims at least {found.lower_bound:,.2f}."
            )
    return Audit(policy.measure, found.lower_bound, loss)


def case_for(known: Hierarchies, after: Table) -> Case:
    """What a proof for this release has to prove: ``known`` is the original under the policy."""
    before, policy = known.table, known.policy
    built = {name: known.built(name) for name in policy.named("quasi-identifier")}
    return case_of(before, after, policy, built, registry.find(measures.CATALOG, policy.measure, "measure"))
