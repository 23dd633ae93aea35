"""Four rows as they came and as they may be released."""

from __future__ import annotations

import polars as pl

from shoal.judge.verify import verify

ORIGINAL = pl.DataFrame({"age": ["20", "21", "40", "41"], "zip": ["81", "81", None, None], "ill": ["flu", "gout", "flu", "flu"]})
RELEASED = ORIGINAL.with_columns(age=pl.Series(["[20, 30)", "[20, 30)", "[40, 50)", "[40, 50)"]))


def check(released: pl.DataFrame = RELEASED, **more):
    return verify(ORIGINAL, released, **{"k": 2, "quasi_identifiers": ["age", "zip"], **more})
