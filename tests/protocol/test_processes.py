"""Real processes, real sockets, real kills. Everything is on loopback and ends by itself."""

import json
import random
import socket
import socketserver
import threading
import time
from collections import Counter

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from shoal.errors import ProtocolError
from shoal.protocol import tokens
from shoal.protocol.agent import Secrets
from shoal.protocol.board import join_context
from shoal.protocol.messages import Message, Rejected, bytes_of, public_bytes, text_of
from shoal.protocol.proofs import prove_knowledge
from shoal.protocol.session import read_session
from shoal.protocol.transcript import audit
from shoal.protocol.transport import client
from shoal.protocol.transport.web import MOST_BYTES
from tests.protocol.processes import SHOAL, crowd, raw, servers, shoal, wait_for

SCHEMA = """
[[columns]]
name = "age"
role = "quasi-identifier"
values = ["30", "40", "50"]

[[columns]]
name = "zip"
role = "quasi-identifier"
hierarchy = [["07028", "0702*", "*"], ["07029", "0702*", "*"], ["07030", "0703*", "*"]]

[[columns]]
name = "ill"
role = "sensitive"
"""


def make_rows(n, seed=1):
    rng = random.Random(seed)
    return [
        {"age": rng.choice(["30", "40", "50"]), "zip": rng.choice(["07028", "07029", "07030"]), "ill": f"ill {i}"}
        for i in range(n)
    ]


def finish(threads, cast):
    for thread in threads:
        thread.join(timeout=250)
    assert not any(t.is_alive() for t in threads)
    assert cast.errors == []


def test_extraction_with_the_miner_killed_twice(tmp_path):
    """Nothing that was answered is lost, nothing is counted twice, and a third party can check it all."""
    rows = make_rows(40)
    with servers(tmp_path, "extraction", 3, SCHEMA, n_codes=40, options=["--customers", 40]) as cast:
        threads = crowd(cast, rows)
        for least in (10, 25):
            wait_for(lambda least=least: cast.status()["submitted"] >= least or cast.status()["phase"] == "closed")
            cast.kill("miner")
            time.sleep(0.3)
            cast.restart("miner")
        finish(threads, cast)
        wait_for(lambda: cast.status()["phase"] == "closed")
        assert cast.status()["submitted"] == 40
        table = cast.release("--transcript", tmp_path / "transcript.jsonl")
        count = Counter((r["age"], r["zip"]) for r in rows)
        assert sorted(map(tuple, table[1:])) == sorted(
            tuple(r.values()) for r in rows if count[r["age"], r["zip"]] >= 3
        )
        session = tmp_path / "miner" / "session.toml"
        done = shoal(
            "miner", "audit", tmp_path / "transcript.jsonl", "--session", session, "--table", tmp_path / "table.csv"
        )
        assert "The transcript holds" in done.stdout
        check_forgeries(tmp_path, session)
        errors = (tmp_path / "miner.err").read_text()
        assert len(errors.splitlines()) == 3, "each start says what is served, and nothing else is ever logged"
        assert all(line.startswith("Miner of session") for line in errors.splitlines())


def check_forgeries(tmp_path, session):
    """A transcript with one entry altered, dropped or doubled, and another table, are found out."""
    lines = (tmp_path / "transcript.jsonl").read_text().splitlines()
    altered = [line.replace('"at":1', '"at":2', 1) if n == 5 else line for n, line in enumerate(lines)]
    other_table = [*lines[:-1], lines[-1].replace('"table":"', '"table":"0', 1)]
    for forged in (altered, lines[:5] + lines[6:], lines[:6] + lines[5:], lines[:-1], other_table, [lines[0], *lines]):
        (tmp_path / "forged.jsonl").write_text("\n".join(forged) + "\n")
        with pytest.raises(ProtocolError):
            audit(tmp_path / "forged.jsonl", read_session(session))
    (tmp_path / "other.csv").write_text((tmp_path / "table.csv").read_text().replace("ill", "fit", 1))
    done = shoal(
        "miner",
        "audit",
        tmp_path / "transcript.jsonl",
        "--session",
        session,
        "--table",
        tmp_path / "other.csv",
        check=False,
    )
    assert done.returncode == 2
    assert "another" in done.stderr


