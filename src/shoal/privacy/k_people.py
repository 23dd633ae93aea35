"""k-anonymity of people: the rows that look alike are of at least k different people.

Rows of one person count once, however many there are. A row whose person is not known does not count: it may be a row
of somebody who is counted already. So the promise holds whoever such rows belong to.

Guarantee.   Somebody who knows the quasi-identifiers of one row of a person finds a group with rows of at least k
             people. k people have at least k rows, so the table is k-anonymous in rows too. So a lower bound on the
             loss of all k-anonymous tables also bounds the loss of these tables.
Reference.   Sweeney 2002 takes a row for a person; counted by people as in (X, Y)-privacy: Wang and Fung, KDD 2006.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.privacy.base import Criterion, Floats, Histogram, Parameter, Parameters, Primitive


def reached(counts: Histogram, parameters: Parameters) -> Floats:
    return counts.n_different().astype(np.float64)


def is_met(people: Floats, parameters: Parameters) -> NDArray[np.bool_]:
    return people >= parameters["k"]


K_PEOPLE = Criterion(
    name="k-people",
    title="Rows of at least k different people look alike",
    reference="Wang and Fung 2006",
    parameters=(Parameter("k", "people whose rows look alike, at least", least=2, is_whole=True),),
    about_rows=True,
    different="k",
    option="-k K --person COLUMN",
    primitive=lambda asked, share: Primitive("distinct", l=asked["k"]),
    reached=reached,
    is_met=is_met,
    worst=lambda people: float(people.min(initial=np.inf)),
)
