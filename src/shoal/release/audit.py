"""The audit: a proof checked against the original, the release and the policy, and the loss of the release beside the bound."""

from __future__ import annotations

from pathlib import Path

from shoal import measures, registry
from shoal.errors import NotAnonymous
from shoal.judge.verdict import Audit
from shoal.proof.case import Case, case_of
from shoal.proof.check import check_proof
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


def case_for(known: Hierarchies, max_withheld: int | None = None) -> Case:
    """What a proof has to prove: ``known`` is the original under the policy, which says how many rows may be withheld unless that is given."""
    before, policy = known.table, known.policy
    built = {name: known.built(name) for name in policy.named("quasi-identifier")}
    most = policy.most_withheld(before.n_rows) if max_withheld is None else max_withheld
    return case_of(before, policy, built, registry.find(measures.CATALOG, policy.measure, "measure"), most)
