"""Recorded releases of Adult by other tools: what is told of each beside the file, and what `verify` and `measure` find.

Those that the tests need are in ``vectors/peers``. More, with an ``INDEX.md`` of the same figures, may lie in ``../shared/peers``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import shoal
from benchmarks import adult

ROOT = Path(__file__).resolve().parents[1]
VECTORS = ROOT / "vectors" / "peers"
MORE = ROOT.parent / "shared" / "peers"
EXACT = 5.1e-5
"""The figures are told with four decimal places."""
CORRECTED = {"mosaicrown_k5_lexicographic": (0.5759, 0.1533)}
"""Footnote (b) of the index: its scorer reads a range of texts as its two ends; these are for the range spelled out."""


@dataclass(frozen=True)
class Recorded:
    """A release of another tool, and what the index tells of it."""

    file: Path
    n_rows: int
    smallest_group: int
    is_in_order: bool
    entropy: float
    lm: float

    @property
    def name(self) -> str:
        return self.file.name.removesuffix(".csv.gz")


def recorded(folder: Path = MORE) -> list[Recorded]:
    """All that there are; a release that is in both places is taken from the index."""
    found = {one.name: one for one in (*_of_vectors(), *_of_index(folder))}
    return list(found.values())


def _of_vectors() -> Iterator[Recorded]:
    for name, told in json.loads((VECTORS / "expected.json").read_text()).items():
        losses = told["entropy_per_cell_all_rows"], told["lm_per_cell_all_rows"]
        yield Recorded(VECTORS / f"{name}.csv.gz", told["rows"], told["smallest_group"], told["status"] == 0, *losses)


def _of_index(folder: Path) -> Iterator[Recorded]:
    index = folder / "INDEX.md"
    for line in index.read_text().splitlines() if index.exists() else ():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) != 9 or not (folder / f"{cells[0]}.csv.gz").exists():
            continue
        name, _, _, rows, _, smallest, untrue, *losses = cells
        entropy, lm = CORRECTED.get(name, tuple(float(loss.split()[0]) for loss in losses))
        n_rows = int(rows.split("/")[1].replace(",", ""))
        is_in_order = untrue != "not matched" or n_rows < int(rows.split("/")[0].replace(",", ""))
        yield Recorded(folder / f"{name}.csv.gz", n_rows, int(smallest), is_in_order, entropy, lm)


def differences(one: Recorded) -> list[str]:
    """Where `verify` and `measure` do not find what is told; nothing if they agree."""
    how = {"quasi_identifiers": list(adult.QUASI_IDENTIFIERS), "hierarchies": VECTORS / "hierarchies"}
    original, wrong = VECTORS / "adult.csv.gz", []
    try:
        verdict = shoal.verify(original, one.file, k=one.smallest_group, reordered=not one.is_in_order, **how)
    except shoal.ShoalError as error:
        return [f"refused: {error}"]
    if (verdict.n_rows, verdict.smallest_group) != (one.n_rows, one.smallest_group):
        wrong.append(f"{verdict.n_rows} rows, smallest class {verdict.smallest_group}")
    found = shoal.measure(original, one.file, **how).measures
    for measure, told in (("entropy", one.entropy), ("lm", one.lm)):
        loss = found[measure]["per_cell_all_rows"]
        if abs(loss - told) > EXACT:
            wrong.append(f"{measure} {loss:.4f}, not {told:.4f}")
    return wrong
