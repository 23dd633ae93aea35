"""What a catalog holds is declared in its own file, tested in a file of its name, and named nowhere else."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from shoal import algorithms, bounds, engines, measures, privacy, registry
from shoal.hierarchies import builders
from shoal.judge import criteria
from shoal.judge import measures as recounted
from shoal.judge.measures.base import RecountedMeasure
from shoal.measures.base import Measure
from shoal.policy import keywords
from shoal.privacy.asking import shorthands
from tests.house.sources import ROOT, SRC, constants_of, imports_of, texts_of

CATALOGS = {
    "privacy": privacy.CATALOG,
    "measures": {**measures.CATALOG, **measures.REPORTED},
    "bounds": bounds.CATALOG,
    "algorithms": algorithms.CATALOG,
    "engines": engines.CATALOG,
    "hierarchies/builders": builders.CATALOG,
    "judge/criteria": criteria.CATALOG,
    "judge/measures": {**recounted.CATALOG, **recounted.REPORTED},
}
NOT_LISTED = {"base", "__init__"}
SERVES_OTHERS = {
    "privacy": {"asking", "meaning"},
    "measures": {"a_posteriori"},
    "bounds": {"choice", "diversity", "rank_block", "rank_boxes", "rank_nodes", "rank_program", "rank_walk", "relaxation"},
    "algorithms": set(),
    "engines": {
        "beside",
        "choice",
        "counter",
        "driver",
        "kept_fold",
        "limits",
        "looking",
        "order_sample",
        "parts",
        "recipe",
        "row_keys",
        "sorting",
        "spark_package",
        "spark_parts",
        "spark_places",
        "spark_session",
        "spill",
        "stored",
        "tables",
        "tally",
        "verifying",
    },
    "hierarchies/builders": set(),
    "judge/criteria": {"judging", "reading"},
    "judge/measures": {"exact"},
}
"""Files of these folders that are no entries: what entries share, or what reads the catalog."""


def test_only_its_two_definitions_name_a_criterion() -> None:
    """Criteria were named on 74 lines of 16 files. k-anonymity itself, which all of this is about, may be spoken of."""
    words = (
        {name for name in privacy.CATALOG if name != "k-anonymity"} | set(shorthands()) | {key.replace("_", "-") for key in shorthands()}
    )
    named = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in sorted(SRC.rglob("*.py"))
        if path.parent.name not in {"privacy", "criteria"} and "protocol" not in path.parts
        if path != Path(keywords.__file__)  # made from the catalog, and held to it by tests/policy/test_doors.py
        for line, text in texts_of(path)
        if any(word in text for word in words)
    ]
    assert not named


def test_no_page_of_the_studio_names_a_criterion_or_a_measure() -> None:
    words = {name for name in privacy.CATALOG if name != "k-anonymity"} | set(shorthands()) | set(CATALOGS["measures"]) - {"tree"}
    named = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, words))})(?![\w-])", re.IGNORECASE)
    pages = [*SRC.rglob("*.html"), *SRC.rglob("*.js")]
    assert len(pages) > 10
    assert not [f"{page.name}: {found[0]}" for page in pages if (found := named.search(page.read_text()))]


@pytest.mark.parametrize("folder", CATALOGS)
def test_a_line_of_a_catalog_is_a_file_and_a_file_is_a_line(folder: str) -> None:
    listed = {address.split(":")[0].rsplit(".", 1)[1] for address in CATALOGS[folder].values()}
    files = {path.stem for path in (SRC / folder).glob("*.py")} - NOT_LISTED - SERVES_OTHERS[folder]
    assert files == listed


@pytest.mark.parametrize("folder", CATALOGS)
def test_every_entry_has_a_test_file_of_its_name(folder: str) -> None:
    files = {address.split(":")[0].rsplit(".", 1)[1] for address in CATALOGS[folder].values()}
    tests = {path.stem.removeprefix("test_") for path in (ROOT / "tests" / folder).glob("test_*.py")}
    assert files <= tests


@pytest.mark.parametrize("folder", CATALOGS)
def test_an_entry_calls_itself_what_its_line_says(folder: str) -> None:
    for name, address in CATALOGS[folder].items():
        found = registry.load(address)
        assert getattr(found, "name", name) == name


MANY = 5


@pytest.mark.parametrize(
    "catalog", [measures.CATALOG, bounds.CATALOG, algorithms.CATALOG, privacy.CATALOG], ids=["measures", "bounds", "algorithms", "privacy"]
)
def test_a_test_that_lists_many_entries_takes_the_catalog(catalog: dict[str, str]) -> None:
    """A list by hand leaves out what is added later: random tables and bounds were not tried with the measure that had become the default."""
    found = []
    for path in sorted((ROOT / "tests").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            items = node.elts if isinstance(node, ast.List | ast.Tuple | ast.Set) else []
            named = {item.value for item in items if isinstance(item, ast.Constant)} & set(catalog)
            if MANY <= len(named) < len(catalog) and path.parent.name not in MAY_LIST:
                found.append(f"{path.relative_to(ROOT)}:{node.lineno} lacks {', '.join(sorted(set(catalog) - named))}")
    assert not found, "\n".join(found)


MAY_LIST = {"papers": "what a paper says of its own measures and algorithms", "naive": "the naive way has what it has"}
"""Folders in which a list by hand says something that a catalog does not know."""
SPEAKS_OF_MEASURES = {
    "instances": "a paper's hard table is hard in one measure, which it names as it names its k",
    "kernels": "its tree is a data structure, and its entropy a form that criteria declare",
}
"""Folders that may say a measure's word, and why."""


