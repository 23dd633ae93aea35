"""A workload: the questions that analysts will ask, as weights of the columns.

A line is a question: the columns that it needs, with or without conditions, as in ``age=30..39 sex=f`` or ``age job``. A name with blanks stands in quotation
marks, ``#`` begins a comment, and a line that is repeated counts twice. A question over some columns is answered as well as these columns are kept. So the mean
loss over all questions is the sum of each column's loss, weighted by how many questions need the column, and that is what the search then minimises.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path

from shoal.errors import PolicyError

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
    mean = sum(count.values()) / max(len(columns), 1)
    if mean == 0:
        raise PolicyError(f"The workload needs none of the quasi-identifiers. They are {', '.join(columns)}.")
    return {name: max(round(n / mean, 4), LEAST) for name, n in count.items()}
