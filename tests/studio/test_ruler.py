"""A ruler: what its lines say is the hierarchy, level by level, and every change can be undone."""

from __future__ import annotations

import numpy as np
import pytest

from shoal import hierarchies
from shoal.errors import HierarchyError
from shoal.hierarchies.encode import encode
from shoal.hierarchies.files import text_of
from shoal.studio.prices import level_prices
from shoal.studio.ruler import Ruler, ruler_of
from tests.studio.conftest import Visitor

AGES = [str(age) for age in range(18, 90)]


def of(values: list[str], spec: object, kind: str = "number") -> Ruler:
    ruler = ruler_of(values, np.arange(1, len(values) + 1), kind, encode("x", values, False, spec))  # type: ignore[arg-type]
    assert ruler is not None
    return ruler


def test_it_begins_as_the_hierarchy_is():
    ruler = of(AGES, hierarchies.intervals(10, 20))
    assert ruler.lines == {20: 2, 30: 1, 40: 2, 50: 1, 60: 2, 70: 1, 80: 2}
    assert ruler.rows()[0] == ["18", "[18, 20)", "[18, 20)", "*"]
    assert ruler.rows()[-1] == ["89", "[80, 89]", "[80, 89]", "*"]
    assert {row[0]: row[1:] for row in ruler.rows()}["35"] == ["[30, 40)", "[20, 40)", "*"]


def test_dates_lie_on_it_too():
    days = [f"{y}-{m:02}-15" for y in (2019, 2020, 2021) for m in range(1, 13)]
    ruler = of(days, hierarchies.dates("quarter", "year"), "date")
    assert max(ruler.lines.values()) == 2
    ruler.change({"change": "add", "at": next(iter(ruler.lines)) + 20 * 86_400, "height": 1})
    made = encode("seen", days, False, hierarchies.levels(ruler.rows()))
    assert made.tree.n_leaves == len(days)
    assert all(label.startswith("[20") for row in ruler.rows() for label in row[1:-1])


def test_changes_are_undone_and_done_again():
    ruler = of(AGES, hierarchies.intervals(20))
    states = [dict(ruler.lines)]
    changes = [
        {"change": "add", "at": 30, "height": 1},
        {"change": "move", "at": 30.0, "to": 33.2},
        {"change": "raise", "at": 40.0},
        {"change": "lower", "at": 33.0},
        {"change": "remove", "at": 60.0},
    ]
    for asked in changes:
        ruler.change(asked)
        states.append(dict(ruler.lines))
    assert states[2] == {20: 1, 33: 1, 40: 1, 60: 1, 80: 1}
    assert states[3][40] == 2
    assert 33 not in states[4]
    for state in states[-2::-1]:
        ruler.change({"change": "undo"})
        assert ruler.lines == state
    for state in states[1:]:
        ruler.change({"change": "redo"})
        assert ruler.lines == state
    with pytest.raises(HierarchyError, match="nothing to redo"):
        ruler.change({"change": "redo"})


@pytest.mark.parametrize(
    "asked",
    [
        {"change": "move", "at": 1.0, "to": 30},
        {"change": "add", "at": 17},
        {"change": "add", "at": 900},
        {"change": "explode", "at": 20.0},
        {"change": "undo"},
    ],
)
def test_a_change_that_cannot_be_is_refused_and_changes_nothing(asked: dict[str, object]):
    ruler = of(AGES, hierarchies.intervals(20))
    before = dict(ruler.lines)
    with pytest.raises(HierarchyError):
        ruler.change(asked)
    assert ruler.lines == before


def test_levels_are_nested_whatever_is_done():
    rng = np.random.default_rng(5)
    ruler = of(AGES, hierarchies.intervals(5, 10, 20))
    for _ in range(200):
        lines = list(ruler.lines)
        asked = {
            "change": str(rng.choice(["add", "move", "raise", "lower", "remove", "undo"])),
            "at": float(rng.choice(lines)),
            "to": float(rng.integers(19, 89)),
            "height": int(rng.integers(1, 4)),
        }
        if asked["change"] == "add":
            asked["at"] = float(rng.integers(19, 89))
        try:
            ruler.change(asked)
        except HierarchyError:
            continue
        encode("age", AGES, False, hierarchies.levels(ruler.rows()))  # raises where a group has two parents


def test_the_page_changes_the_policy_and_the_price_is_shown(visitor: Visitor):
    visitor.load("people.csv", ("age,job\n" + "".join(f"{18 + i % 70},{'ab'[i % 2]}\n" for i in range(300))).encode())
    visitor.give_roles(age="quasi-identifier", job="quasi-identifier")
    page = "/hierarchies/0/ruler"
    told = visitor.client.post(page, json={"change": "look"}).json()
    assert [p["level"] for p in told["prices"]] == [0, 1, 2, 3, 4]
    lost = [p["lost"] for p in told["prices"]]
    assert lost == sorted(lost)
    assert (lost[0], lost[-1]) == (0, 1)
    assert visitor.desk.specs == {}, "looking changes nothing"
    told = visitor.client.post(page, json={"change": "add", "at": 66, "height": 2}).json()
    assert 66 in [line["at"] for line in told["lines"]]
    assert sum(block["rows"] for block in told["levels"][0]) == 300
    exported = visitor.client.get(f"/hierarchies/0/export?table={visitor.desk.key}").text
    assert exported == text_of(visitor.desk.hierarchy_rows("age"))
    assert "66;[66, 70);" in exported
    assert visitor.client.post("/hierarchies/0/file", files={"file": ("age.csv", exported.encode())}).status_code == 200
    for wrong in ({"change": "add", "at": "x"}, {"change": "add"}, {"change": "move", "at": 66, "to": "nan"}, [], 7):
        assert visitor.client.post(page, json=wrong).status_code == 400
    assert visitor.client.post("/hierarchies/1/ruler", json={"change": "look"}).status_code == 400, (
        "jobs lie on no line"
    )


def test_prices_are_those_of_a_column_lifted_as_a_whole():
    made = encode(
        "x", ["a", "b", "c"], False, hierarchies.levels([["a", "ab", "*"], ["b", "ab", "*"], ["c", "c", "*"]])
    )
    assert [(p["labels"], round(p["lost"], 3)) for p in level_prices(made, np.array([1, 1, 2]), "stars")] == [
        (3, 0.0),
        (2, 0.5),
        (1, 1.0),
    ]


def test_codes_with_zeros_in_front_get_no_ruler_of_numbers():
    codes = ["01067", "01069", "07743", "08056"]
    assert (
        ruler_of(
            codes, np.ones(4, dtype=np.int64), "postal code", encode("PLZ", codes, False, hierarchies.prefixes(4, 1))
        )
        is None
    )
