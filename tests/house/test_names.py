"""Every source file has a test file of its name, or stands here with where it is tested and why there.

``src/shoal/io/source.py`` is tested by ``tests/io/test_source.py``. The rooms on which the promises rest have no exception.
"""

from __future__ import annotations

from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).parents[2]
SRC, TESTS = ROOT / "src" / "shoal", ROOT / "tests"
STRICT = ("judge", "proof", "text", "disk", "release", "io", "privacy", "measures", "bounds")
LEAST = 0.8
"""The share of all files that have a test file of their name. All others are listed below."""
ELSEWHERE = {
    "__main__.py": ("cli/test_main.py", "one line that calls the command"),
    "encode.py": ("test_api.py", "a step of anonymize, tested on whole tables"),
    "cli/customer.py": ("protocol/test_processes.py", "run as processes of their own"),
    "cli/miner.py": ("protocol/test_processes.py", "run as processes of their own"),
    "cli/randomness.py": ("protocol/test_processes.py", "run as processes of their own"),
    "cli/registrar.py": ("protocol/test_processes.py", "run as processes of their own"),
    "cli/measure.py": ("release/test_peers.py", "one call of shoal.measure"),
    "cli/spark.py": ("engines/test_spark_package.py", "one call that packs"),
    "cli/studio.py": ("studio/test_server.py", "starts the server"),
    "clustering/base.py": ("clustering/test_guarantees.py", "what every method takes and gives"),
    "clustering/picture.py": ("cli/test_cluster.py", "the page with the drawing"),
    "columns/forenames.py": ("columns/test_roles.py", "a list of words"),
    "demo/generate.py": ("demo/test_demo.py", "the table that comes with shoal"),
    "demo/vocabulary.py": ("demo/test_demo.py", "a list of words"),
    "engines/base.py": ("engines/test_contract.py", "what every engine answers"),
    "engines/driver.py": ("engines/test_contract.py", "the plan, through every engine"),
    "engines/limits.py": ("engines/test_passing.py", "more different rows than memory has room for"),
    "engines/stored.py": ("engines/test_contract.py", "what engines give that have the rows elsewhere"),
    "spark.py": ("engines/test_spark.py", "two calls of the engine"),
    "instances/base.py": ("instances/test_thresholds.py", "what every instance has"),
    "instances/clustering.py": ("papers/test_003.py", "the paper's hard instances"),
    "policy/keywords.py": ("policy/test_doors.py", "made from the declaration"),
    "policy/beside.py": ("policy/test_doors.py", "entries of the declaration"),
    "policy/clusters.py": ("cli/test_settings.py", "entries of the declaration"),
    "policy/columns.py": ("policy/test_settings.py", "what a column may be asked for, however the policy is made"),
    "policy/given.py": ("policy/test_policy.py", "what is given beside a policy"),
    "policy/toml.py": ("policy/test_policy.py", "read, and written back"),
    "partition/best.py": ("partition/test_closing.py", "when a release and a bound meet"),
    "partition/branching.py": ("partition/test_closing.py", "the optimum against all partitions"),
    "partition/climb.py": ("partition/test_closing.py", "the bound against rank cuts and all partitions"),
    "partition/dive.py": ("partition/test_closing.py", "a release on the way to the optimum"),
    "partition/program.py": ("partition/test_closing.py", "the linear program of the climb"),
    "reader/column.py": ("reader/test_vocabulary.py", "a column and what its cells may be"),
    "reader/reading.py": ("reader/test_read.py", "what an analyst calls"),
    "reader/sums.py": ("reader/test_tally.py", "one line of numpy"),
    "report/analyst.py": ("report/test_document.py", "a chapter of the report"),
    "report/blocks.py": ("report/test_document.py", "what chapters are made of"),
    "report/details.py": ("report/test_document.py", "chapters of the report"),
    "report/draw.py": ("report/test_page.py", "the page of a report"),
    "report/assessing.py": ("report/test_risk.py", "shoal.assess, counted the obvious way"),
    "report/assessment.py": ("report/test_page.py", "the page of an assessment"),
    "report/exploring.py": ("report/test_explore.py", "shoal.explore"),
    "report/markdown.py": ("report/test_document.py", "every form of the report"),
    "report/public.py": ("house/test_disclosure.py", "every published number is accounted for"),
    "report/style.py": ("report/test_page.py", "a style sheet"),
    "report/suggest.py": ("columns/test_roles.py", "names of another room"),
    "report/words.py": ("report/test_page.py", "the words of the report"),
    "studio/app.py": ("studio/test_bad_input.py", "every page, and what is refused"),
    "studio/autosave.py": ("studio/test_projects.py", "a project that is kept by itself"),
    "studio/decided.py": ("studio/test_desk.py", "what lies on the desk becomes the policy"),
    "studio/loading.py": ("studio/test_sight.py", "what a table's columns look like"),
    "studio/opening.py": ("studio/test_journey.py", "the pages that open and close a table"),
    "studio/pages.py": ("studio/test_bad_input.py", "what all pages share"),
    "studio/prices.py": ("studio/test_ruler.py", "shown while one edits"),
    "studio/running.py": ("studio/test_journey.py", "the pages of runs"),
    "studio/saving.py": ("studio/test_projects.py", "the pages of projects"),
    "studio/summary.py": ("studio/test_journey.py", "what matters of a run, on one screen"),
    "studio/workspace.py": ("studio/test_journey.py", "the one page on which a person works"),
    "studio/comparing.py": ("studio/test_journey.py", "the page that compares two runs"),
    "studio/work.py": ("studio/test_server.py", "what goes on behind a page"),
    "protocol/agent.py": ("protocol/test_protocols.py", "a customer in whole sessions"),
    "protocol/board.py": ("protocol/games/test_board_games.py", "a miner who cheats with the board"),
    "protocol/miner.py": ("protocol/test_protocols.py", "a miner in whole sessions"),
    "protocol/replica.py": ("protocol/games/test_board_games.py", "what a customer checks of the board"),
    "protocol/tokens.py": ("protocol/test_vectors.py", "blind signatures by the RFC's vectors"),
    "protocol/transcript.py": ("protocol/test_protocols.py", "what was sent and counted"),
    "protocol/extraction/*": ("protocol/test_protocols.py", "the protocol from beginning to end; its attacks in protocol/test_attacks.py"),
    "protocol/star/*": ("protocol/test_star_games.py", "games against STAR; the OPRF by vectors in protocol/test_vectors.py"),
    "protocol/suppression/*": (
        "protocol/games/test_suppression_games.py",
        "games against suppression; whole sessions in protocol/test_protocols.py",
    ),
    "protocol/transport/*": (
        "protocol/test_processes.py",
        "real servers; their doors in protocol/test_transport_fuzz.py and protocol/transport/test_gate.py",
    ),
}
"""Files, by name or by folder: the test file that holds them, and why it is that one."""


