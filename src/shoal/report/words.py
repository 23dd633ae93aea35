"""The report's sentences, the same in HTML, Markdown and JSON."""

from __future__ import annotations

import re
from shlex import quote
from typing import Any

from shoal.judge.words import no_release
from shoal.privacy.asking import criteria
from shoal.release.disclosure import OF_PEOPLE, TOO_FEW
from shoal.release.manifest import list_file
from shoal.text.rounding import percent_up, times_the_least

Numbers = dict[str, Any]


KEPT_ORDER = (
    "Rows are released in the order in which they came. That order tells something if rows were sorted by name, time "
    "or household."
)


def figures(model: Numbers) -> Numbers:
    """The figures of a run: the owner's record, or the manifest that goes with the release."""
    found: Numbers = model["record"] if "record" in model else model["manifest"]
    return found


def number(value: float | None, form: str = ".4f") -> str:
    """A figure, or a dash where it is not told."""
    return "–" if value is None else format(value, form)


def count(n: int, what: str) -> str:
    """``1 row``, ``2 rows``."""
    return f"{n:,} {what}{'' if n == 1 else 's'}"


COLUMNS = {"1": "one column", "2": "two columns", "3": "three columns"}


def how_far(model: Numbers) -> str:
    """What the errors of counts are of, and why the other edition has other ones."""
    other = (
        "What is measured compares the same counts with the original: it is in the owner's report alone."
        if "measured" in model["expected"]
        else "The owner's report has other figures beside these: the errors as measured on the original."
    )
    return f"{EXPECTED} {other}"


def expected(model: Numbers) -> list[tuple[str, ...]]:
    """How far counts are off, a line for each number of columns: as expected, and for the owner as measured."""
    found = model["expected"]
    kinds = [found["counts"], *([found["measured"]] if "measured" in found else [])]
    return [
        (f"counts of {word}", *(percent(kind[n]) for kind in kinds))
        for n, word in COLUMNS.items()
        if kinds[0][n] is not None
    ]


def percent(share: float | None) -> str:
    """A share in words: at least one digit that counts."""
    return (
        "–"
        if share is None
        else "under 0.1 %"
        if share < 0.001
        else f"{100 * share:.1f} %"
        if share < 0.1
        else f"{100 * share:.0f} %"
    )


def chance(share: float | None) -> str:
    """A chance in percent."""
    return "–" if share is None else f"{100 * share:.1f} %"


ROUNDED = (
    " The figures behind this are rounded here so that they tell nothing of the original; the owner's report has them "
    "exactly."
)
ENDED_EARLY = (
    "The run was ended by the clock, or by hand, before its work was done. "
    "Another run may give another release, and one with more time may lose less."
)
EXPECTED = (
    "Mean relative error of counts read with shoal read: ranges of numbers and sets of values, for at least one row in "
    "200. What is expected "
    "follows from the release alone."
)


def closeness(m: Numbers) -> str:
    """How close to the best possible, in a sentence."""
    if m["bound"] in (TOO_FEW, OF_PEOPLE):
        return f"How close this is to the best possible is {m['bound']}."
    if m["lower_bound"] is None:
        return f"How close this is to the best possible is not known: {m['bound']}."
    if m["ratio"] is None:
        return (
            f"The bound '{m['bound']}' is 0 for this table, so nothing is proved about how close this is to the best "
            "possible."
        )
    if m["ratio"] <= 1 + 1e-9:
        return (
            f"This is the best possible: {no_release(m['max_withheld'], m['deletion'])} loses less, and that is proved."
        )
    return (
        f"The loss is {times_the_least(m['ratio'])}, and that is proved: "
        f"{no_release(m['max_withheld'], m['deletion'])} loses less than "
        f"{m['lower_bound']:,.2f}, whoever computes it; this one loses {m['loss']:,.2f}. The bound is "
        f"'{m['bound']}'.{rounded(m)}"
    )


def rounded(m: Numbers) -> str:
    """Why the published edition may say another figure than the owner's."""
    return "" if "notice" in m else ROUNDED


def several_rows(m: Numbers) -> list[str]:
    """What is not protected where people have several rows; with figures in the owner's edition."""
    said = [
        f"Each row by itself is one of at least {m['k']} people's. The rows of one person may lie in different groups: "
        "whoever knows several rows of somebody "
        f"and can tell which released rows belong together is not held to {m['k']} people. Columns that are the same "
        "in all rows of a person tell that. "
        "Criteria of sensitive columns count rows, not people."
    ]
    people = m.get("people")
    if people:
        said.append(several_rows_in_numbers(people))
    return said


def several_rows_in_numbers(people: Numbers) -> str:
    """What somebody who knows all rows of a person may learn, in numbers. For the owner."""
    told = "".join(
        f" For {count(n, 'person') if n == 1 else f'{n:,} people'} only one value of {column} is in all of their "
        "groups: if it is the same in all rows of a person, it is given away."
        for column, n in people["narrowed"].items()
        if n
    )
    return (
        f"{people['n_people']:,} people are behind the rows, {people['fewest']:,} in the weakest group; "
        f"{people['n_scattered']:,} have rows in several groups. "
        f"{people['n_alone']:,} have a set of groups that nobody else has. One person has up to "
        f"{people['largest_share']:.0%} of the rows of a group.{told}"
        + (f" {people['n_unknown']:,} rows name no person and count for nobody." if people["n_unknown"] else "")
    )


