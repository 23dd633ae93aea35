"""Any subset: a group shows the set of its values. Not laminar, so no guarantee holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from shoal.errors import PolicyError
from shoal.hierarchies.builders.any_interval import halves
from shoal.hierarchies.encoded import Arrangement, Encoded, ValuesError


@dataclass(frozen=True)
class AnySubset:
    """Sets that follow the groups.

    The tree to search on halves the values in their alphabetical order again and again.
    """

    name: ClassVar[str] = "any_subset"

    @property
    def description(self) -> str:
        return "any subset"

    def build(self, column: str, values: Sequence[str], has_missing: bool) -> Encoded:
        braced = [i for i, v in enumerate(values) if v.startswith("{") and v.endswith("}")]
        if braced:
            advice = "A reader could not tell them from sets. Remove the braces, or give the column another hierarchy."
            raise ValuesError(column, braced, len(values), "{are} written in braces", advice)
        code = np.arange(len(values), dtype=np.int32)
        return Arrangement(values, halves(values), code).encoded(self, has_missing, "subset")

    def to_toml(self) -> Any:
        return {self.name: True}

    @classmethod
    def from_toml(cls, value: Any, **options: Any) -> AnySubset:
        if value is not True or options:
            raise PolicyError("Write { any_subset = true }, with nothing beside it.")
        return cls()


def any_subset() -> AnySubset:
    """Values by whatever set a group needs."""
    return AnySubset()
