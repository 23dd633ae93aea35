"""The kinds of hierarchies, one file each: what a user asks for, and the tree it makes of a column's values."""

CATALOG: dict[str, str] = {
    "suppression": "shoal.hierarchies.builders.suppression:Suppression",
    "intervals": "shoal.hierarchies.builders.intervals:Intervals",
    "grid": "shoal.hierarchies.builders.grid:Grid",
    "prefixes": "shoal.hierarchies.builders.prefixes:Prefixes",
    "dates": "shoal.hierarchies.builders.dates:Dates",
    "times": "shoal.hierarchies.builders.times:Times",
    "neighbours": "shoal.hierarchies.builders.neighbours:Neighbours",
    "levels": "shoal.hierarchies.builders.levels:Levels",
    "file": "shoal.hierarchies.builders.file:File",
    "laminar": "shoal.hierarchies.builders.laminar:Laminar",
    "any_interval": "shoal.hierarchies.builders.any_interval:AnyInterval",
    "any_subset": "shoal.hierarchies.builders.any_subset:AnySubset",
}
