"""Hashes separate roles and messages."""

from hypothesis import given
from hypothesis import strategies as st

from shoal.protocol.group.hashing import join


def test_hash_separates_roles_and_messages(group):
    seen = {group.hash_to_group(m, t) for m in (b"a", b"b") for t in (b"role 1", b"role 2")}
    assert len(seen) == 4
    assert all(group.element(e) == e for e in seen)
    assert group.hash_to_scalar(b"a", b"role 1") != group.hash_to_scalar(b"a", b"role 2")


@given(
    st.lists(st.one_of(st.text(), st.binary(), st.integers()), max_size=5),
    st.lists(st.one_of(st.text(), st.binary(), st.integers()), max_size=5),
)
def test_join_is_injective(a, b):
    assert (join(a) == join(b)) == ([(type(x), x) for x in a] == [(type(x), x) for x in b])
