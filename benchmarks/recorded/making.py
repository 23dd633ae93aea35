"""Recorded runs that make a release: formats, engines, algorithms, measures, hierarchies and criteria."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.recorded.run import ALGORITHMS, CRITERIA, MEASURES, QI, STAR, Run, make, verify

SOURCES = {
    "csv": "in/people.csv",
    "tsv": "in/people.tsv",
    "semicolon": "in/semicolon.csv",
    "latin": "in/latin.csv",
    "utf16": "in/utf16.csv",
    "gzip": "in/people.csv.gz",
    "parquet": "in/people.parquet",
    "folder": "in/parts",
    "pattern": "in/parts/*.parquet",
    "workbook": "in/people.xlsx",
    "sheet": "in/people.xlsx#people",
    "json": "in/people.jsonl",
    "arrow": "in/people.arrow",
    "stata": "in/people.dta",
    "sqlite": "sqlite:///in/people.db?table=people",
    "duckdb": "duckdb:///in/people.duckdb?table=people",
    "sqlite query": "sqlite:///in/people.db?query=SELECT age, sex, postcode, job, illness FROM people WHERE age < 60",
}
TARGETS = {
    "csv": "out.csv",
    "gzip": "out.csv.gz",
    "tsv": "out.tsv",
    "parquet": "out.parquet",
    "standard output": "-",
    "sqlite": "sqlite:///out.db?table=r",
    "duckdb": "duckdb:///out.duckdb?table=r",
}
ENGINES = {
    "memory": [("csv", "csv"), ("parquet", "parquet"), ("sqlite", "sqlite")],
    "files": [
        ("csv", "csv"),
        ("csv", "gzip"),
        ("gzip", "tsv"),
        ("csv", "parquet"),
        ("parquet", "parquet"),
        ("folder", "csv"),
        ("folder", "parquet"),
        ("semicolon", "csv"),
    ],
    "sqlite": [("sqlite", "sqlite")],
    "duckdb": [("duckdb", "duckdb")],
}
OPTIONS = {
    "plain": [],
    "withheld": ["--withhold", "0.05"],
    "deletion": ["--deletion"],
    "shuffled": ["--shuffle"],
    "diverse": ["--sensitive", "illness", "--l-diversity", "2"],
    "close": ["--sensitive", "illness", "--t-closeness", "0.4"],
    "one level": ["--algorithm", "full-domain"],
    "starred": ["--missing", "suppress"],
    "safe": ["--spreadsheet-safe"],
    "suppressed": ["--suppression-only"],
    "target": ["--target", "illness", "--sensitive", "illness"],
}
HIERARCHIES = {
    "suppression": ("job", "{ suppression = true }"),
    "intervals": ("age", "{ intervals = [5, 10, 20] }"),
    "grid": ("income", "{ grid = true }"),
    "prefixes": ("postcode", "{ prefixes = [4, 3, 1] }"),
    "dates": ("admitted", '{ dates = ["month", "quarter", "year"] }'),
    "times": ("hour", "{ times = true }"),
    "neighbours": ("mood", '{ neighbours = ["low", "medium", "high"] }'),
    "levels": ("sex", '{ levels = [["f", "*"], ["m", "*"]] }'),
    "file": ("job", '"in/trees/job.csv"'),
    "laminar": ("mood", '{ laminar = [["low", "medium"]] }'),
    "any_interval": ("age", "{ any_interval = true }"),
    "any_subset": ("job", "{ any_subset = true }"),
}


def formats() -> Iterator[Run]:
    """Every source to a text and to Parquet, and every target."""
    for name, source in SOURCES.items():
        yield make(
            f"source {name} to csv",
            source,
            "out.csv",
            "--qi",
            "age,sex,job",
            "--sensitive",
            "illness",
            loud=name in ("csv", "workbook", "sqlite"),
        )
        yield make(f"source {name} to parquet", source, "out.parquet", "--qi", "age,postcode", "--keep", "illness")
    for start in ("csv", "parquet", "sqlite", "duckdb"):
        for name, target in TARGETS.items():
            yield make(f"{start} to target {name}", SOURCES[start], target, *QI)
    for mark in (";", "\\t", "|"):
        yield make(f"output delimiter {mark!r}", "in/people.csv", "out.csv", *QI, "--output-delimiter", mark)
    yield make("delimiter said", "in/semicolon.csv", "out.csv", *QI, "--delimiter", ";")
    yield make("encoding said", "in/latin.csv", "out.csv", *QI, "--encoding", "latin-1")
    yield Run("standard input", (["anonymize", "-", "-o", "-", "-k", "3", *QI, "--quiet", "--effort", "0.05"],), "people.csv")
    yield Run(
        "standard input, measured",
        (["anonymize", "-", "-o", "out.csv", "-k", "3", *QI, "--manifest", "m.json", "--effort", "0.05"],),
        "people.csv.gz",
    )


def engines() -> Iterator[Run]:
    """Every engine with every option and with every pair of formats."""
    for engine, ways in ENGINES.items():
        for i, (start, end) in enumerate(ways):
            for name, options in (
                OPTIONS.items() if i == 0 or engine in ("sqlite", "duckdb") else [("plain", []), list(OPTIONS.items())[1 + i % 10]]
            ):
                yield make(f"engine {engine}, {start} to {end}, {name}", SOURCES[start], TARGETS[end], *QI, *options, "--engine", engine)
    for engine in ("files", "memory"):
        yield make(f"engine {engine}, little memory", "in/many.csv", "out.csv", *QI, "--engine", engine, "--memory", "800MB")
        yield make(
            f"engine {engine}, reports",
            "in/people.csv",
            "out.csv",
            *QI,
            "--engine",
            engine,
            "--report",
            "r.json",
            "--owner-report",
            "o.json",
            loud=True,
        )
        yield make(
            f"engine {engine}, pages", "in/people.csv", "out.csv", *QI, "--engine", engine, "--report", "r.html", "--owner-report", "o.md"
        )
        yield make(f"engine {engine}, progress", "in/people.csv", "out.csv", *QI, "--engine", engine, "--json-progress")
        yield make(
            f"engine {engine}, odd cells", "in/odd.csv", "out.csv", "--qi", '"a b","x,y"', "--keep", 'n,"q""q"', *STAR, "--engine", engine
        )
    yield make("engine files, folder for work", "in/people.csv", "out.csv", *QI, "--engine", "files", "--work", "work")


def solvers() -> Iterator[Run]:
    """Every algorithm and every measure."""
    for name in ALGORITHMS:
        k = {"one-two-factor": "2", "two-factor": "3", "restricted-matching": "2"}.get(name, "3")
        table, qi = (
            ("in/pairs.csv", ["--qi", ",".join(f"c{j}" for j in range(32)), "--suppression-only"])
            if name == "restricted-matching"
            else ("in/people.csv", QI)
        )
        table = "in/few.csv" if name in ("exact", "meyerson-williams-diameter") else table
        for said, options in {
            "plain": [],
            "withheld": ["--withhold", "0.1"],
            "deletion": ["--deletion"],
            "stars": ["--measure", "stars"],
            "stars, withheld": ["--measure", "stars", "--withhold", "0.1"],
        }.items():
            yield make(f"algorithm {name}, {said}", table, "out.csv", *qi, *options, "--algorithm", name, k=k)
    for name in MEASURES:
        for algorithm in ("auto", "set-cover"):
            yield make(f"measure {name}, {algorithm}", "in/people.csv", "out.csv", *QI, "--measure", name, "--algorithm", algorithm)
        yield make(
            f"measure {name}, proof",
            "in/people.csv",
            "out.csv",
            *QI,
            "--measure",
            name,
            "--proof",
            "proof",
            then=[verify("out.csv", *QI, "--measure", name, "--proof", "proof")],
        )
        yield make(
            f"measure {name}, a few rows, proof",
            "in/six.csv",
            "out.csv",
            "--qi",
            "age,sex,job",
            "--measure",
            name,
            "--proof",
            "proof",
            k="2",
        )


def hierarchies() -> Iterator[Run]:
    """Every builder, alone, beside another column, under a search of levels, and with a proof."""
    for name, (column, spec) in HIERARCHIES.items():
        policy = f"k = 3\n[columns.{column}]\nhierarchy = {spec}\n"
        own = ["--policy", "policy.toml"]
        yield make(f"hierarchy {name}", "in/people.csv", "out.csv", *own, files={"policy.toml": policy}, loud=True)
        yield make(
            f"hierarchy {name}, with sex and postcode",
            "in/people.csv",
            "out.csv",
            *own,
            "--qi",
            "sex,postcode",
            files={"policy.toml": policy},
            then=[verify("out.csv", *own, "--qi", "sex,postcode")],
        )
        yield make(
            f"hierarchy {name}, mondrian, bounds",
            "in/people.csv",
            "out.csv",
            *own,
            "--qi",
            "sex",
            "--algorithm",
            "mondrian",
            "--form",
            "bounds",
            files={"policy.toml": policy},
        )
        yield make(
            f"hierarchy {name}, proof", "in/few.csv", "out.csv", *own, "--qi", "sex", "--proof", "proof", files={"policy.toml": policy}
        )
    yield make(
        "hierarchies in a folder",
        "in/people.csv",
        "out.csv",
        "--qi",
        "job,postcode",
        "--hierarchies",
        "in/trees",
        then=[verify("out.csv", "--qi", "job,postcode", "--hierarchies", "in/trees")],
    )


def criteria() -> Iterator[Run]:
    """Every criterion, by the search and by an algorithm that merges, and verified."""
    for name, value in CRITERIA.items():
        asked = ["--sensitive", "illness", "--require", f"{name}={value}"]
        for said, more in {
            "auto": [],
            "forest": ["--algorithm", "forest"],
            "full-domain, withheld": ["--algorithm", "full-domain", "--withhold", "0.2"],
        }.items():
            yield make(
                f"criterion {name}, {said}",
                "in/people.csv",
                "out.csv",
                *QI,
                *asked,
                *more,
                then=[verify("out.csv", *QI, *asked)],
                loud=said == "auto",
            )
    for form in ("2", "entropy:1.5", "recursive:3,2"):
        yield make(f"l-diversity {form}", "in/many.csv", "out.csv", *QI, "--sensitive", "illness", "--l-diversity", form)


def all_of_them() -> Iterator[Run]:
    for family in (formats, engines, solvers, hierarchies, criteria):
        yield from family()
