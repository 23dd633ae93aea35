"""Building groups and making them better: what the strong solver is made of.

Algorithms import it; it imports no algorithm.
"""

from shoal.search.anchors import loosen
from shoal.search.annealing import Annealing
from shoal.search.constructions import cover, runs, top_down
from shoal.search.withholding import withhold

__all__ = ["Annealing", "cover", "loosen", "runs", "top_down", "withhold"]
