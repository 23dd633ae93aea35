"""What a file's name says of its form."""

from __future__ import annotations

import os
import stat
from typing import Literal, NamedTuple

from shoal.errors import DataError

READ = "Excel (.xlsx, .xls, .ods), SPSS (.sav, .por), Stata (.dta), SAS (.sas7bdat, .xpt), JSON lines (.jsonl) and Arrow (.arrow, .feather)"
ENDINGS = ".csv, .tsv, .txt (each also with .gz) and .parquet"


class Form(NamedTuple):
    """How a file is laid out."""

    kind: Literal["csv", "parquet"]
    compressed: bool = False
    delimiter: str | None = None
    """What the name says of the delimiter; None for nothing."""


def form_of(name: str) -> Form:
    """The form that a file's name announces; ``-`` and a device such as ``/dev/stdout`` are plain CSV."""
    lower = name.lower()
    compressed = lower.endswith(".gz")
    stem = lower.removesuffix(".gz")
    if lower == "-" or stem.endswith((".csv", ".txt")) or _is_device(name):
        return Form("csv", compressed)
    if stem.endswith(".tsv"):
        return Form("csv", compressed, "\t")
    if lower.endswith((".parquet", ".pq")):
        return Form("parquet")
    raise DataError(
        f"'{name}' has an ending that shoal does not know. It reads and writes {ENDINGS}, and reads {READ}; rename or convert the file."
    )


def _is_device(name: str) -> bool:
    try:
        mode = os.stat(name).st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
