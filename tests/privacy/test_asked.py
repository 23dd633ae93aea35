"""What each spelling asks for, written down by hand: search and verifier both obey the parser, so nothing else would
see that it reads wrongly.

No line here is computed from the catalog or from the parser.
"""

from __future__ import annotations

import itertools
import tomllib
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.cli.main import run
from shoal.errors import PolicyError
from shoal.policy.columns import demands_of
from shoal.policy.policy import Policy
from shoal.privacy import asking

READ: list[tuple[str, str, dict[str, float]]] = [
    ("distinct-l-diversity=3", "distinct-l-diversity", {"l": 3}),
    ("distinct-l-diversity=l=3", "distinct-l-diversity", {"l": 3}),
    ("distinct-l-diversity=3.0", "distinct-l-diversity", {"l": 3}),
    ("distinct-l-diversity=1", "distinct-l-diversity", {"l": 1}),
    ("distinct-l-diversity= 12 ", "distinct-l-diversity", {"l": 12}),
    ("entropy-l-diversity=2.5", "entropy-l-diversity", {"l": 2.5}),
    ("entropy-l-diversity=1", "entropy-l-diversity", {"l": 1.0}),
    ("entropy-l-diversity=l=2.25", "entropy-l-diversity", {"l": 2.25}),
    ("recursive-l-diversity=2,3", "recursive-l-diversity", {"c": 2.0, "l": 3}),
    ("recursive-l-diversity=3,2", "recursive-l-diversity", {"c": 3.0, "l": 2}),
    ("recursive-l-diversity=c=0.5,l=4", "recursive-l-diversity", {"c": 0.5, "l": 4}),
    ("recursive-l-diversity=l=4,c=0.5", "recursive-l-diversity", {"c": 0.5, "l": 4}),
    ("recursive-l-diversity= l = 4 , c = 0.5 ", "recursive-l-diversity", {"c": 0.5, "l": 4}),
    ("t-closeness=0.3", "t-closeness", {"t": 0.3}),
    ("t-closeness=t=0.3", "t-closeness", {"t": 0.3}),
    ("t-closeness=0", "t-closeness", {"t": 0.0}),
    ("t-closeness=1", "t-closeness", {"t": 1.0}),
    ("t-closeness=3e-1", "t-closeness", {"t": 0.3}),
    ("alpha-k-anonymity=0.6", "alpha-k-anonymity", {"alpha": 0.6}),
    ("alpha-k-anonymity=alpha=1", "alpha-k-anonymity", {"alpha": 1.0}),
    ("basic-beta-likeness=1.5", "basic-beta-likeness", {"beta": 1.5}),
    ("enhanced-beta-likeness=beta=0.7", "enhanced-beta-likeness", {"beta": 0.7}),
    ("delta-disclosure-privacy=1.2", "delta-disclosure-privacy", {"delta": 1.2}),
    (" delta-disclosure-privacy = delta = 0.9 ", "delta-disclosure-privacy", {"delta": 0.9}),
]
SHORT: list[tuple[str, Any, str, dict[str, float]]] = [
    ("l_diversity", 3, "distinct-l-diversity", {"l": 3}),
    ("l_diversity", "3", "distinct-l-diversity", {"l": 3}),
    ("l_diversity", "distinct:4", "distinct-l-diversity", {"l": 4}),
    ("l_diversity", {"distinct": 4}, "distinct-l-diversity", {"l": 4}),
    ("l_diversity", {"l": 4}, "distinct-l-diversity", {"l": 4}),
    ("l_diversity", "entropy:2.5", "entropy-l-diversity", {"l": 2.5}),
    ("l_diversity", " entropy : 2.5 ", "entropy-l-diversity", {"l": 2.5}),
    ("l_diversity", {"entropy": 2.5}, "entropy-l-diversity", {"l": 2.5}),
    ("l_diversity", "recursive:2,3", "recursive-l-diversity", {"c": 2.0, "l": 3}),
    ("l_diversity", "recursive:l=3,c=2", "recursive-l-diversity", {"c": 2.0, "l": 3}),
    ("l_diversity", {"recursive": [2, 3]}, "recursive-l-diversity", {"c": 2.0, "l": 3}),
    ("l_diversity", {"recursive": {"l": 3, "c": 2}}, "recursive-l-diversity", {"c": 2.0, "l": 3}),
    ("t_closeness", 0.25, "t-closeness", {"t": 0.25}),
    ("t_closeness", "0.25", "t-closeness", {"t": 0.25}),
    ("t_closeness", {"t": 0.25}, "t-closeness", {"t": 0.25}),
]
REFUSED = [
    "distinct-l-diversity", "distinct-l-diversity=", "distinct-l-diversity=0", "distinct-l-diversity=-2",
    "distinct-l-diversity=2.5",
    "distinct-l-diversity=2,3", "distinct-l-diversity=l=3,l=2", "distinct-l-diversity=k=3", "distinct-l-diversity=inf",
    "distinct-l-diversity=l",
    "entropy-l-diversity=0.99", "entropy-l-diversity=nan", "entropy-l-diversity=two", "recursive-l-diversity=2",
    "recursive-l-diversity=2,3,4",
    "recursive-l-diversity=0,3", "recursive-l-diversity=2,0", "recursive-l-diversity=2,2.5",
    "recursive-l-diversity=c=2", "recursive-l-diversity=c=2,3",
    "recursive-l-diversity=c=2,l=3,l=2", "recursive-l-diversity=inf,2", "t-closeness=1.01", "t-closeness=-0.1",
    "t-closeness=0,3", "t-closeness=30%",
    "t-closeness=t=0.1,t=0.9", "alpha-k-anonymity=0", "alpha-k-anonymity=1.1", "basic-beta-likeness=0",
    "enhanced-beta-likeness=-1",
    "delta-disclosure-privacy=0", "delta-disclosure-privacy=nan", "k-anonymity=5", "k-people=5", "l-diversity=3",
    "t_closeness=0.3",
]  # fmt: skip
REFUSED_SHORT = [
    ("l_diversity", {"distinct": 3, "entropy": 2}), ("l_diversity", True), ("l_diversity", "median:3"),
    ("l_diversity", [2, 3]), ("l_diversity", 2.5),
    ("l_diversity", {"recursive": 3}), ("l_diversity", {"recursive": {"c": 2, "l": True}}), ("t_closeness", 2),
    ("t_closeness", None), ("t_closeness", "t:0.3"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "name", "parameters"), READ)
