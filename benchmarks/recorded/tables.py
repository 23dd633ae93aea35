"""The inputs of the recorded runs: small tables from fixed seeds, in every format that is read. Nothing here knows shoal."""

from __future__ import annotations

import csv
import gzip
import json
import random
import sqlite3
import zipfile
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any

Rows = list[dict[str, Any]]
JOBS = {"nurse": "health", "doctor": "health", "cook": "food", "baker": "food", "clerk": "office", "judge": "office", "smith": "craft", "mason": "craft"}  # fmt: skip
ILLNESSES = ["flu", "cold", "asthma", "gout", "measles", "hiv"]
MOODS = ["low", "medium", "high"]
SPACE = "http://schemas.openxmlformats.org"


def people(n: int, seed: int) -> Rows:
    """People with a column for each kind of hierarchy."""
    rng = random.Random(seed)

    def one(i: int) -> dict[str, Any]:
        job = rng.choices(list(JOBS), [8, 3, 5, 2, 9, 1, 3, 2])[0]
        return {
            "age": min(95, max(1, round(rng.gauss(45, 18)))),
            "sex": rng.choice(["f", "m"]),
            "postcode": f"{rng.choice(['810', '812', '803', '904'])}{rng.randint(10, 19)}",
            "job": job,
            "admitted": (date(2024, 1, 1) + timedelta(days=rng.randint(0, 400))).isoformat(),
            "income": round(rng.lognormvariate(10, 0.6)),
            "hour": f"{rng.randint(0, 23):02d}:{rng.choice(['00', '30'])}",
            "mood": rng.choices(MOODS, [2, 5, 3])[0],
            "illness": rng.choices(ILLNESSES, [9, 8, 4, 3, 2, 1])[0],
        }

    return [one(i) for i in range(n)]


