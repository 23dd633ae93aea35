"""The session of Spark: the one that is there, or one that is made. Its errors in words of our own."""

from __future__ import annotations

import logging
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from shoal.errors import DataError, ShoalError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MASTER = "SHOAL_SPARK_MASTER"
"""Names the cluster of a session that is made; ``--master`` sets it."""
ARCHIVE = "SHOAL_SPARK_ARCHIVE"
"""Names the file of `shoal spark package` for the workers of such a session; ``--archive`` sets it."""
UNPACKED = "shoal-env"
SETTINGS = {
    "spark.sql.session.timeZone": "UTC",
    "spark.ui.enabled": "false",  # its pages show statements and plans
    "spark.eventLog.enabled": "false",
    "spark.sql.shuffle.partitions": "8",
    "spark.driver.maxResultSize": "0",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
}
ABSENT = "Spark needs the library 'pyspark', which is not installed: pip install 'shoal[spark]'."


def functions() -> Any:
    try:
        from pyspark.sql import functions
    except ImportError:
        raise DataError(ABSENT) from None
    return functions


def is_frame(data: object) -> bool:
    """Whether this is a DataFrame of Spark."""
    return type(data).__module__.startswith("pyspark.sql") and hasattr(data, "sparkSession")


def session_of(data: Any) -> SparkSession:
    """The session of a DataFrame; else the one that is active; else one that is made."""
    functions()
    if is_frame(data):
        found: SparkSession = data.sparkSession
        return found
    from pyspark.sql import SparkSession

    with told():
        active = SparkSession.getActiveSession()
        if active is not None:
            return active
        master = os.environ.get(MASTER, "local[*]")
        if master.startswith("local"):
            os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # workers on this machine are of this Python, which has shoal
        builder = SparkSession.builder.appName("shoal").master(master)
        for key, value in {**SETTINGS, **archived(os.environ.get(ARCHIVE))}.items():
            builder = builder.config(key, value)
        with silent_start():
            return builder.getOrCreate()


def archived(path: str | None) -> dict[str, str]:
    """The settings by which workers find shoal in an archive: it is unpacked where each of them works."""
    if path is None:
        return {}
    if not os.path.isfile(path):
        raise DataError(f"There is no archive '{path}'. Make one: shoal spark package -o {path}")
    return {"spark.archives": f"{os.path.abspath(path)}#{UNPACKED}", "spark.executorEnv.PYTHONPATH": f"./{UNPACKED}"}


@contextmanager
def silent_start() -> Iterator[None]:
    """Java is started without a standard error, which it would keep: it writes of itself before it hears a setting, and later log lines may hold cells."""
    sys.stderr.flush()
    kept = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # of pyspark about pandas, which is not used here
            yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


@contextmanager
def unlogged() -> Iterator[None]:
    """pyspark's logger of failed statements is silent meanwhile: it writes whole messages, with cells, to the standard error."""
    logger = logging.getLogger("DataFrameQueryContextLogger")
    before, logger.disabled = logger.disabled, True
    try:
        yield
    finally:
        logger.disabled = before


@contextmanager
def told() -> Iterator[None]:
    """Turn Spark's errors into ours, without its words."""
    try:
        with unlogged():
            yield
    except ShoalError:
        raise
    except Exception as error:
        condition = getattr(error, "getCondition", getattr(error, "getErrorClass", lambda: None))
        name = _safe(condition) or type(error).__name__
        if name == "PATH_NOT_FOUND":
            raise DataError("There is no file or folder of that name for Spark. Check the spelling.") from None
        if name == "JAVA_GATEWAY_EXITED":
            raise DataError(
                "Java could not be started. Spark needs a Java of version 17 or later; the variable JAVA_HOME names it."
            ) from None
        if type(error).__name__ in ("Py4JNetworkError", "ConnectionRefusedError"):
            raise DataError("The session of Spark is gone. Nothing was written; start another.") from None
        raise DataError(
            f"Spark failed ({name}). Nothing was released. A session of Spark that you make keeps a log, which says more and may hold cells. "
            "If the different rows are too many for the driver, raise spark.driver.maxResultSize and its memory."
        ) from None


def _safe(condition: Any) -> str | None:
    try:
        found = condition()
    except Exception:
        return None
    return found if isinstance(found, str) and found.replace("_", "").replace(".", "").isalnum() else None
