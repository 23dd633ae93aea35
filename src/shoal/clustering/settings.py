"""Which settings of a policy a clustering keeps. All others are refused, by ``cluster`` and by its ``verify``: none is dropped in silence."""

from __future__ import annotations

from dataclasses import fields

from shoal.errors import PolicyError, Refused
from shoal.policy.columns import ColumnPolicy
from shoal.policy.policy import Policy

KEPT = {
    "k": "the least size of a cluster, where r is not given",
    "withhold": "the share of rows that may be left out, where outliers is not given",
    "missing_values": "these texts are missing cells",
    "keep_order": "rows never stand in the input's order, so nothing of it is told",
    "seed": "nothing is drawn at random: every seed gives the same clusters",
    "hierarchies": "where no other metric is given, values are as far apart as the level that joins them is high",
    "columns": "as COLUMN says",
}
REFUSED = {
    "measure": "What is made small is a distance: say how far apart values are with --metric or in [columns.X]",
    "algorithm": "Choose with --method (method=… in Python)",
    "deletion": "Say how many rows may be left out with --outliers (outliers=… in Python)",
    "missing": "To a clustering a missing cell is a value of its own, far from all others",
    "person": "Give it a table with one row per person",
    "suppression_only": "A clustering hides no cells",
    "target": "Say how much the distances of a column count with its weight",
    "time_limit": "A clustering is not stopped by a clock",
    "stop_at_ratio": "A clustering is not stopped on its way",
    "effort": "How much is searched follows from the table alone",
}
"""With what to do instead."""
COLUMN = {
    "role": "an identifier or insensitive column is not published",
    "hierarchy": "how far apart the values of a quasi-identifier are",
    "hierarchy_text": "the same, as it was written",
    "weight": "how much the distances of a quasi-identifier count",
    "relevance": "made from the target of a policy, which is refused",
    "demands": "what the sensitive values of every cluster keep",
    "metric": "how far apart the values of a quasi-identifier are",
}
OF_DISTANCES = ("hierarchy", "weight", "metric")


def refuse_unkept(policy: Policy) -> None:
    """Raise :class:`Refused` for a setting, or a setting of a column, that a clustering cannot keep."""
    usual = {field.name: field.default for field in fields(Policy)}
    for name, advice in REFUSED.items():
        if getattr(policy, name) != usual[name]:
            counts = "counts rows, and this policy counts people" if name == "person" else "does not keep this setting of the policy"
            raise Refused(f"{name}: a clustering {counts}. {advice}, and leave '{name}' out.")
    for name, column in policy.columns.items():
        _refuse_of_column(name, column)


def _refuse_of_column(name: str, column: ColumnPolicy) -> None:
    said = [key for key in OF_DISTANCES if getattr(column, key) != getattr(ColumnPolicy(), key)]
    if said and column.role != "quasi-identifier":
        raise PolicyError(
            f"Column '{name}': {said[0]} says how far apart the values of a quasi-identifier are, and its role is {column.role}. "
            "Make it a quasi-identifier, or leave this out."
        )
