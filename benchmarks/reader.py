"""The reader on releases of random tables with every builder, read in every way, and on recorded releases of other tools: is what it calls certain true, and how often do its
intervals hold? ``SHOAL_TABLES`` says how many tables; 300 by default, with 46 questions each."""

from __future__ import annotations

import os
import warnings
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.reader.asking import Tally, ask_recorded, play

N_TABLES, QUESTIONS, N_RECORDED = 300, 46, 40


def main() -> None:
    tally = Tally()
    for seed in range(int(os.environ.get("SHOAL_TABLES", N_TABLES))):
        with TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            play(seed, Path(folder), QUESTIONS, tally)
    ask_recorded(N_RECORDED, tally)
    print(
        f"{tally.n_tables} releases, {tally.asked['count']:,} counts ({tally.refused:,} more refused), {tally.asked['cell of a table']:,} cells of tables"
    )
    print(f"{len(tally.false)} outside what is certain")
    for what in tally.false:
        print(f"  {what}")
    print(f"{tally.share('all'):.1%} in the interval of 95 %")
    for key in sorted(set(tally.held) - {"all"}):
        print(f"  {key:40}{len(tally.held[key]):7,}  {tally.share(key):.1%}")


if __name__ == "__main__":
    main()