def sources() -> list[str]:
    return sorted(path.relative_to(SRC).as_posix() for path in SRC.rglob("*.py") if path.name != "__init__.py")


def test_of(name: str) -> Path:
    path = Path(name)
    return TESTS / path.parent / f"test_{path.stem}.py"


test_of.__test__ = False  # type: ignore[attr-defined]


def has_own(name: str) -> bool:
    return test_of(name).exists()


def declared(name: str) -> list[str]:
    return [pattern for pattern in ELSEWHERE if fnmatch(name, pattern)]


def test_every_file_has_a_test_file_of_its_name_or_a_reason() -> None:
    assert [name for name in sources() if not has_own(name) and not declared(name)] == []


def test_the_rooms_that_promises_rest_on_have_no_exception() -> None:
    """83 of 253 files had a test file of their name; of release, three of thirteen."""
    assert [name for name in sources() if name.split("/")[0] in STRICT and not has_own(name)] == []


def test_most_files_have_one_of_their_own() -> None:
    own = [has_own(name) for name in sources()]
    assert sum(own) >= LEAST * len(own), f"{sum(own)} of {len(own)}"


def test_no_reason_is_left_over() -> None:
    """Each points to a test file that is there, for a file that is there and has no test file of its own."""
    for pattern, (where, why) in ELSEWHERE.items():
        assert (TESTS / where).exists(), pattern
        assert why
        meant = [name for name in sources() if fnmatch(name, pattern)]
        assert meant, f"{pattern} is not there"
        assert "*" in pattern or not has_own(meant[0]), f"{pattern} has a test file of its own"