def test_a_requirement_is_what_is_written_here(text: str, name: str, parameters: dict[str, float]):
    assert asking.read_requirement(text) == (name, parameters)
    assert {key: type(x) for key, x in asking.read_requirement(text)[1].items()} == {
        key: type(x) for key, x in parameters.items()
    }


@pytest.mark.parametrize(("key", "value", "name", "parameters"), SHORT)
def test_a_shorthand_is_what_is_written_here(key: str, value: Any, name: str, parameters: dict[str, float]):
    assert asking.read_shorthand(key, value) == (name, parameters)
    assert demands_of({key: value}) == ((name, parameters),)


@pytest.mark.parametrize("text", REFUSED)
def test_what_can_be_read_in_two_ways_or_makes_no_sense_is_refused(text: str):
    with pytest.raises(PolicyError):
        asking.read_requirement(text)


@pytest.mark.parametrize(("key", "value"), REFUSED_SHORT)
def test_a_shorthand_that_makes_no_sense_is_refused(key: str, value: Any):
    with pytest.raises(PolicyError):
        asking.read_shorthand(key, value)


def test_a_criterion_that_is_asked_for_twice_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The command took the last one, even where the first was stricter."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("age,ill\n1,a\n1,b\n2,a\n2,b\n")
    asked = ["anonymize", "t.csv", "-o", "r.csv", "-k", "2", "--qi", "age", "--sensitive", "ill"]
    assert run([*asked, "--require", "t-closeness=0.1", "--require", "t-closeness=0.6"]) == 2
    assert "t-closeness is asked for twice" in capsys.readouterr().err
    assert not (tmp_path / "r.csv").exists()


POLICY = """
k = 2
l_diversity = 2
require = { t-closeness = 0.9, basic-beta-likeness = 3 }
[columns.age]
role = "quasi-identifier"
[columns.ill]
role = "sensitive"
l_diversity = { recursive = { c = 4, l = 2 } }
require = { delta-disclosure-privacy = 2.5 }
[columns.wage]
role = "sensitive"
"""


def test_a_policy_asks_what_is_written_in_it(tmp_path: Path):
    """A column's own demand takes the place of the table's of the same kind, and the others stay."""
    (tmp_path / "p.toml").write_text(POLICY)
    policy = Policy.read(tmp_path / "p.toml")
    assert sorted(policy.columns["ill"].demands, key=str) == [
        ("basic-beta-likeness", {"beta": 3.0}), ("delta-disclosure-privacy", {"delta": 2.5}),
        ("recursive-l-diversity", {"c": 4.0, "l": 2}), ("t-closeness", {"t": 0.9}),
    ]  # fmt: skip
    assert sorted(policy.columns["wage"].demands, key=str) == [
        ("basic-beta-likeness", {"beta": 3.0}), ("distinct-l-diversity", {"l": 2}), ("t-closeness", {"t": 0.9}),
    ]  # fmt: skip
    again = tomllib.loads(policy.toml())
    assert {name: sorted(demands_of(entry), key=str) for name, entry in again["columns"].items() if name != "age"} == {
        name: sorted(policy.columns[name].demands, key=str) for name in ("ill", "wage")
    }


def test_record_and_manifest_and_summary_say_what_was_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """The numbers are those of the command line, so that whoever meant something else sees it."""
    monkeypatch.chdir(tmp_path)
    rows = [f"{age},{ill}" for age, ill in itertools.product(range(6), ("flu", "gout", "ache"))]
    (tmp_path / "t.csv").write_text("age,ill\n" + "\n".join(rows) + "\n")
    asked = ["--l-diversity", "recursive:2.5,2", "--require", "t-closeness=0.45", "--algorithm", "mondrian"]
    assert (
        run(
            [
                "anonymize",
                "t.csv",
                "-o",
                "r.csv",
                "-k",
                "3",
                "--qi",
                "age",
                "--sensitive",
                "ill",
                "--manifest",
                "m.json",
                *asked,
            ]
        )
        == 0
    )
    said = " ".join(capsys.readouterr().out.split())
    assert "recursive-l-diversity (c = 2.5, l = 2)" in said
    assert "t-closeness (t = 0.45)" in said
    release = shoal.anonymize(
        pl.read_csv("t.csv"),
        k=3,
        quasi_identifiers=["age"],
        sensitive=["ill"],
        l_diversity="recursive:2.5,2",
        require={"t-closeness": 0.45},
        algorithm="mondrian",
    )
    wanted = {"k-anonymity": 3, "recursive-l-diversity": {"c": 2.5, "l": 2}, "t-closeness": {"t": 0.45}}
    for about in (release.record, release.manifest):
        assert {found["name"]: found["required"] for found in about["criteria"]} == wanted


def test_requirements_that_differ_are_all_kept():
    assert asking.read_requirements(["t-closeness=0.3", "distinct-l-diversity=2"]) == {
        "t-closeness": {"t": 0.3},
        "distinct-l-diversity": {"l": 2},
    }
