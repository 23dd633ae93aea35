"""What is worked out once belongs to one thing, and goes with it."""

from __future__ import annotations

import gc
import weakref

from shoal.table import once as kept
from shoal.table.once import forget, once


class Thing:
    pass


def test_it_is_made_once_for_each_thing_and_each_key() -> None:
    made: list[tuple[int, str]] = []
    things = Thing(), Thing()
    for i, key in ((0, "a"), (1, "a"), (0, "b"), (0, "a"), (1, "a")):
        assert once(things[i], (key,), lambda i=i, key=key: made.append((i, key)) or (i, key)) == (i, key)
    assert made == [(0, "a"), (1, "a"), (0, "b")]


def test_what_is_forgotten_is_made_again_and_nothing_else() -> None:
    thing = Thing()
    for key in (("rows", "x"), ("rows", "y"), ("levels", "x")):
        once(thing, key, object)
    levels = once(thing, ("levels", "x"), object)
    forget(thing, ("rows",))
    assert set(kept._KNOWN[thing]) == {("levels", "x")}
    assert once(thing, ("levels", "x"), object) is levels


def test_it_goes_with_the_thing() -> None:
    thing = Thing()
    made = weakref.ref(once(thing, ("a",), Thing))
    gc.collect()
    assert made() is not None
    del thing
    gc.collect()
    assert made() is None
