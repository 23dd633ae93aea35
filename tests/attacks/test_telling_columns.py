"""A column that gives hidden values back passed ``verify`` with status 0. What the attacker has and gets: ``telling.py``."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal
from tests.attacks.telling import KINDS, ODD_CELLS, QI, K, column, released, table


def verdict_of(original: pl.DataFrame, release: pl.DataFrame, keep: list[str]):
    """The verdict, and whether it is one of status 0."""
    try:
        return shoal.verify(original, release, k=K, quasi_identifiers=QI, keep=keep), True
    except shoal.NotCompared as doubt:
        return doubt.verdict, False


def check_that_it_is_found(kind: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    original = table(rng)
    extra = column(kind, rng, original)
    release = released(original)
    added, is_called_safe = verdict_of(original, release.with_columns(extra), ["ill", "pay"])
    assert not is_called_safe
    assert added.added == ("extra",)
    kept, is_called_safe = verdict_of(original.with_columns(extra), release.with_columns(extra), ["ill", "pay"])
    assert not is_called_safe
    assert [hint.column for hint in kept.telling] == ["extra"]
    named, is_called_safe = verdict_of(original.with_columns(extra), release.with_columns(extra), ["ill", "pay", "extra"])
    assert is_called_safe
    assert [hint.column for hint in named.hints] == ["extra"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_column_that_gives_hidden_values_back_is_named_or_refused(kind: str) -> None:
    """Added to the release, or in both tables; whoever names it has been told."""
    check_that_it_is_found(kind, 0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 10))
@pytest.mark.parametrize("kind", KINDS)
def test_so_it_is_in_ten_tables_of_each_kind(kind: str, seed: int) -> None:
    check_that_it_is_found(kind, seed)


@pytest.mark.parametrize("seed", range(25))
def test_columns_that_go_along_with_hidden_ones_are_no_alarm(seed: int) -> None:
    """Unrelated ones, exact amounts, and ones that correlate weakly and fairly, as in honest tables."""
    rng = np.random.default_rng(seed)
    original = table(rng)
    age, n = original["age"].cast(pl.Float64).to_numpy(), original.height
    woman = original["sex"].eq("f").to_numpy()
    original = original.with_columns(
        fair=pl.Series(np.round(age + rng.normal(0, 15, n), 1)),
        strong=pl.Series(np.round(age + rng.normal(0, 10, n)).astype(int)),
        partly=pl.Series(np.where(rng.random(n) < 0.3 + 0.5 * woman, "yes", "no")),
        income=pl.Series(np.where(rng.random(n) < age / 120, ">50K", "<=50K")),
        token=pl.Series([f"{value:016x}" for value in rng.integers(0, 2**62, n).tolist()]),
    )
    verdict, is_called_safe = verdict_of(original, released(original), [])
    assert is_called_safe, [hint.words() for hint in verdict.hints]


@pytest.mark.parametrize("kind", ODD_CELLS)
def test_cells_in_which_the_hidden_value_is_no_text_of_its_own_are_no_hiding_place(kind: str) -> None:
    for seed in range(3):
        rng = np.random.default_rng(seed)
        original = table(rng)
        extra = pl.Series("extra", ODD_CELLS[kind](rng, original))
        verdict, is_called_safe = verdict_of(original.with_columns(extra), released(original).with_columns(extra), ["ill", "pay"])
        assert not is_called_safe
        assert [hint.column for hint in verdict.telling] == ["extra"]


def in_an_order(original: pl.DataFrame, by: str) -> pl.DataFrame:
    """A release whose rows were moved, by hidden cells."""
    return released(original).with_columns(original[by].alias("turn")).sort("turn").drop("turn")


@pytest.mark.parametrize("by", ["age", "zip"])
def test_rows_that_were_sorted_by_what_is_hidden_are_found(by: str) -> None:
    """With --reordered, the order of the rows gave every hidden age back, and the status was 0."""
    for seed in range(3):
        rng = np.random.default_rng(seed)
        original = table(rng).with_columns(pay=pl.Series(rng.permutation(10**6)[:400]))
        with pytest.raises(shoal.NotCompared, match="the order of the rows") as doubt:
            shoal.verify(original, in_an_order(original, by), k=K, quasi_identifiers=QI, reordered=True, keep=["pay"])
        assert [(hint.column, hint.of) for hint in doubt.value.verdict.telling] == [("", (by,))]
        for release in (
            released(original).sort(QI),
            released(original).sort("pay"),
            released(original).sample(fraction=1, shuffle=True, seed=seed),
        ):
            assert shoal.verify(original, release, k=K, quasi_identifiers=QI, reordered=True, keep=["pay"]).hints == ()


def test_rows_that_nothing_tells_apart_and_rows_sorted_by_a_column_that_was_named_are_no_alarm() -> None:
    """Of twins nobody knows who is who; and who named a birth year has been told what it tells."""
    rng = np.random.default_rng(0)
    original = table(rng).select(QI).sort("age")
    assert shoal.verify(original, released(original).sort(QI, descending=True), k=K, quasi_identifiers=QI, reordered=True).hints == ()
    original = original.with_columns(born=pl.Series([2024 - int(age) + turn / 1000 for turn, age in enumerate(original["age"])]))
    verdict = shoal.verify(original, released(original).sort("born"), k=K, quasi_identifiers=QI, reordered=True, keep=["born"])
    assert [hint.column for hint in verdict.hints] == ["born"]


def test_no_cell_is_shown() -> None:
    rng = np.random.default_rng(0)
    original = table(rng).with_columns(job=pl.Series([f"qvut{i % 7}" for i in range(400)]))
    release = released(original).with_columns(job=pl.lit("*"), extra=original["job"] + "/" + original["zip"])
    with pytest.raises(shoal.NotCompared) as refused:
        shoal.verify(original, release, k=K, quasi_identifiers=QI)
    for said in (str(refused.value), repr(refused.value.verdict)):
        assert "qvut" not in said
        assert "column 'extra' gives back 'zip', 'job' in 100 % of the rows where they are hidden" in said
