"""Suppression: a cell keeps its value or becomes ``*``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from shoal.errors import PolicyError
from shoal.hierarchies.encoded import Arrangement, Encoded


@dataclass(frozen=True)
class Suppression:
    """Only ``*`` above the values."""

    name: ClassVar[str] = "suppression"

    @property
    def description(self) -> str:
        return "suppression"

    def build(self, column: str, values: Sequence[str], has_missing: bool) -> Encoded:
        return self.arrange(column, values).encoded(self, has_missing)

    def arrange(self, column: str, values: Sequence[str]) -> Arrangement:
        """The values as they come, and nothing between them and the root."""
        return Arrangement(values, [], np.arange(len(values), dtype=np.int32))

    def to_toml(self) -> Any:
        return {self.name: True}

    @classmethod
    def from_toml(cls, value: Any, **options: Any) -> Suppression:
        if value is not True or options:
            raise PolicyError("Write { suppression = true }, with nothing beside it.")
        return cls()


def suppression() -> Suppression:
    """A cell keeps its value or becomes ``*``."""
    return Suppression()
