"""Writes docs/papers.md, the papers' map, from docs/papers.toml and from what the code declares. `make docs` runs it."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from shoal import algorithms, clustering, registry
from shoal.clustering.guarantee import listed
from shoal.protocol import grouping
from shoal.protocol.suppression import partition

HERE = Path(__file__).parent
CATALOGS = {
    "algorithms": algorithms.CATALOG,
    "clustering": clustering.CATALOG,
    "grouping": grouping.CATALOG,
    "partition": partition.CATALOG,
}
TOP = """import shoal
from shoal import instances

people = "people.csv"
who = {"quasi_identifiers": ["age", "zip", "sex"], "sensitive": ["illness"]}"""
FILES = {
    "people.csv": """age,zip,sex,illness
31,10115,f,flu
32,10115,f,gout
38,10117,f,flu
35,10117,m,cold
44,10119,m,flu
47,10119,m,gout
45,10245,f,cold
41,10245,f,flu
63,10245,m,gout
66,10243,m,flu
61,10243,f,cold
68,10243,m,flu
""",
    "suppression.toml": """[columns.age]
role = "quasi-identifier"
hierarchy = { suppression = true }

[columns.zip]
role = "quasi-identifier"
hierarchy = { suppression = true }
""",
    "binary.csv": "a,b,c\n0,0,1\n0,0,0\n1,0,1\n1,1,1\n1,1,0\n0,1,0\n",
    "four.csv": "a,b\n1,0\n0,0\n0,0\n0,1\n",
    "four-starred.csv": "a,b\n*,0\n*,0\n0,*\n0,*\n",
    "eight.csv": "a,b,c,d\n0,0,0,0\n1,0,0,0\n1,1,0,0\n1,1,1,0\n1,1,1,1\n0,1,1,1\n0,0,1,1\n0,0,0,1\n",
    "twelve.csv": "a\n" + "".join(f"{i}\n" for i in range(12)),
    "restricted.csv": "a,b,c\n0,1,1\n0,0,1\n1,0,0\n1,1,0\n",
    "example42.csv": "gender,zip\nM,41278\nM,98705\nF,41278\nF,98705\n",
    "example42-no-gender.csv": "gender,zip\n*,41278\n*,98705\n*,41278\n*,98705\n",
    "example42-no-zip.csv": "gender,zip\nM,*\nM,*\nF,*\nF,*\n",
    "example44.csv": "c\n1\n2\n3\n3\n",
    "example44-released.csv": "c\n*\n*\n3\n3\n",
    "rare.csv": "c\n0\n1\n" + "2\n" * 12,
    "c.csv": "0;low;*\n1;low;*\n2;2;*\n",
    "rooms.csv": "place,rent\n1,9\n2,1\n3,9\n8,2\n9,9\n10,3\n",
    "columns.toml": """[[columns]]
name = "age"
role = "quasi-identifier"
values = ["20-39", "40-59", "60-79"]

[[columns]]
name = "illness"
role = "sensitive"
""",
}
"""What the lines of the map run on. Beside them lies session.toml, which `shoal miner init` made of columns.toml."""


def data() -> dict[str, Any]:
    """The papers and their items. An item that is not filled in is an error: a page with gaps would say that it is complete."""
    found = tomllib.loads((HERE / "papers.toml").read_text())
    waiting = [f"{item['name']} ({item['pending']})" for item in found["item"] if "pending" in item]
    if waiting:
        raise SystemExit(f"docs/papers.toml: still to be filled in: {'; '.join(waiting)}.")
    return found


def stated(address: str) -> str:
    """The guarantee of a catalog's entry, as the code states it."""
    catalog, _, name = address.partition(":")
    if catalog == "clustering":
        return listed(name)
    return str(registry.find(CATALOGS[catalog], name).guarantee_text)


def entry(item: dict[str, Any]) -> str:
    """An item of a paper, with what is known of it."""
    lines = [f"**{item['name']}** ({item['where']})", ""]
    if "command" in item:
        lines.append(f"- type: `{item['command']}`")
    if "python" in item:
        gives = f" gives `{item['gives']}`" if "gives" in item else ""
        lines.append(f"- Python: `{item['python']}`{gives}")
    lines.append(f"- file: `{item['file']}`")
    holds = [stated(item["says"])] if "says" in item else []
    holds += [item["factor"]] if "factor" in item else []
    if holds:
        lines.append(f"- holds here: {'; '.join(holds)}")
    if "ours" in item:
        lines.append(f"- our correction: {item['ours']}")
    lines.append(f"- held by: {', '.join(f'`{test}`' for test in item['tests'])}")
    return "\n".join([*lines, ""])


def page() -> str:
    found = data()
    n_ours = sum("ours" in item for item in found["item"])
    parts = [
        "# The papers' map",
        "",
        f"Made from `docs/papers.toml` and from the code by `make docs`. {len(found['item'])} items of five papers: what to type, the file, what holds here, our correction "
        f"where the paper is wrong or leaves something open ({n_ours} times), and the test that holds it. Each line is run by the tests. Proofs are in [guarantees](guarantees.md).",
        "",
        "The lines run in a folder with the files at the end of this page. Lines of Python come after these:",
        "",
        "```python",
        TOP,
        "```",
        "",
    ]
    for paper in found["paper"]:
        items = [item for item in found["item"] if item["paper"] == paper["number"]]
        parts += [f"## {paper['number']}", "", f"{paper['title']}. {len(items)} items.", "", *map(entry, items)]
    parts += ["## The files", ""]
    for name, text in FILES.items():
        parts += [f"`{name}`", "", "```", text.rstrip(), "```", ""]
    parts += ["`session.toml` is made by the line of *Formulation 1* above.", ""]
    return "\n".join(parts)


if __name__ == "__main__":
    (HERE / "papers.md").write_text(page().rstrip() + "\n")
