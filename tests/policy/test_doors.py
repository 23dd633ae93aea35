"""The library says of each setting what is declared: keywords, types, defaults, documentation."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import get_type_hints

import pytest

import shoal
from shoal.policy import doors, keywords
from shoal.policy.beside import BESIDE
from shoal.policy.keywords import Keywords
from shoal.policy.settings import SETTINGS


def test_what_type_checkers_read_is_made_from_the_declaration() -> None:
    assert Path(keywords.__file__).read_text() == doors.typed(), "run `make docs`"


def test_anonymize_shows_and_explains_every_setting() -> None:
    shown, text = inspect.signature(shoal.anonymize).parameters, inspect.getdoc(shoal.anonymize) or ""
    assert list(shown)[:4] == ["data", "policy", "proof", "watch"]
    for name, kind, words in doors.each():
        assert shown[name].annotation == kind
        assert shown[name].default is None
        assert name in get_type_hints(Keywords)
        said = " ".join(text.split(f"\n{name} ", 1)[1].split())
        assert said.startswith(" ".join(words.split()))


@pytest.mark.parametrize("function", [shoal.verify, shoal.measure, shoal.cluster, shoal.verify_clustering, shoal.assess, shoal.read])
def test_what_other_functions_share_with_it_has_the_same_type(function: object) -> None:
    declared = {**SETTINGS, **BESIDE}
    for name, parameter in inspect.signature(function).parameters.items():  # type: ignore[arg-type]
        if name in declared and parameter.default is None:
            assert parameter.annotation in (declared[name].python, "Any"), name


def test_a_keyword_that_nothing_declares_is_an_error() -> None:
    for value in (3, None):
        with pytest.raises(TypeError, match="no argument called 'efort'"):
            shoal.anonymize("table.csv", efort=value)  # type: ignore[call-arg]
