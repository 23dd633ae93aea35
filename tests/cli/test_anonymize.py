"""``shoal anonymize`` as a person uses it."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import signal
import subprocess
import sys
import time

import polars as pl
import pytest

from shoal import measures, registry
from tests.load import processor_seconds

QI = ("--qi", "age", "--qi", "zip", "--qi", "job")


def test_a_release_is_written_verified_and_described(shoal, people, tmp_path):
    out, manifest, record = tmp_path / "out.csv", tmp_path / "m.json", tmp_path / "r.json"
    answer = shoal("anonymize", people, "-o", out, "-k", 4, *QI, "--sensitive", "ill", "--manifest", manifest, "--record", record)
    assert answer.status == 0, answer.err
    assert shoal("verify", people, out, "-k", 4, *QI).status == 0
    figures = json.loads(manifest.read_text())
    assert set(figures) >= {
        "format", "shoal", "k", "n_rows", "n_withheld", "n_groups", "smallest_group", "quasi_identifiers", "sensitive", "unprotected",
        "algorithm", "guarantee", "measure", "loss", "loss_per_cell", "lower_bound", "ratio", "bound", "measures", "criteria",
        "policy_sha256", "release_sha256",
    }  # fmt: skip
    exact = json.loads(record.read_text())
    assert next(iter(exact)) == "notice"
    assert set(exact) >= set(figures) - {"orders"} | {"seconds", "seed", "input_sha256", "is_repeatable"}
    assert exact["input_sha256"] == hashlib.sha256(people.read_bytes()).hexdigest()
    assert record.stat().st_mode & 0o777 == 0o600
    assert not {"seconds", "seed", "input_sha256", "missing", "notes", "notice"} & set(figures)
    assert figures["smallest_group"] >= 4
    assert figures["unprotected"] == ["note"]
    assert exact["lower_bound"] <= exact["loss"] + 1e-9
    assert figures["release_sha256"] == exact["release_sha256"]
    assert figures["release_sha256"] == hashlib.sha256(out.read_bytes()).hexdigest()
    assert set(exact["seconds"]) == {"read", "encode", "solve", "bound", "verify", "tell", "write"}
    assert "UNPROTECTED" in answer.out
    assert "note" in answer.out


def test_rows_columns_and_untouched_cells_stay_as_they_came(shoal, people, tmp_path):
    out = tmp_path / "out.csv"
    assert shoal("anonymize", people, "-o", out, "-k", 3, *QI).status == 0
    before, after = (pl.read_csv(p, infer_schema=False) for p in (people, out))
    assert after.columns == before.columns
    assert after["note"].to_list() == before["note"].to_list()
    assert after["ill"].to_list() == before["ill"].to_list()


def test_identifiers_are_dropped(shoal, people, tmp_path):
    out = tmp_path / "out.csv"
    assert shoal("anonymize", people, "-o", out, "-k", 3, *QI, "--identifier", "note").status == 0
    assert pl.read_csv(out).columns == ["age", "zip", "job", "ill"]


def test_withheld_rows_are_left_out_and_never_more_than_allowed(shoal, people, tmp_path):
    out, manifest = tmp_path / "out.csv", tmp_path / "m.json"
    assert shoal("anonymize", people, "-o", out, "-k", 3, *QI, "--withhold", 0.05, "--manifest", manifest).status == 0
    figures = json.loads(manifest.read_text())
    assert figures["n_withheld"] <= 3
    assert pl.read_csv(out).height == 60 - figures["n_withheld"]


@pytest.mark.parametrize("measure", registry.names(measures.CATALOG))
def test_every_measure_can_be_minimised(shoal, people, tmp_path, measure):
    out, record = tmp_path / "out.csv", tmp_path / "r.json"
    assert shoal("anonymize", people, "-o", out, "-k", 3, *QI, "--measure", measure, "--record", record).status == 0
    figures = json.loads(record.read_text())
    assert figures["measure"] == measure
    assert figures["loss"] == pytest.approx(figures["measures"][measure]["total"])
    said = json.loads(shoal("measure", people, out, *QI, "--json").out)
    assert said["measures"][measure]["total"] == pytest.approx(figures["loss"], abs=1e-6)


def test_l_diversity_and_t_closeness_are_kept(shoal, people, tmp_path):
    out = tmp_path / "out.csv"
    asked = ("--sensitive", "ill", "--l-diversity", 3, "--t-closeness", 0.5)
    answer = shoal("anonymize", people, "-o", out, "-k", 3, *QI, *asked)
    assert answer.status == 0, answer.err
    assert shoal("verify", people, out, "-k", 3, *QI, *asked).status == 0
    assert pl.read_csv(out).group_by("age", "zip", "job").agg(pl.col("ill").n_unique())["ill"].min() >= 3


def test_the_same_input_and_seed_give_the_same_bytes(shoal, people, tmp_path):
    texts = []
    for name in ("a.csv", "b.csv"):
        assert shoal("anonymize", people, "-o", tmp_path / name, "-k", 4, *QI, "--seed", 7).status == 0
        texts.append((tmp_path / name).read_bytes())
    assert texts[0] == texts[1]


def test_one_core_and_two_give_the_same_bytes(people, tmp_path):
    cores = sorted(os.sched_getaffinity(0))
    texts = []
    for name, some in (("one.csv", cores[:1]), ("two.csv", cores[:2])):
        command = [sys.executable, "-m", "shoal", "anonymize", people, "-o", tmp_path / name, "-k", "4", *QI, "--quiet"]
        subprocess.run(command, check=True, preexec_fn=lambda some=some: os.sched_setaffinity(0, some))
        texts.append((tmp_path / name).read_bytes())
    assert texts[0] == texts[1]


@pytest.mark.usual_effort  # one of the runs is a process of its own
def test_the_ending_decides_the_format_and_standard_output_works(shoal, people, tmp_path):
    for name in ("out.csv", "out.csv.gz", "out.parquet"):
        assert shoal("anonymize", people, "-o", tmp_path / name, "-k", 3, *QI).status == 0
    plain = (tmp_path / "out.csv").read_bytes()
    assert gzip.decompress((tmp_path / "out.csv.gz").read_bytes()) == plain
    assert pl.read_parquet(tmp_path / "out.parquet").height == 60
    piped = subprocess.run(
        [sys.executable, "-m", "shoal", "anonymize", "-", "-o", "-", "-k", "3", *QI],
        input=people.read_bytes(),
        capture_output=True,
        check=True,
    )
    assert piped.stdout == plain
    assert b"3-anonymous" in piped.stderr


def test_a_policy_file_decides_and_flags_override_it(shoal, people, tmp_path):
    policy = tmp_path / "shoal.toml"
    policy.write_text('k = 3\nmeasure = "tree"\n[columns.age]\nrole = "quasi-identifier"\nhierarchy = { intervals = [5, 10] }\nweight = 2\n'
                      '[columns.zip]\nrole = "quasi-identifier"\n[columns.ill]\nrole = "sensitive"\nl_diversity = 2\n')  # fmt: skip
    manifest = tmp_path / "m.json"
    assert shoal("anonymize", people, "-o", tmp_path / "a.csv", "--policy", policy, "--manifest", manifest).status == 0
    figures = json.loads(manifest.read_text())
    assert (figures["k"], figures["measure"], figures["quasi_identifiers"]) == (3, "tree", ["age", "zip"])
    assert figures["criteria"][1]["reached"] >= 2
    assert shoal("anonymize", people, "-o", tmp_path / "b.csv", "--policy", policy, "-k", 6, "--manifest", manifest, "--force").status == 0
    assert json.loads(manifest.read_text())["k"] == 6


def test_missing_cells_follow_the_choice(shoal, tmp_path):
    table = tmp_path / "gaps.csv"
    table.write_text("age,sex\n" + "".join(f"{20 + i % 4},{'' if i % 5 == 0 else 'f'}\n" for i in range(40)))
    asked = ("-k", 2, "--qi", "age", "--qi", "sex")
    assert shoal("anonymize", table, "-o", tmp_path / "v.csv", *asked).status == 0
    assert "" in {row.split(",")[1] for row in (tmp_path / "v.csv").read_text().splitlines()[1:]}
    assert shoal("anonymize", table, "-o", tmp_path / "s.csv", *asked, "--missing", "suppress").status == 0
    assert "" not in {row.split(",")[1] for row in (tmp_path / "s.csv").read_text().splitlines()[1:]}
    answer = shoal("anonymize", table, "-o", tmp_path / "e.csv", *asked, "--missing", "error")
    assert answer.status == 2
    assert "8 of 40 cells are missing (lines 2, 7, 12, 17, 22 and 3 more)" in answer.err


def test_ctrl_c_leaves_nothing_behind(tmp_path):
    table = tmp_path / "big.csv"
    table.write_text("a,b,c,d\n" + "".join(f"{i % 997},{i % 89},{i % 53},{i % 31}\n" for i in range(60_000)))
    out = tmp_path / "out"
    out.mkdir()
    command = [sys.executable, "-m", "shoal", "anonymize", table, "-o", out / "r.csv", "--manifest", out / "m.json", "-k", "5"]
    process = subprocess.Popen(
        [*map(str, command), "--qi", "a,b,c,d", "--time-limit", "60"], stderr=subprocess.PIPE, stdout=subprocess.PIPE
    )
    until = time.monotonic() + 200
    while processor_seconds(process.pid) < 3:  # it reads or searches by then, however loaded the machine is
        assert process.poll() is None
        assert time.monotonic() < until
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=90)
    assert process.returncode == 130, err
    assert list(out.iterdir()) == []


def test_an_order_that_tells_is_said_loudly_with_what_to_do(shoal, tmp_path):
    """A file that came sorted by age."""
    table = tmp_path / "sorted.csv"
    table.write_text("age,town\n" + "".join(f"{20 + i // 2},{'ABC'[i % 3]}\n" for i in range(100)))
    kept = shoal("anonymize", table, "-o", tmp_path / "kept.csv", "--qi", "age,town")
    assert "ORDER TELLS" in kept.out
    assert "--shuffle" in kept.out
    moved = shoal("anonymize", table, "-o", tmp_path / "moved.csv", "--qi", "age,town", "--shuffle")
    assert "ORDER TELLS" not in moved.out