def test_star_with_all_servers_killed_twice(tmp_path):
    """Registrar, randomness server and miner are killed twice each, in every phase: nothing is lost, nothing counts
    twice, and the audit holds.
    """
    n = 20
    rows = make_rows(n)
    with servers(tmp_path, "star", 3, SCHEMA, n_codes=n, options=["--customers", n]) as cast:
        threads = crowd(cast, rows)
        plan = [("registrar", "customers", 1), ("miner", "customers", 8), ("registrar", "customers", n)]
        plan += [("randomness", "submitted", 2), ("miner", "submitted", 9), ("randomness", "submitted", 14)]
        for name, what, least in plan:
            wait_for(lambda what=what, least=least: cast.status()[what] >= least)
            cast.kill(name)
            time.sleep(0.2)
            cast.restart(name)
        finish(threads, cast)
        wait_for(lambda: cast.status()["phase"] == "closed")
        table = cast.release("--transcript", tmp_path / "transcript.jsonl")
        ills = Counter(row[2] for row in table[1:])
        assert set(ills.values()) == {1}, "nobody counts twice"
        assert n - len(ills) < 3, "fewer than k may be left over at the top of the ladder"
        assert min(Counter(tuple(r[:2]) for r in table[1:]).values()) >= 3
        session = tmp_path / "miner" / "session.toml"
        done = shoal(
            "miner", "audit", tmp_path / "transcript.jsonl", "--session", session, "--table", tmp_path / "table.csv"
        )
        assert "The transcript holds" in done.stdout


def test_suppression_with_a_miner_killed_and_helpers_gone(tmp_path):
    rows = make_rows(9)
    with servers(
        tmp_path, "suppression", 3, SCHEMA, options=["--customers", 9, "--partition", "forest", "--seconds", "lease=8"]
    ) as cast:
        session = cast.session
        threads = crowd(cast, rows[:7])
        quitters = [client.make_customer(session, row, patience=100) for row in rows[7:]]
        for quitter in quitters:
            quitter.join()
        # by turns: each waits for the others
        while {quitter.work() for quitter in quitters} & {"join", "deal", "check", ""}:
            time.sleep(0.1)
        wait_for(lambda: cast.status()["phase"] in ("mix", "test"))
        for quitter in quitters:  # each takes a task and is never heard of again
            quitter.ask("task")
        cast.kill("miner")
        cast.restart("miner")
        finish_all = threading.Thread(target=lambda: [t.join(timeout=250) for t in threads])
        finish_all.start()
        wait_for(lambda: cast.status()["phase"] == "test" and cast.status()["released"] == 7)
        shoal("miner", "close", tmp_path / "miner")
        finish_all.join(timeout=250)
        assert cast.errors == []
        assert cast.status()["phase"] == "closed"
        table = cast.release()
        assert min(Counter(tuple(r[:2]) for r in table[1:]).values()) >= 3
        assert {"ill 7", "ill 8"}.isdisjoint(r[2] for r in table[1:])


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    """An extraction session with three invitations that nobody has used."""
    directory = tmp_path_factory.mktemp("running")
    with servers(directory, "extraction", 3, SCHEMA, n_codes=3) as cast:
        yield cast


