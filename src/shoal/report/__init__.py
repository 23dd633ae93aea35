"""What people look at: numbers first, then pages made of them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOME = {
    "assess": "shoal.report.assessing",
    "compare": "shoal.report.comparing",
    "fragment": "shoal.report.page",
    "write_owner_report": "shoal.report.page",
    "write_report": "shoal.report.page",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'shoal.report' has no attribute '{name}'")
    return getattr(import_module(_HOME[name]), name)
