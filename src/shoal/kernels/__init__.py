"""Arrays in, arrays out: the compiled inner loops. No policy, no text.

Each wrapper checks shapes, types and ranges in Python. The C code does not check them again.
"""

from shoal.kernels.anchored import Walked, anchored_sets
from shoal.kernels.balls import cover_by_balls, cover_by_diameters
from shoal.kernels.boxes import Boxes, Diversity, cheapest_boxes, tight_boxes
from shoal.kernels.closures import cheapest_ancestors, closures
from shoal.kernels.columns import Columns, Formula, FreeColumn, TreeColumn, make_columns
from shoal.kernels.companions import companions_by_tables, diverse_reach
from shoal.kernels.factors import cut_cycles, group_stars, start_two_factor, walk_cycles
from shoal.kernels.flag import Flag
from shoal.kernels.fold import rank_keys
from shoal.kernels.forest import decompose, grow_forest, leave_one_out
from shoal.kernels.improve import Effort, Outcome, Promise, Rows
from shoal.kernels.matching import Matching, best_matching
from shoal.kernels.neighbours import can_prune, companion_distances, covering_prices, nearest, neighbours
from shoal.kernels.packed import Packed, pack
from shoal.kernels.pairs import near_pairs
from shoal.kernels.price_cover import cover_along_prices
from shoal.kernels.prices import price_round
from shoal.kernels.records import fill_records, measure_records
from shoal.kernels.set_cover import SetCover, Unequal
from shoal.kernels.split import split

__all__ = [
    "Boxes",
    "Columns",
    "Diversity",
    "Effort",
    "Flag",
    "Formula",
    "FreeColumn",
    "Matching",
    "Outcome",
    "Packed",
    "Promise",
    "Rows",
    "SetCover",
    "TreeColumn",
    "Unequal",
    "Walked",
    "anchored_sets",
    "best_matching",
    "can_prune",
    "cheapest_ancestors",
    "cheapest_boxes",
    "closures",
    "companion_distances",
    "companions_by_tables",
    "cover_along_prices",
    "cover_by_balls",
    "cover_by_diameters",
    "covering_prices",
    "cut_cycles",
    "decompose",
    "diverse_reach",
    "fill_records",
    "group_stars",
    "grow_forest",
    "leave_one_out",
    "make_columns",
    "measure_records",
    "near_pairs",
    "nearest",
    "neighbours",
    "pack",
    "price_round",
    "rank_keys",
    "split",
    "start_two_factor",
    "tight_boxes",
    "walk_cycles",
]
