"""What labels stand for where nobody has the original."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.reader.explained import Explained
from shoal.reader.vocabulary import vocabulary

AGES = [[str(age), f"{age // 10}0s", "*"] for age in range(17, 91)]


def meaning(labels: list[str | None], rows=None) -> dict[str | None, list[str | None]]:
    words = vocabulary(labels, Explained(rows))
    return {label: [words.values[i] for i in words.set_of(n)] for n, label in enumerate(labels)}


def test_a_suppressed_cell_may_be_any_value_that_is_shown_and_a_missing_one():
    found = meaning(["f", "m", "*", None])
    assert found["f"] == ["f"]
    assert found["*"] == ["f", "m", None]
    assert found[None] == [None]


def test_an_interval_holds_the_whole_numbers_in_it_shown_or_not():
    found = meaning(["20", "21", "24", "[20, 25)"])
    assert found["[20, 25)"] == ["20", "21", "22", "23", "24"]


def test_whole_numbers_in_steps_stay_in_steps():
    assert meaning(["0", "500", "1500", "[0, 2000)"])["[0, 2000)"] == ["0", "500", "1000", "1500", "2000"][:4]


def test_broken_numbers_are_those_shown_and_one_in_each_gap():
    found = meaning(["1.5", "2.25", "[1, 2)", "[2, 4)"])
    assert "1.5" in found["[1, 2)"]
    assert "2.25" in found["[2, 4)"]
    assert not set(found["[1, 2)"]) & set(found["[2, 4)"])


@pytest.mark.parametrize("label", ["{a, b}", "['a', 'b']", "a,b", "a~b", "a|b"])
def test_sets_as_the_tools_of_the_field_write_them(label: str):
    assert sorted(meaning(["a", "b", "c", label])[label]) == ["a", "b"]


def test_a_value_with_a_comma_is_no_set():
    assert meaning(["Smith, Jones", "Miller"])["Smith, Jones"] == ["Smith, Jones"]


def test_classes_that_are_ranges_stay_classes():
    """A column whose own values are 10-24 and 25-99 shows no number: they are names."""
    assert meaning(["10-24", "25-99", "*"])["*"] == ["10-24", "25-99"]


def test_a_name_of_the_hierarchy_is_a_name_whatever_its_digits_say():
    rows = [[str(age), "40-44" if 41 <= age <= 45 else "other", "*"] for age in range(30, 60)]
    assert meaning(["41", "40-44", "*"], rows)["40-44"] == ["41", "42", "43", "44", "45"]


def test_sets_beside_a_hierarchy_are_of_its_leaves():
    """A tool that lists values may be read with the hierarchy of another: nothing new is made of its lists."""
    rows = [["a", "ab", "*"], ["b", "ab", "*"], ["c", "c", "*"]]
    found = meaning(["a", "a,c", "b~c"], rows)
    assert found == {"a": ["a"], "a,c": ["a", "c"], "b~c": ["b", "c"]}


def test_a_range_beside_a_code_book_is_no_new_value():
    """A code book lists the numbers 0 to 5; 'from 0 to 3' is four of them."""
    found = meaning(["0", "0 to 3", "{4, 5}", "7", "*"], [[str(i), "*"] for i in range(6)])
    assert found["0 to 3"] == ["0", "1", "2", "3"]
    assert found["{4, 5}"] == ["4", "5"]
    assert found["7"] == ["7"]
    assert "0 to 3" not in found["*"]


def test_a_mask_holds_the_codes_that_fit():
    assert meaning(["81243", "81249", "90402", "812**"])["812**"] == ["81243", "81249"]


def test_a_label_that_holds_no_shown_value_is_a_value_of_its_own():
    found = meaning(["812**", "904**", "*"])
    assert found["812**"] == ["812**"]
    assert sorted(str(v) for v in found["*"]) == ["812**", "904**"]


def test_a_month_holds_all_its_days_also_those_that_are_not_shown():
    found = meaning(["2024-05-30", "2024-06-02", "2024-05"])
    assert found["2024-05"] == [f"2024-05-{day:02}" for day in range(1, 32)]
    words = vocabulary(["2024-05-30", "2024-06-02", "2024-05"])
    assert words.outside.sum() == 29, "days before the first that is shown are taken to be unlikely"


def test_a_quarter_holds_three_months_also_where_one_is_shown():
    found = meaning(["2024-03", "2024-Q1", "2024-07"])
    assert found["2024-Q1"] == ["2024-01", "2024-02", "2024-03"]


def test_values_beyond_all_that_are_shown_are_marked():
    words = vocabulary(["17", "18", "[0, 20)"])
    outside = {words.values[i] for i in range(len(words.values)) if words.outside[i]}
    assert "0" in outside
    assert "17" not in outside


def test_a_narrow_interval_far_off_is_not_beyond():
    """Exact ages are shown in the middle alone; the old are there all the same."""
    words = vocabulary(["30", "31", "[60, 65)", "[20, 80)"])
    outside = {words.values[i] for i in range(len(words.values)) if words.outside[i]}
    assert {"20", "79"} <= outside
    assert not {"45", "64"} & outside


def test_codes_with_zeros_in_front_are_no_numbers_and_keep_their_zeros():
    """Where intervals of codes are shown, what lies between is written as the codes are."""
    words = vocabulary(["01067", "01069", "*"])
    assert np.isnan(words.place).all()
    assert meaning(["01003", "01001", "[1001, 1004)"])["[1001, 1004)"] == ["01001", "01002", "01003"]


def test_all_but_some_is_no_value_of_its_own():
    """Our own label of rare categories: it holds what is shown elsewhere and not named, and may hold what is shown nowhere."""
    labels = ["a", "b", "c", "not {a, b}", "*"]
    assert meaning(labels)["not {a, b}"] == ["c"]
    words = vocabulary(labels)
    assert words.is_open[labels.index("not {a, b}")]
    assert meaning(["a", "not {a, b}"])["not {a, b}"] == ["not {a, b}"], "nothing else is known"


def test_from_number_to_number_beside_sets_is_read_as_the_numbers():
    assert meaning(["{5, 6}", "{1, 2}", "1 to 4"])["1 to 4"] == ["1", "2", "3", "4"]


def test_a_code_cut_shorter_holds_those_cut_less_where_none_is_whole():
    found = meaning(["S0*", "S1*", "S**", "*"])
    assert found["S**"] == ["S0*", "S1*"]
    assert found["*"] == ["S0*", "S1*"]
