"""What a kernel answers is translated in one place, and a table is looked at before a kernel trusts it."""

from __future__ import annotations

import pytest

from shoal.kernels.native import TooMuchWork, check, lib


def test_an_answer_that_is_no_failure_is_handed_on() -> None:
    assert check(7, "the groups") == 7


@pytest.mark.parametrize(
    ("status", "error", "words"),
    [
        (lib.SHOAL_NO_MEMORY, MemoryError, "not enough memory for the groups"),
        (lib.SHOAL_TOO_LARGE, TooMuchWork, "the groups would take more than is allowed"),
        (lib.SHOAL_STOPPED, InterruptedError, "the groups stopped"),
        (lib.SHOAL_BAD_ARGUMENT, ValueError, "the edges have a cycle"),
    ],
)
def test_each_failure_is_one_error_of_python(status: int, error: type[Exception], words: str) -> None:
    """Failure was −1, −2, 1/2/3 or 0, kernel by kernel."""
    with pytest.raises(error, match=words):
        check(status, "the groups", "the edges have a cycle")
