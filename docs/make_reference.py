"""Writes docs/reference.md from the catalogs: what there is, from the objects themselves."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from shoal import algorithms, bounds, engines, measures, privacy, registry
from shoal.cli.main import EXIT_STATUS
from shoal.hierarchies import builders
from shoal.policy import doors, keywords
from shoal.policy.beside import BESIDE
from shoal.policy.clusters import CLUSTER, METHODS
from shoal.policy.columns import COLUMN, METRIC
from shoal.policy.setting import Setting
from shoal.policy.settings import SETTINGS
from shoal.privacy.asking import shorthands

HERE = Path(__file__).parent


def docstring_of(address: str) -> str:
    return inspect.cleandoc(sys.modules[address.partition(":")[0]].__doc__ or "")


def entry(name: str, title: str, facts: list[tuple[str, str]], more: str = "") -> str:
    lines = [f"### `{name}`", "", f"{title}.", ""]
    lines += [f"- **{what}**: {text}" for what, text in facts if text]
    if more:
        lines += ["", "```text", more, "```"]
    return "\n".join([*lines, ""])


def in_table(text: str) -> str:
    """A cell, with the names of methods as names."""
    return re.sub(rf"(?<![`\w])({'|'.join(METHODS)})(?![`\w])", r"`\1`", text.replace("|", "\\|"))


def table_of(settings: Mapping[str, Setting], has_options: bool = True) -> list[str]:
    """A row for each setting: its key, its option, what it is, what it may be, its default."""
    heads = ["key", *(["option"] if has_options else []), "means", "may be", "default"]
    rows = [
        [
            f"`{name}`",
            *([", ".join(f"`{flag}`" for flag in entry.options)] if has_options else []),
            " ".join([f"{entry.help[0].upper()}{entry.help[1:]}.", *([entry.more] if entry.more else []), *([f"Example: `{entry.example}`."] if entry.example else [])]),
            entry.limits,
            f"`{entry.usual}`" if entry.usual else "",
        ]
        for name, entry in settings.items()
    ]
    return [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}", *(f"| {' | '.join(map(in_table, row))} |" for row in rows), ""]


def settings_part() -> list[str]:
    """All that can be asked for, from the declaration."""
    kept = [f"- `{name}`: {entry.in_clusters}" for name, entry in SETTINGS.items() if entry.in_clusters]
    return [
        "## Settings", "", "Of a whole table: the key of a [policy file](policy.md), the keyword in Python, and the option of the command.", "", *table_of(SETTINGS),
        "Beside a policy, in Python and on the command line. In a policy file they stand with the columns. The criteria have shorthands, such as "
        + " and ".join(f"`{key}`" for key in shorthands()) + ".", "", *table_of(BESIDE),
        "Of one column, in `[columns.NAME]` of a policy file.", "", *table_of({**COLUMN, **METRIC}, has_options=False),
        "Of a [clustering](clustering.md).", "", *table_of(CLUSTER),
        "Of a policy a clustering keeps these settings, and refuses all others:", "", *kept, "",
    ]  # fmt: skip


def reference() -> str:
    parts = ["# Reference", "", "Made from the catalogs and the declaration of settings by `make docs`.", "", *settings_part(), "## Algorithms", ""]
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
