"""Recorded runs of every option, of clusters, and of what meets by chance."""

from __future__ import annotations

import random
from collections.abc import Iterator

from benchmarks.recorded.making import HIERARCHIES, OPTIONS, TARGETS
from benchmarks.recorded.run import CRITERIA, MEASURES, QI, STAR, Run, make, verify

CLUSTERS = {
    "gather": ["--method", "gather"],
    "gather, outliers": ["--method", "gather", "--outliers", "0.05"],
    "gather, anywhere": ["--method", "gather", "--centers", "any"],
    "gather, outliers anywhere": ["--method", "gather", "--centers", "any", "--outliers", "0.05"],
    "gather, diverse": ["--method", "gather", "--l-diversity", "2"],
    "gather, close": ["--method", "gather", "--t-closeness", "0.5"],
    "gather, entropy": ["--method", "gather", "--l-diversity", "entropy:2"],
    "center": ["--method", "center", "--max-clusters", "8"],
    "center, outliers": ["--method", "center", "--max-clusters", "6", "--outliers", "0.1"],
    "center, anywhere": ["--method", "center", "--max-clusters", "8", "--centers", "any"],
    "center, diverse": ["--method", "center", "--max-clusters", "8", "--l-diversity", "2"],
    "cellular": ["--method", "cellular"],
    "cellular, outliers": ["--method", "cellular", "--outliers", "0.05"],
    "cellular, anywhere": ["--method", "cellular", "--centers", "any"],
    "cellular, fee": ["--method", "cellular", "--setup-cost", "0.5"],
    "cellular, fees": ["--method", "cellular", "--setup-cost", "income"],
    "cellular, diverse": ["--method", "cellular", "--l-diversity", "2"],
}


def options() -> Iterator[Run]:
    """Every other option."""
    for share in ("0.01", "0.1", "0.5"):
        yield make(
            f"withhold {share}",
            "in/many.csv",
            "out.csv",
            *QI,
            "--withhold",
            share,
            "--proof",
            "proof",
            then=[verify("out.csv", *QI, table="in/many.csv")],
        )
    for engine in ("memory", "files"):
        person = ["--qi", "age,sex,postcode", "--person", "patient", "--sensitive", "illness"]
        for said, more in {
            "plain": [],
            "withheld": ["--withhold", "0.1"],
            "diverse": ["--l-diversity", "2"],
            "shuffled": ["--shuffle"],
            "proof": ["--proof", "proof"],
        }.items():
            yield make(
                f"person, {said}, {engine}",
                "in/visits.csv",
                "out.csv",
                *person,
                *more,
                "--engine",
                engine,
                then=[verify("out.csv", *person, *more[:1] if "--shuffle" in more else [], table="in/visits.csv")],
                loud=True,
            )
    for form in ("labels", "bounds", "typed"):
        for end in ("csv", "gzip", "parquet"):
            yield make(
                f"form {form}, {end}",
                "in/people.csv",
                TARGETS[end],
                *QI,
                "--form",
                form,
                "--manifest",
                "m.json",
                then=[verify(TARGETS[end], *QI, "--form", form)],
            )
    for missing in ("value", "suppress", "error"):
        for marks in ([], ["--missing-value", "NA", "--missing-value", "?"]):
            yield make(
                f"missing {missing}, {len(marks) // 2} marks",
                "in/gaps.csv",
                "out.csv",
                "--qi",
                "sex,job,postcode",
                "--missing",
                missing,
                *marks,
                loud=True,
                then=[verify("out.csv", "--qi", "sex,job,postcode", *marks, table="in/gaps.csv")],
            )
    for name, more in OPTIONS.items():
        yield make(f"option {name}, k = 10", "in/many.csv", "out.csv", *QI, *more, k="10", loud=True)
    yield make("weights", "in/people.csv", "out.csv", *QI, "--weight", "age=3", "--weight", "sex=0.2", loud=True)
    yield make("workload", "in/people.csv", "out.csv", *QI, "--workload", "in/workload.txt", loud=True)
    yield make("seed", "in/many.csv", "out.csv", *QI, "--seed", "7")
    yield make("good enough", "in/many.csv", "out.csv", *QI, "--stop-at-ratio", "2")
    yield make("identifiers", "in/known.csv", "out.csv", *QI, "--identifier", "name,number", loud=True)
    yield make(
        "a column that tells", "in/known.csv", "out.csv", "--qi", "age,sex", "--identifier", "name,number", "--keep", "decade", loud=True
    )
    yield make("sorted rows", "in/sorted.csv", "out.csv", *QI, loud=True)
    yield make("odd cells", "in/odd.csv", "out.csv", "--qi", '"a b","x,y"', "--keep", 'n,"q""q"', *STAR, "--spreadsheet-safe", loud=True)
    yield make("quiet", "in/six.csv", "out.csv", "--qi", "age,sex", "--quiet", k="2")
    yield make("policy of all kinds", "in/people.csv", "out.csv", "--policy", "in/whole.toml", loud=True)
    yield make("one group", "in/six.csv", "out.csv", "--qi", "age,sex,job", k="6", loud=True)


