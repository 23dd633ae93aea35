"""A policy is checked once. What is changed afterwards is checked, and nothing else; nonsense is refused wherever it comes from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.cli.main import run
from shoal.errors import PolicyError
from shoal.policy import policy as room
from shoal.policy.columns import ColumnPolicy
from shoal.policy.policy import Policy
from shoal.policy.settings import SETTINGS

TABLE = pl.DataFrame({"age": ["20", "20", "30", "30"], "sex": ["f", "f", "m", "m"], "ill": list("abcd")})
TOML = """k = 2
time_limit = 60

[columns.age]
role = "quasi-identifier"
hierarchy = { intervals = [5, 10] }

[columns.sex]
role = "quasi-identifier"

[columns.ill]
role = "sensitive"
l_diversity = 2
"""


class Checks:
    """What was checked while the test ran."""

    def __init__(self) -> None:
        self.whole = 0
        self.settings: Counter[tuple[str, Any]] = Counter()
        self.columns: Counter[str] = Counter()


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> Checks:
    seen = Checks()
    whole, setting, column = Policy.__post_init__, room.check_setting, room.check_column

    def counted(self: Policy) -> None:
        seen.whole += 1
        whole(self)

    def counted_setting(key: str, value: Any) -> Any:
        seen.settings[key, value] += 1
        return setting(key, value)

    def counted_column(name: str, *given: Any) -> None:
        seen.columns[name] += 1
        column(name, *given)

    monkeypatch.setattr(Policy, "__post_init__", counted)
    monkeypatch.setattr(room, "check_setting", counted_setting)
    monkeypatch.setattr(room, "check_column", counted_column)
    return seen


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "p.toml").write_text(TOML)
    return tmp_path / "p.toml"


FIXED = {("seed", 0), ("time_limit", None)}
"""What the policy that is printed has in place of the run's own."""


def test_one_run_checks_one_policy(checks: Checks) -> None:
    """The policy was validated three times."""
    shoal.anonymize(TABLE, k=2, quasi_identifiers=["age", "sex"], sensitive=["ill"], hierarchies={"age": shoal.intervals(5)},
                    weights={"age": 2}, withhold=0.5, l_diversity=2)  # fmt: skip
    assert checks.whole == 1
    assert checks.columns == {"age": 1, "sex": 1, "ill": 1}
    assert {pair: n for pair, n in checks.settings.items() if n > 1 and pair not in FIXED} == {}


def test_one_run_checks_the_policy_of_a_file_once(checks: Checks, file: Path) -> None:
    """Every setting of a file was checked as a policy of its own, and then the whole."""
    shoal.anonymize(TABLE, policy=file)
    assert checks.whole == 1
    assert checks.columns == {"age": 1, "sex": 1, "ill": 1}
    assert {pair: n for pair, n in checks.settings.items() if n > 1 and pair not in FIXED} == {}


def test_a_policy_that_was_checked_is_not_checked_again(checks: Checks, file: Path) -> None:
    asked = Policy.read(file)
    shoal.anonymize(TABLE, policy=asked)
    assert checks.whole == 1
    assert checks.columns == {"age": 1, "sex": 1, "ill": 1}


