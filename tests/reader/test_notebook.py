"""The notebook for analysts runs from top to bottom, and what it asserts is true."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

NOTEBOOK = Path(__file__).parents[2] / "examples" / "analysis" / "analysis.ipynb"


@pytest.mark.filterwarnings("ignore")
def test_the_notebook_runs() -> None:
    cells = json.loads(NOTEBOOK.read_text())["cells"]
    names: dict[str, object] = {}
    for cell in cells:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), NOTEBOOK.name, "exec"), names)
    assert {"reading", "table", "slope", "bounds"} <= set(names)


def test_the_notebook_holds_no_output() -> None:
    """Outputs would go out of date, and could show rows."""
    assert not any(cell.get("outputs") for cell in json.loads(NOTEBOOK.read_text())["cells"])
