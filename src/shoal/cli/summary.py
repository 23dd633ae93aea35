"""What a data steward reads after a run: what was protected, what was not, what was lost, and how close to the best it is."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass

from shoal.cli.outputs import Outputs
from shoal.columns.whose import rows_counted
from shoal.engines.stored import Stored
from shoal.judge.words import headline
from shoal.release.record import inside_words, unprotected_words
from shoal.release.release import Release
from shoal.release.risk import Risk, risks
from shoal.release.telling import order_words
from shoal.report import words
from shoal.report.attention import tells_in, tells_of
from shoal.report.levels import kinds_used
from shoal.report.plain import tells_words
from shoal.table import Table
from shoal.text.rounding import chance_up

WIDTH = 108
MOST_TOLD = 6
INDENT = 14


@dataclass(frozen=True)
class SpokenFigures:
    """The figures of a release in a dozen lines, all but the seconds, which are known at the end."""

    lines: list[str]
    last: list[str]

    def text(self, seconds: Mapping[str, float]) -> str:
        """With the seconds of each step."""
        time = ", ".join(f"{step} {spent:.1f} s" for step, spent in seconds.items() if spent >= 0.05) or "under 0.1 s"
        return "\n".join([*self.lines, *_entry("time", time), *self.last])


def summary(release: Release | Stored, source: str, to: Outputs) -> SpokenFigures:
    """What is said of a release. It is made before the release is written: afterwards nothing is left to work out."""
    m = release.facts
    before, after = release.risks() if isinstance(release, Stored) else risks(release)
    notes = release.notes if isinstance(release, Stored) else release.original.notes
    lines = [
        *textwrap.wrap(headline_of(release), WIDTH, break_long_words=False, break_on_hyphens=False),
        f"{_name(source, 'standard input')} → {_name(to.output, 'standard output')}: verified by an independent recount",
        "",
    ]
    for found in m["several_rows"]:
        lines += _entry("K COUNTS ROWS", rows_counted(found, m["n_rows"]))
    rows = (
        f"{m['n_released']:,} released in {m['n_groups']:,} groups, the smallest of {m['smallest_group']:,}; {m['n_withheld']:,} withheld"
        + (f" of {m['max_withheld']:,} that may be" if m["max_withheld"] else "")
    )
    lines += _entry("rows", rows)
    protected = ", ".join(f"{name} ({m['hierarchies'][name]})" for name in m["quasi_identifiers"])
    lines += _entry("protected", protected)
    if m["people"]:
        lines += _entry("people", words.several_rows_in_numbers(m["people"]))
    if m["sensitive"]:
        lines += _entry("sensitive", _sensitive(m))
    if m["identifiers_dropped"]:
        lines += _entry("dropped", ", ".join(m["identifiers_dropped"]))
    if m["unprotected"]:
        lines += _entry("UNPROTECTED", unprotected_words(m["unprotected"]))
    for found in m["names_inside"]:
        lines += _entry("NAMES INSIDE", inside_words(found))
    lines += _tells(release)
    if m["missing"]:
        lines += _entry("missing", "; ".join(f"{count:,} cells of {name}" for name, count in m["missing"].items()))
    for note in (*notes, *m["notes"]):
        lines += _entry("note", note)
    if release.policy.keep_order and m["telling_order"]:
        lines += _entry("ORDER TELLS", order_words(m["telling_order"]))
    elif release.policy.keep_order:
        lines += _entry("order", f"{words.KEPT_ORDER} --shuffle sorts them by what they show.")
    lines += _entry("loss", _loss(release))
    lines += _entry("how close", words.closeness(m))
    if not m["is_repeatable"]:
        lines += _entry("ENDED EARLY", words.ENDED_EARLY)
    if m["guarantee_note"]:
        lines += _entry("guarantee", m["guarantee_note"])
    lines += _kept(release)
    lines += _entry("risk before", _risk(before))
    lines += _entry("risk after", _risk(after))
    return SpokenFigures(lines, _what_is_where(to))


def _what_is_where(to: Outputs) -> list[str]:
    """Which files may be published, and which may not."""
    lines: list[str] = []
    published = [path for path in (to.output, to.manifest, to.report) if path and path != "-"]
    if len(published) > 1:
        lines += _entry("to publish", ", ".join(published))
    kept = [path for path in to.owners if path]
    if kept:
        tells = "tells" if len(kept) == 1 else "tell"
        lines += _entry(
            "KEEP", f"{', '.join(kept)} {tells} more than the release: for the owner (a proof also for an auditor), not for publication."
        )
    return lines


def headline_of(release: Release | Stored) -> str:
    """Of which columns this is said, and which others are released as they are."""
    m = release.facts
    kept = [*m["sensitive"], *release.policy.named("insensitive"), *m["unprotected"]]
    return headline(m["k"], m["quasi_identifiers"], kept, f", counted in people by {m['person']}" if m["person"] else "")


def _tells(release: Release | Stored) -> list[str]:
    """Columns that are released as they are and tell what others hide, as the reports say it."""
    if isinstance(release, Stored):
        rows = release.first_rows()
        found = tells_in(Table(rows), rows.columns, set(release.policy.named("quasi-identifier")))
    else:
        found = tells_of(release)
    said = [" ".join(tells_words(told, release.facts["sensitive"])) for told in found[:MOST_TOLD]]
    said += (
        [f"{len(found) - MOST_TOLD} more such pairs of columns{'' if isinstance(release, Stored) else ': --owner-report lists them'}."]
        if len(found) > MOST_TOLD
        else []
    )
    return [line for text in said for line in _entry("TELLS", text)]


def _kept(release: Release | Stored) -> list[str]:
    """What analysts keep: how the cells of each column are shown."""
    solution, cells = release.solution, []
    for j, column in enumerate(solution.problem.columns):
        exact, general, hidden = (100 * share for share in kinds_used(solution, j))
        cells.append(f"{column.name} {exact:.0f} % exact, {general:.0f} % generalized, {hidden:.0f} % hidden")
    return _entry("cells", "; ".join(cells))


def _name(path: str, standard: str) -> str:
    return standard if path == "-" else path


def _entry(name: str, text: str) -> list[str]:
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=f"  {name:<{INDENT - 2}}" if len(name) < INDENT - 2 else f"  {name}: ",
        subsequent_indent=" " * INDENT,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _sensitive(m: dict) -> str:  # type: ignore[type-arg]
    demanded = [c for c in m["criteria"] if c.get("column") in m["sensitive"]]
    said = [f"{c['column']}: {c['name']} ({_asked(c['required'])}), the weakest group reaches {c['reached']:.3g}" for c in demanded]
    rest = [name for name in m["sensitive"] if name not in {c["column"] for c in demanded}]
    if rest:
        said.append(f"{', '.join(rest)}: kept as they are, nothing asked of their diversity")
    return "; ".join(said)


def _asked(required: Mapping[str, float]) -> str:
    """What was asked, as it was understood: who meant something else sees it here."""
    return ", ".join(f"{name} = {value:g}" for name, value in required.items())


def _loss(release: Release | Stored) -> str:
    m = release.facts
    most = release.solution.most_loss
    share = f", {100 * m['loss'] / most:.1f} % of what suppressing everything would lose" if most > 0 else ""
    return f"{m['measure']} {m['loss_per_cell']:.4f} per cell ({m['loss']:,.1f} in all{share})"


def _risk(risk: Risk) -> str:
    if risk.counts == "people":
        return (
            f"{risk.n_unique:,} of {risk.n_counted:,} people have a row in a group of their own, {risk.n_below_k:,} in one of fewer than {risk.k}; a row picked in somebody's group is "
            f"hers with a chance of up to {chance_up(risk.highest)}, {risk.average:.3g} on average"
        )
    return (
        f"{risk.n_unique:,} of {risk.n_rows:,} rows are unique, {risk.n_below_k:,} in groups below {risk.k}; "
        "somebody who knows a person's values, and that the person is in the table, picks the right row with a chance of up to "
        f"{chance_up(risk.highest)}, {risk.average:.3g} on average" + (", if every person has one row" if (risk.highest or 1) < 1 else "")
    )
