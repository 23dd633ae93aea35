"""The engines: where the rows of a table are, and who counts them. A line here puts one into the command, the reference and the contract test.

They are tried in this order: the first that takes an input and an output does the work, unless another is asked for by its name.
"""

CATALOG: dict[str, str] = {
    "files": "shoal.engines.passing:FILES",
    "postgres": "shoal.engines.passing:POSTGRES",
    "sqlite": "shoal.engines.passing:SQLITE",
    "duckdb": "shoal.engines.passing:DUCKDB",
    "spark": "shoal.engines.spark:SPARK",
    "memory": "shoal.engines.memory:MEMORY",
}
