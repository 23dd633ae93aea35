"""The different values of a column, laid end to end as bytes, so that a text is looked for in all of them at once."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

Booleans = NDArray[np.bool_]
Octets = NDArray[np.uint8]


class Haystack:
    """Values to be searched; large and small letters are alike."""

    def __init__(self, values: pl.Series) -> None:
        self._values = values
        array = values.rechunk().to_arrow()
        _, ends, data = array.buffers()
        edges = (
            np.frombuffer(ends, dtype=np.int64)[array.offset : array.offset + len(array) + 1]
            if len(array)
            else np.zeros(1, np.int64)
        )
        told = np.frombuffer(data, dtype=np.uint8)[edges[0] : edges[-1]] if data is not None else np.zeros(0, np.uint8)
        self._edges = edges - edges[0]
        """Where each value begins, and where the last one ends."""
        # A to Z as a to z; the subtraction wraps around
        self._bytes = told | (((told - ord("A")) < 26).view(np.uint8) << 5)
        self._often = np.bincount(self._bytes, minlength=256)
        """How often each byte occurs."""

    def holds(self, wanted: str) -> Booleans:
        """Which values hold this text, which is in small letters."""
        if wanted.isascii() or wanted.upper() == wanted:
            return self._with(np.frombuffer(wanted.encode(), dtype=np.uint8))
        hit = np.zeros(len(self._values), dtype=bool)
        if self._often[128:].any():  # only texts with such letters can hold one
            beyond = (self._values.str.len_bytes() != self._values.str.len_chars()).to_numpy()
            hit[beyond] = self._values.filter(beyond).str.to_lowercase().str.contains(wanted, literal=True).to_numpy()
        return hit

    def _with(self, wanted: Octets) -> Booleans:
        """Which values hold these bytes: first where the rarest of them stands, then whether the others stand around
        it.
        """
        found, n = np.zeros(len(self._values), dtype=bool), len(wanted)
        if n > len(self._bytes) or not self._often[wanted].all():
            return found
        rarest = int(np.argmin(self._often[wanted]))
        at = np.flatnonzero(self._bytes[rarest : len(self._bytes) - (n - 1 - rarest)] == wanted[rarest])
        for i, byte in enumerate(wanted.tolist()):
            if i != rarest:
                at = at[self._bytes[at + i] == byte]
        value = np.searchsorted(self._edges, at, side="right") - 1
        found[value[at + n <= self._edges[value + 1]]] = True  # and not half in the next value
        return found
