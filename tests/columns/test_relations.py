"""Columns that tell what others hide are found on the data."""

from __future__ import annotations

import random
from datetime import date, timedelta

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from shoal.columns.kinds import understand
from shoal.columns.relations import Relation, relations
from shoal.table.coded import code


def found(**columns: list[object]) -> list[Relation]:
    frame = pl.DataFrame({name: [str(v) for v in values] for name, values in columns.items()})
    return relations(frame, [understand(code(frame[name])) for name in frame.columns])


DRAW = random.Random(1)
CITY = [DRAW.choice(["Ulm", "Bonn", "Kiel", "Jena"]) for _ in range(200)]
DAYS = [date(2001, 1, 1) + timedelta(days=DRAW.randrange(4000)) for _ in range(200)]
NUMBERS = [DRAW.randrange(10_000) for _ in range(200)]


def test_a_code_of_a_name_is_a_copy() -> None:
    [one] = found(sex=["f", "m", "m", "f"] * 50, SexCode=["2", "1", "1", "2"] * 50)
    assert (one.how, {one.teller, one.told}) == ("copy", {"sex", "SexCode"})
    assert "say the same" in one.text


def test_a_city_of_a_postal_code_is_told() -> None:
    [one] = found(zip=[f"8{'UBKJ'.index(c[0])}{i % 3:03d}" for i, c in enumerate(CITY)], city=CITY)
    assert (one.teller, one.told, one.how) == ("zip", "city", "function")


def test_the_year_of_a_date_is_told_though_no_date_occurs_twice() -> None:
    [one] = found(born=DAYS, born_in=[d.year for d in DAYS])
    assert (one.teller, one.told, one.how) == ("born", "born_in", "part")
    assert "tells some of what 'born' hides" in one.text


def test_a_sum_is_told() -> None:
    other = [DRAW.randrange(500) for _ in range(200)]
    told = [
        r
        for r in found(wage=NUMBERS, bonus=other, total_pay=[a + b for a, b in zip(NUMBERS, other, strict=True)])
        if r.how == "sum"
    ]
    assert [(r.teller, r.other, r.told) for r in told] == [("wage", "bonus", "total_pay")]


def test_a_logarithm_rises_with_its_number() -> None:
    import math

    unique = DRAW.sample(range(1, 10_000), 200)
    [one] = found(income=[n + 0.5 for n in unique], logincome=[math.log(n + 0.5) for n in unique])
    assert one.how in ("order", "copy")


def test_columns_drawn_by_lot_tell_nothing_of_each_other() -> None:
    assert found(city=CITY, n=NUMBERS, born=DAYS, flag=[DRAW.choice("ab") for _ in range(200)]) == []


def test_a_column_that_is_nearly_constant_is_no_function_by_accident() -> None:
    assert found(group=[i % 20 for i in range(60)], rare=["no"] * 59 + ["yes"]) == []


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xyz")), min_size=30, max_size=60))
def test_what_is_said_is_so(rows: list[tuple[str, str]]) -> None:
    for one in found(a=[r[0] for r in rows], b=[r[1] for r in rows]):
        pairs = set(rows if one.teller == "a" else [(b, a) for a, b in rows])
        assert len(pairs) == len({teller for teller, _ in pairs})


def test_what_a_persons_number_tells_is_not_said() -> None:
    """Whose row it is tells everything of a person, and is dropped anyway; a copy of it is said."""
    who = [DRAW.randrange(40) for _ in range(200)]
    told = found(patient_id=[f"P{p:04}" for p in who], town=[CITY[p] for p in who], code=[f"Q{p:04}" for p in who])
    assert {r.how for r in told if "patient_id" in (r.teller, r.told)} == {"copy"}


def test_gaps_and_marks_of_missing_do_not_hide_a_relation() -> None:
    """One postal code that is missing stands beside many towns, and said that the town follows from none."""
    codes = [f"8{'UBKJ'.index(c[0])}{i % 3:03d}" for i, c in enumerate(CITY)]
    gaps = [("NA", "k.A.", "")[i % 3] if i % 25 == 0 else c for i, c in enumerate(codes)]
    assert [(r.teller, r.told, r.how) for r in found(zip=gaps, city=CITY)] == [("zip", "city", "function")]
    assert [r.how for r in found(zip=gaps, Postleitzahl=gaps)] == ["copy"]


def test_a_few_typing_errors_do_not_hide_a_relation() -> None:
    """A column that nearly decides another tells nearly all of it."""
    codes = [f"8{'UBKJ'.index(c[0])}{i % 3:03d}" for i, c in enumerate(CITY)]
    wrong = ["Ulm" if i in (50, 111) else c for i, c in enumerate(CITY)]
    assert [(r.teller, r.told) for r in found(zip=codes, city=wrong)] == [("zip", "city")]
    assert found(zip=codes, city=["Ulm" if i % 12 == 0 else c for i, c in enumerate(CITY)]) == []


@given(seed=st.integers(0, 10_000), rare=st.sampled_from([0.003, 0.01, 0.03]))
def test_a_column_that_is_nearly_constant_follows_from_nothing(seed: int, rare: float) -> None:
    draw = random.Random(seed)
    group = [f"g{draw.randrange(40)}" for _ in range(1000)]
    assert found(group=group, flag=["x" if draw.random() < rare else "y" for _ in group]) == []
