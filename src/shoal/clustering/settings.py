"""Which settings of a policy a clustering keeps.

All others are refused, by ``cluster`` and by its ``verify``: none is dropped in silence.
"""

from __future__ import annotations

from shoal.errors import PolicyError, Refused
from shoal.policy.columns import ColumnPolicy
from shoal.policy.policy import Policy
from shoal.policy.settings import SETTINGS

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
    for name, entry in SETTINGS.items():
        if not entry.in_clusters and getattr(policy, name) != entry.default:
            counts = (
                "counts rows, and this policy counts people"
                if name == "person"
                else "does not keep this setting of the policy"
            )
            raise Refused(
                f"{name}: a clustering {counts}. {entry.instead or 'Take another way'}, and leave '{name}' out."
            )
    for name, column in policy.columns.items():
        _refuse_of_column(name, column)


def _refuse_of_column(name: str, column: ColumnPolicy) -> None:
    said = [key for key in OF_DISTANCES if getattr(column, key) != getattr(ColumnPolicy(), key)]
    if said and column.role != "quasi-identifier":
        raise PolicyError(
            f"Column '{name}': {said[0]} says how far apart the values of a quasi-identifier are, and its role is "
            f"{column.role}. "
            "Make it a quasi-identifier, or leave this out."
        )
