"""The commands of the page on databases run as they stand, against the server that the page says how to start."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.ports import free_port
from tests.servers import ABSENT, find_server

PAGE = Path(__file__).parents[2] / "docs" / "howto-databases.md"


def run(block: str, folder: Path, **who: Any) -> None:
    path = os.pathsep.join([os.path.dirname(sys.executable), find_server() or "", os.environ["PATH"]])
    done = subprocess.run(["sh", "-e", "-c", block], cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True, **who)
    assert done.returncode == 0, f"{block}\n{done.stdout}\n{done.stderr}"


def test_the_commands_on_databases_run_as_they_stand(tmp_path: Path) -> None:
    programs = find_server()
    if programs is None:
        pytest.fail(ABSENT)
    port = str(free_port())
    start, *rest = re.findall(r"```sh\n(.*?)```", PAGE.read_text(), re.DOTALL)
    rest += [f"python - <<'END'\n{block}END" for block in re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)]
    assert (start.count("5433"), len(rest)) == (2, 5)
    home = tmp_path / "server"
    home.mkdir()
    who: dict[str, Any] = {}
    if os.getuid() == 0:
        home = Path(subprocess.check_output(["mktemp", "-d"], text=True).strip())
        shutil.chown(home, "postgres", "postgres")
        who = {"user": "postgres", "group": "postgres", "extra_groups": []}
    try:
        run(start.replace("5433", port).replace("initdb ", "initdb --no-sync "), home, **who)
        for block in rest:
            run(block.replace("5433", port), tmp_path)
        assert {"young.csv", "release.db", "release.duckdb"} <= {path.name for path in tmp_path.iterdir()}
    finally:
        subprocess.run(
            [f"{programs}/pg_ctl", "-D", home / "clinic", "-m", "immediate", "stop"], cwd=home, capture_output=True, check=False, **who
        )
        shutil.rmtree(home, ignore_errors=True)
