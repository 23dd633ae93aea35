"""The name of a release's file, as a published report says it: never a folder, and never an address."""

from __future__ import annotations

from pathlib import Path

import pytest

from shoal.release.written import WrittenFile, with_reading, written_file


@pytest.mark.parametrize("path", ["/home/ada/secret project/may.csv", Path("folder") / "may.csv", "may.csv"])
def test_only_the_name_is_kept(path):
    assert written_file(path) == WrittenFile("may.csv")


@pytest.mark.parametrize("path", ["-", "postgresql://ada:password@host/db?table=release", object()])
def test_what_is_no_file_has_no_name(path):
    assert written_file(path).name is None


def test_what_the_verifier_must_be_told_is_kept():
    assert written_file("a.csv", form="typed", spreadsheet_safe=True, delimiter=";").flags == " --form typed --spreadsheet-safe"


def test_commands_read_files_as_the_run_did():
    odd = with_reading(WrittenFile("r.csv"), "^", "cp1251", None)
    assert odd.beside == odd.again == " --delimiter '^' --encoding cp1251"
    assert odd.alone == " --delimiter '^'"
    other = with_reading(WrittenFile("r.csv"), "^", None, "\t")
    assert other.again == " --delimiter '^' --output-delimiter '\\t'"
    assert other.beside == " --delimiter '^' --release-delimiter '\\t'"  # else the release would be read with the original's
    assert other.alone == ""
    assert with_reading(WrittenFile("r.csv"), None, None, None) == WrittenFile("r.csv")