def original(model: Numbers) -> str:
    """The original in a command: the name of its file, or a word for it where it is a table of a database or of a
    session.
    """
    source = model["source"]
    is_file = source != "the table" and not re.search(r" \((table .*|a query)\)$", source)
    return quote(source) if is_file else "ORIGINAL"


def release(model: Numbers) -> str:
    """The release in a command."""
    return quote(model["file"]["name"]) if model["file"]["name"] else "RELEASE"


def repeat(model: Numbers) -> list[str]:
    """How to repeat the run."""
    m = figures(model)
    kept = model["kept_back"]
    lists = (
        (
            f"The hierarchy of {', '.join(kept)} lists values of the table and is not printed here. In its place the "
            f"policy names {' and '.join(map(list_file, kept))}: save the list there first, in ARX's form. "
        )
        if kept
        else ""
    )
    return [
        (
            f"{lists}Whoever has the table saves the policy below as shoal.toml, with its hierarchy files beside it, "
            "and runs:"
        ),
        (
            f"shoal anonymize {original(model)} -o {release(model)} --policy "
            f"shoal.toml{model['file']['flags']}{model['file']['again']}"
        ),
        f"{same_bytes(m)}SHA-256 of the policy in its public form "
        f"(without seed, time limit and lists of values): {model['identity']['policy_sha256']}; "
        f"of the release: {m['release_sha256']}.",
    ]


def same_bytes(m: Numbers) -> str:
    """What a second run gives; said only in the owner's edition, which knows whether the run can be repeated."""
    if "is_repeatable" not in m:
        return ""
    if not m["is_repeatable"]:
        return f"{ENDED_EARLY} "
    return f"Same input, policy and version (shoal {m['shoal']}) give the same bytes. "


def risk_after(after: Numbers) -> list[tuple[str, str]]:
    """Risk of the release, a row each: (what, how much)."""
    return [(what, now) for what, _, now in risk(after, after)]


def risk(before: Numbers, after: Numbers) -> list[tuple[str, str, str]]:
    """Risk before and after, a row each: (what, before, after)."""
    alone, small = "unique rows", f"rows in groups below {before['k']}"
    people = []
    if before["counts"] == "people":
        alone, small = (
            "people with a row in a group of their own",
            f"people with a row in a group of fewer than {before['k']} people",
        )
        people = [("people", f"{before['n_people']:,}", f"{after['n_people']:,}")]
    return [
        ("rows", f"{before['n_rows']:,}", f"{after['n_rows']:,}"),
        *people,
        ("groups of rows that look alike", f"{before['n_groups']:,}", f"{after['n_groups']:,}"),
        (alone, f"{before['n_unique']:,}", f"{after['n_unique']:,}"),
        (small, f"{before['n_below_k']:,}", f"{after['n_below_k']:,}"),
        ("highest chance of picking somebody's row", percent_up(before["highest"]), percent_up(after["highest"])),
        ("average chance", chance(before["average"]), chance(after["average"])),
    ]


def misplaced(pair: Numbers) -> str:
    """The error of a table of counts of two columns that an analyst makes from the release."""
    share: float | None = pair["misplaced"]
    return chance(share)


def sensitive(s: Numbers) -> list[tuple[str, str, str]]:
    """What the groups say of a sensitive column: (what, weakest group, median group)."""
    told = [(c.reported, s[c.name]) for c in criteria() if c.reported is not None]
    return [(words, format(found["worst"], form), format(found["median"], form)) for (words, form), found in told]


def asked(model: Numbers) -> list[tuple[str, str]]:
    """What was asked, one setting per row."""
    m, a = figures(model), model["asked"]
    rows = [
        ("k", f"{a['k']}, counted in people by '{m['person']}'" if m.get("person") else str(a["k"])),
        ("measure", a["measure"]),
        ("algorithm", a["algorithm"]),
    ]
    rows += [(f"quasi-identifier {name}", m["hierarchies"][name]) for name in m["quasi_identifiers"]]
    rows += [
        ("sensitive", ", ".join(m["sensitive"]) or "none"),
        ("dropped", ", ".join(m["identifiers_dropped"]) or "none"),
    ]
    rows += [("demand", text) for text in a["demands"]]
    rows += [
        (
            "rows that may be withheld",
            "any, at the price of suppressing it" if a["deletion"] else f"{a['withhold']:.2%}",
        )
    ]
    rows.append(("missing cells", a["missing"]))
    if "seed" in a:
        rows.append(("seed", str(a["seed"])))
    if a.get("time_limit") is not None:
        rows.append(("time limit", f"{a['time_limit']:g} s"))
    return rows + [(f"weight of {name}", f"{w:g}") for name, w in a["weights"].items()]
