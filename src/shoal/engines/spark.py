"""Tables in Spark: Spark folds, applies and recounts, and the solver runs here, on the different rows. Nothing of shoal runs on the workers, so nothing is shipped to them.

Which row of a kind goes to which group does not depend on the attempt of a task: rows of a kind are numbered by their file and their place in it, where Spark knows these, and then by what
they hold. So only rows that are equal throughout can change places, and a task that is done again gives the same rows. A table in Spark has no order: the release is spread and sorted by what it
shows, which tells nothing. Messages of Spark may hold cells and are not passed on.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from shoal.algorithms.base import Algorithm
from shoal.engines.base import Counting, Job, RowEngine
from shoal.engines.choice import refused_when_counting
from shoal.engines.limits import BASE, SOLVER, limit
from shoal.engines.recipe import Recipe
from shoal.engines.spark_parts import check_workers, solve_in_parts
from shoal.engines.spark_places import Folder, Memo, refuse_lake
from shoal.engines.spark_session import functions, is_frame, session_of, told
from shoal.engines.tables import folded_of, summed, texts_by_label
from shoal.errors import DataError, NotAnonymous, Refused, some
from shoal.io.sources.whole import READERS
from shoal.judge.counts import CHANGED, Counted, N, Pairs, label
from shoal.judge.verdict import Verdict
from shoal.problem import Problem, Solution, Watch
from shoal.release.counted import KEPT
from shoal.table import Coded, Table
from shoal.table.coded import code
from shoal.table.folded import Folded
from shoal.text.cells import as_text, has_text
from shoal.text.exact import exact_text

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

LOOKED_AT = 100_000
"""Rows that are looked at to judge columns without a role."""
SMALL = 500_000
"""Tables of the driver with at most so many rows are sent to every worker as they are."""
SALTS = 5
HELD = 300
"""Bytes that the driver needs to hold a different row, about; solving takes three times as much."""
FEWER = "name fewer quasi-identifiers, or round their values beforehand"
NOT_PARQUET = (".csv", ".tsv", ".txt", ".gz", *READERS)
NO_HASH = ("map<", "variant")


class InSpark(Counting):
    """One run."""

    def __init__(self, job: Job) -> None:
        self.job, self.F = job, functions()
        self.session = session_of(job.data)
        self.to: Folder | Memo = Memo() if job.output is None else Folder(self.session, job.output, job.force)
        with told():
            if not is_frame(job.data):
                refuse_lake(self.session, str(job.data))
            given = job.data if is_frame(job.data) else self.session.read.parquet(str(job.data))
            self.columns = tuple(given.columns)
            self._check(given)
            self._given = given
            self._rows = given.select(*self._cells(given), *self._order(given))
            self.head = _frame(given.limit(1000))
        self.notes = self.to.notes
        self.source = "the table" if is_frame(job.data) else str(job.data)
        if not self.head.height:
            raise DataError(f"{self.source} has no rows.")
        self._all: DataFrame | None = None

    def _check(self, given: DataFrame) -> None:
        if len(set(self.columns)) < len(self.columns):
            raise DataError("The table has two columns of one name. Rename one of them.")
        odd = [name for name, kind in given.dtypes if any(word in kind for word in NO_HASH)]
        if odd:
            raise DataError(f"Column '{odd[0]}' holds a map, which Spark cannot compare. Turn it into text or a list, or leave it out.")

    def _cells(self, given: DataFrame) -> list[Column]:
        """The columns as x0, x1, …, so that no name can collide; marks of missing cells are missing."""
        policy, F = self.job.policy, self.F
        roles = {name for name, column in policy.columns.items() if column.role != "insensitive"} if policy.missing_values else set()
        made = []
        for j, name in enumerate(self.columns):
            cell = F.col(_quoted(name))
            if name in roles:
                cell = F.when(cell.cast("string").isin(*policy.missing_values), None).otherwise(cell)
            made.append(cell.alias(f"x{j}"))
        return made

    def _order(self, given: DataFrame) -> list[Column]:
        """The file of a row and its place in it, where Spark knows them."""
        wanted = [self.F.col("_metadata.file_path").alias("file"), self.F.col("_metadata.row_index").alias("place")]
        if "_metadata" in self.columns:
            return []
        try:
            _ = given.select(*wanted).schema
        except Exception:  # Spark says in several ways that it does not know
            return []
        return wanted

    def _hash(self, columns: Sequence[Column], salt: int) -> Column:
        """A number of what some cells hold; a missing cell is told from its neighbour's."""
        parts = [part for cell in columns for part in (cell, self.F.isnull(cell))]
        made: Column = self.F.xxhash64(self.F.lit(salt), *parts)
        return made

    def _x(self, name: str) -> Column:
        cell: Column = self.F.col(f"x{self.columns.index(name)}")
        return cell

    def values(self, names: Sequence[str], most: int | None = None) -> list[Coded]:
        if not names:
            return []
        with told():
            frame = _frame(self._given.select(*[self.F.col(_quoted(name)) for name in names]).limit(min(most or LOOKED_AT, LOOKED_AT)))
        return [code(frame[name]) for name in frame.columns if has_text(frame.schema[name])]

    def fold(self, names: Sequence[str]) -> Folded:
        self._names = list(names)
        for salt in range(SALTS):
            cells = [self._x(name) for name in names]
            with told():
                keyed = self._rows.select(self._hash(cells, salt).alias("key"), *[cell.alias(label(j)) for j, cell in enumerate(cells)])
                counted = self._collected(
                    keyed.groupBy("key", *[label(j) for j in range(len(names))]).count().withColumnRenamed("count", N)
                )
            if (
                counted["key"].n_unique() == counted.height
            ):  # else two different rows have one number, which happens once in millions of runs
                break
        else:
            raise DataError("Spark's numbers of rows do not tell them apart. Please report this.")
        self._salt, self._keys = salt, counted["key"]
        rows = self.job.policy.with_missing(Table(pl.DataFrame([counted[label(j)].alias(name) for j, name in enumerate(names)])))
        self._texts = texts_by_label(rows.frame, names)
        return folded_of(summed(self._texts.with_columns(counted[N])), names, self.columns, self.source, self._where)

    def _collected(self, folded: DataFrame, of: str = "the quasi-identifiers", instead: str = FEWER) -> pl.DataFrame:
        """The different rows, here. They are counted first: too many would end the driver without a word."""
        from pyspark import StorageLevel

        kept = folded.persist(StorageLevel.DISK_ONLY)
        try:
            n_rows = kept.count()
            if n_rows * HELD > limit(self.job):
                raise Refused(
                    f"There are {n_rows:,} different rows over {of}, and the driver needs about {n_rows * HELD / 2**30:.1f} GiB of memory to hold them; the run may use "
                    f"{limit(self.job) / 2**30:.1f}. Give more (--memory), {instead}."
                )
            return _frame(kept)
        finally:
            kept.unpersist()

    def solve(self, problem: Problem, algorithm: Algorithm, watch: Watch) -> Solution | None:
        """On the workers, in parts, where the different rows are too many for the solver on the driver; else not here."""
        most = max((limit(self.job) - BASE) // SOLVER, 1)
        if problem.n_units <= most:
            return None
        with told():
            check_workers(self.session)
            return solve_in_parts(self.session, problem, algorithm, most, watch)

    def _where(self, column: str, texts: Sequence[str | None]) -> str:
        """Name the rows that hold one of some texts, by their place in their files, where Spark knows it. The texts are sent as a table: plans show literals."""
        if "place" not in self._rows.columns:
            return "rows of a DataFrame have no numbers"
        F = self.F
        with told():
            wanted = self._sent(pl.DataFrame({"wanted": pl.Series(texts, dtype=pl.String)}))
            found = self._rows.join(wanted, self._x(column).cast("string").eqNullSafe(F.col("wanted")), "left_semi")
            total = found.count()
            first = [row[0] + 1 for row in found.orderBy("file", "place").select("place").limit(5).collect()]
        return f"row{'' if total == 1 else 's'} {some([*first, *range(total - len(first))])}"

    def apply(self, recipe: Recipe) -> None:
        F, order = self.F, [name for name in self._rows.columns if name in ("file", "place")]
        from pyspark.sql import Window

        self._shown, self._released_columns = list(recipe.shown.columns), recipe.columns
        with told():
            keyed = self._rows.withColumn("key", self._hash([self._x(name) for name in self._names], self._salt))
            dealt = keyed.join(self._sent(self._plan(recipe)), "key")
            content = [F.col(f"x{j}") for j in range(len(self.columns))]
            window = Window.partitionBy("kind").orderBy(*order, self._hash(content, 0), *content)
            placed = dealt.withColumn("at", F.row_number().over(window))
            grouped = placed.withColumn("group", F.expr("groups[size(filter(ends, e -> e < at))]")).drop(
                "ends", "groups", "key", "kind", "at", *order
            )
            shown = (
                recipe.shown.rename({name: f"s{j}" for j, name in enumerate(recipe.shown.columns)})
                .with_row_index("group")
                .cast({"group": pl.Int32})
            )
            self._all = self.to.hold(grouped.join(self._sent(shown), "group", "left"))
            self._back = self.to.write(self._arranged(self._all.filter(F.col("group") >= 0)))

    def _plan(self, recipe: Recipe) -> pl.DataFrame:
        """For each different row its kind, the groups of that kind, and where the rows of each group end."""
        entry = recipe.kind_finder.find([self._texts[label(j)] for j in range(len(self._names))])
        plan = recipe.solution.plan
        of_kind = pl.DataFrame({"kind": plan.kind, "groups": plan.group, "ends": plan.count}).group_by("kind", maintain_order=True)
        lists = of_kind.agg(pl.col("groups"), pl.col("ends").cum_sum())
        keys = pl.DataFrame({"key": self._keys, "kind": recipe.encoding.kinds[entry].astype(np.int32)})
        return keys.join(lists, on="kind", how="left")

    def _sent(self, frame: pl.DataFrame) -> DataFrame:
        made = self.session.createDataFrame(frame.to_arrow(compat_level=pl.CompatLevel.oldest()))
        return self.F.broadcast(made) if frame.height <= SMALL else made

    def _released_cells(self) -> list[Column]:
        """The cells of the release, in the order of its columns."""
        return [self.F.col(f"s{self._shown.index(name)}") if name in self._shown else self._x(name) for name in self._released_columns]

    def _arranged(self, rows: DataFrame) -> DataFrame:
        """The released columns, spread over files by what they show and sorted by it: where a row stands tells nothing."""
        cells = zip(self._released_cells(), self._released_columns, strict=True)
        named = rows.select(*[cell.alias(name) for cell, name in cells])
        columns = [self.F.col(_quoted(name)) for name in self._released_columns]
        n = int(self.session.conf.get("spark.sql.shuffle.partitions", "200") or 200)
        return named.repartition(n, self._hash(columns, 1)).sortWithinPartitions(*columns)

    def recount(self, names: Sequence[str]) -> Counted:
        with told():
            rows = _frame(self._back.groupBy(*[self.F.col(_quoted(name)).alias(label(j)) for j, name in enumerate(names)]).count())
        texts = pl.DataFrame([exact_text(rows[label(j)]) for j in range(len(names))]).with_columns(rows["count"].alias(N))
        self._fingerprint = self._told_of(self._back)
        return Counted(texts, tuple(self._back.columns), self._fingerprint)

    def _told_of(self, written: DataFrame) -> str:
        return _digest(self._sums(written, [self.F.col(_quoted(name)) for name in written.columns]))

    def _sums(self, rows: DataFrame, *several: Sequence[Column]) -> list[int]:
        """What tells rows apart in any order: how many there are, and for each list of cells the sums of two hashes."""
        F = self.F
        sums = [F.sum(self._hash(cells, salt).cast("decimal(38,0)")) for cells in several for salt in (7, 8)]
        with told():
            return [int(n or 0) for n in rows.agg(F.count(F.lit(1)), *sums).collect()[0]]

    def pairs(self, names: Sequence[str], kept: Sequence[str]) -> Pairs:
        """From the rows before they were spread, each with its original and its released cells. They must be the input's rows, and what was written must be theirs."""
        assert self._all is not None
        cells = [self.F.col(f"x{j}") for j in range(len(self.columns))]
        n_before, *sums = self._sums(self._rows, cells)
        if [n_before, *sums] != self._sums(self._all, cells):
            raise DataError(CHANGED)
        both = self._all.filter(self.F.col("group") >= 0)
        if _digest(self._sums(both, self._released_cells())) != self._fingerprint:
            raise NotAnonymous("What Spark has written is not what was to be written. Nothing is released; please report this.")
        return Pairs(self._pairs_of(both, names), dict.fromkeys(kept, 0), n_before)

    def _pairs_of(self, both: DataFrame, names: Sequence[str]) -> dict[str, pl.DataFrame]:
        """Of each quasi-identifier the different pairs, all in one pass."""
        F = self.F
        pairs = [(self._x(name).alias(f"o{j}"), F.col(f"s{self._shown.index(name)}").alias(f"t{j}")) for j, name in enumerate(names)]
        with told():
            rows = both.select(*[cell for pair in pairs for cell in pair])
            sets = [[F.col(f"o{j}"), F.col(f"t{j}")] for j in range(len(names))]
            counted = rows.groupingSets(sets, *[cell for pair in sets for cell in pair]).agg(
                F.grouping_id().alias("which"), F.count(F.lit(1)).alias(N)
            )
            found = _frame(counted)
        out = {}
        for j, name in enumerate(names):
            ours = (1 << 2 * len(names)) - 1 - (3 << 2 * (len(names) - 1 - j))  # a bit for each column that the set leaves out
            part = found.filter(pl.col("which") == ours)
            texts = self.job.policy.with_missing(Table(part.select(pl.col(f"o{j}").alias(name)))).frame[name]
            out[name] = summed(pl.DataFrame([as_text(texts).alias("o"), part[f"t{j}"].alias("s"), part[N]]))
        return out

    def count_before(self, names: Sequence[str]) -> pl.DataFrame:
        """From the rows before they were spread, which were found to be the input's."""
        assert self._all is not None
        quasi_identifiers = self.job.policy.named("quasi-identifier")
        with told():
            rows = self._all.select(
                *[self._x(name).alias(label(j)) for j, name in enumerate(names)], (self.F.col("group") >= 0).alias(KEPT)
            )
            found = self._collected(
                rows.groupBy(*rows.columns).count().withColumnRenamed("count", N), "the columns of the report", "or leave the report out"
            )
        cells = self.job.policy.with_missing(Table(pl.DataFrame([found[label(j)].alias(name) for j, name in enumerate(names)]))).frame
        texts = [(as_text if name in quasi_identifiers else exact_text)(cells[name]).alias(label(j)) for j, name in enumerate(names)]
        return summed(pl.DataFrame([*texts, found[KEPT], found[N]]))

    def telling_order(self, names: Sequence[str]) -> list[str]:
        return []  # the release is sorted by what it shows

    def input_sha256(self) -> str | None:
        return None

    def publish(self, verdict: Verdict) -> str:
        if verdict.fingerprint != self._fingerprint or (self.job.output is not None and self._told_of(self._back) != self._fingerprint):
            raise NotAnonymous("This is not the table that was verified. Nothing was written.")
        with told():
            self.to.publish()
        return self._fingerprint

    @property
    def table(self) -> DataFrame:
        """The verified rows."""
        return self._back

    def clean(self) -> None:
        with _quietly():
            self.to.clean()


def _digest(sums: Sequence[int]) -> str:
    return hashlib.sha256(json.dumps(list(sums)).encode()).hexdigest()


def _frame(rows: DataFrame) -> pl.DataFrame:
    """Rows of Spark, here."""
    made = pl.from_arrow(rows.toArrow())
    assert isinstance(made, pl.DataFrame)
    return made


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


@contextmanager
def _quietly() -> Iterator[None]:
    try:
        yield
    except Exception:  # a session that is gone has nothing to clean
        return


def _refuses(job: Job) -> str | None:
    if not is_frame(job.data) and not isinstance(job.data, str | os.PathLike):
        return "The engine 'spark' takes a DataFrame of Spark, or the path of a folder or a file of Parquet."
    for place in (job.output, None if is_frame(job.data) else os.fspath(job.data)):
        if place is not None and str(place).lower().endswith(NOT_PARQUET):
            return f"The engine 'spark' reads and writes Parquet, and '{place}' says that it is something else. Save it as Parquet, or take --engine files."
    if job.spreadsheet_safe:
        return "--spreadsheet-safe is for files that a spreadsheet opens. Leave it out for Spark."
    return refused_when_counting(job)


SPARK = RowEngine("spark", "Tables in Spark", takes=lambda job: is_frame(job.data), refuses=_refuses, open=InSpark)
