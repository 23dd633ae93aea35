"""Measures of information loss, one file each."""

CATALOG: dict[str, str] = {
    "entropy": "shoal.measures.entropy:ENTROPY",
    "monotone-entropy": "shoal.measures.monotone_entropy:MONOTONE_ENTROPY",
    "non-uniform-entropy": "shoal.measures.non_uniform_entropy:NON_UNIFORM_ENTROPY",
    "information-share": "shoal.measures.information_share:INFORMATION_SHARE",
    "root-share": "shoal.measures.root_share:ROOT_SHARE",
    "tree": "shoal.measures.tree:TREE",
    "lm": "shoal.measures.lm:LM",
    "ncp": "shoal.measures.ncp:NCP",
    "stars": "shoal.measures.stars:STARS",
}

DEFAULT = "root-share"
"""The measure that is minimised if no other is asked for."""

REPORTED: dict[str, str] = {
    "discernibility": "shoal.measures.discernibility:DISCERNIBILITY",
    "average-class-size": "shoal.measures.average_class_size:AVERAGE_CLASS_SIZE",
}
"""Measures of group sizes: reported beside the others, never minimised."""
