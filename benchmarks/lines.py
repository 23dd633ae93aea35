"""How a measurement is taken and printed."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any


def cpu(call: Callable[[], Any]) -> tuple[Any, float]:
    start = time.process_time()
    result = call()
    return result, time.process_time() - start


def line(what: str, found: str, reach: str = "") -> None:
    print(f"  {what:<74} {found:>26}   {reach}", flush=True)
