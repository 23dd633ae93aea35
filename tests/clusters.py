"""A real cluster of Spark for the tests: a master and two workers with an executor each, and a session on it. Where there is no Java, the tests that need it fail and say so."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.ports import free_port

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ABSENT = (
    "Java is not installed, and the tests of Spark cannot run: apt-get install openjdk-17-jre-headless, or sh scripts/servers.sh as root."
)
QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""For processes that live for seconds: code is compiled once, and simply, and one thread collects what is left."""
BRIEF = dict.fromkeys(("SPARK_DAEMON_JAVA_OPTS", "SPARK_LAUNCHER_OPTS", "SPARK_SUBMIT_OPTS"), QUICK)
"""The same for an environment in which Spark is started."""
SETTINGS = {
    "spark.executor.extraJavaOptions": QUICK,
    "spark.sql.shuffle.partitions": "4",
    "spark.executor.memory": "512m",
    "spark.executor.cores": "1",
    "spark.driver.host": "127.0.0.1",
}


class Cluster:
    """A master and two workers, as processes of their own."""

    def __init__(self) -> None:
        import pyspark

        if shutil.which("java") is None:
            pytest.fail(ABSENT)
        self.folder = Path(tempfile.mkdtemp(prefix="shoal-spark-"))
        self.home = Path(pyspark.__file__).parent
        self.url = f"spark://127.0.0.1:{free_port()}"
        host, port = "127.0.0.1", self.url.rpartition(":")[2]
        self.processes = [self._start("master.Master", "--host", host, "--port", port)]
        self.processes += [
            self._start("worker.Worker", "--host", host, "-c", "1", "-m", "768m", "-d", str(self.folder / f"w{i}"), self.url)
            for i in range(2)
        ]
        atexit.register(self.stop)

    def _start(self, kind: str, *given: str) -> subprocess.Popen[bytes]:
        environment = {
            **os.environ,
            **BRIEF,
            "SPARK_HOME": str(self.home),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_LOCAL_DIRS": str(self.folder),
        }
        command = [str(self.home / "bin" / "spark-class"), f"org.apache.spark.deploy.{kind}", "--webui-port", "0", *given]
        with (self.folder / f"{kind}.log").open("ab") as log:
            return subprocess.Popen(command, env=environment, stdout=log, stderr=log, start_new_session=True)

    def executors(self) -> list[int]:
        """The processes that compute."""
        ours = {process.pid for process in self.processes}
        found = []
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                session = int(path.read_text().rpartition(")")[2].split()[3])
                if session in ours and b"CoarseGrainedExecutorBackend" in (path.parent / "cmdline").read_bytes():
                    found.append(int(path.parent.name))
            except (OSError, ValueError):
                continue
        return found

    def stop(self) -> None:
        for process in self.processes:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


@cache
def cluster() -> Cluster:
    return Cluster()


@cache
def session() -> SparkSession:
    """The session of all tests of a process."""
    from pyspark.sql import SparkSession

    from shoal.engines.spark_session import SETTINGS as OURS

    if (other := SparkSession.getActiveSession()) is not None:  # a test of something else may have made one: it is not on the cluster
        other.stop()
    here = cluster()
    os.environ.update(BRIEF, SPARK_LOCAL_IP="127.0.0.1")
    os.environ["PYSPARK_PYTHON"] = sys.executable  # the workers have shoal
    builder = SparkSession.builder.appName("tests").master(here.url).config("spark.local.dir", str(here.folder / "driver"))
    for key, value in {**OURS, **SETTINGS}.items():
        builder = builder.config(key, value)
    made = builder.getOrCreate()
    atexit.register(made.stop)
    for _ in range(600):
        if len(here.executors()) == 2:
            return made
        time.sleep(0.1)
    pytest.fail("the workers of Spark did not start")
