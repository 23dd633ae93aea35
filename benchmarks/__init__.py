"""Measurements, one file each; ``python -m benchmarks [NAME…]`` prints them."""

CATALOG: dict[str, str] = {
    "spine": "benchmarks.spine:main",
    "tables": "benchmarks.tables:main",
}
