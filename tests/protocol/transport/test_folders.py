"""What is on the disk, for another user of the machine; certificates and folders."""

import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from shoal.errors import PolicyError
from shoal.protocol.agent import Secrets
from shoal.protocol.session import parse_session
from shoal.protocol.transport import folders, miner_server, randomness_server, registrar_server
from tests.ports import free_port
from tests.protocol.games.cast import COLUMNS
from tests.protocol.processes import served, servers, shoal, wait_for
from tests.protocol.rehearsal import make_session
from tests.protocol.test_processes import SCHEMA


def readable_by_a_neighbour(place: Path) -> list[str]:
    """The adversary: another user of the machine lists what he may read or enter below a folder, without any right of
    the owner.
    """
    if not place.is_dir():
        return [str(place)] if place.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH) else []
    if not place.stat().st_mode & (stat.S_IXGRP | stat.S_IXOTH | stat.S_IRGRP | stat.S_IROTH):
        return []
    return [found for path in place.iterdir() for found in readable_by_a_neighbour(path)]


def test_a_neighbour_reads_nothing(tmp_path):
    """Logs, ledgers and keys of all servers are their owner's only, the folders too, also after they served."""
    with servers(tmp_path, "star", 3, SCHEMA, n_codes=3) as cast:
        assert cast.status()["phase"] == "join"
        wait_for(lambda: (tmp_path / "registrar" / "heads.sqlite").exists())
        for name in ("registrar", "randomness", "miner"):
            folder = tmp_path / name
            assert folder.stat().st_mode & 0o777 == 0o700
            assert readable_by_a_neighbour(folder) == []
            assert {p.stat().st_mode & 0o777 for p in folder.iterdir()} == {0o600}
        assert (tmp_path / "miner" / "log.sqlite").exists()
        shoal("registrar", "invite", tmp_path / "registrar", "--count", 2, "-o", tmp_path / "more-codes")
        assert (tmp_path / "more-codes").stat().st_mode & 0o777 == 0o600
        folder.chmod(0o755)  # as 0.1.0 made it
        (folder / "log.sqlite").chmod(0o644)
        assert readable_by_a_neighbour(folder) == [str(folder / "log.sqlite")]


def test_a_folder_of_an_earlier_version_is_closed_when_it_serves(tmp_path):
    """For whoever made the folder with 0.1.0."""
    folder = tmp_path / "old"
    folder.mkdir(mode=0o755)
    (folder / "log.sqlite").write_text("")
    (folder / "log.sqlite").chmod(0o644)
    before = folders.os.umask(0o022)
    try:
        folders.make_private(folder)
    finally:
        folders.os.umask(before)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / "log.sqlite").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "wrong", [["-k", 2], ["-k", 3, "--schema", "none.toml"], ["-k", 3, "--randomness", "none.toml"]]
)
def test_a_failed_init_leaves_nothing(tmp_path, wrong):
    """A failed 'miner init' left its folder, and the second try said that there was a session already."""
    (tmp_path / "schema.toml").write_text(SCHEMA)
    command = [
        "miner",
        "init",
        tmp_path / "new" / "miner",
        "--protocol",
        "extraction",
        "--open",
        "--url",
        "https://127.0.0.1:1",
    ]
    done = shoal(*command, "--schema", tmp_path / "schema.toml", *wrong, check=False)
    assert done.returncode == 2
    assert [p.name for p in tmp_path.iterdir()] == ["schema.toml"]
    shoal(*command, "--schema", tmp_path / "schema.toml", "-k", 3)
    assert (tmp_path / "new" / "miner" / "session.toml").exists()


def test_an_init_never_overwrites(tmp_path):
    registrar_server.init(tmp_path / "registrar", "https://127.0.0.1:1", 2048)
    before = (tmp_path / "registrar" / "join.key").read_bytes()
    with pytest.raises(PolicyError, match="already"):
        registrar_server.init(tmp_path / "registrar", "https://127.0.0.1:1", 2048)
    assert (tmp_path / "registrar" / "join.key").read_bytes() == before
    (tmp_path / "empty").mkdir()
    registrar_server.init(tmp_path / "empty", "https://127.0.0.1:1", 2048)


