"""The commands of the page on Spark run as they stand."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "howto-spark.md"


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_commands_on_spark_run_as_they_stand(tmp_path: Path) -> None:
    code, command = (re.findall(rf"```{kind}\n(.*?)```", PAGE.read_text(), re.DOTALL) for kind in ("python", "sh"))
    assert (len(code), len(command)) == (1, 1)
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
    for block in (f"python - <<'END'\n{code[0]}END", command[0]):
        done = subprocess.run(["sh", "-e", "-c", block], cwd=tmp_path, env={**os.environ, "PATH": path}, capture_output=True, text=True)
        assert done.returncode == 0, f"{block}\n{done.stdout}\n{done.stderr}"
    assert (tmp_path / "release" / "_SUCCESS").exists()
