"""Spark: ``shoal.spark.anonymize(df, …)`` takes a DataFrame and gives one. The session is that of the DataFrame.

from shoal import spark

released = spark.anonymize(df, k=5, quasi_identifiers=["age", "zip"], sensitive=["ill"])
release = spark.release(df, k=5, …)   # with release.table, release.manifest, release.ratio
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shoal import api

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from shoal.engines.stored import InSession


def release(df: DataFrame, **asked: Any) -> InSession:
    """A verified release of a DataFrame, with its table, manifest and record. The arguments are those of :func:`shoal.anonymize`."""
    return api.in_session(df, **asked)


def anonymize(df: DataFrame, **asked: Any) -> DataFrame:
    """A verified release of a DataFrame, as a DataFrame. Its rows were computed once, recounted, and are kept in the session."""
    table: DataFrame = release(df, **asked).table
    return table
