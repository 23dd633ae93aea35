"""What the user asked for, checked."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

import numpy as np

from shoal.clustering.base import Centres, Method
from shoal.clustering.points import Floats
from shoal.clustering.settings import refuse_unkept
from shoal.clustering.space_of import Placed
from shoal.columns.whose import Whose, repeating_in
from shoal.errors import DataError, Infeasible, PolicyError, Refused
from shoal.policy.clusters import CLUSTER
from shoal.policy.columns import ROLES
from shoal.policy.given import make_policy
from shoal.policy.policy import Policy
from shoal.privacy import asking
from shoal.table import Table
from shoal.text.numbers import parse_numbers

OF_COLUMNS = ("quasi_identifiers", "sensitive", "identifiers", "missing_values", "require")


@dataclass(frozen=True)
class Asked:
    """The settings of a run."""

    r: int
    centres: Centres
    outliers: Fraction
    qi: tuple[str, ...]
    sensitive: tuple[str, ...]
    sensitive_as: str
    policy: Policy
    notes: tuple[str, ...] = ()

    def most_outliers(self, n_rows: int) -> int:
        """⌊εn⌋, exact."""
        return int(self.outliers * n_rows)


def ask(
    table: Table | None,
    method: Method,
    *,
    r: int | None = None,
    max_clusters: int | None = None,
    outliers: Any = None,
    centers: str | None = None,
    sensitive_as: str = "list",
    policy: Policy | str | Path | None = None,
    **roles: Any,
) -> Asked:
    """Flags over the policy, all of it checked before any work.

    ``roles`` are those of columns, and what is asked of them.
    """
    unknown = sorted(roles.keys() - {*OF_COLUMNS, *asking.shorthands()})
    if unknown:
        raise TypeError(f"there is no argument called '{unknown[0]}'")
    base = Policy.given(policy)
    refuse_unkept(base)
    if r is None and policy is not None:
        r = base.k
    if r is None:
        raise PolicyError("Say how many rows a cluster must have: -r 5 (r=5 in Python).")
    CLUSTER["r"].checked(r)
    _check_clusters(method, max_clusters)
    CLUSTER["centers"].checked(centers)
    CLUSTER["sensitive_as"].checked(sensitive_as)
    fraction = exact_fraction(base.withhold if outliers is None else outliers)
    said = make_policy(base, **roles)
    refuse_unkept(said)
    qi, sensitive = _columns_there(table, said)
    notes: tuple[str, ...] = () if r > 1 else ("r = 1: a cluster may hold a single person.",)
    notes += tuple(_rows_counted(who) for who in ([] if table is None else repeating_in(table, [*qi, *sensitive])))
    return Asked(
        int(r), cast(Centres, centers or method.default_centres), fraction, qi, sensitive, sensitive_as, said, notes
    )


def _columns_there(table: Table | None, said: Policy) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The quasi-identifiers and the sensitive columns, in the table's order."""
    for name in (name for role in ROLES if role != "insensitive" for name in said.named(role)):
        if table is None:
            raise PolicyError(
                f"The column '{name}' has a role, and there is no table: give one beside the distances, or leave the "
                "roles out."
            )
        table.column(name)
    there = [] if table is None else table.columns
    return tuple(
        tuple(name for name in there if name in set(said.named(role))) for role in ("quasi-identifier", "sensitive")
    )  # type: ignore[return-value]


def _rows_counted(who: Whose) -> str:
    """A clustering cannot count people: what to do where a column says that rows are of the same person."""
    return (
        f"R COUNTS ROWS: '{who.column}' has {who.n_values:,} different values in {who.n_rows:,} rows. If it says who a "
        "row is about, "
        "a cluster may hold fewer than r people: cluster a table with one row per person."
    )