def clusters() -> Iterator[Run]:
    """Every method of clustering with every option, verified."""
    for name, how in CLUSTERS.items():
        asked = ["-r", "4", "--qi", "age,sex,job", "--sensitive", "illness", "--metric", "in/metric.toml"]
        made = ["cluster", "in/people.csv", "-o", "out.csv", *how, *asked, "--manifest", "m.json", "--record", "record.json"]
        yield Run(f"clusters {name}", (made, ["verify", "in/people.csv", "out.csv", *how, *asked]))
    asked = ["-r", "3", "--qi", "age,sex", "--method", "cellular"]
    yield Run(
        "clusters cellular, shared",
        (["cluster", "in/people.csv", "-o", "out.csv", *asked, "--sharing"], ["verify", "in/people.csv", "out.csv", *asked, "--sharing"]),
    )
    for more in (["--long"], ["--sensitive-as", "counts"], ["--proof", "proof"], ["-o", "out.parquet"], ["-o", "-"]):
        yield Run(
            f"clusters gather, {' '.join(more)}",
            (["cluster", "in/people.csv", "-o", "out.csv", "-r", "5", "--qi", "age,income", "--sensitive", "illness", *more],),
        )


def mixtures(n: int = 40) -> Iterator[Run]:
    """Options drawn together, so that what meets by chance is recorded as well."""
    for seed in range(n):
        rng = random.Random(f"mixture {seed}")
        (column, spec), (name, value) = rng.choice(list(HIERARCHIES.values())), rng.choice(list(CRITERIA.items()))
        more = list(rng.choice([[], ["--withhold", "0.1"], ["--deletion"]]))
        more += (
            rng.choice([[], [], ["--require", f"{name}={value}"]])
            + rng.choice([[], ["--shuffle"]])
            + rng.choice([[], ["--missing", "suppress"]])
        )
        more += [
            "--measure",
            rng.choice(MEASURES),
            "--algorithm",
            rng.choice(["auto", "auto", "mondrian", "forest", "k-member", "full-domain", "set-cover"]),
        ]
        more += [
            "--form",
            rng.choice(["labels", "labels", "bounds", "typed"]),
            "--engine",
            rng.choice(["memory", "files"]),
            "--seed",
            str(seed),
        ]
        qi = sorted(set(rng.sample(["age", "sex", "postcode", "mood"], 2)) | {column})
        table, end = (
            rng.choice(["in/people.csv", "in/many.csv", "in/gaps.csv", "in/few.csv"]),
            rng.choice(["out.csv", "out.csv.gz", "out.parquet"]),
        )
        policy = f"[columns.{column}]\nhierarchy = {spec}\n"
        asked = ["--policy", "policy.toml", "--qi", ",".join(qi), "--sensitive", "illness"]
        said = "".join(f", {word}" for word in ("withhold", "deletion", "set-cover") if any(word in asked for asked in more))
        yield make(
            f"mixture {seed}{said}",
            table,
            end,
            *asked,
            *more,
            k=str(rng.randint(2, 7)),
            files={"policy.toml": policy},
            then=[verify(end, *asked, *more[:-2], table=table)] if "bounds" not in more else [],
        )


def all_of_them() -> Iterator[Run]:
    for family in (options, clusters, mixtures):
        yield from family()
