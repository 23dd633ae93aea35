"""Writing any frame as if it had been verified: for the tests of how files are written, not of what may be."""

from __future__ import annotations

from typing import Any

import polars as pl

from shoal import io
from shoal.judge.gate import KEY, Verified, fingerprint


def write(frame: pl.DataFrame, path: Any, **how: Any) -> str:
    return io.write(frame, path, verdict=Verified(fingerprint=fingerprint(frame), key=KEY), **how)
