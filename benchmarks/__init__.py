"""Measurements, one file each; ``python -m benchmarks [NAME…]`` prints them."""

CATALOG: dict[str, str] = {
    "algorithms": "benchmarks.algorithms:main",
    "bounds": "benchmarks.bounds:main",
    "clustering": "benchmarks.clustering:main",
    "engines": "benchmarks.engines:main",
    "exact": "benchmarks.exact:main",
    "factors": "benchmarks.factors:main",
    "forest": "benchmarks.forest:main",
    "hierarchies": "benchmarks.hierarchies:main",
    "kernels": "benchmarks.kernels:main",
    "looking": "benchmarks.looking:main",
    "protocol": "benchmarks.protocol:main",
    "ratios": "benchmarks.ratios:main",
    "servers": "benchmarks.servers:main",
    "small-tables": "benchmarks.small_tables:main",
    "solver": "benchmarks.solver:main",
    "spine": "benchmarks.spine:main",
    "studio": "benchmarks.studio:main",
    "tables": "benchmarks.tables:main",
    "trust": "benchmarks.trust:main",
    "utility": "benchmarks.utility:main",
}
