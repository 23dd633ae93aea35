"""Arrays in, arrays out: the compiled inner loops. No policy, no text.

Each wrapper checks shapes and types here, where Python can, so that the C below may trust them.
"""

from shoal.kernels.balls import cover_by_balls, cover_by_diameters
from shoal.kernels.closures import cheapest_ancestors, closures
from shoal.kernels.fold import rank_keys
from shoal.kernels.forest import decompose, grow_forest, leave_one_out
from shoal.kernels.neighbours import companion_distances, neighbours
from shoal.kernels.packed import Packed, pack
from shoal.kernels.records import fill_records, measure_records
from shoal.kernels.set_cover import SetCover

__all__ = [
    "Packed",
    "SetCover",
    "cheapest_ancestors",
    "closures",
    "companion_distances",
    "cover_by_balls",
    "cover_by_diameters",
    "decompose",
    "fill_records",
    "grow_forest",
    "leave_one_out",
    "measure_records",
    "neighbours",
    "pack",
    "rank_keys",
]
