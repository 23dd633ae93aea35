"""The first page of a report in plain words: what to look at, what is promised and what is not, what it cost, what a
neighbour can do.

No word here needs a glossary; the terms of the literature stand in the later chapters.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from shoal.columns.whose import rows_counted
from shoal.judge.words import headline, no_release
from shoal.privacy.asking import criteria
from shoal.release.record import inside_words
from shoal.release.telling import order_words
from shoal.report.levels import EXACT, GENERAL, HIDDEN
from shoal.report.words import (
    KEPT_ORDER,
    Numbers,
    chance,
    closeness,
    count,
    figures,
    rounded,
    several_rows,
    several_rows_in_numbers,
)
from shoal.text.rounding import factor_up, percent_up, times_the_least

MOST_NAMED = 8
MUCH = 1.1
"""Up to this ratio nobody can do much better."""
NOTHING = (
    "Nothing stands out. Every released column is protected or was named sensitive, in no group do all rows share one "
    "sensitive value, and no "
    "column was found that tells what another hides."
)
NOTHING_SENSITIVE = (
    "Nothing stands out. Every released column is protected, and no column was found that tells what another hides."
)
NOT_LOOKED_AT = (
    "The rows were counted where they are and not compared column with column. If a column that is released as it is "
    "follows from a protected one, or the other way round, "
    "this report does not say so: look at a part of the table in memory (shoal assess)."
)
VERIFIED = (
    "Before anything was written, a recount that uses nothing of the search read the released cells back, counted the "
    "groups and what they reach, "
    "compared every cell with its original and computed the loss anew. A table that fails is never written."
)
NOT_PROMISED = (
    "It does not promise to hide that somebody is in the table, to help against somebody who knows other columns of a "
    "person than the protected ones, to keep secret what all "
    "rows of a group have in common, or to stay safe beside a second release of the same table, which can be joined to "
    "it "
    "row by row: publish one. It does not hide everything from somebody "
    "who knows how it was made: cells are generalized no more than is needed, "
    "and from that such a reader can often tell for certain which finer values are among the rows of a group."
)


def joined(names: list[str]) -> str:
    """``a, b and c``; a number of columns where they are many."""
    if len(names) > MOST_NAMED:
        return f"the {len(names)} protected columns"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def share(part: int, whole: int) -> str:
    """A share of rows, in brackets; never 0 % for some of them, nor 100 % for less than all."""
    value = 100 * part / max(whole, 1)
    if 0 < value < 0.1:
        return "under 0.1 %"
    return "over 99.9 %" if value > 99.9 and part < whole else f"{value:.1f} %"


def of_hundred(shares: list[float]) -> list[int]:
    """Shares as whole percents that add up to 100; the largest parts that rounding leaves over are rounded up.

    >>> of_hundred([0.2246, 0.5541, 0.2213])
    [23, 55, 22]
    """
    whole = [math.floor(100 * x) for x in shares]
    order = sorted(range(len(shares)), key=lambda i: whole[i] - 100 * shares[i])
    for i in order[: round(100 * sum(shares)) - sum(whole)]:
        whole[i] += 1
    return whole


ONE_VALUE = (
    "All rows of their groups have the same value, so whoever knows that somebody is in such a group knows it. "
    "Asking for several values in each group prevents that."
)
OWN_VALUE = (
    "It is released as it is: whoever knows it of somebody finds the very row, whatever its group. Protect it, "
    "round it, or drop it if outsiders may know it."
)


def _of_rows(found: Mapping[str, Any], m: Numbers) -> str:
    return f"{count(found['rows'], 'row')} ({share(found['rows'], m['n_released'])})"


def look_first(model: Numbers) -> list[tuple[str, str]]:
    """What to look at first: a few words each, and what they mean. Empty where nothing stands out."""
    told, m = model["attention"], figures(model)
    said = [
        (f"K COUNTS ROWS: '{found['column']}' repeats.", rows_counted(found, m["n_rows"]))
        for found in told.get("several_rows", ())
    ]
    said += [(f"'{found['column']}' names people.", inside_words(found)) for found in told.get("names_inside", ())]
    people = m.get("people")
    if people and (people["n_alone"] or any(people["narrowed"].values())):
        said.append(
            (
                f"{people['n_alone']:,} of {people['n_people']:,} people stand out by all of their rows together.",
                several_rows_in_numbers(people),
            )
        )
    if told["unnamed"]:
        is_one = len(told["unnamed"]) == 1
        why = (
            f"Nobody gave {'it' if is_one else 'them'} a role, so {'it is' if is_one else 'they are'} released "
            f"unchanged. If an outsider may know {'it' if is_one else 'one of them'} of somebody, this release does "
            "not protect that person."
        )
        said.append((f"Not protected: {', '.join(told['unnamed'])}.", why))
    if told["kept"]:
        said.append(
            (f"Kept on purpose: {', '.join(told['kept'])}.", "The policy says so; nothing in these cells is changed.")
        )
    for found in told["one_value"]:
        said.append((f"'{found['column']}' is given away for {_of_rows(found, m)}.", ONE_VALUE))
    for found in told["own_value"]:
        what = (
            f"'{found['column']}' is different in most rows: {_of_rows(found, m)} have a value that no other row has."
        )
        said.append((what, OWN_VALUE))
    said += [tells_words(found, m["sensitive"]) for found in told["tells"]]
    if told.get("not_looked_at"):
        said.append(("Not looked at: whether a column tells what another hides.", NOT_LOOKED_AT))
    if told.get("order"):
        said.append((f"The order of the rows tells of {', '.join(told['order'])}.", order_words(told["order"])))
    return said


def tells_words(found: Mapping[str, str], sensitive: Sequence[str]) -> tuple[str, str]:
    """What is said of a column that tells what another hides, in the reports and in the summary."""
    what = "what" if found["how"] == "all" else "some of what"
    why = "It is released as it is. Protect it as well, or drop it."
    if found["teller"] in sensitive:
        why = (
            f"It is sensitive and released as it is, so the rows say more of '{found['told']}' than its own cells do. "
            "Where both say the same, give both the same role."
        )
    return f"'{found['teller']}' tells {what} '{found['told']}' hides.", why


def nothing(model: Numbers) -> str:
    """What is said where there is nothing to look at."""
    return NOTHING if model["sensitive"] else NOTHING_SENSITIVE


def first_line(model: Numbers) -> str:
    """Of which columns the release is k-anonymous, and which others it has as they were."""
    m, told = figures(model), model["attention"]
    by = f", counted in people by {m['person']}" if m.get("person") else ""
    return headline(m["k"], m["quasi_identifiers"], [*m["sensitive"], *told["kept"], *told["unnamed"]], by)


def promise(model: Numbers) -> str:
    """What the release promises, in one sentence."""
    m = figures(model)
    names = joined(list(m["quasi_identifiers"]))
    if m.get("person"):
        return (
            f"Whoever knows {names} of somebody in the table finds rows of at least {m['k']} different people that "
            f"fit, counted by {m['person']}, "
            "and cannot tell from these columns which are the right ones."
        )
    return (
        f"Every released row looks the same as at least {m['smallest_group'] - 1:,} "
        f"{'other' if m['smallest_group'] == 2 else 'others'} in {names}: whoever knows these of somebody in the "
        f"table finds at least {m['smallest_group']:,} rows that fit, and cannot tell from these columns which is the "
        "right one."
    )


def asked_more(model: Numbers) -> list[str]:
    """What else every group was asked for."""
    words = {c.name: c.reported[0] for c in criteria() if c.reported is not None}
    said = []
    for text, found in zip(model["asked"]["demands"], figures(model)["criteria"][1:], strict=True):
        if found.get("column") and found["column"] == figures(model).get("person"):
            continue  # the promise itself says it
        if found["name"] not in words:
            said.append(f"Asked of every group as well, and recounted: {text}.")
            continue
        asked = ", ".join(f"{value:g}" for value in found["required"].values())
        said.append(
            f"Asked of every group as well, of '{found['column']}': {words[found['name']]}, {asked}. The weakest group "
            f"reaches {found['reached']:.3g}."
        )
    return said


def not_promised(model: Numbers) -> list[str]:
    """What the release does not promise."""
    m = figures(model)
    said = [NOT_PROMISED]
    if model["asked"]["keep_order"] and not model["attention"].get("order"):
        said.append(
            f"{KEPT_ORDER} Release them with --shuffle then: sorted by what they show, their order tells nothing."
        )
    if m.get("person"):
        said += several_rows(m)
    return said


def price(model: Numbers) -> str:
    """What the release cost, in one sentence of counts."""
    m, cells = figures(model), model["cells"]
    n = of_hundred([cells[kind] for kind in (EXACT, GENERAL, HIDDEN)])
    parts = [
        f"{n_cells} {'is' if n_cells == 1 else 'are'} {word}"
        for n_cells, word in zip(n, ("exact", "generalized", "hidden"), strict=True)
    ]
    held = (
        (
            f"{count(m['n_withheld'], 'row')} of {m['n_rows']:,} {'was' if m['n_withheld'] == 1 else 'were'} withheld "
            "altogether."
        )
        if m["n_withheld"]
        else "No row was withheld."
    )
    return f"Of 100 cells in protected columns {', '.join(parts[:2])} and {parts[2]}. {held}"


def unchanged(model: Numbers) -> list[str]:
    """The columns that are released as they are, and those that are not released."""
    m, told = figures(model), model["attention"]
    kinds = ((m["sensitive"], "sensitive"), (told["kept"], "kept on purpose"), (told["unnamed"], "not protected"))
    parts = [f"{', '.join(names)} ({why})" for names, why in kinds if names]
    said = [f"Exact in every row: {'; '.join(parts)}."] if parts else []
    return said + ([f"Dropped: {', '.join(m['identifiers_dropped'])}."] if m["identifiers_dropped"] else [])


def near(m: Numbers) -> str:
    """How close to the best possible, without a word that needs explaining."""
    if m["ratio"] is None:
        return closeness(m)
    if m["ratio"] <= 1 + 1e-9:
        return f"Nobody can do better: {no_other(m)} loses less. That is proved."
    first = "Nobody can do much better: what" if m["ratio"] <= MUCH else "What"
    return (
        f"{first} this release loses is {times_the_least(m['ratio'])}. "
        f"{no_other(m)[:1].upper()}{no_other(m)[1:]} loses less than this one's loss "
        f"divided by {factor_up(m['ratio'])}. That is proved, not estimated.{rounded(m)}"
    )


def no_other(m: Numbers) -> str:
    """Of which releases the bound speaks, without a word that needs explaining."""
    return no_release(m["max_withheld"], m["deletion"], "with the same levels and the same promise")


def neighbour(model: Numbers) -> list[str]:
    """What somebody who knows a neighbour's values can do with the release."""
    m, after = figures(model), model["risk"]["after"]
    names = joined(list(m["quasi_identifiers"]))
    if m.get("person"):
        said = [
            (
                f"Somebody who knows a neighbour's {names}, and that the neighbour is in the table, finds rows of at "
                f"least {m['k']} different people that fit."
            )
        ]
        if after["highest"] is not None:
            said[0] += (
                f" A row picked among those of the neighbour's group is the neighbour's with a chance "
                f"of at most {percent_up(after['highest'])}, and of {chance(after['average'])} on average."
            )
    else:
        said = [
            f"Somebody who knows a neighbour's {names}, and that the neighbour is in the table, finds at least "
            f"{m['smallest_group']:,} rows that fit. A row picked "
            f"among them is the neighbour's with a chance of at most {percent_up(after['highest'])}, and of "
            f"{chance(after['average'])} on average, if every person has one row."
        ]
    return said + [_learns(s, m["n_released"]) for s in model["sensitive"]]


def _learns(s: dict[str, Any], n_rows: int) -> str:
    """What a neighbour learns of a sensitive column without picking a row."""
    rows = s["rows_in_groups_of_one_value"]
    if rows:
        return (
            f"For {count(rows, 'row')} ({share(rows, n_rows)}) all rows that fit have the same '{s['column']}': it is "
            "known without picking one."
        )
    fewest = min((g["distinct"] for g in s["groups_by_distinct"]), default=0)
    return f"The rows that fit have at least {fewest} different values of '{s['column']}'."
