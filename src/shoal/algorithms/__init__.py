"""The algorithms, one paper's a file. A line here puts one into the command, the reference, the benchmark and the tests."""

CATALOG: dict[str, str] = {
    "set-cover": "shoal.algorithms.set_cover:SET_COVER",
    "forest": "shoal.algorithms.forest:FOREST",
}
