"""The library that comes along and that of the system agree."""

from shoal.protocol.group.ristretto import Ristretto


def test_bundled_and_system_library_agree():
    one, other = Ristretto(), Ristretto(bundled=True)
    h = one.hash_to_group(b"x", b"t")
    assert h == other.hash_to_group(b"x", b"t")
    assert one.power(h, 12345) == other.power(h, 12345)
