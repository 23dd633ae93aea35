"""The verifier's definition of each privacy criterion, one file each: what a group reaches, from texts and counts alone."""

CATALOG: dict[str, str] = {
    "k-anonymity": "shoal.release.criteria.k_anonymity:K_ANONYMITY",
    "k-people": "shoal.release.criteria.k_people:K_PEOPLE",
    "distinct-l-diversity": "shoal.release.criteria.distinct_l_diversity:DISTINCT_L_DIVERSITY",
    "entropy-l-diversity": "shoal.release.criteria.entropy_l_diversity:ENTROPY_L_DIVERSITY",
    "recursive-l-diversity": "shoal.release.criteria.recursive_l_diversity:RECURSIVE_L_DIVERSITY",
    "t-closeness": "shoal.release.criteria.t_closeness:T_CLOSENESS",
    "alpha-k-anonymity": "shoal.release.criteria.alpha_k_anonymity:ALPHA_K_ANONYMITY",
    "basic-beta-likeness": "shoal.release.criteria.basic_beta_likeness:BASIC_BETA_LIKENESS",
    "enhanced-beta-likeness": "shoal.release.criteria.enhanced_beta_likeness:ENHANCED_BETA_LIKENESS",
    "delta-disclosure-privacy": "shoal.release.criteria.delta_disclosure:DELTA_DISCLOSURE",
}
