"""Measurements, one file each; ``python -m benchmarks [NAME…]`` prints them."""

CATALOG: dict[str, str] = {
    "tables": "benchmarks.tables:main",
}
