"""Arrays in, arrays out: the compiled inner loops. No policy, no text.

Each wrapper checks shapes and types here, where Python can, so that the C below may trust them.
"""

from shoal.kernels.closures import cheapest_ancestors, closures
from shoal.kernels.packed import Packed, pack

__all__ = ["Packed", "cheapest_ancestors", "closures", "pack"]
