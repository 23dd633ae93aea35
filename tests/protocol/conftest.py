"""Every group of the catalog, made once."""

from __future__ import annotations

import pytest

from shoal.protocol.group import CATALOG, make_group
from shoal.protocol.group.base import Group

GROUPS = {name: make_group(name) for name in CATALOG}


@pytest.fixture(params=list(CATALOG))
def group(request: pytest.FixtureRequest) -> Group:
    return GROUPS[request.param]
