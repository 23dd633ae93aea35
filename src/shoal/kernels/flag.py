"""A flag that ends a kernel while it runs: set by another thread, looked at between portions of work."""

from __future__ import annotations

from typing import Any

from shoal.kernels.native import NULL, ffi


class Flag:
    """Begins lowered; once raised it stays so."""

    def __init__(self) -> None:
        self.pointer: Any = ffi.new("int32_t *")

    def set(self) -> None:
        self.pointer[0] = 1

    @property
    def is_set(self) -> bool:
        return bool(self.pointer[0])


def pointer_of(flag: Flag | None) -> Any:
    """As the kernels take it."""
    return NULL if flag is None else flag.pointer
