"""What was decided about the columns of the table on the desk: roles, hierarchies, weights, marks of missing cells, and
answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from shoal import hierarchies
from shoal.columns.roles import ASK
from shoal.errors import DataError, HierarchyError, PolicyError
from shoal.hierarchies.encode import encode
from shoal.hierarchies.encoded import Encoded, Spec
from shoal.hierarchies.files import read_rows
from shoal.hierarchies.rows import rows_of
from shoal.hierarchies.suggest import suggest
from shoal.policy.columns import check_column
from shoal.studio import questions
from shoal.studio.loading import Loaded, default
from shoal.studio.questions import YES, Heard, Question
from shoal.studio.ruler import Ruler, ruler_of
from shoal.studio.settings import number
from shoal.studio.sketch import MOST_VALUES, Sketch
from shoal.studio.work import Job
from shoal.table import Coded, Table


@dataclass
class Decided:
    """The columns of one table, and what its owner said of them."""

    loading: Job[Loaded] | None = None
    roles: dict[str, str] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    """The order in which an opened policy names its columns; else it is the table's."""
    specs: dict[str, Spec] = field(default_factory=dict)
    """The hierarchies that were chosen; a column without one gets the default of its kind."""
    weights: dict[str, float] = field(default_factory=dict)
    """How much a column's loss counts; 1 where nothing is said."""
    marks: tuple[str, ...] = ()
    """Texts that stand for a missing cell in columns that have a role."""
    answers: dict[str, str] = field(default_factory=dict)
    """By the key of the question."""
    hide_cells: bool = False
    """Whether pages show no cell, because somebody else sees the screen."""
    _sketches: dict[str, tuple[Spec | None, Sketch]] = field(default_factory=dict)
    """Trees that are being arranged, each with the hierarchy that it began with; None for the default."""
    _rulers: dict[str, Ruler | None] = field(default_factory=dict)
    _coded: dict[str, Coded] = field(default_factory=dict)
    _defaults: dict[str, tuple[Coded, Spec]] = field(default_factory=dict)
    """By column: the values, and the hierarchy that they get by themselves."""
    _encoded: dict[str, tuple[Coded, Spec, Encoded]] = field(default_factory=dict)
    """By column: the values, the hierarchy that was asked for last, and what it makes of them. Another of the two makes
    it anew.
    """

    def forget(self) -> None:
        """Nothing is decided any more."""
        fresh = Decided()
        for name in (
            "roles",
            "order",
            "specs",
            "weights",
            "marks",
            "answers",
            "_sketches",
            "_rulers",
            "_coded",
            "_defaults",
            "_encoded",
        ):
            setattr(self, name, getattr(fresh, name))

    @property
    def loaded(self) -> Loaded | None:
        return self.loading.result if self.loading is not None else None

    @property
    def table(self) -> Table:
        if self.loaded is None:
            raise DataError("There is no table yet. Load one first.")
        return self.loaded.table

    def named(self, role: str) -> list[str]:
        """The columns with a role, in the order of the policy."""
        there = self.table.columns
        first = [name for name in self.order if name in there]
        return [name for name in (*first, *(n for n in there if n not in first)) if self.roles.get(name) == role]

    def give_roles(self, roles: Mapping[str, str]) -> None:
        """Take the roles that the user confirmed; all others are open again."""
        if sum(role == "person" for role in roles.values()) > 1:
            raise PolicyError("Only one column can say which person a row is about.")
        self.roles = {name: role for name, role in roles.items() if role}

    def give_role(self, name: str, role: str) -> None:
        """Take one role; an empty one opens the question again."""
        if role == "person" and self.person not in (None, name):
            raise PolicyError(f"Only one column can say which person a row is about, and that is '{self.person}'.")
        self.give_roles({**self.roles, name: role})
        self.answers.pop(f"role {name}", None)

    def give_marks(self, text: str) -> None:
        """Take the texts that stand for a missing cell, with commas between them."""
        marks = tuple(dict.fromkeys(mark.strip() for mark in text.split(",") if mark.strip()))
        if marks != self.marks:
            self.marks = marks
            self._coded, self._sketches, self._rulers = {}, {}, {}

    @property
    def person(self) -> str | None:
        """The column that says which person a row is about."""
        return next(iter(self.named("person")), None)

    def suggested_role(self, name: str) -> str:
        """A role that the user may confirm."""
        if self.loaded is None:
            return ""
        role = next((s.role for s in self.loaded.columns if s.column == name), "")
        return "" if role == ASK else role

    def _known(self) -> Heard:
        there = self.loaded
        if there is None:
            raise DataError("There is no table yet. Load one first.")
        return Heard(
            there.columns,
            there.relations,
            there.coded,
            there.repeats,
            self.roles,
            frozenset(self.specs),
            self.marks,
            self.answers,
        )

    def questions(self) -> list[Question]:
        """What is still open."""
        return questions.open_questions(self._known())

    def undecided(self) -> list[str]:
        """Columns without a role for which one is suggested."""
        return questions.undecided(self._known())

    def answer(self, key: str, answer: str, also_others: bool = False) -> None:
        """Answer a question; the same answer for all others of its kind, if asked for."""
        asked = {question.key: question for question in self.questions()}
        question = asked.get(key)
        if question is None or answer not in dict(question.answers):
            raise DataError("This question is no longer open.")
        alike = [
            q
            for q in asked.values()
            if also_others and key.startswith("role ") and q.key.startswith("role ") and q.text == question.text
        ]
        for one in dict.fromkeys([question, *alike]):
            if answer in dict(one.answers):
                self._take(one, answer)

    def _take(self, question: Question, answer: str) -> None:
        kind, _, what = question.key.partition(" ")
        name = question.column
        if kind == "role" or (kind == "tells" and answer != "insensitive"):
            self.give_role(name, answer)
        elif kind == "person" and answer == YES:
            self.give_role(name, "person")
        elif kind == "mark" and answer == YES:
            self.give_marks(", ".join((*self.marks, what)))
        elif kind == "form":
            self.choose(name, self._read_as(name, answer))
        self.answers[question.key] = answer

    def _read_as(self, name: str, form: str) -> Spec | None:
        """The default hierarchy of a column whose values can be read in two ways, with the way that was chosen."""
        if form == "years":
            return None
        if form == "suppress":
            return hierarchies.suppression()
        is_date = "Y" in form
        return hierarchies.dates("month", "year", form=form) if is_date else hierarchies.intervals(form=form)

    def reasons(self) -> dict[str, list[str]]:
        """For each column, what was answered about it."""
        found: dict[str, list[str]] = {}
        for key, answer in self.answers.items():
            kind, _, what = key.partition(" ")
            name = next(
                (n for n in self.table.columns if what == n or (kind == "tells" and what.startswith(f"{n} "))), ""
            )
            if name and kind != "mark":
                found.setdefault(name, []).append(questions.reason_of(key, answer))
        return found

    def coded(self, name: str) -> Coded:
        """A column as values and codes."""
        if name not in self._coded:
            made = self.loaded.coded.get(name) if self.loaded is not None else None
            has_marks = made is None or (bool(self.marks) and bool(made.values.is_in(list(self.marks)).any()))
            self._coded[name] = (
                self.table.with_missing(self.marks, [name]).coded(name) if made is None or has_marks else made
            )
        return self._coded[name]

    def default(self, name: str) -> Spec:
        """The hierarchy that a column gets by itself, found once for the same values."""
        coded, there = self.coded(name), self.loaded
        if there is not None and coded is there.coded.get(name) and name in there.defaults:
            return there.defaults[name]
        if name not in self._defaults or self._defaults[name][0] is not coded:
            self._defaults[name] = coded, default(coded)
        return self._defaults[name][1]

    def spec(self, name: str) -> Spec:
        """The hierarchy of a column: the chosen one, or the default."""
        return self.specs[name] if name in self.specs else self.default(name)

    def encoded(self, name: str, spec: Spec | None = None) -> Encoded:
        """A column's hierarchy over its values; raises where it does not fit them.

        Made once for the same values and the same hierarchy.
        """
        coded, spec = self.coded(name), spec or self.spec(name)
        known = self._encoded.get(name)
        if known is None or known[0] is not coded or known[1] is not spec:
            known = coded, spec, encode(name, coded.values.to_list(), coded.n_missing > 0, spec)
            self._encoded[name] = known
        return known[2]

    def hierarchy_text(self, name: str) -> str:
        """A column's hierarchy in words: the chosen one, or the default."""
        if name in self.specs:
            return self.specs[name].description
        if self.loaded is None:
            return ""
        return f"{self.default(name).description if name in self.loaded.defaults else 'by its values'} (default)"

    def choose(self, name: str, spec: Spec | None) -> None:
        """Take a hierarchy for a column, if it fits; None for the default."""
        if spec is None:
            self.specs.pop(name, None)
        else:
            self.encoded(name, spec)
            self.specs[name] = spec
        self._sketches.pop(name, None)
        self._rulers.pop(name, None)

    def weigh(self, name: str, text: str) -> None:
        """Say how much a column's loss counts."""
        weight = number(text, "The weight")
        if weight is None or weight == 1:
            self.weights.pop(name, None)
            return
        check_column(name, "quasi-identifier", None, weight, ())
        self.weights[name] = weight

    def choose_suggested(self, name: str) -> None:
        """Take the suggestion for a column's values."""
        coded = self.coded(name)
        self.choose(name, hierarchies.levels(suggest(name, coded.values.to_list(), coded.counts()).rows))

    def choose_file(self, name: str, path: Path) -> None:
        """Take a hierarchy file. Its rows become part of the policy, since the upload will be wiped."""
        self.choose(name, hierarchies.levels(read_rows(path)))

    def sketch(self, name: str) -> Sketch:
        """The column's hierarchy, to be arranged by hand."""
        if name not in self._sketches:
            self._sketches[name] = self.specs.get(name), self.sketch_over(name, self.specs.get(name))
        return self._sketches[name][1]

    def sketch_over(self, name: str, spec: Spec | None) -> Sketch:
        """A tree to be arranged that begins as this hierarchy; the default for None."""
        if self.coded(name).n_values > MOST_VALUES:
            raise HierarchyError(
                f"Column '{name}' has {self.coded(name).n_values:,} values: too many to arrange by hand (the most is "
                f"{MOST_VALUES:,}). "
                "Choose intervals or prefixes, or send a hierarchy file."
            )
        encoded = self.encoded(name, spec or self.default(name))
        if encoded.free is not None:
            raise HierarchyError("Freely chosen intervals or sets have no tree to arrange. Choose another kind first.")
        return Sketch.of_tree(encoded.tree)

    def sketches(self) -> dict[str, tuple[Spec | None, Sketch]]:
        """The trees that are being arranged, each with the hierarchy that it began with."""
        return dict(self._sketches)

    def go_on_with_tree(self, name: str, began: Spec | None, sketch: Sketch) -> None:
        """Take up a tree that was arranged before, with its steps; it is the column's hierarchy already."""
        self._sketches[name] = began, sketch

    def rulers(self) -> dict[str, Ruler]:
        """The rulers that were looked at."""
        return {name: ruler for name, ruler in self._rulers.items() if ruler is not None}

    def keep_sketch(self, name: str) -> None:
        """Make what was arranged the column's hierarchy."""
        spec = hierarchies.levels(self.sketch(name).rows())
        self.encoded(name, spec)
        self.specs[name] = spec
        self._rulers.pop(name, None)

    def ruler(self, name: str) -> Ruler | None:
        """The column's hierarchy as a ruler; None where its values do not lie on a line."""
        if name not in self._rulers:
            coded = self.coded(name)
            is_small = coded.n_values <= MOST_VALUES and self.loaded is not None
            kind = (
                next((s.kind for s in self.loaded.columns if s.column == name), "") if self.loaded is not None else ""
            )
            self._rulers[name] = (
                ruler_of(coded.values.to_list(), coded.counts(), kind, self.encoded(name)) if is_small else None
            )
        return self._rulers[name]

    def keep_ruler(self, name: str) -> None:
        """Make what the ruler says the column's hierarchy."""
        ruler = self._rulers.get(name)
        if ruler is None:
            raise HierarchyError("This column has no ruler.")
        spec = hierarchies.levels(ruler.rows())
        self.encoded(name, spec)
        self.specs[name] = spec
        self._sketches.pop(name, None)

    def hierarchy_rows(self, name: str) -> list[list[str]]:
        """A column's hierarchy in ARX's form, with every level's own label where it has them."""
        spec, values = self.spec(name), self.coded(name).values.to_list()
        arrange, given = getattr(spec, "arrange", None), getattr(spec, "rows", None)
        if given is not None:
            return [list(row) for row in given]
        made = self.encoded(name)
        if made.free is not None:
            raise HierarchyError("Freely chosen intervals or sets have no levels to write to a file.")
        return (
            list(arrange(name, values).rows())
            if arrange is not None
            else [row for row in rows_of(made.tree) if row[0] != ""]
        )

    def rows_below(self, name: str) -> dict[str, int]:
        """How many rows have each value."""
        coded = self.coded(name)
        return dict(zip(coded.values.to_list(), np.asarray(coded.counts()).tolist(), strict=True))