def test_a_wiped_file_is_overwritten_before_it_goes(tmp_path):
    path = tmp_path / "key"
    folders.write_private(path, b"secret")
    with open(path, "rb") as held:  # who holds the file open sees that its content is gone, not only its name
        assert folders.wipe(path)
        assert held.read() == bytes(6)
    assert not path.exists()
    assert not folders.wipe(path)


def test_servers_wipe_their_keys_when_the_session_expires(tmp_path):
    """The PRF's key would test guesses for ever, the registrar's make customers; both servers end by themselves and
    overwrite them.
    """
    registrar_server.init(tmp_path / "registrar", f"https://127.0.0.1:{free_port()}", 2048)
    randomness_server.init(tmp_path / "randomness", f"https://127.0.0.1:{free_port()}")
    parties = {name: (tmp_path / name / f"{name}.toml").read_text() for name in ("registrar", "randomness")}
    settings = {"protocol": "star", "k": 3}
    ends = datetime.now(UTC) + timedelta(seconds=3)
    miner_server.init(tmp_path / "miner", settings, SCHEMA, parties, f"https://127.0.0.1:{free_port()}", ends)
    for name in parties:
        assert list((tmp_path / name).glob("*.key"))
        done = served(name, "serve", tmp_path / name, "--session", tmp_path / "miner" / "session.toml")
        assert done.returncode == 0
        assert list((tmp_path / name).glob("*.key")) == []
    assert "2 keys are wiped" in shoal("miner", "wipe", tmp_path / "miner").stdout
    assert list((tmp_path / "miner").glob("*.key")) == []


@pytest.mark.parametrize("certificate", ["", " ", "any"])
def test_no_certificate_is_not_the_systems(tmp_path, certificate):
    """An empty certificate silently trusted every authority of the system. Now one must write so."""
    (tmp_path / "schema.toml").write_text(SCHEMA)
    arguments = [
        "--protocol",
        "extraction",
        "-k",
        3,
        "--schema",
        tmp_path / "schema.toml",
        "--url",
        "https://127.0.0.1:1",
    ]
    shoal("miner", "init", tmp_path / "miner", "--open", *arguments)
    text = (tmp_path / "miner" / "session.toml").read_text()
    before, rest = text.split('certificate = """', 1)
    after = rest.split('"""', 1)[1]
    parse_session(f'{before}certificate = "system"{after}'.encode())
    with pytest.raises(PolicyError, match="certificate"):
        parse_session(f'{before}certificate = "{certificate}"{after}'.encode())


def test_servers_say_what_they_serve_and_where(tmp_path):
    """Registrar and randomness server printed nothing; now each says it once its socket is open."""
    with servers(tmp_path, "star", 3, SCHEMA, n_codes=3) as cast:
        session = cast.session
        parties = {"miner": session.miner, "registrar": session.registrar, "randomness": session.randomness}
        for name, party in parties.items():
            wait_for(lambda name=name: (tmp_path / f"{name}.err").read_text())
            said = (tmp_path / f"{name}.err").read_text()
            assert session.digest[:16] in said
            assert party.url in said
            assert "star" in said
        taken = served("miner", "serve", tmp_path / "miner")
        assert taken.returncode == 2
        assert "Cannot listen" in taken.stderr
        assert session.digest[:16] not in taken.stderr


def test_a_file_that_a_neighbour_laid_out_is_not_written_to(tmp_path):
    """A state file is written beside its name first; what lies there already, readable for all, is not taken for it."""
    session, path = make_session("extraction", 3, COLUMNS), tmp_path / "me.json"
    laid = tmp_path / "me.json.part"
    laid.touch(0o666)
    with open(laid, "rb") as neighbour:
        secrets = Secrets.fresh(session, path)
        assert neighbour.read() == b""
    assert readable_by_a_neighbour(path) == []
    assert hex(secrets.seal_secret)[2:] not in repr(secrets)
