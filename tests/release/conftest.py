"""The small release of the report's tests, made once."""

from tests.report.conftest import release

__all__ = ["release"]