def visits(n: int, seed: int) -> Rows:
    """Several rows of one person; some rows are nobody's."""
    rng = random.Random(seed)
    who = {f"p{i:03d}": people(1, seed * 1000 + i)[0] for i in range(n // 3)}
    rows = []
    for _ in range(n):
        name = rng.choice(sorted(who))
        rows.append(
            {
                "patient": "" if rng.random() < 0.03 else name,
                **{c: who[name][c] for c in ("age", "sex", "postcode")},
                "illness": rng.choice(ILLNESSES),
            }
        )
    return rows


def with_gaps(rows: Rows, seed: int) -> Rows:
    """Missing cells: empty ones, and marks."""
    rng = random.Random(seed)
    return [{name: rng.choice(["", "NA", "?"]) if rng.random() < 0.06 else cell for name, cell in row.items()} for row in rows]


def odd(n: int, seed: int) -> Rows:
    """Cells that are hard to write and to read."""
    rng = random.Random(seed)
    cells = [
        "*",
        "a,b",
        'say "hi"',
        "line\nbreak",
        "=SUM(A1)",
        "+1",
        "-2",
        "@x",
        " a",
        "é",
        "日本",
        "[1, 2)",
        "{a, b}",
        "",
        "01",
        "1e3",
        "\tx",
    ]
    return [
        {"a b": rng.choice(cells[:6]), "x,y": rng.choice(cells[4:]), "n": rng.randint(-3, 3), 'q"q': rng.choice(cells)} for _ in range(n)
    ]


def pairs(n: int) -> Rows:
    """Columns of two values, one of which occurs exactly twice."""
    rng = random.Random(9)
    edges = [rng.sample(range(n), 2) for _ in range(2 * n)]
    return [{f"c{j}": "0" if i in edge else "1" for j, edge in enumerate(edges)} for i in range(n)]


def known(rows: Rows) -> Rows:
    """With a name and a number for each row, and a column that only repeats another."""
    return [{"name": f"Person {i}", "number": 1000 + 7 * i, "decade": row["age"] // 10 * 10, **row} for i, row in enumerate(rows)]


def write_csv(path: Path, rows: Rows, delimiter: str = ",", encoding: str = "utf-8", end: str = "\n") -> None:
    with path.open("w", newline="", encoding=encoding) as file:
        writer = csv.DictWriter(file, list(rows[0]), delimiter=delimiter, lineterminator=end)
        writer.writeheader()
        writer.writerows(rows)


def workbook(path: Path, rows: Rows) -> None:
    """A small workbook, written by hand."""

    def cell(value: Any) -> str:
        return f"<c><v>{value}</v></c>" if isinstance(value, int) else f'<c t="inlineStr"><is><t>{value}</t></is></c>'

    kind, relation = "application/vnd.openxmlformats-officedocument.spreadsheetml", f"{SPACE}/officeDocument/2006/relationships"
    package = "application/vnd.openxmlformats-package.relationships+xml"
    lines = "".join(f"<row>{''.join(map(cell, line))}</row>" for line in [list(rows[0]), *[list(row.values()) for row in rows]])
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("[Content_Types].xml", f'<?xml version="1.0"?><Types xmlns="{SPACE}/package/2006/content-types"><Default Extension="rels" ContentType="{package}"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="{kind}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="{kind}.worksheet+xml"/></Types>')  # fmt: skip
        file.writestr("_rels/.rels", f'<?xml version="1.0"?><Relationships xmlns="{SPACE}/package/2006/relationships"><Relationship Id="r1" Type="{relation}/officeDocument" Target="xl/workbook.xml"/></Relationships>')  # fmt: skip
        file.writestr("xl/workbook.xml", f'<?xml version="1.0"?><workbook xmlns="{SPACE}/spreadsheetml/2006/main" xmlns:r="{relation}"><sheets><sheet name="people" sheetId="1" r:id="r1"/></sheets></workbook>')  # fmt: skip
        file.writestr("xl/_rels/workbook.xml.rels", f'<?xml version="1.0"?><Relationships xmlns="{SPACE}/package/2006/relationships"><Relationship Id="r1" Type="{relation}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>')  # fmt: skip
        file.writestr("xl/worksheets/sheet1.xml", f'<?xml version="1.0" encoding="UTF-8"?><worksheet xmlns="{SPACE}/spreadsheetml/2006/main"><sheetData>{lines}</sheetData></worksheet>')  # fmt: skip


def write_formats(place: Path, rows: Rows) -> None:
    """The same people in each format."""
    import duckdb
    import polars as pl
    import pyreadstat

    write_csv(place / "people.csv", rows)
    write_csv(place / "people.tsv", rows, "\t")
    write_csv(place / "semicolon.csv", rows, ";", end="\r\n")
    write_csv(place / "latin.csv", [{**row, "job": row["job"] + "é"} for row in rows], encoding="latin-1")
    write_csv(place / "utf16.csv", rows, encoding="utf-16")
    (place / "people.csv.gz").write_bytes(gzip.compress((place / "people.csv").read_bytes(), mtime=0))
    (place / "people.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    frame = pl.DataFrame(rows).with_columns(pl.col("admitted").str.to_date(), pl.col("job").cast(pl.Categorical))
    frame.write_parquet(place / "people.parquet")
    frame.write_ipc(place / "people.arrow")
    (place / "parts").mkdir()
    for i, part in enumerate(frame.iter_slices(50)):
        part.write_parquet(place / f"parts/part-{i}.parquet")
    pyreadstat.write_dta(frame.with_columns(pl.col("job").cast(pl.String)).to_pandas(), str(place / "people.dta"))
    workbook(place / "people.xlsx", rows)
    with sqlite3.connect(place / "people.db") as base:
        base.execute(
            "CREATE TABLE people (age INTEGER, sex TEXT, postcode TEXT, job TEXT, admitted TEXT, income REAL, hour TEXT, mood TEXT, illness TEXT)"
        )
        base.executemany("INSERT INTO people VALUES (?,?,?,?,?,?,?,?,?)", [tuple(row.values()) for row in rows])
    base.close()
    with duckdb.connect(str(place / "people.duckdb")) as held:
        held.execute(
            "CREATE TABLE people (age INTEGER, sex TEXT, postcode TEXT, job TEXT, admitted DATE, income BIGINT, hour TEXT, mood TEXT, illness TEXT)"
        )
        held.executemany("INSERT INTO people VALUES (?,?,?,?,?,?,?,?,?)", [list(row.values()) for row in rows])


def write_hierarchies(place: Path, rows: Rows) -> None:
    """A folder of hierarchies, one that lacks a value, and one that is broken."""
    jobs = [[job, kind, "*"] for job, kind in JOBS.items()]
    codes = [[code, code[:3] + "**", code[:1] + "****", "*"] for code in sorted({row["postcode"] for row in rows})]
    for folder, files in {
        "trees": {"job": jobs, "postcode": codes},
        "short": {"job": jobs[1:]},
        "crossed": {"job": [*jobs, ["nurse", "food", "*"]]},
    }.items():
        (place / folder).mkdir()
        for name, lines in files.items():
            (place / folder / f"{name}.csv").write_text("".join(";".join(line) + "\n" for line in lines), encoding="utf-8")


def write_texts(place: Path, texts: Iterable[tuple[str, str]]) -> None:
    for name, text in texts:
        (place / name).write_text(text, encoding="utf-8")


def write_all(place: Path, texts: Sequence[tuple[str, str]]) -> None:
    """Every input, in a folder that is there and empty."""
    rows = people(120, 1)
    write_formats(place, rows)
    write_hierarchies(place, rows)
    write_csv(place / "six.csv", [{c: row[c] for c in ("age", "sex", "postcode", "job", "illness")} for row in people(6, 2)])
    write_csv(place / "few.csv", people(14, 3))
    write_csv(place / "many.csv", people(300, 4))
    write_csv(place / "known.csv", known(people(60, 5)))
    write_csv(place / "visits.csv", visits(150, 6))
    write_csv(place / "gaps.csv", with_gaps(people(120, 7), 7))
    write_csv(place / "odd.csv", odd(80, 8))
    write_csv(place / "pairs.csv", pairs(16))
    write_csv(place / "sorted.csv", sorted(rows, key=lambda row: str(row["job"])))
    write_csv(place / "swapped.csv", rows[::-1])
    write_texts(place, texts)
