"""Tables of places."""

from __future__ import annotations

from pathlib import Path

import pytest

import shoal
from shoal.clustering.places import read_places
from tests.clustering.small import apart, placed


def test_places_are_as_far_apart_as_the_great_circle_says(tmp_path: Path) -> None:
    table = tmp_path / "places.csv"
    table.write_text("place,latitude,longitude\nParis,48.8566,2.3522\nLondon,51.5074,-0.1278\nOslo,59.9139,10.7522\n")
    made = placed({"town": ["Paris", "London", "Oslo"]}, {"town": {"places": str(table), "unit": 100}})
    assert apart(made, 0, 1) == pytest.approx(3.4356, abs=0.01)
    same = placed(
        {"town": ["Paris", "London"]},
        {"town": {"places": {"Paris": (48.8566, 2.3522), "London": (51.5074, -0.1278)}, "unit": 100}},
    )
    assert apart(same, 0, 1) == pytest.approx(apart(made, 0, 1))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name,x\nParis,1\n", "needs a header"),
        ("name,lat,lon\nParis,48,x\n", "line 2"),
        ("name,lat,lon\nParis,95,2\n", "between -90 and 90"),
    ],
)
def test_tables_of_places_are_checked(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "places.csv"
    file.write_text(text)
    with pytest.raises(shoal.PolicyError, match=words):
        read_places("town", file)
    with pytest.raises(shoal.PolicyError, match="no table of places"):
        read_places("town", tmp_path / "none.csv")