def test_the_command_reads_and_checks_the_policy_once(checks: Checks, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command read the file to see what it must not overwrite, and the run read it again."""
    TABLE.write_csv(tmp_path / "t.csv")
    read, asked = room.read, []
    monkeypatch.setattr(room, "read", lambda path: asked.append(path) or read(path))
    status = run(["anonymize", str(tmp_path / "t.csv"), "-o", str(tmp_path / "r.csv"), "--policy", str(file), "-k", "2",
                  "--manifest", str(tmp_path / "m.json"), "--report", str(tmp_path / "r.html"), "--record", str(tmp_path / "r.json"), "--quiet"])  # fmt: skip
    assert status == 0
    assert len(asked) == checks.whole == 1
    assert checks.columns == {"age": 1, "sex": 1, "ill": 1}


def test_only_what_is_changed_is_checked(checks: Checks) -> None:
    asked = Policy(columns={"age": ColumnPolicy(role="quasi-identifier"), "ill": ColumnPolicy(role="sensitive")})
    checks.settings.clear()
    checks.columns.clear()
    other = asked.changed(k=7, columns={**asked.columns, "age": replace(asked.columns["age"], weight=2.0)})
    assert (other.k, other.columns["age"].weight, asked.k) == (7, 2.0, 5)
    assert (checks.settings, checks.columns) == ({("k", 7): 1}, {"age": 1})


WRONG: list[dict[str, Any]] = [
    {"k": 1}, {"k": True}, {"k": "5"}, {"k": 2.5}, {"withhold": 1.5}, {"withhold": "half"}, {"withhold": float("nan")}, {"time_limit": 0}, {"time_limit": "long"},
    {"effort": 0}, {"effort": None}, {"effort": float("inf")}, {"stop_at_ratio": 0.5}, {"stop_at_ratio": "1"}, {"seed": -1}, {"seed": 1.5}, {"seed": "x"},
    {"measure": "treee"}, {"measure": None}, {"algorithm": "magic"}, {"algorithm": 3}, {"missing": "ignore"}, {"missing_values": "NA"}, {"missing_values": [1]},
    {"missing_values": None}, {"person": 3}, {"hierarchies": "not/there"}, {"hierarchies": __file__}, {"hierarchies": 7}, {"hierarchies": {"age": "a.csv"}}, {"deletion": "no"}, {"keep_order": "no"},
    {"suppression_only": 1}, {"target": 3},
]  # fmt: skip
BAD_COLUMNS: list[Any] = [
    ColumnPolicy(role="secret"),
    ColumnPolicy(weight=0),
    ColumnPolicy(weight=float("nan")),
    ColumnPolicy(weight="2"),  # type: ignore[arg-type]
    ColumnPolicy(role="quasi-identifier", demands=(("t-closeness", {"t": 0.2}),)),
    ColumnPolicy(role="sensitive", demands=(("t-closeness", {"t": -1}),)),
    ColumnPolicy(role="sensitive", demands=(("x-closeness", {"t": 0.2}),)),
    ColumnPolicy(role="quasi-identifier", hierarchy="ages.csv"),
    ColumnPolicy(role="quasi-identifier", hierarchy=[["a", "*"]]),
    {"role": "sensitive"},
]
WAYS: list[Callable[..., Policy]] = [Policy, Policy().changed, lambda **said: replace(Policy(), **said)]


@pytest.mark.parametrize("make", WAYS, ids=["made", "changed", "replaced"])
@pytest.mark.parametrize("said", WRONG, ids=str)
def test_nonsense_is_refused_however_the_policy_is_made(make: Callable[..., Policy], said: dict[str, Any]) -> None:
    with pytest.raises(PolicyError) as caught:
        make(**said)
    assert caught.value.key == tuple(said)


@pytest.mark.parametrize("make", WAYS, ids=["made", "changed", "replaced"])
@pytest.mark.parametrize("column", BAD_COLUMNS, ids=range(len(BAD_COLUMNS)))
def test_a_column_that_makes_no_sense_is_refused_however_the_policy_is_made(make: Callable[..., Policy], column: Any) -> None:
    with pytest.raises(PolicyError):
        make(columns={"ill": column})


def test_a_column_that_was_put_in_later_is_seen() -> None:
    """The columns of a policy may be the caller's own dict, and he may change it."""
    columns = {"age": ColumnPolicy(role="quasi-identifier")}
    asked = Policy(k=2, columns=columns)
    columns["ill"] = ColumnPolicy(role="secret")
    with pytest.raises(PolicyError, match="the role must be one of"):
        shoal.anonymize(TABLE, policy=asked)


def test_a_demand_that_was_changed_later_is_seen() -> None:
    bound = {"t": 0.5}
    asked = Policy(
        k=2,
        columns={"age": ColumnPolicy(role="quasi-identifier"), "ill": ColumnPolicy(role="sensitive", demands=(("t-closeness", bound),))},
    )
    bound["t"] = -1
    with pytest.raises(PolicyError, match="t-closeness"):
        shoal.anonymize(TABLE, policy=asked)


def test_the_column_of_people_keeps_its_role_in_every_change() -> None:
    asked = Policy(person="who")
    assert asked.named("identifier") == ["who"]
    for columns in ({"who": ColumnPolicy(role="sensitive")}, {"who": ColumnPolicy()}):
        with pytest.raises(PolicyError, match="says which person"):
            asked.changed(columns=columns)
    assert asked.changed(columns={}).named("identifier") == ["who"]


def test_everything_that_is_asked_of_a_table_is_declared() -> None:
    assert [f.name for f in fields(Policy) if f.init] == [*SETTINGS, "columns"], "columns are checked one by one"


def test_a_setting_that_is_none_is_refused() -> None:
    with pytest.raises(TypeError, match="no setting called 'kk'"):
        Policy().changed(kk=3)


def test_a_folder_of_hierarchies_may_be_given_as_plain_text(tmp_path: Path) -> None:
    """It was looked at when the first column was encoded, and a plain text broke the manifest after the search."""
    (tmp_path / "age.csv").write_text("20;2*;*\n30;3*;*\n")
    asked = Policy(k=4, hierarchies=str(tmp_path), columns={"age": ColumnPolicy(role="quasi-identifier")})  # type: ignore[arg-type]
    assert asked == Policy(k=4, hierarchies=tmp_path, columns=asked.columns)
    release = shoal.anonymize(TABLE, policy=asked)
    assert release.frame["age"].to_list() == ["*"] * 4
    assert str(tmp_path) not in str(release.manifest)


def test_a_folder_of_hierarchies_is_looked_for_before_the_table_is(tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_text('k = 2\nhierarchies = "none"\n')
    with pytest.raises(PolicyError, match=r"line 2, key 'hierarchies'.*is not a folder.*correct its name"):
        shoal.anonymize(tmp_path / "no table.csv", policy=tmp_path / "p.toml")
    with pytest.raises(PolicyError, match=r"is not a folder.*--hierarchies DIR"):
        shoal.anonymize(tmp_path / "no table.csv", k=2, hierarchies=str(tmp_path / "none"))


def test_a_hierarchy_of_a_column_that_is_only_a_text_says_what_to_do() -> None:
    """It was an AttributeError when the column was encoded."""
    with pytest.raises(PolicyError, match=r"Column 'age': a str is not a hierarchy; make it with shoal.intervals.*as_spec") as caught:
        Policy(columns={"age": ColumnPolicy(role="quasi-identifier", hierarchy="ages.csv")})
    assert caught.value.key == ("columns", "age", "hierarchy")


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("k = 3\nsuppress = 2\n", "line 2, key 'suppress'"),
        ("k = 3\nwithhold = 2\n", "line 2, key 'withhold'"),
        ("k = 3\nhierarchies = 2\n", "line 2, key 'hierarchies': this should be the path of a folder"),
        ('person = "a"\n[columns.a]\nrole = "sensitive"\n', "line 3, key 'columns.a.role'"),
        ("[columns.a]\n\nweight = 0\n", "line 3, key 'columns.a.weight'"),
    ],
)
def test_a_mistake_in_a_file_is_told_by_the_name_and_the_line_that_it_has_there(tmp_path: Path, text: str, where: str) -> None:
    (tmp_path / "p.toml").write_text(text)
    with pytest.raises(PolicyError, match=where):
        Policy.read(tmp_path / "p.toml")


def test_rows_leave_for_nothing_or_at_a_price() -> None:
    """A release has one loss: with both, nobody could say what a row costs that is left out."""
    assert Policy(withhold=0.1).changed(withhold=0.0, deletion=True).deletion
    for both in (lambda: Policy(withhold=0.1, deletion=True), lambda: Policy(deletion=True).changed(withhold=0.1)):
        with pytest.raises(PolicyError, match="choose one of them"):
            both()
