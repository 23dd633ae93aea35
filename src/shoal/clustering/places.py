"""Places: latitudes and longitudes from a table the user gives, and great circles between them."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from shoal.clustering.points import Floats
from shoal.errors import PolicyError

EARTH = 6371.0088
"""The mean radius of the earth in kilometres."""

LATITUDE = ("latitude", "lat")
LONGITUDE = ("longitude", "lon", "lng", "long")


def read_places(column: str, places: Any) -> dict[str, tuple[float, float]]:
    """Latitude and longitude of each place: from a CSV file (a place first, then columns ``latitude`` and
    ``longitude``) or a mapping.
    """
    if isinstance(places, str | PathLike):
        return _from_file(column, Path(places))
    if isinstance(places, Mapping):
        found = {str(place): tuple(at) for place, at in places.items()}
        for at in found.values():
            _check(column, "the table of places", at)
        return found
    raise PolicyError(
        f"Column '{column}': places is a CSV file or a mapping from place to (latitude, longitude), not a "
        f"{type(places).__name__}."
    )


def _from_file(column: str, path: Path) -> dict[str, tuple[float, float]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise PolicyError(f"Column '{column}': there is no table of places '{path}'.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise PolicyError(
            f"Column '{column}': the table of places '{path}' cannot be read ({type(error).__name__})."
        ) from None
    first = text.partition("\n")[0]
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=next((d for d in ";\t," if d in first), ",")))
    heads = [name.strip().lower() for name in rows[0]] if rows else []
    lat = next((i for i, name in enumerate(heads) if name in LATITUDE), None)
    lon = next((i for i, name in enumerate(heads) if name in LONGITUDE), None)
    if lat is None or lon is None or 0 in (lat, lon):
        raise PolicyError(
            f"Column '{column}': the table of places '{path.name}' needs a header with the place first, then "
            "'latitude' and 'longitude'."
        )
    found = {}
    for number, row in enumerate(rows[1:], 2):
        if not row:
            continue
        try:
            at = float(row[lat]), float(row[lon])
        except (IndexError, ValueError):
            raise PolicyError(
                f"{path.name}, line {number}: a place needs a latitude and a longitude, as numbers."
            ) from None
        _check(column, f"{path.name}, line {number}", at)
        found[row[0]] = at
    return found


def _check(column: str, where: str, at: tuple[Any, ...]) -> None:
    if len(at) != 2 or not all(isinstance(x, int | float) for x in at) or not (abs(at[0]) <= 90 and abs(at[1]) <= 180):
        raise PolicyError(
            f"Column '{column}', {where}: a latitude lies between -90 and 90, a longitude between -180 and 180."
        )


def on_sphere(degrees: Floats) -> Floats:
    """Points on the unit sphere from latitudes and longitudes."""
    lat, lon = np.radians(degrees[:, 0]), np.radians(degrees[:, 1])
    return np.column_stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)])


def spread_of(sphere: Floats) -> float:
    """Kilometres between the place farthest from the first and the place farthest from that: at least half the largest
    distance.
    """
    if len(sphere) < 2:
        return 0.0
    far = sphere[np.argmin(sphere @ sphere[0])]
    chord = np.sqrt(((sphere - far) ** 2).sum(axis=1)).max()
    return float(2 * np.arcsin(min(chord / 2, 1.0)) * EARTH)
