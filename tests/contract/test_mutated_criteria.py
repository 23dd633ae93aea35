"""No error in what the search uses for criteria reaches a release: the verifier has definitions of its own.

Each function is made wrong, one at a time. What comes out is NotAnonymous, or no release for another reason, or a release that keeps what was
asked all the same, as a naive count of its texts says. Where the verifier is set back to the search's functions, as it once was, the same
errors publish releases that break the criterion: so the tables are such that errors matter.
"""

from __future__ import annotations

import warnings
from functools import cache
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal import encode
from shoal.judge.criteria import CATALOG
from shoal.judge.criteria.base import Requirement
from shoal.judge.criteria.judging import Judged
from shoal.privacy.base import histogram
from tests.contract.mutants import MUTANTS, Mutant
from tests.naive import criteria as naive

LADDER = [[str(i), f"{i // 2 * 2}-{i // 2 * 2 + 1}", "low" if i < 4 else "high", "*"] for i in range(8)]
TEXTS = {"words": ["flu", "hiv", "gout", "mumps"], "numbers": ["9", "10", "10.0", "100", "20"], "two": ["no", "yes"]}
CASES: dict[str, list[tuple[dict[str, float], str, int]]] = {
    "distinct-l-diversity": [({"l": 2}, "numbers", 1)],
    "entropy-l-diversity": [({"l": 1.6}, "numbers", 1)],
    "recursive-l-diversity": [({"c": 2, "l": 2}, "numbers", 1)],
    "t-closeness": [({"t": 0.35}, "numbers", 0), ({"t": 0.35}, "words", 1)],
    "alpha-k-anonymity": [({"alpha": 0.6}, "numbers", 1)],
    "basic-beta-likeness": [({"beta": 0.3}, "two", 0)],
    "enhanced-beta-likeness": [({"beta": 0.3}, "two", 0)],
    "delta-disclosure-privacy": [({"delta": 1}, "two", 0)],
}
"""What is asked of which table: parameters, kind of texts, and seed."""
REFUSED = 22
"""So many errors end in NotAnonymous, at least, of each criterion."""
ONCE_PUBLISHED = 18
"""And so many of them published a release while the verifier used the search's functions."""


