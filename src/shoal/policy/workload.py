"""What a release is for, as weights of the columns: a workload of questions, or a column that analysts want to predict.

A line is a question: the columns that it needs, with or without conditions, as in ``age=30..39 sex=f`` or ``age job``. A name with blanks stands in quotation
marks, ``#`` begins a comment, and a line that is repeated counts twice. A question over some columns is answered as well as these columns are kept. So the mean
loss over all questions is the sum of each column's loss, weighted by how many questions need the column, and that is what the search then minimises.

A target is a column to predict. A column weighs by its relevance: the share of the target's information that it holds by itself, I(X; T) / H(T), less what columns
that have nothing to do with each other would seem to share by chance, (values of X − 1)(values of T − 1) / (2 n ln 2) bits in n rows.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.errors import PolicyError

Codes = NDArray[np.integer[Any]]

LEAST = 0.1
"""The weight of a column that no question needs: not 0, so that it is not thrown away where it costs nothing to keep."""


def questions(source: str | Path | Iterable[str]) -> list[list[str]]:
    """The columns of each question, from a file or from lines of text."""
    if isinstance(source, str | Path):
        try:
            lines = Path(source).read_text(encoding="utf-8-sig").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise PolicyError(f"The workload '{source}' cannot be read: {type(error).__name__}.") from None
    else:
        lines = list(source)
    found = []
    for number, line in enumerate(lines, 1):
        try:
            words = shlex.split(line, comments=True)
        except ValueError:
            raise PolicyError(f"The workload, line {number}: a quotation mark is opened and not closed.") from None
        names = list(dict.fromkeys(word.partition("=")[0].strip(",") for word in words))
        found += [[name for name in names if name]] if any(names) else []
    if not found:
        raise PolicyError("The workload asks nothing. Write a line for each question, such as: age=30..39 sex=f")
    return found


def weights_of(asked: Sequence[Sequence[str]], columns: Sequence[str]) -> dict[str, float]:
    """The weight of each column: how many questions need it, over the mean of all columns.

    >>> weights_of([["age"], ["age", "sex"], ["age", "wage"]], ["age", "sex", "job"])
    {'age': 2.25, 'sex': 0.75, 'job': 0.1}
    """
    count = {name: sum(name in names for names in asked) for name in columns}
    if not any(count.values()):
        raise PolicyError(f"The workload needs none of the quasi-identifiers. They are {', '.join(columns)}.")
    return over_mean(count)


def over_mean(count: Mapping[str, float]) -> dict[str, float]:
    """Each number over the mean of all, and not below the least weight."""
    mean = sum(count.values()) / len(count)
    return {name: max(round(n / mean, 4), LEAST) for name, n in count.items()}


def relevance(column: Codes, target: Codes, rows: NDArray[np.int64]) -> float:
    """The share of a target's information that a column holds, from the codes of both in so many rows each; a missing cell (−1) is a value.

    >>> rows = np.full(4, 25)
    >>> relevance(np.array([0, 0, 1, 1]), np.array([0, 0, 1, 1]), rows) > 0.9
    True
    >>> relevance(np.array([0, 1, 0, 1]), np.array([0, 0, 1, 1]), rows)
    0.0
    """
    n = float(rows.sum())
    x, t = (np.unique(codes, return_inverse=True)[1].astype(np.int64) for codes in (column, target))
    of_x, of_t, of_both = (_counts(codes, rows) for codes in (x, t, x * (int(t.max()) + 1) + t))
    if len(of_t) < 2:
        return 0.0
    shared = _bits(of_x) + _bits(of_t) - _bits(of_both) - (len(of_x) - 1) * (len(of_t) - 1) / (2 * n * math.log(2))
    return max(shared / _bits(of_t), 0.0)


def _counts(codes: NDArray[np.int64], rows: NDArray[np.int64]) -> NDArray[np.float64]:
    which = np.unique(codes, return_inverse=True)[1]
    return np.bincount(which, weights=rows).astype(np.float64)


def _bits(count: NDArray[np.float64]) -> float:
    """The entropy of a column."""
    share = count[count > 0] / count.sum()
    return float(-(share * np.log2(share)).sum())