def test_no_file_outside_measures_names_a_measure() -> None:
    """A measure of one file and one line got a proof that ``verify`` rejected, as measures were named in the search, the bounds and the checker."""
    words = [re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])", re.IGNORECASE) for name in CATALOGS["measures"] if name != "tree"]
    named = [
        f"{path.relative_to(ROOT)}:{line} {text}"
        for path in sorted(SRC.rglob("*.py"))
        if path.parent.name not in {"measures", "privacy", "criteria", *SPEAKS_OF_MEASURES}
        for line, text in constants_of(path)
        if text == "tree" or any(word.search(text) for word in words)
    ]
    assert not named


def test_no_file_outside_measures_imports_a_single_measure() -> None:
    entries = {address.split(":")[0] for address in CATALOGS["measures"].values()}
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in sorted(SRC.rglob("*.py"))
        if path.parent.name != "measures"
        for line, module in imports_of(path)
        if module in entries
    ]
    assert not found


@pytest.mark.parametrize("name", measures.CATALOG)
def test_a_measure_s_second_definition_shares_no_code_with_its_first(name: str) -> None:
    """What the verifier recounts by is not what the solver minimised: no function of the measures is reached from both."""
    measure: Measure = registry.find(measures.CATALOG, name)
    second: RecountedMeasure = registry.find(recounted.CATALOG, name)
    first = reached_from(measure.price, measure.set_price, measure.offset, within="shoal")
    assert len(first) >= 2
    told = (second.recount, second.recount_offset, second.floor, second.offset_ceiling, second.superset_floor)
    assert all(function.startswith("shoal.judge.measures.") for function in reached_from(*told, within="shoal"))
    assert not any(function.startswith("shoal.judge.") for function in first)
    assert (measure.offset is None) == (second.recount_offset is None)
    assert measure.monotone == second.is_monotone


def test_every_measure_has_a_second_definition() -> None:
    """In a file of the same name. Without it, a measure could be minimised and not recounted."""
    assert list(recounted.CATALOG) == list(measures.CATALOG)
    assert list(recounted.REPORTED) == list(measures.REPORTED)
    for name, first in {**measures.CATALOG, **measures.REPORTED}.items():
        assert first.rsplit(".", 1)[1] == {**recounted.CATALOG, **recounted.REPORTED}[name].rsplit(".", 1)[1]
        assert registry.find({**recounted.CATALOG, **recounted.REPORTED}, name).name == name


def test_every_criterion_has_a_second_definition() -> None:
    """The verifier's, in a file of the same name. Without it, a criterion could be asked for and not verified."""
    assert list(criteria.CATALOG) == list(privacy.CATALOG)
    for first, second in zip(privacy.CATALOG.values(), criteria.CATALOG.values(), strict=True):
        assert first.rsplit(".", 1)[1] == second.rsplit(".", 1)[1]


@pytest.mark.parametrize("name", privacy.CATALOG)
def test_a_criterion_s_second_definition_shares_no_code_with_its_first(name: str) -> None:
    """What the verifier counts is not what the search kept: no function of shoal is reached from both."""
    first, second = registry.find(privacy.CATALOG, name), registry.find(criteria.CATALOG, name)
    search = reached_from(first.reached, first.is_met, first.primitive, first.worst, within="shoal")
    verifier = reached_from(second.reached, second.is_enough, second.weakest, within="shoal")
    assert len(search) >= 3
    assert len(verifier) >= 3
    assert all(function.startswith("shoal.privacy.") for function in search)
    assert all(function.startswith("shoal.judge.criteria.") for function in verifier)


def test_the_verifiers_definitions_import_nothing_of_the_search() -> None:
    """How a text is read as a number is all that both read by."""
    allowed = ("shoal.judge.criteria", "shoal.registry", "shoal.text.numbers")
    found = {module for path in (SRC / "judge" / "criteria").glob("*.py") for _, module in imports_of(path)}
    assert {module for module in found if module.startswith("shoal.") and not module.startswith(allowed)} == set()


def reached_from(*functions: Callable[..., object] | None, within: str = "shoal.measures") -> set[str]:
    """The functions of a room that these call, themselves included."""
    found: set[str] = set()
    rest = [f for f in functions if f is not None]
    while rest:
        function = rest.pop()
        name = f"{function.__module__}.{function.__qualname__}"
        if not function.__module__.startswith(within) or name in found:
            continue
        found.add(name)
        words = function.__code__.co_names
        modules = [m for word in words if inspect.ismodule(m := function.__globals__.get(word))]
        for holder in (function.__globals__, *map(vars, modules)):
            rest += [holder[word] for word in words if inspect.isfunction(holder.get(word))]
    return found
