"""Passing arrays to the compiled kernels."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

try:
    from shoal.kernels._native import ffi, lib
except ImportError as error:  # pragma: no cover - only in a broken installation
    raise ImportError("shoal's compiled kernels are missing: install it with 'pip install -e .', which needs a C compiler") from error

__all__ = ["doubles", "ffi", "ints", "lib", "longs"]


def ints(array: NDArray[np.int32]) -> Any:
    """A C view of an int32 array."""
    return _view(array, np.int32, "int32_t[]")


def longs(array: NDArray[np.int64]) -> Any:
    """A C view of an int64 array."""
    return _view(array, np.int64, "int64_t[]")


def doubles(array: NDArray[np.float64]) -> Any:
    """A C view of a float64 array."""
    return _view(array, np.float64, "double[]")


def _view(array: NDArray[Any], dtype: type, ctype: str) -> Any:
    if array.dtype != dtype or not array.flags.c_contiguous:
        raise TypeError(f"a kernel takes contiguous {np.dtype(dtype)} arrays, not {array.dtype}")
    return ffi.from_buffer(ctype, array, require_writable=False)
