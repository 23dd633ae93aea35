"""The file of a proof: whatever is in it, the answer is a proof or a clear error, and never much memory."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from shoal.errors import DataError, NotAnonymous
from shoal.proof.check import most_bytes
from shoal.proof.file import pack, parse
from shoal.release.witness import rounded
from tests.proof.cases import case_of_problem
from tests.proof.proving import Content, check, forge, prove, small


def first_column(change: Callable[[Content], Any]) -> Callable[[Content], Any]:
    return lambda content: change(content["columns"][0])


@pytest.mark.parametrize(
    ("change", "error", "says"),
    [
        (lambda c: c.update(shift=40.0), DataError, "not a whole number"),
        (lambda c: c.update(shift=True), DataError, "shift"),
        (lambda c: c.update(shift=10**6), DataError, "shift"),
        (lambda c: c.update(shift=900), DataError, "too fine"),
        (lambda c: c.update(prices=[float("nan")] * len(c["prices"])), DataError, "not a whole number"),
        (lambda c: c.update(prices=[1e3] * len(c["prices"])), DataError, "not a whole number"),
        (lambda c: c.update(prices=[True] * len(c["prices"])), DataError, "whole numbers"),
        (lambda c: c.update(prices=["1"] * len(c["prices"])), DataError, "whole numbers"),
        (lambda c: c.update(prices=[10**30] * len(c["prices"])), DataError, "beyond any table's"),
        (lambda c: c.update(prices=[2**61] * len(c["prices"])), NotAnonymous, "beyond this table's"),
        (lambda c: c.update(prices=[-p - 1 for p in c["prices"]]), NotAnonymous, "negative price"),
        (lambda c: c["prices"].pop(), DataError, "value for each price"),
        (lambda c: [x.pop() for x in (c["prices"], *(d["places"] for d in c["columns"]))], NotAnonymous, "does not price"),
        (lambda c: [x.append(x[0]) for x in (c["prices"], *(d["places"] for d in c["columns"]))], NotAnonymous, "twice"),
        (lambda c: c["columns"].pop(), NotAnonymous, "other quasi-identifiers"),
        (lambda c: c["columns"].append(c["columns"][0]), DataError, "twice"),
        (lambda c: c.update(rows=[1] * len(c["prices"])), DataError, "nothing else"),
        (lambda c: c.update(measure="stars"), DataError, "nothing else"),
        (lambda c: c.update(format="shoal-proof-1"), DataError, "not a proof of the form"),
        (lambda c: c.update(columns={}), DataError, "columns"),
        (lambda c: json.dumps(c).replace('"shift"', '"shift": 40, "shift"'), DataError, "twice"),
        (lambda c: "[" * 5_000, DataError, "nested too deeply|not JSON"),
        (lambda c: "{", DataError, "not JSON"),
        (lambda c: "[]", DataError, "not a proof of the form"),
        (lambda c: " " * 10**7, DataError, "larger than any proof"),
        (first_column(lambda d: d.pop("places")), DataError, "must have a name"),
        (first_column(lambda d: d.update(places=[-1] * len(d["places"]))), DataError, "value for each price"),
        (first_column(lambda d: d.update(places=[99] * len(d["places"]))), DataError, "value for each price"),
        (first_column(lambda d: d["values"].append(7)), DataError, "texts"),
        (first_column(lambda d: d["values"].append(d["values"][0])), DataError, "twice"),
        (first_column(lambda d: d["values"].__setitem__(0, "nobody's")), NotAnonymous, "that the table lacks"),
        (first_column(lambda d: d["values"].__setitem__(0, None)), NotAnonymous, "that the table lacks"),
        (first_column(lambda d: d.update(name="another")), NotAnonymous, "other quasi-identifiers"),
    ],
)  # fmt: skip
def test_whatever_a_forger_writes_ends_in_a_clear_error(
    tmp_path: Path, change: Callable[[Content], Any], error: type[Exception], says: str
) -> None:
    """Whatever is in the file, the answer is a clear error."""
    problem = small()
    prove(problem, tmp_path / "proof")
    forge(tmp_path / "proof", change)
    with pytest.raises(error, match=says):
        check(problem, tmp_path / "proof")


def test_a_bomb_is_not_unpacked(tmp_path: Path) -> None:
    """A few kilobytes that unpack to a gigabyte."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    piece = b"0" * (1 << 20)
    (tmp_path / "proof").write_bytes(b"".join(packer.compress(piece) for _ in range(1000)) + packer.flush())
    with pytest.raises(DataError, match="larger than any proof"):
        check(small(), tmp_path / "proof")


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    (tmp_path / "proof").write_text("nothing")
    for path, says in ((tmp_path / "proof", "not packed"), (tmp_path / "absent", "cannot be read"), (tmp_path, "cannot be read")):
        with pytest.raises(DataError, match=says):
            check(small(), path)
    (tmp_path / "old").write_bytes(b"PK\x03\x04")
    with pytest.raises(DataError, match=r"version 0\.1"):
        check(small(), tmp_path / "old")


def test_a_proof_is_within_its_own_size(tmp_path: Path) -> None:
    """Texts that JSON must escape, and tables of one row, are not taken for bombs."""
    problem = small()
    odd = tuple(
        replace(c, tree=replace(c.tree, labels=tuple("\x01\u2028é" * 9 + str(label) for label in c.tree.labels))) for c in problem.columns
    )
    problem = replace(problem, columns=odd)
    prove(problem, tmp_path / "proof")
    assert len(gzip.decompress((tmp_path / "proof").read_bytes())) <= most_bytes(case_of_problem(problem))
    assert check(problem, tmp_path / "proof") > 0


def test_equal_proofs_have_equal_bytes() -> None:
    proof = rounded(small(), np.ones(small().n_tuples))
    assert pack(proof) == pack(parse(pack(proof), 10**7))
