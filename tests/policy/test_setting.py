"""A new setting is one entry: it is put into a copy of the declaration, and found at every door."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from shoal.errors import PolicyError
from shoal.policy.allowed import NumberIn, OneOf, YesOrNo
from shoal.policy.given import make_policy
from shoal.policy.policy import Policy
from shoal.policy.setting import Setting, named
from shoal.policy.settings import SETTINGS

ROOT = Path(__file__).parents[2]
ENTRY = """    toy: float = setting(
        NumberIn(must="a number of at least 0", least=0), 3.0, "how much we play",
        why="play is free", example="toy = 4", metavar="TOYS", label="Toys at play",
    )  # fmt: skip
"""
LOOK = """
import inspect, runpy, sys
from pathlib import Path

from click.testing import CliRunner
from jinja2 import Environment, FileSystemLoader

import shoal
from shoal.cli.main import cli
from shoal.clustering.settings import refuse_unkept
from shoal.policy import doors, policy
from shoal.policy.given import make_policy
from shoal.policy.policy import Policy
from shoal.studio.settings import Settings, fields_of, of_policy, read_settings


def refused(work):
    try:
        work()
    except shoal.ShoalError as error:
        return str(error)


assert Path(policy.__file__).is_relative_to(Path.cwd()), policy.__file__
file = Path("p.toml")
file.write_text("k = 7\\ntoy = 4\\n")
assert Policy.read(file).toy == 4.0
assert "toy = 4.0\\n" in Policy.read(file).toml() and "toy" not in Policy().toml()
file.write_text("k = 7\\ntoy = -1\\n")
assert refused(lambda: Policy.read(file)) == "p.toml, line 2, key 'toy': toy must be a number of at least 0, not -1.0: play is free."
file.write_text('toy = "much"\\n')
assert refused(lambda: Policy.read(file)) == "p.toml, line 1, key 'toy': this should be a number, not str."

assert make_policy(None, toy=2).toy == 2
assert refused(lambda: shoal.anonymize("no table", toy=-2)) == "toy must be a number of at least 0, not -2: play is free."
assert inspect.signature(shoal.anonymize).parameters["toy"].annotation == "float | None"
assert "toy                 how much we play (3)" in shoal.anonymize.__doc__
assert "    toy: float | None\\n" in doors.typed()

help = CliRunner().invoke(cli, ["anonymize", "--help"]).output
assert "--toy TOYS" in help and "How much we play (default 3)." in help
wrong = CliRunner().invoke(cli, ["anonymize", sys.argv[1], "-o", "r.csv", "--qi", "age", "-k", "2", "--toy", "-3"])
assert str(wrong.exception) == "toy must be a number of at least 0, not -3.0: play is free." and not Path("r.csv").exists()

[field] = [one for one in fields_of(Settings()) if one.name == "toy"]
pages = Environment(loader=FileSystemLoader(Path(shoal.__file__).parent / "studio" / "templates"))
drawn = pages.get_template("parts.html").module.field(field)
assert '<label for="toy">Toys at play</label>' in drawn and 'name="toy" type="number" min="0" step="any"' in drawn
assert read_settings({"toy": "5"}).said["toy"] == of_policy(Policy(toy=5)).said["toy"] == 5
assert refused(lambda: refuse_unkept(Policy(toy=5))).startswith("toy: a clustering does not keep")

reference = runpy.run_path(sys.argv[2])["reference"]()
assert "| `toy` | `--toy` | How much we play. Example: `toy = 4`. | a number of at least 0 | `3` |" in reference
print("found at every door")
"""


def test_a_new_setting_is_one_entry(tmp_path: Path) -> None:
    package, source = tmp_path / "shoal", ROOT / "src" / "shoal"
    package.mkdir()
    for path in source.iterdir():
        if path.name != "policy":
            (package / path.name).symlink_to(path)
    shutil.copytree(source / "policy", package / "policy", ignore=shutil.ignore_patterns("__pycache__"))
    declaration = package / "policy" / "settings.py"
    text = declaration.read_text()
    assert text.count("    hierarchies: Path | None") == 1
    declaration.write_text(text.replace("    hierarchies: Path | None", ENTRY + "    hierarchies: Path | None"))
    (tmp_path / "t.csv").write_text("age\n1\n2\n")
    answer = subprocess.run(
        [sys.executable, "-c", LOOK, "t.csv", str(ROOT / "docs" / "make_reference.py")],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert answer.stdout == "found at every door\n", answer.stderr


def test_an_entry_knows_its_option_and_its_default_in_words() -> None:
    entries = named(
        how_much=Setting(NumberIn(), 2.0, "help", old="amount"), is_so=Setting(YesOrNo(), False, "help", flags=("--so/--not-so",)),
        way=Setting(OneOf(meaning={"a": "", "b": ""}), None, "help"),
    )  # fmt: skip
    assert [entry.options for entry in entries.values()] == [("--how-much", "--amount"), ("--so/--not-so",), ("--way",)]
    assert [entry.usual for entry in entries.values()] == ["2", "false", ""]
    assert [entry.limits for entry in entries.values()] == ["a number", "true or false", "`a` `b`"]
    assert [entry.python for entry in entries.values()] == ["float | None", "bool | None", "str | None"]


def test_what_is_not_said_is_none_where_nothing_is_usual() -> None:
    assert SETTINGS["time_limit"].checked(None) is None
    with pytest.raises(PolicyError, match="effort must be a positive number, not None") as caught:
        SETTINGS["effort"].checked(None)
    assert caught.value.key == ("effort",)


def test_every_default_is_right_and_every_entry_explains_itself() -> None:
    for name, entry in SETTINGS.items():
        assert entry.checked(entry.default) == entry.default
        assert entry.name == name
        assert len(entry.help) > 10
        assert not entry.help.endswith(".")


def test_marks_that_come_one_by_one_are_all_taken() -> None:
    """A generator is empty once it was looked at."""
    assert make_policy(None, missing_values=(mark for mark in ("NA", "?"))).missing_values == ("NA", "?")


def test_an_empty_list_is_what_was_not_said() -> None:
    """The command gives one for an option that was left out: the policy's own stays."""
    asked = Policy(missing_values=("NA",))
    assert make_policy(asked, missing_values=(), quasi_identifiers=()) == make_policy(asked, missing_values=[]) == asked
    for name in SETTINGS.keys() - {"missing_values"}:
        for nothing in ((), []):
            with pytest.raises(PolicyError):
                make_policy(asked, **{name: nothing})  # type: ignore[arg-type]


def test_a_number_beyond_all_floats_is_refused_in_words() -> None:
    with pytest.raises(PolicyError, match="withhold must be a fraction"):
        Policy(withhold=10**400)


def test_the_declaration_loads_nothing_heavy() -> None:
    """The help of a command reads it, and answers at once."""
    code = (
        "import sys; from shoal.policy import beside, clusters, settings; "
        "print([m for m in ('numpy', 'polars', 'click', 'shoal.hierarchies', 'shoal.privacy.asking') if m in sys.modules])"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout == "[]\n"
