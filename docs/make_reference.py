"""Writes docs/reference.md from the catalogs: what there is, from the objects themselves."""

from __future__ import annotations

import inspect
import sys
from pathlib import Path

from shoal import algorithms, bounds, engines, measures, privacy, registry
from shoal.cli.main import EXIT_STATUS
from shoal.hierarchies import builders
from shoal.policy import doors, keywords

HERE = Path(__file__).parent


def docstring_of(address: str) -> str:
    return inspect.cleandoc(sys.modules[address.partition(":")[0]].__doc__ or "")


def entry(name: str, title: str, facts: list[tuple[str, str]], more: str = "") -> str:
    lines = [f"### `{name}`", "", f"{title}.", ""]
    lines += [f"- **{what}**: {text}" for what, text in facts if text]
    if more:
        lines += ["", "```text", more, "```"]
    return "\n".join([*lines, ""])


def reference() -> str:
    parts = ["# Reference", "", "Made from the catalogs by `make docs`.", "", "## Algorithms", ""]
    for name, address in algorithms.CATALOG.items():
        a = registry.find(algorithms.CATALOG, name)
        parts.append(
            entry(
                name,
                a.title,
                [("guarantee", a.guarantee_text), ("recoding", a.recoding), ("reference", a.reference)],
                docstring_of(address),
            )
        )
    parts += ["## Measures", ""]
    for name in measures.CATALOG:
        m = registry.find(measures.CATALOG, name)
        parts.append(entry(name, m.title, [("per cell", m.formula), ("reference", m.reference)]))
    for name in measures.REPORTED:
        m = registry.find(measures.REPORTED, name)
        parts.append(entry(name, m.title, [("reported only", m.formula), ("reference", m.reference)]))
    parts += ["## Bounds", ""]
    for name, address in bounds.CATALOG.items():
        b = registry.find(bounds.CATALOG, name)
        parts.append(entry(name, b.title, [("reference", b.reference)], docstring_of(address)))
    parts += ["## Privacy criteria", ""]
    for name in privacy.CATALOG:
        p = registry.find(privacy.CATALOG, name)
        parts.append(entry(name, p.title, [("parameters", "; ".join(f"{x.name}: {x.words}" for x in p.parameters)), ("reference", p.reference)]))
    parts += ["## Hierarchy builders", ""]
    for name, address in builders.CATALOG.items():
        registry.find(builders.CATALOG, name)
        parts.append(entry(name, docstring_of(address).splitlines()[0].rstrip("."), []))
    parts += ["## Engines", ""]
    for name, address in engines.CATALOG.items():
        parts.append(entry(name, registry.find(engines.CATALOG, name).title, [], docstring_of(address)))
    parts += ["## Exit status", "", "| status | meaning |", "|---|---|", *(f"| {n} | {words} |" for n, words in EXIT_STATUS.items()), ""]
    return "\n".join(parts)


if __name__ == "__main__":
    (HERE / "reference.md").write_text(reference().rstrip() + "\n")
    Path(keywords.__file__).write_text(doors.typed())
