"""The ristretto255 functions of libsodium, found on the system or in the wheel of ``rbcl``.

A distribution's own libsodium is preferred, because the distribution repairs it; without one the copy that ``rbcl``
ships is used, so that ``pip install`` is enough. ``rbcl`` unpacks its copy into a temporary file at import and leaves
it there: it is removed here once it is loaded.
"""

from __future__ import annotations

import contextlib
import os
import sys
from functools import cache
from typing import Any

import cffi

from shoal.errors import ProtocolError

NAMES = ("libsodium.so.26", "libsodium.so.23", "libsodium.26.dylib", "libsodium.23.dylib")
DECLARATIONS = """
int sodium_init(void);
int crypto_core_ristretto255_is_valid_point(const unsigned char *p);
int crypto_core_ristretto255_add(unsigned char *r, const unsigned char *p, const unsigned char *q);
int crypto_core_ristretto255_sub(unsigned char *r, const unsigned char *p, const unsigned char *q);
int crypto_core_ristretto255_from_hash(unsigned char *p, const unsigned char *r);
int crypto_scalarmult_ristretto255(unsigned char *q, const unsigned char *n, const unsigned char *p);
int crypto_scalarmult_ristretto255_base(unsigned char *q, const unsigned char *n);
"""


def open_library(ffi: Any, path: str) -> Any:
    """Load one library and make sure that it has what is needed."""
    library = ffi.dlopen(path)
    if library.sodium_init() < 0:
        raise OSError("libsodium could not be started")
    library.crypto_core_ristretto255_from_hash  # noqa: B018 - an older libsodium has no ristretto255: fails here, not later
    return library


def bundled_path() -> str:
    """The library that ``rbcl`` unpacked."""
    import rbcl  # noqa: F401 - its import unpacks the library

    return str(sys.modules["rbcl._sodium"].lib_path)


@cache
def load(bundled: bool = False) -> tuple[Any, Any]:
    """The library and the ``ffi`` it was loaded by; with ``bundled``, always the copy in the wheel."""
    ffi = cffi.FFI()
    ffi.cdef(DECLARATIONS)
    for name in () if bundled else NAMES:
        with contextlib.suppress(OSError, AttributeError):
            return open_library(ffi, name), ffi
    try:
        path = bundled_path()
        library = open_library(ffi, path)
    except (ImportError, OSError, AttributeError) as error:
        raise ProtocolError(
            "No libsodium with ristretto255 was found. Install 'rbcl' (pip install 'shoal[protocol]') or libsodium "
            "1.0.18."
        ) from error
    with contextlib.suppress(OSError):
        os.unlink(path)
    return library, ffi
