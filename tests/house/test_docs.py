"""The documentation says what is there."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"\]\(([^)#]+?)(?:#[^)]*)?\)")


def test_the_reference_is_made_from_todays_catalogs():
    made = runpy.run_path(str(ROOT / "docs" / "make_reference.py"))["reference"]()
    assert (ROOT / "docs" / "reference.md").read_text() == made.rstrip() + "\n", "run `make docs`"


def test_every_link_leads_somewhere():
    broken = []
    for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        for target in LINK.findall(page.read_text()):
            if "://" not in target and not (page.parent / target).exists():
                broken.append(f"{page.name}: {target}")
    assert not broken


def test_the_readme_names_the_two_commands():
    text = (ROOT / "README.md").read_text()
    assert "make demo" in text
    assert "make test" in text
