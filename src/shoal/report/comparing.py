"""``release.compare(other)``: two releases side by side, as a small page in a notebook."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from shoal.release.release import Release
from shoal.report import draw, plain, words
from shoal.report.blocks import Alerts, Block, Paragraph, Sheet, Twins
from shoal.report.levels import EXACT, GENERAL, HIDDEN
from shoal.report.model import owner_model
from shoal.report.style import notebook
from shoal.text.rounding import factor_up, percent_up
from shoal.text.shown import Shown

Numbers = dict[str, Any]
CELLS = ((EXACT, "cells that are exact"), (GENERAL, "cells that are generalized"), (HIDDEN, "cells that are hidden"))


@dataclass(frozen=True, repr=False)
class SideBySide(Shown):
    """Two releases, by the numbers of their owner's reports. For the owner."""

    first: Numbers
    second: Numbers

    def titles(self) -> tuple[str, str]:
        """What tells the two apart."""
        one, two = (
            f"k = {m['record']['k']}, {m['record']['measure']}, {m['record']['algorithm']}"
            for m in (self.first, self.second)
        )
        return (one, two) if one != two else (f"first: {one}", f"second: {two}")

    def warnings(self) -> list[str]:
        """That the two are not of one table; and what only one of them warns of."""
        said = []
        if self.first["record"]["input_sha256"] != self.second["record"]["input_sha256"]:
            said.append("These are releases of two different tables: their figures cannot be compared.")
        heads = [{head for head, _ in plain.look_first(m)} for m in (self.first, self.second)]
        for title, here, there in zip(self.titles(), heads, heads[::-1], strict=True):
            said += [f"Only in {title}: {head}" for head in sorted(here - there)]
        return said

    def sentences(self) -> list[str]:
        width = max(len(name) for name, *_ in self.rows())
        one, two = self.titles()
        return [f"{'':<{width}}  {one:<28}{two}", *(f"{name:<{width}}  {a:<28}{b}" for name, a, b in self.rows())]

    def rows(self) -> list[tuple[str, str, str]]:
        """Every figure that both have, and the share of exact cells of each column."""
        one, two = self.figures(self.first), self.figures(self.second)
        return [(name, one[name], two.get(name, "–")) for name in one] + [
            (name, "–", two[name]) for name in two if name not in one
        ]

    @staticmethod
    def figures(model: Numbers) -> dict[str, str]:
        """The figures of one release, in words."""
        m, risk = model["record"], model["risk"]["after"]
        found = {
            "rows released": f"{m['n_released']:,}",
            "rows withheld": f"{m['n_withheld']:,}",
            "groups": f"{m['n_groups']:,}",
            "smallest group": f"{m['smallest_group']:,}",
            **{name: words.chance(model["cells"][kind]) for kind, name in CELLS},
            "loss, at most so many times the least possible": factor_up(m["ratio"]),
            "highest chance of picking somebody's row": percent_up(risk["highest"]),
            "average chance": words.chance(risk["average"]),
        }
        for n, off in model["expected"]["measured"].items():
            if off is not None:
                found[f"counts of {words.COLUMNS[n]} are off by"] = words.percent(off)
        for s in model["sensitive"]:
            found[f"rows that give '{s['column']}' away"] = f"{s['rows_in_groups_of_one_value']:,}"
        return found

    def blocks(self) -> list[Block]:
        """The page, block by block: warnings first."""
        one, two = self.titles()
        alerts: list[Block] = [Alerts([(said, "") for said in self.warnings()])] if self.warnings() else []
        return [
            *alerts,
            Sheet(("figure", one, two), self.rows(), "The two releases in figures", (1, 2)),
            Twins(f"Exact cells of each column: {one} (above) and {two}", self._exact(), ("column", "exact cells")),
            Paragraph("For the owner: the figures tell more than the releases.", "soft"),
        ]

    def _exact(self) -> list[tuple[str, float | None, float | None, str]]:
        one, two = ({c["name"]: c["levels"][0]["share"] for c in m["columns"]} for m in (self.first, self.second))
        names = [*one, *(name for name in two if name not in one)]
        return [
            (name, one.get(name), two.get(name), f"{words.chance(one.get(name))} → {words.chance(two.get(name))}")
            for name in names
        ]

    def _repr_html_(self) -> str:
        return notebook("".join(map(draw.block, self.blocks())))


def compare(first: Release, second: Release) -> SideBySide:
    """Two releases side by side."""
    if not isinstance(second, Release):
        raise TypeError("compare takes another release, as shoal.anonymize gives it.")
    return SideBySide(owner_model(first), owner_model(second))
