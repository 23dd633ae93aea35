"""A session of two columns."""

from __future__ import annotations

COLUMNS = [{"name": "age", "role": "quasi-identifier"}, {"name": "ill", "role": "sensitive"}]
