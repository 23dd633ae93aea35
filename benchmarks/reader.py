"""The reader on releases of random tables with every builder, read in every way, and on recorded releases of other tools: is what it calls certain true, and how often do its
intervals hold? ``SHOAL_TABLES`` says how many tables, 300 by default, with 46 questions each; ``SHOAL_FIRST`` is the first seed. A count that is certain has no interval, and is not
counted among those that hold; a count of few rows cannot be held at exactly 95 %, since it is whole, and is counted like any other."""

from __future__ import annotations

import os
import warnings
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from tests.reader.asking import Tally, ask_recorded, play

N_TABLES, QUESTIONS, N_RECORDED = 300, 46, 40


def main() -> None:
    tally, others = Tally(), Tally()
    first = int(os.environ.get("SHOAL_FIRST", 0))
    for seed in range(first, first + int(os.environ.get("SHOAL_TABLES", N_TABLES))):
        with TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            play(seed, Path(folder), QUESTIONS, tally)
    ask_recorded(N_RECORDED, others)
    show("Random tables, every builder", tally)
    show("Recorded releases of other tools", others)


def show(title: str, tally: Tally) -> None:
    """What came of the questions: how many were certain, how often the intervals of the others held, and how wide they are."""
    print(
        f"{title}: {tally.n_tables} releases, {tally.asked['count']:,} counts, {tally.n_certain:,} of them certain ({tally.refused:,} more refused)"
    )
    print(f"{len(tally.false)} outside what is certain")
    for what in tally.false:
        print(f"  {what}")
    width, possible = (float(np.median(of)) for of in zip(*tally.widths, strict=True))
    print(f"{tally.share('all'):.1%} in the interval of 95 %; its median width is {width:.1f} rows, where {possible:.1f} are possible")
    for key in sorted(set(tally.held) - {"all"}):
        print(f"  {key:40}{len(tally.held[key]):7,}  {tally.share(key):.1%}")


if __name__ == "__main__":
    main()
