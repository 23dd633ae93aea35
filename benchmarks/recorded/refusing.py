"""Recorded runs of what is refused: bad commands, policies, tables and places. Nothing may be written."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.recorded.run import QI, Run

PEOPLE = ["in/people.csv", "-o", "out.csv"]
COMMANDS: dict[str, list[str]] = {
    "no command": ["anonymise", *PEOPLE],
    "no option": ["anonymize", *PEOPLE, "--nonsense"],
    "no output": ["anonymize", "in/people.csv", *QI],
    "no input": ["anonymize", "in/nobody.csv", "-o", "out.csv", *QI],
    "no columns": ["anonymize", *PEOPLE, "-k", "3"],
    "no such column": ["anonymize", *PEOPLE, "--qi", "planet"],
    "two roles": ["anonymize", *PEOPLE, *QI, "--sensitive", "age"],
    "k of a word": ["anonymize", *PEOPLE, *QI, "-k", "many"],
    "k of nothing": ["anonymize", *PEOPLE, *QI, "-k", "0"],
    "k below": ["anonymize", *PEOPLE, *QI, "-k", "-2"],
    "k too large": ["anonymize", *PEOPLE, *QI, "-k", "500"],
    "withhold too much": ["anonymize", *PEOPLE, *QI, "--withhold", "1.5"],
    "withhold below": ["anonymize", *PEOPLE, *QI, "--withhold", "-0.1"],
    "withhold and deletion": ["anonymize", *PEOPLE, *QI, "--withhold", "0.1", "--deletion"],
    "no algorithm": ["anonymize", *PEOPLE, *QI, "--algorithm", "magic"],
    "no measure": ["anonymize", *PEOPLE, *QI, "--measure", "beauty"],
    "no criterion": ["anonymize", *PEOPLE, *QI, "--sensitive", "illness", "--require", "justice=1"],
    "a criterion without column": ["anonymize", *PEOPLE, *QI, "--l-diversity", "2"],
    "a criterion of nothing": ["anonymize", *PEOPLE, *QI, "--sensitive", "illness", "--l-diversity", "many"],
    "too diverse": ["anonymize", *PEOPLE, *QI, "--sensitive", "illness", "--l-diversity", "9"],
    "too close": ["anonymize", *PEOPLE, *QI, "--sensitive", "illness", "--t-closeness", "-1"],
    "no ending": ["anonymize", "in/people.csv", "-o", "out.doc", *QI],
    "no folder": ["anonymize", "in/people.csv", "-o", "nowhere/out.csv", *QI],
    "over the input": ["anonymize", "in/six.csv", "-o", "in/six.csv", *QI, "--force"],
    "twice the same": ["anonymize", *PEOPLE, *QI, "--manifest", "out.csv"],
    "workbook out": ["anonymize", "in/people.csv", "-o", "out.xlsx", *QI],
    "names": ["anonymize", "in/known.csv", "-o", "out.csv", "--qi", "age"],
    "wrong delimiter": ["anonymize", *PEOPLE, *QI, "--delimiter", ";"],
    "long delimiter": ["anonymize", *PEOPLE, *QI, "--delimiter", "ab"],
    "wrong encoding": ["anonymize", "in/latin.csv", "-o", "out.csv", *QI, "--encoding", "utf-8"],
    "no encoding": ["anonymize", *PEOPLE, *QI, "--encoding", "klingon"],
    "no engine": ["anonymize", *PEOPLE, *QI, "--engine", "steam"],
    "engine elsewhere": ["anonymize", *PEOPLE, *QI, "--engine", "sqlite"],
    "memory of nothing": ["anonymize", *PEOPLE, *QI, "--memory", "lots"],
    "form unknown": ["anonymize", *PEOPLE, *QI, "--form", "poem"],
    "no person": ["anonymize", *PEOPLE, *QI, "--person", "nobody"],
    "person protected": ["anonymize", *PEOPLE, *QI, "--person", "age"],
    "weight of nobody": ["anonymize", *PEOPLE, *QI, "--weight", "illness=2"],
    "weight below": ["anonymize", *PEOPLE, *QI, "--weight", "age=-1"],
    "weight of a word": ["anonymize", *PEOPLE, *QI, "--weight", "age=much"],
    "missing cells": ["anonymize", "in/gaps.csv", "-o", "out.csv", *QI, "--missing", "error"],
    "no trees": ["anonymize", *PEOPLE, *QI, "--hierarchies", "nowhere"],
    "a tree that lacks": ["anonymize", *PEOPLE, *QI, "--hierarchies", "in/short"],
    "a tree that crosses": ["anonymize", *PEOPLE, *QI, "--hierarchies", "in/crossed"],
    "trees and none": ["anonymize", *PEOPLE, *QI, "--hierarchies", "in/trees", "--suppression-only"],
    "no policy": ["anonymize", *PEOPLE, "--policy", "nowhere.toml"],
    "target of nobody": ["anonymize", *PEOPLE, *QI, "--target", "luck"],
    "workload of nobody": ["anonymize", *PEOPLE, *QI, "--workload", "nowhere.txt"],
    "k = 2 alone": ["anonymize", *PEOPLE, *QI, "-k", "3", "--algorithm", "one-two-factor"],
    "exact, many": ["anonymize", "in/many.csv", "-o", "out.csv", *QI, "-k", "3", "--algorithm", "restricted-matching"],
    "ratio below": ["anonymize", *PEOPLE, *QI, "--stop-at-ratio", "0.5"],
    "effort of nothing": ["anonymize", *PEOPLE, *QI, "--effort", "0"],
    "a second role": ["anonymize", *PEOPLE, "--qi", "age", "--qi", "age"],
    "no database": ["anonymize", "sqlite:///nowhere.db?table=t", "-o", "out.csv", *QI],
    "no table": ["anonymize", "sqlite:///in/people.db?table=pets", "-o", "out.csv", *QI],
    "two tables": ["anonymize", "sqlite:///in/people.db", "-o", "out.csv", *QI],
    "a statement": ["anonymize", "sqlite:///in/people.db?query=DELETE FROM people", "-o", "out.csv", *QI],
    "no server": ["anonymize", "mysql://host/db?table=t", "-o", "out.csv", *QI],
    "query of a file": ["anonymize", *PEOPLE, *QI, "--query", "SELECT 1"],
    "verify nothing": ["verify", "in/people.csv", "in/nobody.csv", "-k", "3", *QI],
    "verify without k": ["verify", "in/people.csv", "in/people.csv", *QI],
    "verify without columns": ["verify", "in/people.csv", "in/people.csv", "-k", "3"],
    "verify a proof of nothing": ["verify", "in/people.csv", "in/people.csv", "-k", "1", *QI, "--proof", "in/six.csv"],
    "measure nothing": ["measure", "in/people.csv", "in/nobody.csv", *QI],
    "read without columns": ["read", "in/people.csv"],
    "cluster without r": ["cluster", *PEOPLE, *QI],
    "cluster beyond": ["cluster", *PEOPLE, *QI, "-r", "500"],
    "center without number": ["cluster", *PEOPLE, *QI, "-r", "3", "--method", "center"],
    "cluster seed": ["cluster", *PEOPLE, *QI, "-r", "3", "--sharing"],
    "instance of nothing": ["instance", "riddle", "{}", "-o", "x.csv"],
    "instance of a word": ["instance", "alike-apart", "four", "-o", "x.csv"],
}
TABLES = {
    "an empty file": "",
    "a header alone": "age,sex\n",
    "a short line": "age,sex\n1,f\n2\n",
    "a long line": "age,sex\n1,f\n2,m,x\n",
    "two equal names": "age,age\n1,2\n3,4\n",
    "no name": "age,\n1,f\n2,m\n",
    "an open quote": 'age,sex\n1,"f\n2,m\n',
    "a zero byte": "age,sex\n1,f\0\n2,m\n",
    "a star": "age,sex\n*,f\n2,m\n",
    "one row": "age,sex\n1,f\n",
    "not packed": "age,sex\n1,f\n",
}
POLICIES = {
    "no TOML": "k = = 3",
    "unknown key": "kay = 3",
    "k of a word": 'k = "three"',
    "a role of nothing": '[columns.age]\nrole = "king"',
    "no such column": '[columns.planet]\nrole = "quasi-identifier"',
    "crossing widths": "[columns.age]\nhierarchy = { intervals = [10, 25] }",
    "words as numbers": "[columns.job]\nhierarchy = { intervals = [5] }",
    "no builder": "[columns.age]\nhierarchy = { magic = true }",
    "no dates": '[columns.job]\nhierarchy = { dates = ["month"] }',
    "crossing sets": '[columns.mood]\nhierarchy = { laminar = [["low", "medium"], ["medium", "high"]] }',
    "a missing file": '[columns.job]\nhierarchy = "nowhere.csv"',
    "a demand of a key": '[columns.age]\nrole = "quasi-identifier"\nl_diversity = 2',
    "a measure of nothing": 'measure = "luck"\n[columns.age]\nrole = "quasi-identifier"',
}


def all_of_them() -> Iterator[Run]:
    for name, step in COMMANDS.items():
        yield Run(f"refuse {name}", (step,))
    for name, text in TABLES.items():
        source = "bad.csv.gz" if name == "not packed" else "bad.csv"
        for engine in ("memory", "files"):
            yield Run(
                f"refuse table, {name}, {engine}",
                (["anonymize", source, "-o", "out.csv", "-k", "2", "--qi", "age,sex", "--engine", engine],),
                files={source: text},
            )
    for name, text in POLICIES.items():
        yield Run(f"refuse policy, {name}", (["anonymize", *PEOPLE, "--policy", "policy.toml"],), files={"policy.toml": text})
    made = ["anonymize", *PEOPLE, "-k", "3", "--qi", "sex", "--effort", "0.03"]
    yield Run("refuse what exists", (made, made, [*made, "--force"]))
