"""Doctored tables of clusters.

The attacker has    the original, a true table of clusters and the flags that made it, and may write any file in its place.
The attacker wants  ``shoal verify --method …`` to call it true although it shows values that the members do not have.
The attacker gets   an error: never a verdict.
"""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import polars as pl
import pytest

import shoal

QI = ["age", "town"]


def case(seed: int, method: str, form: str) -> tuple[pl.DataFrame, pl.DataFrame]:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(9, 30))
    ill = pl.Series(rng.choice(["flu", "gout", "cold"], n).tolist()).set(pl.Series(rng.random(n) < 0.1), None)
    original = pl.DataFrame({"age": rng.integers(20, 60, n).astype(str), "town": rng.choice(["A", "B", "C"], n), "ill": ill})
    made = shoal.cluster(original, method=method, r=3, quasi_identifiers=QI, sensitive=["ill"], sensitive_as=form)
    return original, made.frame


@pytest.mark.parametrize("form", ["list", "counts"])
@pytest.mark.parametrize("method", ["gather", "cellular"])
@pytest.mark.parametrize("seed", range(3))
def test_what_clusters_show_of_their_members_is_held_to_the_rows(seed, method, form):
    """The sensitive values of a table of clusters were not compared with anything."""
    original, true = case(seed, method, form)
    about = {"method": method, "r": 3, "quasi_identifiers": QI}
    assert shoal.verify_clustering(original, true, **about).n_clusters == true.height
    lies = [
        true.with_columns(ill=pl.Series([json.dumps(["gout"] * size) for size in true["size"]])),
        true.with_columns(ill=pl.Series([json.dumps({"measles": size}) for size in true["size"]])),
        true.with_columns(ill=pl.lit("flu")),
        true.with_columns(ill=pl.lit('["flu"]')),
        true.with_columns(town=pl.lit("nowhere")),
        true.with_columns(size=true["size"] + 0.5),
        true.with_columns(name=pl.lit("Ada")),
    ]
    for lie in lies:
        with pytest.raises(shoal.ShoalError):
            shoal.verify_clustering(original, lie, **about)


OTHERWISE = {
    "order": lambda cell: json.dumps(json.loads(cell)[::-1]),
    "blanks": lambda cell: cell.replace(", ", ",  "),
    "escapes": lambda cell: cell.replace("flu", "\\u0066lu"),
    "twice": lambda cell: '{"flu": 99, "flu": 2, "gout": 2}',
}


@pytest.mark.parametrize("how", ["order", "blanks", "escapes", "twice"])
def test_values_are_written_in_one_way(how):
    """The order of a list tells who has which value, and so may all else that is not counted."""
    original = pl.DataFrame({"age": ["20", "21", "22", "23", "80", "81", "82", "83"], "ill": ["flu", "flu", "gout", "gout"] * 2})
    about = {"method": "gather", "r": 4, "quasi_identifiers": ["age"], "sensitive": ["ill"]}
    true = shoal.cluster(original, **about).frame
    lie = true.with_columns(ill=pl.Series([OTHERWISE[how](cell) for cell in true["ill"]]))
    with pytest.raises(shoal.NotAnonymous, match="'ill': a cluster shows its values in another"):
        shoal.verify_clustering(original, lie, **about)
    both = [true["ill"][0], '{"flu": 2, "gout": 2}']
    with pytest.raises(shoal.NotAnonymous, match="others how often"):
        shoal.verify_clustering(original, true.with_columns(ill=pl.Series(both)), **about)


def test_values_must_be_those_of_rows_that_are_near():
    """The right values, of the wrong clusters."""
    original = pl.DataFrame({"age": ["20"] * 4 + ["80"] * 4, "ill": ["flu"] * 4 + ["gout"] * 4})
    true = shoal.cluster(original, method="cellular", r=4, quasi_identifiers=["age"], sensitive=["ill"]).frame
    about = {"method": "cellular", "r": 4, "quasi_identifiers": ["age"]}
    assert Counter(true["size"].to_list()) == {4: 2}
    shoal.verify_clustering(original, true, **about)
    with pytest.raises(shoal.NotAnonymous, match="'ill'"):
        shoal.verify_clustering(original, true.with_columns(ill=true["ill"].reverse()), **about)


def test_a_centre_that_was_to_be_a_row_is_one():
    original = pl.DataFrame({"age": ["20", "30", "20", "30"]})
    lie = pl.DataFrame({"age": ["25"], "size": [4]})
    about = {"method": "gather", "r": 4, "quasi_identifiers": ["age"]}
    shoal.verify_clustering(original, lie, centers="any", **about)
    with pytest.raises(shoal.NotAnonymous, match="no row"):
        shoal.verify_clustering(original, lie, centers="input", **about)
    for text in ("020", " 20", "20.0"):
        with pytest.raises(shoal.NotAnonymous, match="no row"):
            shoal.verify_clustering(original, lie.with_columns(age=pl.lit(text)), centers="input", **about)
