"""A finished state file holds no secret."""

import pytest

from shoal.protocol.agent import Secrets
from shoal.protocol.transport import state
from tests.protocol.test_protocols import session_of


@pytest.fixture
def session():
    return session_of("extraction")


def test_a_finished_state_file_holds_no_secret(session, tmp_path):
    """The sealing key, tokens and whatever could tell the row are gone from the file and from the one it replaced."""
    path = tmp_path / "me.json"
    secrets = Secrets.load(session, path)
    secrets.token, secrets.randomness_token, secrets.index = "first ticket", "second ticket", 5
    secrets.once("row", lambda: "tag of the row")
    secrets.once("receipts", lambda: {"a": 1})
    secrets.once("secret/0", lambda: "shared by her group")
    hidden = ["ticket", "tag of the row", "shared by her group", hex(secrets.seal_secret)]
    with open(path, "rb") as held:  # whoever still holds the old file reads zeros
        before = path.stat().st_size
        state.finish(secrets)
        assert held.read() == bytes(before)
    text = path.read_text()
    assert not [word for word in hidden if word in text]
    assert path.stat().st_mode & 0o777 == 0o600
    again = Secrets.load(session, path)
    assert again.index == 5
    assert again.pending["receipts"] == {"a": 1}
    with pytest.raises(state.Finished, match="nothing is sent again"):
        state.check_open(again)
