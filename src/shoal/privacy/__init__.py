"""Privacy criteria, one file each."""

CATALOG: dict[str, str] = {}
