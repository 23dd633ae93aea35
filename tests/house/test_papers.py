"""The papers' map says what is so: each line runs, each file and test is there, and each factor is the one that the code states."""

from __future__ import annotations

import ast
import runpy
import shlex
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from shoal import instances, measures
from shoal.cli.main import cli

ROOT = Path(__file__).parents[2]
MAKER = runpy.run_path(str(ROOT / "docs" / "make_papers.py"))
ITEMS = MAKER["data"]()["item"]
SESSION = "miner init study --protocol extraction -k 5 --schema columns.toml --url https://127.0.0.1:8443 --open"
each = pytest.mark.parametrize("item", ITEMS, ids=lambda item: f"{item['paper']} {item['name']}")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("papers")
    for name, text in MAKER["FILES"].items():
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def folder(files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(files, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(command: str) -> None:
    done = CliRunner().invoke(cli, shlex.split(command))
    assert done.exit_code == 0, f"{command}\n{done.output}{done.exception}"


def evaluate(code: str) -> Any:
    """What the last part of some Python gives, after the lines at the top of the page."""
    lines = ast.parse(f"{MAKER['TOP']}\n{code}")
    last = lines.body.pop()
    assert isinstance(last, ast.Expr), code
    names: dict[str, Any] = {}
    exec(compile(lines, "the map", "exec"), names)
    return eval(compile(ast.Expression(last.value), "the map", "eval"), names)


@cache
def names_in(path: str) -> frozenset[str]:
    """The names of the tests of a file, those of classes with their class."""
    found = set()
    for node in ast.parse((ROOT / path).read_text()).body:
        inside = node.body if isinstance(node, ast.ClassDef) else [node]
        prefix = f"{node.name}::" if isinstance(node, ast.ClassDef) else ""
        found |= {f"{prefix}{one.name}" for one in inside if isinstance(one, ast.FunctionDef)}
    return frozenset(found)


@each
def test_what_to_type_runs_and_gives_what_the_map_says(item: dict[str, Any], folder: Path) -> None:
    assert "command" in item or "python" in item
    if "command" in item:
        if "session.toml" in item["command"]:
            run(SESSION)
            shutil.copy(folder / "study" / "session.toml", folder)
        run(item["command"].removeprefix("shoal "))
    if "python" not in item:
        return
    found = evaluate(item["python"])
    if "gives" in item:
        assert repr(found) == item["gives"]
    if "proved" in item:
        record = found.record
        proved = eval(
            item["proved"],
            {"k": record.get("k"), "m": len(record["quasi_identifiers"]), "H": lambda n: sum(1 / i for i in range(1, n + 1))},
        )
        assert record["guarantee"] == (None if proved is None else pytest.approx(proved))


@each
def test_the_file_and_the_tests_are_there(item: dict[str, Any]) -> None:
    assert (ROOT / item["file"]).is_file()
    assert item["tests"], "nothing holds it"
    for test in item["tests"]:
        path, _, name = test.partition("::")
        assert name.rpartition("::")[2].startswith("test_")
        assert name in names_in(path), test


def test_the_page_is_made_from_todays_data() -> None:
    assert (ROOT / "docs" / "papers.md").read_text() == MAKER["page"]().rstrip() + "\n", "run `make docs`"


def test_an_item_that_is_not_filled_in_is_not_published(tmp_path: Path) -> None:
    shutil.copy(ROOT / "docs" / "make_papers.py", tmp_path)
    (tmp_path / "papers.toml").write_text('[[item]]\nname = "x"\npending = "its factor"\n')
    with pytest.raises(SystemExit, match="x \\(its factor\\)"):
        runpy.run_path(str(tmp_path / "make_papers.py"), run_name="__main__")


def test_all_five_papers_and_every_catalog_are_in_it() -> None:
    assert {item["paper"] for item in ITEMS} == {"000", "001", "002", "003", "004"}
    said = {item["says"] for item in ITEMS if "says" in item}
    ours = {
        "algorithms:auto",
        "algorithms:mondrian",
        "algorithms:full-domain",
        "algorithms:k-member",
        "partition:local",
        "partition:nearest",
    }
    every = {f"{catalog}:{name}" for catalog, entries in MAKER["CATALOGS"].items() for name in entries}
    assert every == said | ours


def test_every_measure_of_a_paper_and_every_hard_table_is_in_it() -> None:
    """What is added to these lists must be added to the map."""
    files = {item["file"] for item in ITEMS}
    ours = {"information-share", "root-share", "lm", "ncp", "discernibility", "average-class-size"}
    measured = {
        f"src/{address.split(':')[0].replace('.', '/')}.py"
        for name, address in {**measures.CATALOG, **measures.REPORTED}.items()
        if name not in ours
    }
    assert measured <= files
    typed = " ".join(item.get("python", "") for item in ITEMS)
    assert [name for name in instances.__all__ if name.islower() and f"instances.{name}(" not in typed] == []
