"""The audit: a proof checked against the original, the release and the policy, and the loss of the release beside the bound."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from shoal import measures, registry
from shoal.encode import resolve
from shoal.errors import NotAnonymous
from shoal.hierarchies.encode import Encoded
from shoal.policy import Policy
from shoal.release.measure import measure_tables
from shoal.release.proof_case import Case, case_of
from shoal.release.proof_check import check_proof
from shoal.release.verify import Audit
from shoal.table import Table


def audit(before: Table, after: Table, policy: Policy, proof: str | Path) -> Audit:
    """Check the bound that a proof claims for the rows released, and compare the release's loss with it."""
    case = case_for(before, after, policy)
    found = check_proof(case, proof)
    columns = measure_tables(before, after, policy).columns
    parts = [(ladder.weight, columns[ladder.name][policy.measure]) for ladder in case.ladders]
    loss = None
    if all(part is not None for _, part in parts):
        loss = sum(weight * part for weight, part in parts if part is not None)
        if loss < found.lower_bound * (1 - 1e-9) - 1e-9:
            raise NotAnonymous(
                f"The proof does not hold: the release loses {loss:,.2f} and the proof claims at least {found.lower_bound:,.2f}."
            )
    return Audit(policy.measure, found.lower_bound, loss)


def case_for(before: Table, after: Table, policy: Policy) -> Case:
    """What a proof for this release has to prove."""
    return case_of(before, after, policy, hierarchies_of(before, policy), registry.find(measures.CATALOG, policy.measure, "measure"))


def hierarchies_of(table: Table, policy: Policy) -> Mapping[str, Encoded]:
    """The hierarchy of every quasi-identifier: the policy's, or the default of its kind of values."""
    return {name: resolve(table, policy, name)[1] for name in policy.named("quasi-identifier")}
