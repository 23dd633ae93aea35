"""The order of ordered words in the manifest, and what it does not tell."""

from __future__ import annotations

import polars as pl

import shoal


def test_the_manifest_tells_the_order() -> None:
    words = ["cold", "cool", "mild", "warm", "hot"]
    table = pl.DataFrame({"x": ["cold", "cool", "mild", "warm"] * 2 + ["hot"] * 8})
    made = shoal.anonymize(table, k=6, quasi_identifiers=["x"], hierarchies={"x": shoal.neighbours(words)})
    assert "cold to warm" in made.frame["x"].to_list()
    reading = shoal.read(made.frame.clone(), manifest=made.manifest)
    found = reading.count(x="hot")
    assert (found.at_least, found.at_most) == (8.0, 8.0)
    assert reading.count(x=["cold", "cool", "mild", "warm"]).at_least == 8.0
    assert made.manifest["orders"] == {"x": words}


def test_an_order_that_shoal_found_names_only_words_of_the_release() -> None:
    """A list of all words would tell that somebody is 'rarely' and somebody 'sometimes'."""
    table = pl.DataFrame({"x": [*["never"] * 2, "rarely", "sometimes", *["often"] * 2, *["always"] * 6]})
    made = shoal.anonymize(table, k=6, quasi_identifiers=["x"])
    shown = set(made.frame["x"].to_list())
    told = made.manifest["orders"]["x"]
    assert all(any(word in label for label in shown) for word in told)
    assert told == [word for word in ("never", "rarely", "sometimes", "often", "always") if word in told]
