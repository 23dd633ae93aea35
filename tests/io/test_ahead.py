"""Reading ahead changes nothing but when things are fetched."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from shoal.io.ahead import ahead


def test_the_same_things_come_in_the_same_order() -> None:
    assert list(ahead(iter(range(100)))) == list(range(100))
    assert list(ahead(iter([]))) == []


def test_an_error_comes_after_what_was_before_it() -> None:
    def failing() -> Iterator[int]:
        yield 1
        yield 2
        raise ValueError("here")

    found = []
    with pytest.raises(ValueError, match="here"):
        found.extend(ahead(failing()))
    assert found == [1, 2]


def test_who_stops_early_leaves_no_thread_and_the_source_is_closed() -> None:
    closed = []

    def endless() -> Iterator[int]:
        try:
            n = 0
            while True:
                yield (n := n + 1)
        finally:
            closed.append(True)

    things = ahead(endless())
    assert next(things) == 1
    things.close()  # type: ignore[attr-defined]
    assert closed == [True]
    assert not [thread for thread in threading.enumerate() if thread.name == "shoal reads ahead"]


def test_no_more_is_fetched_than_asked_for() -> None:
    fetched = []

    def counted() -> Iterator[int]:
        for i in range(50):
            fetched.append(i)
            yield i

    things = ahead(counted(), depth=2)
    for i in range(10):
        assert next(things) == i
        assert len(fetched) <= i + 5
    things.close()  # type: ignore[attr-defined]
