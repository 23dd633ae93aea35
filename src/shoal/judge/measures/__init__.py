"""The verifier's definition of each measure, one file each: what a cell costs, from what its label was read as; and in fractions, for the checker of proofs."""

CATALOG: dict[str, str] = {
    "entropy": "shoal.judge.measures.entropy:ENTROPY",
    "monotone-entropy": "shoal.judge.measures.monotone_entropy:MONOTONE_ENTROPY",
    "non-uniform-entropy": "shoal.judge.measures.non_uniform_entropy:NON_UNIFORM_ENTROPY",
    "information-share": "shoal.judge.measures.information_share:INFORMATION_SHARE",
    "root-share": "shoal.judge.measures.root_share:ROOT_SHARE",
    "tree": "shoal.judge.measures.tree:TREE",
    "lm": "shoal.judge.measures.lm:LM",
    "ncp": "shoal.judge.measures.ncp:NCP",
    "stars": "shoal.judge.measures.stars:STARS",
}

REPORTED: dict[str, str] = {
    "discernibility": "shoal.judge.measures.discernibility:DISCERNIBILITY",
    "average-class-size": "shoal.judge.measures.average_class_size:AVERAGE_CLASS_SIZE",
}
"""Measures of the groups' sizes."""
