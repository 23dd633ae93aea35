"""What may be asked for by keyword. Made by ``make docs`` from the declaration: change that instead."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypedDict


class Keywords(TypedDict, total=False):
    """Each setting; None where it is not said. The documentation of :func:`shoal.anonymize` says what each means."""

    k: int | None
    measure: str | None
    algorithm: str | None
    withhold: float | None
    deletion: bool | None
    suppression_only: bool | None
    missing: str | None
    keep_order: bool | None
    seed: int | None
    time_limit: float | None
    stop_at_ratio: float | None
    effort: float | None
    person: str | None
    target: str | None
    missing_values: Iterable[str] | None
    hierarchies: Mapping[str, Any] | str | Path | None
    quasi_identifiers: Iterable[str] | None
    sensitive: Iterable[str] | None
    identifiers: Iterable[str] | None
    keep: Iterable[str] | None
    require: Mapping[str, Any] | None
    weights: Mapping[str, float] | None
    workload: str | Path | Iterable[str] | None
    l_diversity: Any
    t_closeness: Any
    suppress: float | None
