"""A sealed table opens with its passphrase and its name, and with nothing else."""

from __future__ import annotations

import base64

import polars as pl
import pytest

from shoal.errors import DataError
from shoal.studio.sealed import COST, seal, unseal

FRAME = pl.DataFrame({"age": ["30", None, "07"], "n": [1, 2, 3]})


def test_it_comes_back_as_it_was():
    sealed = seal(FRAME, "correct horse", "name")
    assert unseal(sealed, "correct horse", "name").equals(FRAME)
    assert sealed != seal(FRAME, "correct horse", "name"), "salt and nonce are new each time"


def test_a_wrong_passphrase_another_name_or_a_changed_byte_is_refused():
    sealed = seal(FRAME, "correct horse", "name")
    content = bytearray(base64.b64decode(sealed["sealed"]))
    content[7] ^= 1
    for changed, passphrase, beside in (
        (sealed, "correct horsE", "name"), (sealed, "correct horse", "other"),
        ({**sealed, "sealed": base64.b64encode(content).decode()}, "correct horse", "name"),
        ({**sealed, "salt": ""}, "correct horse", "name"), ({**sealed, "nonce": "AAAA"}, "correct horse", "name"),
    ):  # fmt: skip
        with pytest.raises(DataError):
            unseal(changed, passphrase, beside)


def test_a_file_cannot_ask_for_all_memory_or_another_cipher():
    sealed = seal(FRAME, "correct horse", "name")
    for changed in (
        {**sealed, "n": 2**30},
        {**sealed, "r": 1000},
        {**sealed, "cipher": "none"},
        {},
        {**sealed, "n": "x"},
    ):
        with pytest.raises(DataError):
            unseal(changed, "correct horse", "name")
    assert COST["n"] * COST["r"] * 128 == 64 * 2**20