def _check_clusters(method: Method, max_clusters: int | None) -> None:
    if method.name != "center":
        if max_clusters is not None:
            raise Refused(
                f"The method '{method.name}' does not bound the number of clusters. Take --method center, or leave it "
                "out."
            )
        return
    if max_clusters is None:
        raise PolicyError(
            "The method 'center' needs a largest number of clusters (--max-clusters). Without one, take 'gather'."
        )
    if isinstance(max_clusters, bool) or not isinstance(max_clusters, int | np.integer):
        raise PolicyError(f"The largest number of clusters must be a whole number, not {max_clusters!r}.")
    if max_clusters < 1:
        raise Infeasible(f"No clustering has at most {max_clusters} clusters. The smallest feasible number is 1.")


def exact_fraction(outliers: Any) -> Fraction:
    """The fraction as it was written: ``0.1`` is one tenth, not the nearest double.

    >>> exact_fraction(0.1) * 30, exact_fraction("1/3") * 9
    (Fraction(3, 1), Fraction(3, 1))
    """
    try:
        if isinstance(outliers, bool):
            raise ValueError
        found = (
            outliers
            if isinstance(outliers, Fraction)
            else Fraction(outliers if isinstance(outliers, str | Decimal) else str(outliers))
        )
    except (ValueError, InvalidOperation, ZeroDivisionError, OverflowError):
        raise PolicyError(f"outliers must be a fraction of the rows, such as 0.01, not {outliers!r}.") from None
    if not 0 <= found < 1:
        raise PolicyError(
            f"outliers must be at least 0 and below 1, not {outliers}: 0.01 lets one row in a hundred be left out."
        )
    return found


def check_sharing(method: Method, asked: Asked) -> None:
    """Where a row may be counted by several clusters, no sensitive value is published: it would stand in each of them,
    and tell where they meet.
    """
    if method.name != "cellular":
        raise Refused(
            f"The method '{method.name}' shares no rows among clusters. Take --method cellular, or leave --sharing out."
        )
    if asked.sensitive:
        raise Refused(
            f"With --sharing a row is counted by several clusters, and the values of '{asked.sensitive[0]}' would show "
            "which rows these have in common. "
            "Leave the sensitive columns out, or --sharing."
        )


def setup_costs(table: Table | None, placed: Placed, method: Method, asked: Asked, given: Any) -> Floats | None:
    """The set-up cost at each point: one number, a column's, or one per row; among equal rows the cheapest counts."""
    if given is None:
        return None
    if method.name != "cellular":
        raise Refused(f"The method '{method.name}' knows no set-up costs. Take --method cellular, or leave them out.")
    costs = _per_row(table, placed.points.n_rows, given)
    if not np.isfinite(costs).all() or (costs < 0).any():
        raise PolicyError("A set-up cost must be a finite number of at least 0.")
    per_point = np.full(placed.points.space.n, np.inf)
    np.minimum.at(per_point, placed.points.of_row, costs)
    if costs.min() < costs.max() and asked.centres == "any":
        raise Refused(
            "A centre that is not a row has no set-up cost of its own. Give one set-up cost for all, or --centers "
            "input."
        )
    return per_point


def _per_row(table: Table | None, n: int, given: Any) -> Floats:
    if isinstance(given, int | float | np.number) and not isinstance(given, bool):
        return np.full(n, float(given))
    if isinstance(given, str):
        try:
            return np.full(n, float(given))
        except ValueError:
            pass
        if table is None:
            raise PolicyError(f"The set-up cost '{given}' is not a number, and there is no table with such a column.")
        coded = table.coded(given)
        number, wrong = parse_numbers(coded.values.to_list())
        bad = coded.rows_of([*wrong.tolist(), *([-1] if coded.n_missing else [])])
        if len(bad):
            raise DataError(
                f"Column '{given}': {len(bad)} of {n} cells are not finite numbers ({table.where(bad[:6].tolist())}): "
                "no set-up costs."
            )
        return np.asarray(number[coded.codes])
    try:
        costs = np.asarray(given, dtype=np.float64).reshape(-1)
    except (TypeError, ValueError):
        raise PolicyError("setup_cost is a number, a column's name, or one number for each row.") from None
    if len(costs) != n:
        raise PolicyError(f"There are {len(costs)} set-up costs for {n} rows.")
    return costs
