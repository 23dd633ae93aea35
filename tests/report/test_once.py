"""What is worked out once for a release is the same whoever asks first, belongs to that release alone, and can be put
away.
"""

from __future__ import annotations

import gc
import json
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.reader import read as reader
from shoal.release.release import Release
from shoal.report import once
from shoal.report.model import owner_model
from shoal.report.public import public_model
from shoal.table import once as kept
from tests.report.conftest import people


def made(frame: pl.DataFrame, k: int = 4) -> Release:
    return shoal.anonymize(
        frame,
        k=k,
        quasi_identifiers=["age", "job", "zip"],
        sensitive=["ill"],
        keep=["height", "income"],
        algorithm="mondrian",
    )


def told(model: dict[str, Any]) -> str:
    return json.dumps({name: part for name, part in model.items() if name != "record"})


def test_the_published_report_is_the_same_whether_or_not_the_owners_was_drawn_before() -> None:
    """It is made of the release alone: nothing of the owner's figures may get into it by way of what was worked out for
    them.
    """
    alone = told(public_model(made(people())))
    release = made(people())
    owners = told(owner_model(release))
    assert told(public_model(release)) == alone
    again = made(people())
    public_model(again)
    assert told(owner_model(again)) == owners


def test_another_release_of_the_same_table_has_its_own_figures() -> None:
    first, second = made(people(), k=4), made(people(), k=9)
    owner_model(first)
    assert told(owner_model(second)) == told(owner_model(made(people(), k=9)))
    assert once.read_once(first) is not once.read_once(second)


def test_who_changes_a_report_does_not_change_the_next_one() -> None:
    release = made(people())
    first = owner_model(release)
    whole = told(first)
    first["columns"][0]["levels"][0]["share"] = 7.0
    first["sensitive"][0]["groups_by_distinct"].clear()
    first["attention"]["tells"].append({"teller": "x", "told": "y", "how": "all"})
    first["expected"]["counts"]["1"] = 7.0
    assert told(owner_model(release)) == whole


def test_what_has_an_entry_for_each_row_is_put_away_and_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    release, read = made(people()), reader.read
    n_read: list[int] = []
    monkeypatch.setattr(reader, "read", lambda given: n_read.append(1) or read(given))
    public_model(release)
    owner_model(release)
    assert len(n_read) == 1, "the release is read once for both reports"
    once.put_away(release)
    assert not {key[0] for key in kept._KNOWN[release]} & {"reading", "after", "before"}
    owner_model(release)
    assert len(n_read) == 2


def test_nothing_is_kept_of_a_release_that_is_gone() -> None:
    release = made(people())
    owner_model(release)
    n = len(kept._KNOWN)
    del release
    gc.collect()
    assert len(kept._KNOWN) < n
