"""Hard instances from the papers' reductions: tables that are easy to make and hard to anonymize at the least loss.

Each function encodes a question of another kind (can these edges be cut into triangles?) as a table and a threshold:
the answer is yes if and only if some release loses no more than the threshold. The tests run every algorithm on them.
"""

from shoal.instances.alike import alike_apart, alike_together
from shoal.instances.base import Instance
from shoal.instances.clustering import MetricInstance, satisfiability, set_cover
from shoal.instances.covers import exact_cover, exact_cover_columns
from shoal.instances.hypergraphs import perfect_matching
from shoal.instances.restricted import graph_of_restricted, restricted_from_graph, restricted_from_table
from shoal.instances.triangles import r_cliques, triangles, triangles_and_stars

__all__ = [
    "Instance",
    "MetricInstance",
    "alike_apart",
    "alike_together",
    "exact_cover",
    "exact_cover_columns",
    "graph_of_restricted",
    "perfect_matching",
    "r_cliques",
    "restricted_from_graph",
    "restricted_from_table",
    "satisfiability",
    "set_cover",
    "triangles",
    "triangles_and_stars",
]
