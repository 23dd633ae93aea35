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
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        for target in LINK.findall(page.read_text()):
            if "://" not in target and not (page.parent / target).exists():
                broken.append(f"{page.name}: {target}")
    assert not broken


def test_the_readme_names_the_two_commands():
    text = (ROOT / "README.md").read_text()
    assert "make demo" in text
    assert "make test" in text


def test_what_contributing_and_security_name_is_there():
    """Files, make targets, and a way to report that is nobody's address."""
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for name in ("CONTRIBUTING.md", "SECURITY.md"):
        text = (ROOT / name).read_text()
        assert set(re.findall(r"make ([a-z-]+)", text)) <= targets
        named = [path for path in re.findall(r"`((?:src|tests|docs|scripts|\.ci|\.github)/[\w/.-]+)`", text) if "NAME" not in path]
        assert [path for path in named if not (ROOT / path).exists()] == []
        assert not re.search(r"[\w.]+@[\w.]+", text)
    assert "advisory" in (ROOT / "SECURITY.md").read_text()
