"""Anonymity via clustering: rows become points of a metric space, and what is published is each cluster's centre.

metric     what a distance is: columns of numbers, dates, categories, hierarchies and places
gather     clusters of at least r rows with the smallest largest radius
center     the same, with a bounded number of clusters
cellular   the smallest sum of size times radius, with set-up costs if wanted
run        cluster(): from a table to a verified clustering
"""

CATALOG: dict[str, str] = {
    "gather": "shoal.clustering.gather:GATHER",
    "center": "shoal.clustering.center:CENTER",
    "cellular": "shoal.clustering.cellular:CELLULAR",
}
