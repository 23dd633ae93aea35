"""The release that the tests of this room read, under two measures."""

from __future__ import annotations

import pytest

import shoal
from tests.reader.people import QI, TABLE


@pytest.fixture(scope="session", params=["non-uniform-entropy", "lm"])
def release(request) -> shoal.Release:
    return shoal.anonymize(TABLE, k=5, quasi_identifiers=QI, sensitive=["ill"], measure=request.param, effort=0.1)
