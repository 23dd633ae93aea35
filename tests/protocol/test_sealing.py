"""What is sealed opens with its key only."""

import pytest

from shoal.errors import ProtocolError
from shoal.protocol import sealing


def test_what_is_sealed_opens_with_its_key_and_purpose_only():
    key = sealing.derive(b"secret", b"purpose")
    assert key != sealing.derive(b"secret", b"other purpose")
    sealed = sealing.seal(key, sealing.pad(b"row", 64), b"index 1")
    assert sealing.unpad(sealing.open_sealed(key, sealed, b"index 1")) == b"row"
    assert sealed != sealing.seal(key, sealing.pad(b"row", 64), b"index 1"), "nonces are fresh"
    assert len(sealed) == len(sealing.seal(key, sealing.pad(b"a longer row", 64), b"index 1"))
    for bad in (
        lambda: sealing.open_sealed(key, sealed, b"index 2"),
        lambda: sealing.open_sealed(key, sealed[:-1] + b"\0", b"index 1"),
    ):
        with pytest.raises(ProtocolError):
            bad()
    with pytest.raises(ProtocolError, match="too long"):
        sealing.pad(bytes(61), 64)
    for bad in (b"", b"\0\0\0\x09abc", b"\0\0\0\x01ab"):
        with pytest.raises(ProtocolError):
            sealing.unpad(bad)
