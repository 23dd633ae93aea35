"""What is published cannot be edited afterwards, and is still plain data."""

from __future__ import annotations

import copy
import json
import pickle

import pytest

from shoal.release.frozen import freeze, thaw
from tests.release.twelve import release


def test_the_manifest_is_frozen_and_yet_plain_json():
    """A figure that was published could be changed on its way."""
    manifest = release().manifest
    for change in (lambda: manifest.update(loss=0.0), lambda: manifest["measures"].clear(), lambda: manifest["criteria"].append(1),
                   lambda: manifest["measures"]["lm"].__setitem__("total", 0.0)):  # fmt: skip
        with pytest.raises(TypeError):
            change()
    assert json.loads(json.dumps(manifest)) == manifest
    assert isinstance(manifest, dict)


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d.update(a=1), lambda d: d.__setitem__("a", 1), lambda d: d.__delitem__("a"), lambda d: d.pop("a"), lambda d: d.popitem(),
        lambda d: d.clear(), lambda d: d.setdefault("z", 1), lambda d: d.__ior__({"z": 1}),
        lambda d: d["l"].append(1), lambda d: d["l"].__setitem__(0, 1), lambda d: d["l"].sort(), lambda d: d["l"].reverse(),
        lambda d: d["l"].extend([1]), lambda d: d["l"].insert(0, 1), lambda d: d["l"].__iadd__([1]), lambda d: d["l"].pop(),
        lambda d: d["l"].remove(2), lambda d: d["l"].clear(), lambda d: d["l"].__imul__(2), lambda d: d["l"].__delitem__(0),
    ],
)  # fmt: skip
def test_every_way_to_change_it_is_refused(change):
    made = freeze({"a": 0, "l": (2, 3)})
    with pytest.raises(TypeError, match="Work on a copy"):
        change(made)
    assert made == {"a": 0, "l": [2, 3]}


def test_a_copy_is_an_ordinary_dict_and_what_was_pickled_stays_frozen():
    made = freeze({"a": {"b": [1, {"c": 2}]}})
    for free in (copy.copy(made), copy.deepcopy(made), dict(made), thaw(made)):
        free["z"] = 1
    deep = copy.deepcopy(made)
    deep["a"]["b"].append(3)
    assert made == {"a": {"b": [1, {"c": 2}]}}
    again = pickle.loads(pickle.dumps(made))
    with pytest.raises(TypeError):
        again["a"]["b"].append(3)