@cache
def table(kind: str, seed: int) -> pl.DataFrame:
    """Sixteen rows: neighbours often have the same value, and two cells are missing where there are more than two values."""
    rng, texts = np.random.default_rng(seed), TEXTS[kind]
    cells: list[str | None] = [texts[i // 4 % len(texts)] if rng.random() < 0.5 else str(rng.choice(texts)) for i in range(16)]
    for i in rng.choice(16, 2, replace=False):
        cells[i] = None if len(texts) > 2 else "no"
    return pl.DataFrame({"age": [str(i // 2) for i in range(16)], "ill": cells})


def anonymized(frame: pl.DataFrame, name: str, asked: dict[str, float], algorithm: str) -> pl.DataFrame | None:
    """A release; None where there is none for another reason than that it is not anonymous."""
    about: dict[str, Any] = {"quasi_identifiers": ["age"], "hierarchies": {"age": LADDER}, "algorithm": algorithm, "effort": 0.1}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return shoal.anonymize(frame, k=2, sensitive=["ill"], require={name: asked}, **about).table
        except shoal.NotAnonymous:
            raise
        except shoal.ShoalError:
            return None


def is_kept(frame: pl.DataFrame, release: pl.DataFrame, name: str, asked: dict[str, float]) -> bool:
    """By the naive definition, of the released texts."""
    groups = release.group_by("age").agg("ill")["ill"].to_list()
    return naive.keeps(name, asked, groups, frame["ill"].to_list()) and min(map(len, groups)) >= 2


def by_the_search(asked: Requirement, original: pl.DataFrame, released: pl.DataFrame) -> Judged:
    """What the verifier once did: the search's own functions."""
    original, released = (side.select(pl.exclude("n").repeat_by("n").explode()) for side in (original, released))
    texts = sorted({text for text in [*original["value"], *released["value"]] if text is not None})
    scale = encode.scale_of(texts)
    demand = scale.demand(asked.criterion, asked.column, asked.parameters)
    before, after = (scale.codes(np.array([-1 if x is None else texts.index(x) for x in side["value"]])) for side in (original, released))
    whole = np.bincount(before, minlength=scale.missing + 1).astype(np.int64)
    counts = histogram(released["group"].to_numpy().astype(np.int32), after, int(released["group"].max()) + 1, whole)
    return Judged(asked, demand.parameters, 0.0, ~demand.is_met(counts))


def release_of(mutant: Mutant, name: str, asked: dict[str, float], frame: pl.DataFrame, *, once: bool = False) -> pl.DataFrame | None:
    """What an error releases; ``once``: by the verifier as it was."""
    with pytest.MonkeyPatch.context() as patch:
        if once:
            patch.setattr("shoal.judge.judge.judge", by_the_search)
        mutant.apply(patch, name)
        return anonymized(frame, name, asked, mutant.algorithm)


def is_refused(mutant: Mutant, name: str, asked: dict[str, float], frame: pl.DataFrame) -> bool:
    """Whether it ends in NotAnonymous; what is released keeps what was asked."""
    try:
        release = release_of(mutant, name, asked, frame)
    except shoal.NotAnonymous:
        return True
    assert release is None or is_kept(frame, release, name, asked), mutant.name
    return False


def was_published(mutant: Mutant, name: str, asked: dict[str, float], frame: pl.DataFrame) -> bool:
    """Whether the verifier as it was let a release pass that breaks the criterion."""
    try:
        release = release_of(mutant, name, asked, frame, once=True)
    except shoal.NotAnonymous:
        return False
    return release is not None and not is_kept(frame, release, name, asked)


@pytest.mark.parametrize("name", CASES)
def test_no_error_in_the_search_reaches_a_release(name: str) -> None:
    refused, published = set(), set()
    for asked, *about in CASES[name]:
        frame = table(*about)
        for mutant in MUTANTS:
            if is_refused(mutant, name, asked, frame):
                refused.add(mutant.name)
                if was_published(mutant, name, asked, frame):
                    published.add(mutant.name)
    assert len(refused) >= REFUSED
    assert len(published) >= ONCE_PUBLISHED


def test_there_are_errors_enough_and_of_every_criterion() -> None:
    """Of k and of people there are tests of their own, below."""
    assert {*CASES, "k-anonymity", "k-people"} == set(CATALOG)
    assert len(CASES) * ONCE_PUBLISHED >= 100
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("algorithm", ["forest", "auto"])
def test_without_an_error_there_is_a_release(name: str, algorithm: str) -> None:
    """Else every error would be refused."""
    releases = [(about, asked, anonymized(table(*about), name, asked, algorithm)) for asked, *about in CASES[name]]
    for about, asked, release in releases:
        assert release is not None
        assert is_kept(table(*about), release, name, asked)
    assert any(release is not None and release["age"].n_unique() > 1 for _, _, release in releases), "tables in one group try nothing"


PEOPLE = pl.DataFrame({"age": [str(i // 3) for i in range(24)], "id": [None if i % 7 == 5 else f" p{i // 2}" for i in range(24)]})


def test_no_error_in_counting_people_reaches_a_release() -> None:
    about: dict[str, Any] = {
        "quasi_identifiers": ["age"],
        "hierarchies": {"age": LADDER},
        "algorithm": "forest",
        "person": "id",
        "effort": 0.1,
    }
    refused = set()
    for mutant in MUTANTS:
        with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            mutant.apply(patch, "k-people")
            try:
                release = shoal.anonymize(PEOPLE, k=4, **about).table
            except shoal.NotAnonymous:
                refused.add(mutant.name)
                continue
            except shoal.ShoalError:
                continue
        groups = release.with_columns(PEOPLE["id"]).group_by("age").agg("id")["id"].to_list()
        assert naive.keeps("k-people", {"k": 4}, groups, []), mutant.name
    assert len(refused) >= REFUSED


@pytest.mark.parametrize("algorithm", ["forest", "mondrian", "full-domain", "auto"])
@pytest.mark.parametrize("wrong_k", [2, 3])
def test_a_search_for_a_smaller_k_is_refused(monkeypatch: pytest.MonkeyPatch, algorithm: str, wrong_k: int) -> None:
    """What is promised is the policy's k, and not that of the problem that was solved."""
    right = encode.Problem
    monkeypatch.setattr(encode, "Problem", lambda **about: right(**{**about, "k": wrong_k}))
    frame = table("words", 0)
    with pytest.raises(shoal.NotAnonymous, match="Not 5-anonymous"):
        shoal.anonymize(frame, k=5, quasi_identifiers=["age"], hierarchies={"age": LADDER}, algorithm=algorithm, effort=0.1)
