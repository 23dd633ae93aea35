"""Groups to choose so that every row is in one: the programs over groups of the exact algorithm."""
