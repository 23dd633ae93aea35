"""Groups of prime order. CATALOG: by the name that a session file gives."""

from shoal import registry
from shoal.protocol.group.base import Group

CATALOG = {
    "ristretto255": "shoal.protocol.group.ristretto:Ristretto",
    "safe-prime-2048": "shoal.protocol.group.safe_prime:SafePrime",
}


def make_group(name: str = "ristretto255") -> Group:
    """The group of this name, with its counters at zero."""
    made: Group = registry.find(CATALOG, name, "group")()
    return made


__all__ = ["CATALOG", "Group", "make_group"]
