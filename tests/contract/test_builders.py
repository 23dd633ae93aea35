"""Every kind of hierarchy, drawn from the catalog, is held to the same."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal import registry
from shoal.errors import HierarchyError, PolicyError
from shoal.hierarchies import as_toml, spec_from_toml
from shoal.hierarchies.builders import CATALOG
from shoal.hierarchies.encode import encode
from shoal.hierarchies.encoded import Encoded, Spec
from shoal.hierarchies.files import rows_of, text_of
from shoal.hierarchies.rows import tree_from_rows
from tests.naive.hierarchies import check_tree, is_laminar, nodes_of_tree

numbers = st.integers(-500, 500).map(str) | st.decimals(-50, 50, places=2).map(str)
words = st.text("abcdef", min_size=1, max_size=6)
days = st.dates().map(lambda d: d.isoformat())
VALUES: dict[str, st.SearchStrategy[str]] = {
    "suppression": words,
    "intervals": numbers,
    "prefixes": words,
    "grid": numbers,
    "dates": days,
    "times": st.times().map(lambda t: t.strftime("%H:%M:%S")),
    "neighbours": words,
    "levels": words,
    "file": words,
    "laminar": words,
    "any_interval": numbers,
    "any_subset": words,
}
"""What kind of values each builder takes. A new builder adds a line here and one in ASKED."""
ASKED: dict[str, list[Any]] = {
    "suppression": [True],
    "intervals": [True, [5, 10, 20], [0.5, 2.5], [100], 7],
    "prefixes": [True, [4, 3, 1], [2], 1],
    "grid": [True],
    "times": [True],
    "neighbours": [["a", "b", "c"]],
    "dates": [True, ["month", "year"], ["minute", "hour", "day", "year"], ["day", "quarter", "year", "decade"], ["week"]],
    "levels": [],
    "file": [],
    "laminar": [[], [["a", "b"], ["a", "b", "ab"], ["c", "d"]], {"few": ["a", "b"]}],
    "any_interval": [True],
    "any_subset": [True],
}
"""What a policy may say after its name; levels and files are made from the values."""


def specs(name: str, values: Sequence[str], folder: Path) -> list[Spec]:
    rows = [[v, v[:2], f"starts with {v[:1]}", "*"] for v in values]
    if name == "levels":
        return [spec_from_toml({"levels": rows})]
    if name == "neighbours" and len(values) > 2:
        return [spec_from_toml({"neighbours": order}) for order in (list(values), list(values)[::-2])]
    if name == "file":
        (folder / "x.csv").write_text(text_of(rows))
        return [spec_from_toml("x.csv", folder), spec_from_toml({"file": "x.csv"}, folder)]
    return [spec_from_toml({name: asked}, folder) for asked in ASKED[name]]


def unlike_labels(values: Sequence[str]) -> list[str]:
    """Prefix labels of two letters may be values of two letters elsewhere; those are another test's."""
    return sorted({v for v in values if len(v) != 2})


def test_every_builder_is_here() -> None:
    assert set(CATALOG) == set(VALUES) == set(ASKED)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("builders")


@pytest.mark.parametrize("name", list(CATALOG))
@given(data=st.data(), has_missing=st.booleans())
def test_a_builder_keeps_its_word(name: str, data: st.DataObject, has_missing: bool, folder: Path) -> None:
    values = sorted(data.draw(st.sets(VALUES[name], min_size=1, max_size=12)))
    if name in ("levels", "file"):
        values = unlike_labels(values) or ["abc"]
    for spec in specs(name, values, folder):
        encoded = encode("column", values, has_missing, spec)
        covers_every_value(encoded, values, has_missing)
        check_tree(encoded.tree)
        labels_are_unique_on_each_level(encoded)
        is_what_it_says(encoded, name)
        gives_the_same_again(encoded, encode("column", values, has_missing, spec))
        survives_a_file(encoded)


def covers_every_value(encoded: Encoded, values: Sequence[str], has_missing: bool) -> None:
    assert [encoded.tree.labels[leaf] for leaf in encoded.code_of.tolist()] == list(values)
    assert (encoded.code_of < encoded.tree.n_leaves).all()
    assert encoded.code_of.dtype == np.int32
    assert (encoded.missing_code is not None) == has_missing
    if encoded.missing_code is not None:
        assert encoded.tree.labels[encoded.missing_code] is None
        assert encoded.tree.parent[encoded.missing_code] == encoded.tree.root


def labels_are_unique_on_each_level(encoded: Encoded) -> None:
    tree = encoded.tree
    for level in tree.levels:
        labels = [tree.labels[v] for v in np.flatnonzero(tree.level == level)]
        assert len(set(labels)) == len(labels)


def is_what_it_says(encoded: Encoded, name: str) -> None:
    assert encoded.spec.name == name
    assert encoded.description == encoded.spec.description
    assert (encoded.free is not None) == name.startswith("any_")
    assert is_laminar(list(nodes_of_tree(encoded.tree)))
    assert type(encoded.spec) is registry.find(CATALOG, name)
    assert spec_from_toml(as_toml(encoded.spec)) == encoded.spec


def gives_the_same_again(one: Encoded, two: Encoded) -> None:
    assert one.tree.labels == two.tree.labels
    assert (one.tree.parent == two.tree.parent).all()
    assert (one.tree.level == two.tree.level).all()
    assert one.spec == two.spec


def survives_a_file(encoded: Encoded) -> None:
    again = tree_from_rows(rows_of(encoded.tree))
    assert (again.parent == encoded.tree.parent).all()
    assert (again.level == encoded.tree.level).all()
    assert again.height == encoded.tree.height


@pytest.mark.parametrize("name", list(CATALOG))
def test_a_column_of_missing_cells_alone_is_encoded(name: str, folder: Path) -> None:
    for spec in specs(name, ["abc"], folder):
        encoded = encode("column", [], True, spec)
        assert encoded.tree.labels[encoded.missing_code] is None
        assert len(encoded.code_of) == 0


@pytest.mark.parametrize("name", [n for n in CATALOG if n not in ("levels", "file")])
def test_a_value_that_looks_like_a_star_is_refused(name: str, folder: Path) -> None:
    for spec in specs(name, ["abc"], folder):
        for star in ("*", "***"):
            with pytest.raises(HierarchyError, match=r"Column 'c': 1 of 2 values looks like \*") as caught:
                encode("c", [star, "5"], False, spec)
            assert caught.value.missing_values.tolist() == [0]


@pytest.mark.parametrize("name", list(CATALOG))
@pytest.mark.parametrize("asked", [False, None, "x y", {"a": 1}, [[]], [None]])
def test_a_malformed_request_is_refused(name: str, asked: object, folder: Path) -> None:
    if name == "file" and isinstance(asked, str):
        asked = 7
    with pytest.raises((PolicyError, HierarchyError)):
        spec_from_toml({name: asked}, folder)


@pytest.mark.parametrize("name", list(CATALOG))
def test_an_unknown_option_is_refused(name: str, folder: Path) -> None:
    asked = (ASKED[name] or [[["a", "*"]]])[0]
    with pytest.raises(PolicyError):
        spec_from_toml({name: "x.csv" if name == "file" else asked, "colour": "red"}, folder)
