"""Recorded runs that read: verify and measure of right, doctored and foreign releases, assess, read, init, hierarchy, explore, help."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.recorded.run import LITTLE, QI, STAR, Run, Step

MADE: Step = [
    "anonymize",
    "in/people.csv",
    "-o",
    "out.csv",
    "-k",
    "3",
    *QI,
    "--sensitive",
    "illness",
    "--keep",
    "admitted,income,hour,mood",
    *LITTLE,
    "--manifest",
    "m.json",
]
ASKED = [*QI, "--sensitive", "illness", "--keep", "admitted,income,hour,mood"]
HEAD = "import csv, random\nrows = list(csv.reader(open('out.csv', newline='')))\nhead, rows = rows[0], rows[1:]\n"
TAIL = "\nwith open('other.csv', 'w', newline='') as file: csv.writer(file, lineterminator='\\n').writerows([head, *rows])\n"
DOCTORED = {
    "nothing": "",
    "a false age": "rows[7][0] = '1'",
    "a false group": "rows[3][:4] = ['[0, 1)', 'f', '9**', 'cook']",
    "an unknown label": "rows[5][3] = 'somewhere'",
    "a small group": "rows[0][:4] = ['45', 'f', '81010', 'nurse']",
    "a false illness": "rows[2][8] = 'plague'",
    "a missing row": "del rows[10]",
    "many missing rows": "del rows[40:]",
    "a row twice": "rows.append(rows[0])",
    "another order": "random.Random(1).shuffle(rows)",
    "two rows exchanged": "rows[1], rows[90] = rows[90], rows[1]",
    "one column shuffled": "cells = [r[8] for r in rows]; random.Random(2).shuffle(cells)\nfor r, c in zip(rows, cells): r[8] = c",
    "a column more": "head.append('note')\nfor i, r in enumerate(rows): r.append(str(i % 4))",
    "a column that tells": "head.append('years')\nsource = list(csv.DictReader(open('in/people.csv', newline='')))\nfor r, s in zip(rows, source): r.append(s['age'])",
    "a column less": "head.pop()\nfor r in rows: r.pop()",
    "a quasi-identifier less": "head.pop(0)\nfor r in rows: r.pop(0)",
    "columns in another order": "head.reverse()\nfor r in rows: r.reverse()",
    "all stars": "for r in rows: r[:4] = ['*'] * 4",
    "marks for stars": "for r in rows: r[:4] = ['NA' if c == '*' else c for c in r[:4]]",
    "the original": "rows = list(csv.reader(open('in/people.csv', newline='')))[1:]",
    "no rows": "rows = []",
    "blanks around": "for r in rows: r[0] = ' ' + r[0] + ' '",
    "another notation": "for r in rows: r[0] = r[0].replace('[', '').replace(')', '').replace(', ', '-')",
    "notation of sets": "for r in rows: r[1] = 'f~m' if r[1] == '*' else r[1]",
    "masks": "for r in rows: r[2] = r[2].replace('*', 'x')",
    "wide numbers": "for r in rows: r[0] = '[0 - 120]'",
    "illnesses alike": "for r in rows: r[8] = 'flu'",
}
WAYS = {
    "in order": [],
    "in any order": ["--reordered"],
    "rows may lack": ["--withheld", "1"],
    "json": ["--json"],
    "suppressed": ["--suppressed", "NA"],
    "diverse": ["--l-diversity", "2"],
}


def verdicts() -> Iterator[Run]:
    """Releases that were changed, and how they are judged."""
    for i, (name, code) in enumerate(DOCTORED.items()):
        checks: list[Step] = [
            ["verify", "in/people.csv", "other.csv", "-k", "3", *ASKED, *WAYS[way]]
            for way in ("in order", "in any order", list(WAYS)[2 + i % 4])
        ]
        measured: Step = ["measure", "in/people.csv", "other.csv", *QI, *(["--json"] if i % 2 else [])]
        yield Run(f"judge {name}", (MADE, HEAD + code + TAIL, *checks, measured))
    for name, code in list(DOCTORED.items())[:12]:
        proof: Step = [*MADE, "--proof", "proof"]
        yield Run(
            f"proof, {name}", (proof, HEAD + code + TAIL, ["verify", "in/people.csv", "other.csv", "-k", "3", *ASKED, "--proof", "proof"])
        )
    change = "import pathlib\np = pathlib.Path('proof')\nb = bytearray(p.read_bytes())\nb[len(b) * {} // 7] ^= 1\npathlib.Path('false').write_bytes(b)"
    for part in range(1, 7):
        yield Run(
            f"a false proof {part}",
            (
                [*MADE, "--proof", "proof"],
                change.format(part),
                ["verify", "in/people.csv", "out.csv", "-k", "3", *ASKED, "--proof", "false"],
            ),
        )
    for k in ("2", "3", "4", "50"):
        yield Run(
            f"verify k = {k}",
            (
                MADE,
                ["verify", "in/people.csv", "out.csv", "-k", k, *ASKED],
                ["verify", "in/swapped.csv", "out.csv", "-k", k, *ASKED, "--reordered"],
            ),
        )
    for end in ("out.csv.gz", "out.tsv", "out.parquet", "sqlite:///out.db?table=r", "duckdb:///out.duckdb?table=r"):
        made: Step = ["anonymize", "in/people.csv", "-o", end, "-k", "3", *ASKED, *LITTLE]
        yield Run(
            f"judge {end}",
            (
                made,
                ["verify", "in/people.csv", end, "-k", "3", *ASKED],
                ["measure", "in/people.csv", end, *QI],
                ["read", end, *QI, "--count", "sex=f"],
            ),
        )
    safe: Step = [
        "anonymize",
        "in/odd.csv",
        "-o",
        "out.csv",
        "-k",
        "3",
        "--qi",
        '"a b"',
        "--keep",
        '"x,y",n,"q""q"',
        *STAR,
        "--spreadsheet-safe",
    ]
    for more in ([], ["--spreadsheet-safe"]):
        yield Run(
            f"verify defused cells {more}",
            (safe, ["verify", "in/odd.csv", "out.csv", "-k", "3", "--qi", '"a b"', "--keep", '"x,y",n,"q""q"', *STAR, *more]),
        )
    yield Run(
        "verify by a policy",
        (
            ["anonymize", "in/people.csv", "-o", "out.csv", "--policy", "in/whole.toml", *LITTLE],
            ["verify", "in/people.csv", "out.csv", "--policy", "in/whole.toml"],
        ),
    )


def readings() -> Iterator[Run]:
    """What a release tells."""
    asked = {
        "a count": ["--count", "age=30..39 sex=f"],
        "counts": ["--count", "job=nurse|cook", "--count", "postcode=81010"],
        "a table": ["--table", "sex,job"],
        "a mean": ["--mean", "age"],
        "a median": ["--median", "age", "--json"],
        "values": ["-o", "drawn.csv", "--seed", "3"],
        "imputations": ["-o", "drawn.parquet", "--imputations", "3"],
        "everything": [],
        "unknown": ["--count", "planet=mars"],
    }
    for name, words in asked.items():
        yield Run(
            f"read {name}",
            (MADE, ["read", "out.csv", *QI, *words], ["read", "out.csv", *QI, "--manifest", "m.json", *words[:2] * ("-o" not in words)]),
        )
    for form in ("bounds", "typed"):
        yield Run(
            f"read {form}",
            ([*MADE, "--form", form], ["read", "out.csv", *QI, "--form", form, "--count", "age=30..39 sex=f", "--mean", "age"]),
        )


def looking() -> Iterator[Run]:
    """Tables as they are: assess, init, hierarchies, explore."""
    for table in ("people.csv", "known.csv", "visits.csv", "gaps.csv", "odd.csv", "people.parquet", "people.xlsx", "few.csv"):
        yield Run(f"assess {table}", (["assess", f"in/{table}"], ["assess", f"in/{table}", "--json"]))
        yield Run(
            f"init {table}", (["init", f"in/{table}"], ["anonymize", f"in/{table}", "-o", "out.csv", "--policy", "policy.toml", *LITTLE])
        )
        yield Run(
            f"hierarchy suggest {table}",
            (["hierarchy", "suggest", f"in/{table}", "-o", "trees"], ["hierarchy", "check", f"in/{table}", "trees"]),
        )
    for more in ([], ["--json"], ["--subsets", "2"], ["--sensitive", "illness"], ["--report", "page.html"]):
        yield Run(f"assess named {' '.join(more)}", (["assess", "in/people.csv", *QI, *more],))
    yield Run("assess people", (["assess", "in/visits.csv", "--qi", "age,sex", "--person", "patient"],))
    yield Run("assess database", (["assess", "sqlite:///in/people.db?table=people", *QI],))
    yield Run("init to standard output", (["init", "in/people.csv", "-o", "-"],))
    for column in ("age", "postcode", "job", "admitted", "income", "hour", "mood"):
        yield Run(
            f"hierarchy show {column}",
            (
                ["hierarchy", "show", "--table", "in/many.csv", "--column", column],
                ["hierarchy", "suggest", "in/many.csv", "--column", column, "-o", "trees"],
            ),
        )
    yield Run(
        "hierarchy show file",
        (["hierarchy", "show", "in/trees/job.csv"], ["hierarchy", "show", "in/trees/job.csv", "--table", "in/people.csv", "--depth", "1"]),
    )
    yield Run(
        "hierarchy check",
        (
            ["hierarchy", "check", "in/people.csv", "in/trees"],
            ["hierarchy", "check", "in/people.csv", "in/short"],
            ["hierarchy", "check", "in/people.csv", "in/crossed"],
        ),
    )
    yield Run("hierarchy complete", (["hierarchy", "complete", "in/people.csv", "in/short", "-o", "whole"],))
    yield Run("hierarchy monotone", (["hierarchy", "monotone", "in/trees/job.csv", "--table", "in/people.csv", "-o", "mono.csv"],))
    for more in ([], ["--json"], ["--measure", "lm,stars"], ["--withhold", "0.1"], ["--report", "page.html"]):
        yield Run(f"explore {' '.join(more)}", (["explore", "in/few.csv", "-k", "2,3", "--qi", "age,sex", "--quiet", *more],))


def pages() -> Iterator[Run]:
    """What is listed, and the help of every command."""
    for name in ("algorithms", "measures", "criteria", "instance", "--version", "--help"):
        yield Run(f"list {name}", ([name],))
    for name in (
        "init",
        "anonymize",
        "verify",
        "measure",
        "read",
        "assess",
        "explore",
        "cluster",
        "miner",
        "customer",
        "registrar",
        "studio",
        "instance",
        "demo",
    ):
        yield Run(f"help {name}", ([name, "--help"],))
    yield Run(
        "help hierarchy",
        tuple(["hierarchy", *word, "--help"] for word in ([], ["suggest"], ["check"], ["complete"], ["monotone"], ["show"])),
    )
    yield Run("instance", (["instance", "r-cliques", '{"edges": [[0, 1], [0, 2], [1, 2]], "r": 3}', "-o", "hard.csv"],))
    yield Run(
        "instance again",
        (["instance", "alike-apart", '{"k": 4}', "-o", "hard.csv"], ["instance", "alike-apart", '{"k": 4}', "-o", "hard.csv"]),
    )


def all_of_them() -> Iterator[Run]:
    for family in (verdicts, readings, looking, pages):
        yield from family()
