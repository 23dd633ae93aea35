"""What may be asked for by keyword. Made from the declaration by ``make docs``: change :mod:`shoal.policy.settings` instead."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypedDict


class Keywords(TypedDict, total=False):
    """Each setting; None where it is not said."""

    k: int | None
    """every released row is one of at least k alike (5)"""
    measure: str | None
    """the measure of loss that is minimised; 'shoal measures' lists them (root-share)"""
    algorithm: str | None
    """the algorithm that searches; 'shoal algorithms' lists them (auto)"""
    withhold: float | None
    """the fraction of the rows that may be left out at no loss, such as 0.01 (0)"""
    deletion: bool | None
    """let any row be withheld, at the loss of suppressing it whole (false)"""
    suppression_only: bool | None
    """let cells of quasi-identifiers keep their value or become *, in every column; then no hierarchies are given (false)"""
    missing: str | None
    """what a missing cell is: "value" like any other, "suppress" to star it (columns with a hierarchy), "error" to stop (value)"""
    keep_order: bool | None
    """whether rows stay in the input's order, which may reveal something; if not, they are sorted by what they show (true)"""
    seed: int | None
    """where the search begins (0)"""
    time_limit: float | None
    """seconds that the search may take"""
    stop_at_ratio: float | None
    """stop once the loss is proved to be at most so many times the least possible, such as 1.1 (1)"""
    effort: float | None
    """how much the search works, in multiples of what a table of this size usually gets (1)"""
    person: str | None
    """a column that says which person a row is about: k then counts people, not rows, and the column is dropped"""
    target: str | None
    """a column that analysts want to predict: columns weigh by how much they tell of it"""
    missing_values: Iterable[str] | None
    """texts that stand for a missing cell in columns that have a role, such as NA"""
    hierarchies: Mapping[str, Any] | str | Path | None
    """a folder with one hierarchy file per column, in ARX's form; a column without one gets the default for its kind of values; or by column what its cells may become: ``{"age": shoal.intervals(5, 10)}``, a path, or rows"""
    quasi_identifiers: Iterable[str] | None
    """columns that outsiders may know of somebody: they are made coarser where somebody would stand alone"""
    sensitive: Iterable[str] | None
    """columns to keep but to watch: groups can be asked to vary in them"""
    identifiers: Iterable[str] | None
    """columns to drop"""
    keep: Iterable[str] | None
    """columns to release as they are, on purpose; one that looks like names or numbers of people is refused unless it is here"""
    require: Mapping[str, Any] | None
    """criteria of the sensitive columns, by name; 'shoal criteria' lists them"""
    weights: Mapping[str, float] | None
    """how much the loss of a column counts, such as age=2; 1 where nothing is said; ``{"age": 2}``"""
    workload: str | Path | Iterable[str] | None
    """a file with questions that analysts will ask, one a line (age=30..39 sex): columns weigh by how many questions need them; or the lines"""
    l_diversity: Any
    """for every sensitive column: different values, at least; short for ``require``"""
    t_closeness: Any
    """for every sensitive column: distance from the whole table, at most; short for ``require``"""
    suppress: float | None
    """the old name of ``withhold``"""
