"""Bad input: a clear message with the next step, the right exit status, nothing left behind, and no cell of the data."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.conftest import MARKER

GOOD = f"age,zip,ill\n{'30,1,' + MARKER + chr(10)}" + "".join(f"{30 + i % 5},{1 + i % 2},{MARKER}\n" for i in range(11))
ASKED = ("-k", "3", "--qi", "age", "--qi", "zip")
CASES: dict[str, tuple[str | bytes | None, tuple[str, ...], int, str]] = {
    # what: (file, flags, exit status, what the message must say)
    "a missing file": (None, ASKED, 2, "no file"),
    "an empty file": ("", ASKED, 2, "empty"),
    "a header only": ("age,zip,ill\n", ASKED, 2, "no rows"),
    "ragged rows": (GOOD + f"31,2,{MARKER},{MARKER}\n", ASKED, 2, "line 14"),
    "duplicated headers": ("age,age,zip\n" + f"1,{MARKER},2\n" * 9, ASKED, 2, "share a name"),
    "an unreadable encoding": (b"age,zip\n\x00\x01\x02\xff" * 9, ASKED, 2, "NUL"),
    "a column that is not there": (GOOD, (*ASKED, "--qi", "height"), 2, "height"),
    "a column named twice": (GOOD, (*ASKED, "--qi", "age"), 2, "twice"),
    "a column in two roles": (GOOD, (*ASKED, "--sensitive", "age"), 2, "one role"),
    "k of 1": (GOOD, ("-k", "1", "--qi", "age"), 2, "at least 2"),
    "k above the number of rows": (GOOD, ("-k", "50", "--qi", "age"), 3, "Lower k"),
    "one row": (f"age,zip\n3,{MARKER}\n", ("-k", "2", "--qi", "age"), 3, "Lower k"),
    "no quasi-identifier": (GOOD, ("-k", "3"), 2, "--qi"),
    "a value that looks like *": (GOOD.replace("31,", "*,"), ASKED, 2, "*"),
    "numbers with units": (GOOD.replace("31,", f"31 {MARKER},"), (*ASKED, "--policy", "units.toml"), 2, "plain numbers"),
    "dates in two forms": (
        "day,ill\n" + f"2024-03-01,{MARKER}\n01.03.2024,{MARKER}\n" * 6, ("-k", "3", "--policy", "dates.toml"), 2, "form",
    ),
    "an unknown measure": (GOOD, (*ASKED, "--measure", "entropi"), 2, "Did you mean 'entropy'"),
    "an unknown algorithm": (GOOD, (*ASKED, "--algorithm", "magic"), 2, "There are"),
    "a fraction above 1": (GOOD, (*ASKED, "--withhold", "1.5"), 2, "between 0 and 1"),
    "l-diversity without a sensitive column": (GOOD, (*ASKED, "--l-diversity", "2"), 2, "--sensitive"),
    "l-diversity that cannot be had": (GOOD, (*ASKED, "--sensitive", "ill", "--l-diversity", "4"), 3, "Infeasible"),
    "an engine for other files": (GOOD, (*ASKED, "--engine", "spark"), 2, "reads and writes Parquet"),
    "another engine": (GOOD, (*ASKED, "--engine", "flink"), 2, "flink"),
    "a hierarchies folder that is not there": (GOOD, (*ASKED, "--hierarchies", "nowhere"), 2, "nowhere"),
    "a policy that is not there": (GOOD, (*ASKED, "--policy", "nowhere.toml"), 2, "nowhere.toml"),
    "a policy with an unknown key": (GOOD, ("--policy", "unknown.toml"), 2, "line 3"),
    "a policy with a wrong role": (GOOD, ("--policy", "role.toml"), 2, "line 2"),
    "a policy that is not TOML": (GOOD, ("--policy", "broken.toml"), 2, "line 1"),
}  # fmt: skip
POLICIES = {
    "units.toml": "[columns.age]\nhierarchy = { intervals = [5, 10] }\n",
    "dates.toml": '[columns.day]\nhierarchy = { dates = ["month", "year"] }\n',
    "unknown.toml": 'k = 3\n[columns.age]\nrolle = "quasi-identifier"\n',
    "role.toml": '[columns.age]\nrole = "secret"\n',
    "broken.toml": "k = = 3\n",
}


@pytest.mark.parametrize("case", CASES)
def test_bad_input_ends_with_a_message_and_its_status(shoal, tmp_path: Path, monkeypatch, case):
    content, flags, status, words = CASES[case]
    monkeypatch.chdir(tmp_path)
    for name, text in POLICIES.items():
        (tmp_path / name).write_text(text)
    table = tmp_path / "table.csv"
    if content is not None:
        table.write_bytes(content if isinstance(content, bytes) else content.encode())
    before = set(os.listdir(tmp_path))
    answer = shoal("anonymize", "table.csv", "-o", "out.csv", "--manifest", "m.json", *flags)
    assert answer.status == status, answer.err
    assert words in answer.err
    assert MARKER not in answer.err + answer.out
    assert "Traceback" not in answer.err
    assert set(os.listdir(tmp_path)) == before


def test_a_hierarchy_that_lacks_a_value_names_lines_and_the_next_step(shoal, tmp_path):
    table, folder = tmp_path / "t.csv", tmp_path / "h"
    folder.mkdir()
    table.write_text("job\n" + "nurse\ncook\n" * 5 + f"{MARKER}\n")
    (folder / "job.csv").write_text("nurse;health;*\ncook;food;*\n")
    answer = shoal("anonymize", table, "-o", tmp_path / "o.csv", "-k", 2, "--qi", "job", "--hierarchies", folder)
    assert answer.status == 2
    assert "line 12" in answer.err
    assert "shoal hierarchy complete" in answer.err
    assert MARKER not in answer.err


def test_a_hierarchy_with_two_parents_names_the_value(shoal, tmp_path):
    table, folder = tmp_path / "t.csv", tmp_path / "h"
    folder.mkdir()
    table.write_text("job\n" + "nurse\ncook\n" * 5)
    (folder / "job.csv").write_text("nurse;health;a;*\ncook;health;b;*\n")
    answer = shoal("anonymize", table, "-o", tmp_path / "o.csv", "-k", 2, "--qi", "job", "--hierarchies", folder)
    assert answer.status == 2
    assert "health" in answer.err


def test_an_output_folder_that_does_not_exist_is_refused(shoal, people, tmp_path):
    answer = shoal("anonymize", people, "-o", tmp_path / "no" / "o.csv", *ASKED)
    assert answer.status == 2
    assert "does not exist" in answer.err


@pytest.mark.parametrize("link", [os.link, os.symlink, None])
def test_an_output_that_is_the_input_is_refused(shoal, people, tmp_path, link):
    out = people if link is None else tmp_path / "other.csv"
    if link is not None:
        link(people, out)
    text = people.read_bytes()
    answer = shoal("anonymize", people, "-o", out, *ASKED)
    assert answer.status == 2
    assert "input" in answer.err
    assert people.read_bytes() == text


def test_a_full_disk_leaves_no_file_and_is_reported(shoal, people, tmp_path):
    answer = shoal("anonymize", people, "-o", tmp_path / "o.csv", "--manifest", "/dev/full", *ASKED)
    assert answer.status == 2
    assert "full" in answer.err.lower() or "space" in answer.err.lower()
    assert not (tmp_path / "o.csv").exists()
