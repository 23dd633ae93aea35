"""The algorithms, one file for each paper's algorithm.

A line here puts it into the command, the reference, the benchmark and the tests.
"""

CATALOG: dict[str, str] = {
    "auto": "shoal.algorithms.auto:AUTO",
    "set-cover": "shoal.algorithms.set_cover:SET_COVER",
    "forest": "shoal.algorithms.forest:FOREST",
    "meyerson-williams": "shoal.algorithms.meyerson_williams:MEYERSON_WILLIAMS",
    "meyerson-williams-diameter": "shoal.algorithms.meyerson_williams:MEYERSON_WILLIAMS_DIAMETER",
    "full-domain": "shoal.algorithms.full_domain:FULL_DOMAIN",
    "k-member": "shoal.algorithms.k_member:K_MEMBER",
    "mondrian": "shoal.algorithms.mondrian:MONDRIAN",
    "exact": "shoal.algorithms.exact:EXACT",
    "one-two-factor": "shoal.algorithms.one_two_factor:ONE_TWO_FACTOR",
    "two-factor": "shoal.algorithms.two_factor:TWO_FACTOR",
    "restricted-matching": "shoal.algorithms.restricted_matching:RESTRICTED_MATCHING",
    "attribute-suppression": "shoal.algorithms.attribute_suppression:ATTRIBUTE_SUPPRESSION",
}
