"""The file of a proof: a price for each distinct tuple, and the unit of the prices. Nothing else is in it.

It is JSON, packed with gzip:

    {"format": "shoal-proof-2", "shift": 40,
     "columns": [{"name": "age", "values": ["17", "39", null], "places": [0, 0, 2]}, …],
     "prices": [81236412, 0, 5162]}

The first tuple is the first place of every column, and its price is ``prices[0] / 2^shift``; ``null`` is a missing cell. Beside these,
``"walk": "sets"`` asks the checker to look at sets of rows instead of boxes: both ways are sound, and each can check some prices that the other
cannot. ``"cuts": [{"price": 77, "tuples": [0, 2]}]`` lets groups of these tuples alone be overcharged by so much, at the cost of that price for each group that fits into
them (:mod:`shoal.proof.cuts`). A reader is told how large the file can be at most, for it may come from anybody.

For a table of a few rows the file may say instead that all partitions into groups were compared, and what the cheapest costs. The
checker compares them all once more, and takes the number for a claim:

    {"format": "shoal-proof-2", "shift": 40, "all_partitions": 81241574}
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from shoal.errors import DataError

FORMAT = "shoal-proof-2"
Longs = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class ProofTexts:
    """One column of tuples: the distinct texts, and for each tuple the place of its text."""

    values: Sequence[str | None]
    places: Longs


@dataclass(frozen=True, eq=False)
class ProofCut:
    """Some tuples, by their numbers, and by how many units a group of them alone may be overcharged."""

    tuples: Longs
    price: int


@dataclass(frozen=True, eq=False)
class ProofPrices:
    """What a proof says: tuples by column, a whole price for each, how many binary places these have, and in which way to check them."""

    columns: Mapping[str, ProofTexts]
    prices: Longs
    shift: int
    by_sets: bool = False
    cuts: Sequence[ProofCut] = ()


@dataclass(frozen=True)
class Partitions:
    """A claim about a table of a few rows: no partition of them into groups costs less than so many units of 2^-shift."""

    total: int
    shift: int


def pack(proof: ProofPrices | Partitions) -> bytes:
    """A proof as the bytes of its file; equal proofs have equal bytes."""
    if isinstance(proof, Partitions):
        return _packed({"format": FORMAT, "shift": proof.shift, "all_partitions": proof.total})
    content: dict[str, Any] = {
        "format": FORMAT,
        "shift": proof.shift,
        "columns": [{"name": name, "values": list(texts.values), "places": texts.places.tolist()} for name, texts in proof.columns.items()],
        "prices": proof.prices.tolist(),
    }
    if proof.by_sets:
        content["walk"] = "sets"
    if proof.cuts:
        content["cuts"] = [{"price": cut.price, "tuples": cut.tuples.tolist()} for cut in proof.cuts]
    return _packed(content)


def _packed(content: Mapping[str, Any]) -> bytes:
    return gzip.compress(json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode(), compresslevel=4, mtime=0)


def unpack_prices(path: str | Path, most_bytes: int) -> ProofPrices:
    """Read a proof that must be one of prices."""
    found = unpack(path, most_bytes)
    if isinstance(found, Partitions):
        _refuse(path, "it has no prices")
    return found


def unpack(path: str | Path, most_bytes: int) -> ProofPrices | Partitions:
    """Read a proof of at most so many bytes; a :class:`shoal.DataError` says what is wrong with it."""
    try:
        with Path(path).open("rb") as file:
            packed = file.read(most_bytes + 1)
    except OSError as error:
        raise DataError(f"{path} cannot be read ({error.strerror}).") from error
    return parse(packed, most_bytes, path)


def parse(packed: bytes, most_bytes: int, path: str | Path = "The file") -> ProofPrices | Partitions:
    """The proof in the bytes of a file."""
    if packed[:2] == b"PK":
        raise DataError(
            f"{path} is a proof of version 0.1, in which more than the prices had to be trusted. Write it again with this version."
        )
    return _content(path, _text(path, packed, most_bytes))


def _text(path: str | Path, packed: bytes, most_bytes: int) -> bytes:
    unpacker = zlib.decompressobj(31)
    try:
        text = unpacker.decompress(packed, most_bytes + 1)
    except zlib.error:
        _refuse(path, "it is not packed with gzip")
    if len(packed) > most_bytes or len(text) > most_bytes:
        _refuse(path, "it is larger than any proof for this table")
    if not unpacker.eof or unpacker.unused_data:
        _refuse(path, "it ends too early or too late")
    return text


def _content(path: str | Path, text: bytes) -> ProofPrices | Partitions:
    def whole(number: str) -> NoReturn:
        raise ValueError(f"{number} is not a whole number")

    try:
        found = json.loads(text, parse_float=whole, parse_constant=whole, object_pairs_hook=_once)
    except RecursionError:
        _refuse(path, "it is nested too deeply")
    except UnicodeDecodeError:
        _refuse(path, "it is not UTF-8")
    except json.JSONDecodeError:
        _refuse(path, "it is not JSON")
    except ValueError as error:
        _refuse(path, str(error))
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise DataError(f"{path} is not a proof of the form {FORMAT}. Give the file that 'shoal anonymize --proof' wrote.")
    is_counted = set(found) == {"format", "shift", "all_partitions"}
    if not is_counted and (
        set(found) - {"walk", "cuts"} != {"format", "shift", "columns", "prices"} or not isinstance(found["columns"], list)
    ):
        _refuse(
            path,
            "it must hold a format, a shift, columns and prices, or the claim about all partitions, and nothing else but walk and cuts",
        )
    if found.get("walk", "sets") != "sets":
        _refuse(path, "the only other walk is that over sets")
    if "walk" in found and "cuts" in found:
        _refuse(path, "cuts are about boxes, and not about sets")
    shift = found["shift"]
    if type(shift) is not int or abs(shift) > 1000:
        _refuse(path, "its shift is not a whole number between -1000 and 1000")
    if is_counted:
        if type(found["all_partitions"]) is not int:
            _refuse(path, "its claim is not a whole number")
        return Partitions(found["all_partitions"], shift)
    prices = _numbers(path, found["prices"])
    columns = [_column(path, about, len(prices)) for about in found["columns"]]
    if len({name for name, _ in columns}) < len(columns):
        _refuse(path, "a column is there twice")
    return ProofPrices(dict(columns), prices, shift, "walk" in found, _cuts(path, found.get("cuts", []), len(prices)))


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError("a name is there twice")
    return dict(pairs)


def _column(path: str | Path, about: Any, n: int) -> tuple[str, ProofTexts]:
    if not isinstance(about, dict) or set(about) != {"name", "values", "places"} or not isinstance(about["name"], str):
        _refuse(path, "a column must have a name, values and places")
    values, places = about["values"], _numbers(path, about["places"])
    if not isinstance(values, list) or not all(value is None or isinstance(value, str) for value in values):
        _refuse(path, "the values of a column must be texts")
    if len(set(values)) < len(values):
        _refuse(path, "a value is there twice")
    if len(places) != n or (places < 0).any() or (places >= len(values)).any():
        _refuse(path, "a column does not have a value for each price")
    return about["name"], ProofTexts(values, places)


def _cuts(path: str | Path, found: Any, n: int) -> tuple[ProofCut, ...]:
    if not isinstance(found, list) or not all(isinstance(cut, dict) and set(cut) == {"price", "tuples"} for cut in found):
        _refuse(path, "a cut must have a price and tuples")
    if not all(type(cut["price"]) is int and cut["price"] >= 0 for cut in found):
        _refuse(path, "the price of a cut must be a whole number, and not below zero")
    cuts = tuple(ProofCut(_numbers(path, cut["tuples"]), cut["price"]) for cut in found)
    for cut in cuts:
        if (cut.tuples < 0).any() or (cut.tuples >= n).any() or (np.diff(cut.tuples) <= 0).any():
            _refuse(path, "a cut must name its tuples by their numbers, each once and in order")
    return cuts


def _numbers(path: str | Path, found: Any) -> Longs:
    if not isinstance(found, list) or not all(type(x) is int for x in found):
        _refuse(path, "prices and places must be whole numbers")
    try:
        return np.array(found, dtype=np.int64)
    except OverflowError:
        _refuse(path, "it has numbers beyond any table's")


def _refuse(path: str | Path, why: str) -> NoReturn:
    raise DataError(f"{path} is not a proof that can be read: {why}.") from None
