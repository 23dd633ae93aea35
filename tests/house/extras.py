"""What each extra of the package is for: a command that asks for it, and how that command runs where nothing but the extra is installed."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tomllib
import urllib.request
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import polars as pl
from packaging.requirements import Requirement

from tests.clusters import BRIEF

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
FOR_USERS = sorted(set(EXTRAS) - {"dev"})
COMMAND = "import sys; from shoal.cli.main import run; sys.exit(run(sys.argv[1:]))"
HIDING = f"""
import importlib.machinery, sys
hidden = frozenset(sys.argv.pop(1).split(","))
finders = [finder for finder in sys.meta_path if hasattr(finder, "find_spec")]
class Visible:
    find_distributions = importlib.machinery.PathFinder.find_distributions
    # all that the finders of this Python find, but for what is hidden
    def find_spec(name, path=None, target=None):
        found = (finder.find_spec(name, path, target) for finder in finders)
        return None if name.partition(".")[0] in hidden else next((spec for spec in found if spec is not None), None)
sys.meta_path[:] = [Visible]
{COMMAND}
"""


@dataclass(frozen=True)
class Case:
    """A command that needs an extra."""

    arguments: tuple[str, ...]
    prepare: Callable[[Path], object] = lambda folder: None
    status: int = 0
    said: str = ""
    """By the command when it works."""
    is_server: bool = False


def _database(folder: Path) -> None:
    import duckdb

    with duckdb.connect(str(folder / "people.duckdb")) as made:
        made.execute("CREATE TABLE people AS SELECT i % 5 AS age, i % 3 AS zip FROM range(60) AS t(i)")


def _survey(folder: Path) -> None:
    import pyreadstat

    pyreadstat.write_sav(people(), str(folder / "people.sav"))


def _workbook(folder: Path) -> None:
    from tests.io.sources.test_workbooks import workbook

    workbook(folder / "people.xlsx", people=[["age", "zip"], *map(list, people().rows())])


def people() -> pl.DataFrame:
    return pl.DataFrame({"age": [i % 5 for i in range(60)], "zip": [i % 3 for i in range(60)]})


def prepare(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    people().write_csv(folder / "people.csv")
    people().write_parquet(folder / "people.parquet")
    return folder


ASK = ("-k", "3", "--qi", "age", "--qi", "zip", "--force")
CASES: dict[str, Case] = {
    "protocol": Case(("miner", "init", "miner", "--protocol", "extraction", "-k", "5", "--url", "https://127.0.0.1:9999", "--schema", "schema.toml", "--open"), lambda f: (f / "schema.toml").write_text(SCHEMA)),
    "duckdb": Case(("assess", "duckdb:///people.duckdb?table=people", "--qi", "age"), _database),
    "files": Case(("anonymize", "people.csv", "-o", "release.csv", "--engine", "files", *ASK)),
    "excel": Case(("assess", "people.xlsx", "--qi", "age"), _workbook),
    "postgres": Case(("assess", "postgresql://nobody@127.0.0.1:1/people?table=people", "--qi", "age"), status=2, said="Check (pg_isready"),
    "spark": Case(("anonymize", "people.parquet", "-o", "release", "--engine", "spark", "--quiet", *ASK)),
    "stats": Case(("assess", "people.sav", "--qi", "age"), _survey),
    "studio": Case(("studio", "people.csv", "--no-browser"), is_server=True),
}  # fmt: skip
SCHEMA = """
[[columns]]
name = "age"
role = "quasi-identifier"
values = ["1", "2", "3"]

[[columns]]
name = "ill"
role = "sensitive"
"""
NEEDS_JAVA = {"spark"}


def has_java() -> bool:
    return shutil.which("java") is not None


def named(text: str) -> set[str]:
    """The extras that a text tells its reader to install."""
    return set(re.findall(r"shoal\[(\w+)\]", text))


def closure(wanted: Iterable[str]) -> set[str]:
    """The distributions that these requirements bring, as they are installed here."""
    found: set[tuple[str, str]] = set()
    rest = [Requirement(text) for text in wanted]
    while rest:
        asked = rest.pop()
        for extra in ("", *asked.extras):
            key = re.sub(r"[-_.]+", "-", asked.name).lower(), extra
            if key in found:
                continue
            found.add(key)
            more = map(Requirement, metadata.requires(asked.name) or [])
            rest += [one for one in more if one.marker is None or one.marker.evaluate({"extra": extra})]
    return {name for name, _ in found}


def hidden(*extras: str) -> list[str]:
    """The modules that a fresh environment with these extras lacks, of all that are installed here."""
    there = closure([*PROJECT["dependencies"], *(text for extra in extras for text in EXTRAS[extra])]) | {"shoal"}
    of = {module: {re.sub(r"[-_.]+", "-", name).lower() for name in names} for module, names in metadata.packages_distributions().items()}
    return sorted(module for module, names in of.items() if not names & there and module not in sys.stdlib_module_names)


def run(command: list[str], case: Case, folder: Path) -> tuple[int, str]:
    """The exit status, and what was said; a server is entered and ended."""
    given = {**os.environ, **BRIEF, "TMPDIR": str(folder), "XDG_STATE_HOME": str(folder / "state"), "PYTHONUNBUFFERED": "1"}
    began = subprocess.Popen([*command, *case.arguments], cwd=folder, env=given, stdin=subprocess.DEVNULL, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=_as_in_a_terminal)  # fmt: skip
    assert began.stdout is not None
    said = ""
    if case.is_server:
        said = began.stdout.readline()
        if link := re.search(r"http://\S+", said):
            with urllib.request.urlopen(link.group(), timeout=120) as answer:
                assert answer.status == 200
            began.send_signal(signal.SIGINT)
    said += began.communicate(timeout=280)[0]
    return began.returncode, said


def _as_in_a_terminal() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
