"""Spark's errors in words of our own, and what is not a DataFrame of Spark. No session is needed for this."""

from __future__ import annotations

import builtins
import logging
from typing import Any

import pytest

from shoal.engines.spark_session import functions, is_frame, told, unlogged
from shoal.errors import DataError, NotAnonymous

MARK = "Zebulon-7731"


class Failed(Exception):
    """As pyspark's errors are."""

    def __init__(self, condition: object) -> None:
        super().__init__(MARK)
        self.condition = condition

    def getCondition(self) -> Any:
        if isinstance(self.condition, Exception):
            raise self.condition
        return self.condition


@pytest.mark.parametrize(
    ("condition", "said"),
    [("CAST_INVALID_INPUT", "CAST_INVALID_INPUT"), ("PATH_NOT_FOUND", "no file or folder"), (None, "Failed"), (f"'{MARK}'", "Failed"), (ValueError(MARK), "Failed")],
)  # fmt: skip
def test_an_error_of_spark_is_told_without_its_words(condition: object, said: str) -> None:
    with pytest.raises(DataError, match=said) as caught, told():
        raise Failed(condition)
    assert MARK not in str(caught.value)
    assert caught.value.__cause__ is None


def test_our_own_errors_pass_and_a_lost_session_is_said() -> None:
    with pytest.raises(NotAnonymous, match="ours"), told():
        raise NotAnonymous("ours")
    with pytest.raises(DataError, match="session of Spark is gone"), told():
        raise ConnectionRefusedError(MARK)


def test_pyspark_s_logger_is_silent_meanwhile_and_speaks_again() -> None:
    logger = logging.getLogger("DataFrameQueryContextLogger")
    with unlogged():
        assert logger.disabled
    assert not logger.disabled


def test_without_the_library_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    true = builtins.__import__

    def absent(name: str, *given: Any, **named: Any) -> Any:
        if name.startswith("pyspark"):
            raise ImportError(name)
        return true(name, *given, **named)

    monkeypatch.setattr(builtins, "__import__", absent)
    with pytest.raises(DataError, match=r"shoal\[spark\]"):
        functions()


@pytest.mark.parametrize("data", ["people.parquet", None, 3])
def test_what_is_no_dataframe_of_spark(data: object) -> None:
    assert not is_frame(data)
