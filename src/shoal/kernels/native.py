"""Passing arrays and tables to the compiled kernels, and what their answers mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from shoal.kernels.packed import Packed

try:
    from shoal.kernels._native import ffi, lib
except ImportError as error:  # pragma: no cover - only in a broken installation
    raise ImportError(
        "shoal's compiled kernels are missing: install a wheel of it, or build it with 'pip install .' and a C compiler"
    ) from error

if not hasattr(lib, "shoal_sources"):  # pragma: no cover - only in a tree whose kernels were built before it changed
    raise ImportError("shoal's compiled kernels are older than this tree: run 'make setup'")

__all__ = [
    "NULL", "STOPPED", "TOO_LARGE", "TooMuchWork", "check", "doubles", "ffi", "ints", "lib", "longs", "numbers",
    "octets", "table",
]  # fmt: skip

NULL: Any = ffi.NULL
STOPPED: int = lib.SHOAL_STOPPED
TOO_LARGE: int = lib.SHOAL_TOO_LARGE


class TooMuchWork(Exception):
    """A kernel passed the work, or the number of things to keep, that it was allowed."""


def numbers(enum: str) -> dict[str, int]:
    """The numbers of an enumeration of the headers, by their names:

    SHOAL_CRITERION_CLOSE_ORDERED of shoal_criterion is ``close-ordered``.
    """
    first = len(f"{enum}_")
    return {
        name[first:].lower().replace("_", "-"): number for number, name in sorted(ffi.typeof(enum).elements.items())
    }


def check(answer: int, what: str, wrong: str = "") -> int:
    """What a kernel returned, if it did not fail; else an error.

    ``what`` names the work, ``wrong`` is the text for a bad argument.
    """
    if answer >= 0:
        return answer
    if answer == lib.SHOAL_NO_MEMORY:
        raise MemoryError(f"there is not enough memory for {what}")
    if answer == lib.SHOAL_TOO_LARGE:
        raise TooMuchWork(f"{what} would take more than is allowed")
    if answer == lib.SHOAL_STOPPED:
        raise InterruptedError(f"{what} stopped before the end")
    raise ValueError(wrong or f"{what} cannot be made from what was given")


def table(
    packed: Packed, codes: NDArray[np.int32], weight: NDArray[np.int64] | None = None, is_checked: bool = True
) -> Any:
    """A coded table as the kernels take it.

    They do not check it, so its codes are checked here. It must not be used longer than its arrays live.
    """
    n, q = codes.shape
    if q != packed.n_trees or (weight is not None and len(weight) != n):
        raise ValueError("one tree per column and one weight per tuple")
    if is_checked and codes.size and (codes.min() < 0 or (codes.max(axis=0) >= np.diff(packed.first)).any()):
        raise IndexError("a code is outside of its tree")
    return ffi.new(
        "shoal_table *",
        (
            n,
            q,
            ints(codes),
            NULL if weight is None else longs(weight),
            ints(packed.parent),
            doubles(packed.price),
            longs(packed.first),
        ),
    )


def ints(array: NDArray[np.int32]) -> Any:
    """A C view of an int32 array."""
    return _view(array, np.int32, "int32_t[]")


def longs(array: NDArray[np.int64]) -> Any:
    """A C view of an int64 array."""
    return _view(array, np.int64, "int64_t[]")


def doubles(array: NDArray[np.float64]) -> Any:
    """A C view of a float64 array."""
    return _view(array, np.float64, "double[]")


def octets(array: NDArray[np.uint8]) -> Any:
    """A C view of a uint8 array."""
    return _view(array, np.uint8, "uint8_t[]")


def _view(array: NDArray[Any], dtype: type, ctype: str) -> Any:
    if array.dtype != dtype or not array.flags.c_contiguous:
        raise TypeError(f"a kernel takes contiguous {np.dtype(dtype)} arrays, not {array.dtype}")
    return ffi.from_buffer(ctype, array, require_writable=False)