def send(http, message, status, code):
    answer = http.post("/v1/messages", content=message if isinstance(message, bytes) else message.encode())
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_attacks_on_the_wire(running):
    session, http, key = running.session, raw(running.session), Ed25519PrivateKey.generate()
    element = text_of(session.make_group().generate(5))

    def join(**more):
        proof = text_of(
            prove_knowledge(session.make_group(), 5, bytes_of(element), join_context(session, public_bytes(key)))
        )
        body = {
            "sign_key": text_of(public_bytes(key)),
            "seal_key": element,
            "roles": [],
            "proof": proof,
            "token": text_of(bytes(288)),
            **more,
        }
        return Message(session.digest, 0, "join", public_bytes(key).hex(), body).signed(key)

    before = running.status()
    send(http, b"{", 400, "malformed")
    send(http, b"[]", 400, "malformed")
    send(http, b"\xff" * 10, 400, "malformed")
    send(http, b"[" * 50_000, 400, "malformed")
    send(http, bytes(MOST_BYTES + 1), 413, "size")
    send(http, join(), 403, "token")
    other = rsa.generate_private_key(65537, 2048)
    blinded = tokens.blind(
        other.public_key(), tokens.prepare(tokens.purpose(session.context, "join", public_bytes(key)))
    )
    forged = tokens.finalize(other.public_key(), blinded, tokens.blind_sign(other, blinded.data))
    send(http, join(token=text_of(blinded.prepared[:32] + forged)), 403, "token")
    send(http, join(seal_key=text_of(bytes(32))), 400, "refused")
    send(http, join(seal_key=text_of(b"\xff" * 32)), 400, "refused")
    send(http, Message(session.digest, 1, "submit", "0", {}).signed(key), 403, "stranger")
    send(http, Message("ab" * 32, 0, "join", "0", {}).signed(key), 409, "session")
    assert http.get("/v1/view/nothing").status_code == 404
    for name in ("shares/1", "shares/99999999999999999999", "outcome/1", "outcome/%C2%B2", "roster"):
        assert http.get(f"/v1/view/{name}").status_code == 404, "an outsider sees the status, and nothing of anybody"
    assert http.get("/v2/messages").status_code == 404
    assert running.status() == before
    chunked = http.post("/v1/messages", content=(bytes(100_000) for _ in range(MOST_BYTES // 100_000 + 2)))
    assert chunked.status_code == 413


def test_a_token_for_one_use_is_none_for_another(running):
    """A customer who asks for her second token cannot spend it as a second entry."""
    session, code = running.session, running.codes()[2]
    secrets = Secrets.fresh(session)
    connection = client.Connection(session.registrar)
    key = Ed25519PrivateKey.from_private_bytes(secrets.sign_key)
    public = tokens.load_key(session.registrar.randomness_key)
    blinded = tokens.blind(public, tokens.prepare(tokens.purpose(session.context, "join", public_bytes(key))))
    answer = connection.request(
        "POST", "/v1/token", json={"code": code, "use": "randomness", "blinded": text_of(blinded.data)}
    )
    signature = tokens.finalize(public, blinded, bytes_of(answer["signature"]))
    secrets.token = text_of(blinded.prepared[:32] + signature)
    customer = client.Customer(session, running.link(), secrets, None)
    with pytest.raises(Rejected) as refused:
        customer.join()
    assert refused.value.code == "token"


def test_an_invitation_counts_once(running):
    session, code = running.session, running.codes()[0]
    first = Secrets.fresh(session)
    client.fetch_tokens(session, first, code)
    again = Secrets(session.digest, first.sign_key, first.seal_secret, pending=dict(first.pending))
    client.fetch_tokens(session, again, code)  # after a crash: the same request, the same token
    assert again.token == first.token
    with pytest.raises(Rejected) as refused:
        client.fetch_tokens(session, Secrets.fresh(session), code)
    assert (refused.value.status, refused.value.code) == (409, "twice")
    with pytest.raises(Rejected) as refused:
        client.fetch_tokens(session, Secrets.fresh(session), "made up")
    assert (refused.value.status, refused.value.code) == (403, "invitation")


def write_row(path, **cells):
    path.write_text(json.dumps({"age": "30", "zip": "07028", "ill": "MARKER"} | cells))
    return path


def test_bad_input_at_the_command_line(running, tmp_path):
    """A clear message, exit status 2, nothing sent, no cell repeated."""
    session = running.directory / "miner" / "session.toml"
    text, before = session.read_text(), running.status()
    good = write_row(tmp_path / "row.json")

    def attempt(words, session=session, row=good, *more):
        done = shoal(
            "customer",
            "submit",
            session,
            "--state",
            tmp_path / "state.json",
            "--row",
            row,
            "--patience",
            1,
            *more,
            check=False,
        )
        assert done.returncode == 2, done.stderr
        assert words in done.stderr
        assert "Traceback" not in done.stderr
        assert "MARKER" not in done.stderr
        assert len(done.stderr.splitlines()) <= 3

    def altered(old, new):
        path = tmp_path / "altered.toml"
        path.write_text(text.replace(old, new, 1))
        return path

    attempt("invitation")
    attempt("cannot be read", tmp_path / "none.toml")
    attempt("'k' is 2", altered("k = 3", "k = 2"))
    attempt("expired", altered("expires = 20", "expires = 19"))
    attempt("not a session file", altered('format = "shoal', 'format = "other'))
    attempt("not TOML", altered("k = 3", "k = = 3"))
    attempt("outside the session's schema", session, write_row(tmp_path / "bad.json", age="MARKER 31"))
    attempt("no column", session, write_row(tmp_path / "bad.json", height="MARKER"))
    attempt("cannot be read as JSON", session, tmp_path / "no-row.json")
    (tmp_path / "state.json").unlink(missing_ok=True)
    attempt("does not know this invitation", session, good, "--invitation", "MARKER-not")
    assert running.status() == before
    kept = running.codes()[1]
    (tmp_path / "state.json").unlink()
    other = altered("k = 3", "k = 4")
    done = shoal(
        "customer",
        "submit",
        other,
        "--state",
        tmp_path / "s",
        "--row",
        good,
        "--invitation",
        kept,
        "--patience",
        2,
        check=False,
    )
    assert done.returncode == 2
    assert "session" in done.stderr or "token" in done.stderr


def test_second_submission_with_another_row(running, tmp_path):
    session = running.session
    state = tmp_path / "state.json"
    client.Customer(session, running.link(), Secrets.load(session, state), {"age": "30", "zip": "07028", "ill": "a"})
    with pytest.raises(Exception, match="one row, once"):
        client.Customer(
            session, running.link(), Secrets.load(session, state), {"age": "40", "zip": "07028", "ill": "a"}
        )
    assert state.stat().st_mode & 0o077 == 0


class Socks(socketserver.BaseRequestHandler):
    """Enough of SOCKS 5 to carry one connection."""

    seen: list[bytes] = []  # noqa: RUF012

    def handle(self):
        self.request.recv(self.request.recv(2)[1])
        self.request.sendall(b"\5\0")
        head = self.request.recv(4)
        size = 4 if head[3] == 1 else self.request.recv(1)[0]
        address, port = self.request.recv(size), int.from_bytes(self.request.recv(2), "big")
        self.seen.append(head)
        host = socket.inet_ntoa(address) if head[3] == 1 else address.decode()
        with socket.create_connection((host, port)) as onward:
            self.request.sendall(b"\5\0\0\1" + bytes(6))
            back = threading.Thread(target=self.carry, args=(onward, self.request), daemon=True)
            back.start()
            self.carry(self.request, onward)

    @staticmethod
    def carry(source, sink):
        try:
            while data := source.recv(65536):
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            return


def test_socks_proxy(running):
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Socks) as proxy:
        proxy.daemon_threads = True
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        link = client.MinerLink(running.session, proxy=f"socks5://127.0.0.1:{proxy.server_address[1]}")
        assert link.view("status")["phase"] == "join"
        assert Socks.seen
        link.connection.close()
        proxy.shutdown()


def test_another_servers_certificate_is_refused(running):
    from dataclasses import replace

    session = running.session
    wrong = replace(session.miner, certificate=session.registrar.certificate)
    with pytest.raises(ProtocolError, match="certificate"):
        client.Connection(wrong, patience=1).request("GET", "/v1/view/status")


def test_command_line_from_beginning_to_end(tmp_path):
    """Customers as processes of their own: join and leave, submit, a retry, and the help texts."""
    import subprocess

    rows = [{"age": "30", "zip": "07028", "ill": f"ill {n}"} for n in range(5)]
    with servers(tmp_path, "extraction", 3, SCHEMA, n_codes=5, options=["--customers", 5]) as cast:
        session, codes = tmp_path / "miner" / "session.toml", cast.codes()
        processes = []
        for n, row in enumerate(rows):
            write_row(tmp_path / f"row{n}.json", **row)
            command = [
                *SHOAL,
                "customer",
                "submit",
                str(session),
                "--state",
                str(tmp_path / f"state{n}.json"),
                "--row",
                str(tmp_path / f"row{n}.json"),
            ]
            processes.append(
                subprocess.Popen(
                    [*command, "--invitation", codes[n], "--poll", "0.2"], stdout=subprocess.PIPE, text=True
                )
            )
        for process in processes:
            assert process.wait(timeout=250) == 0
            assert "submitted" in process.stdout.read()
            process.stdout.close()
        assert "phase closed" in shoal("miner", "status", tmp_path / "miner").stdout
        assert json.loads(shoal("miner", "status", tmp_path / "miner", "--json").stdout)["submitted"] == 5
        assert "5 of 10 tokens" in shoal("registrar", "status", tmp_path / "registrar").stdout
        assert len(cast.release("--transcript", tmp_path / "transcript.jsonl")) == 6
        assert (tmp_path / "transcript.jsonl").stat().st_mode & 0o777 == 0o600
        checked = shoal(
            "miner", "audit", tmp_path / "transcript.jsonl", "--session", session, "--state", tmp_path / "state0.json"
        )
        assert "messages with a receipt" in checked.stdout
        again = shoal(
            "customer", "submit", session, "--state", tmp_path / "state0.json", "--row", tmp_path / "row0.json"
        )
        assert "was submitted" in again.stdout, "a retry is harmless"
        assert "nothing is sent again" in again.stdout
        kept = json.loads((tmp_path / "state0.json").read_text())
        assert kept["seal_secret"] == "0x0"
        assert set(kept["pending"]) <= {"done", "receipts", "seals"}
        release_early = shoal(
            "miner",
            "init",
            tmp_path / "miner",
            "--protocol",
            "star",
            "-k",
            3,
            "--schema",
            tmp_path / "schema.toml",
            "--url",
            "https://127.0.0.1:1",
            check=False,
        )
        assert release_early.returncode == 2
        assert "already" in release_early.stderr


def test_owners_with_tables_of_rows(tmp_path):
    """Two owners hand in a table each, one token per row; the digests of the board are the same for both, and a third
    party's audit holds.
    """
    import csv
    import subprocess

    rows = [{"age": "30", "zip": "07028", "ill": f"ill {n}"} for n in range(8)]
    with servers(tmp_path, "extraction", 4, SCHEMA, n_codes=8, options=["--customers", 8]) as cast:
        session, codes, crowd = tmp_path / "miner" / "session.toml", cast.codes(), []
        assert "withstands: the miner alone, whatever he does" in shoal("customer", "check", session).stdout
        for h in range(2):
            with open(tmp_path / f"{h}.csv", "w", newline="") as out:
                writer = csv.DictWriter(out, list(rows[0]))
                writer.writeheader()
                writer.writerows(rows[4 * h : 4 * h + 4])
            (tmp_path / f"codes{h}").write_text("\n".join(codes[4 * h : 4 * h + 4]))
            command = [
                "customer",
                "submit",
                tmp_path / f"{h}.csv",
                "--session",
                session,
                "--state",
                tmp_path / f"owner{h}",
            ]
            crowd.append(
                subprocess.Popen(
                    [*SHOAL, *map(str, command), "--invitations", str(tmp_path / f"codes{h}"), "--poll", "0.2"]
                )
            )
        assert [process.wait(timeout=250) for process in crowd] == [0, 0]
        wait_for(lambda: cast.status()["phase"] == "closed" and not cast.status()["waiting"])
        seen = [
            shoal("customer", "digest", session, "--state", tmp_path / f"owner{h}" / "row-1.json").stdout
            for h in range(2)
        ]
        assert seen[0] == seen[1]
        assert [line.split()[0] for line in seen[0].splitlines()] == ["session", "join", "deal", "check", "submit"]
        assert sorted(row[2] for row in cast.release()[1:]) == sorted(r["ill"] for r in rows)
        assert (tmp_path / "owner0").stat().st_mode & 0o077 == 0
        (tmp_path / "bad.csv").write_text("age,zip,ill\n30,07028,x\nMARKER,07028,x\n")
        bad = shoal(
            "customer",
            "submit",
            tmp_path / "bad.csv",
            "--session",
            session,
            "--state",
            tmp_path / "owner2",
            check=False,
        )
        assert bad.returncode == 2
        assert "Line 3" in bad.stderr
        assert "MARKER" not in bad.stderr


@pytest.mark.slow
def test_join_then_leave_then_help(tmp_path):
    """Suppression by the command line in three steps; everybody's program ends between them."""
    import subprocess

    n = 6
    with servers(tmp_path, "suppression", 3, SCHEMA, options=["--customers", n]) as cast:
        session = tmp_path / "miner" / "session.toml"
        for row, cells in enumerate(make_rows(n)):
            write_row(tmp_path / f"row{row}.json", **cells)

        def all_do(command, *more, row=True):
            crowd = []
            for i in range(n):
                arguments = [command, session, "--state", tmp_path / f"state{i}.json", "--poll", "0.3", *more]
                arguments += ["--row", tmp_path / f"row{i}.json"] if row else []
                crowd.append(subprocess.Popen([*SHOAL, "customer", *map(str, arguments)], stdout=subprocess.PIPE))
            for process in crowd:
                process.communicate(timeout=200)
            assert [p.returncode for p in crowd] == [0] * n

        all_do("join", row=False)
        assert cast.status()["phase"] == "submit"
        early = shoal("miner", "release", tmp_path / "miner", "-o", tmp_path / "table.csv", check=False)
        assert early.returncode == 2
        assert "phase 'submit'" in early.stderr
        all_do("submit", "--leave")
        assert cast.status()["phase"] == "mix"
        all_do("help")
        assert len(cast.release()) == n + 1


@pytest.mark.slow
def test_suppression_with_the_miner_killed_again_and_again(tmp_path):
    rows = make_rows(14)
    with servers(tmp_path, "suppression", 3, SCHEMA, options=["--customers", 14]) as cast:
        threads = crowd(cast, rows)
        for _ in range(6):
            time.sleep(random.Random(5).uniform(1.0, 2.5))
            cast.kill("miner")
            cast.restart("miner")
        finish(threads, cast)
        wait_for(lambda: cast.status()["phase"] == "closed")
        assert sorted(row[2] for row in cast.release()[1:]) == sorted(r["ill"] for r in rows)
