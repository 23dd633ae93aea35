"""The verifier's definition of each privacy criterion, one file each: what a group reaches, from texts and counts alone."""

CATALOG: dict[str, str] = {
    "k-anonymity": "shoal.judge.criteria.k_anonymity:K_ANONYMITY",
    "k-people": "shoal.judge.criteria.k_people:K_PEOPLE",
    "distinct-l-diversity": "shoal.judge.criteria.distinct_l_diversity:DISTINCT_L_DIVERSITY",
    "entropy-l-diversity": "shoal.judge.criteria.entropy_l_diversity:ENTROPY_L_DIVERSITY",
    "recursive-l-diversity": "shoal.judge.criteria.recursive_l_diversity:RECURSIVE_L_DIVERSITY",
    "t-closeness": "shoal.judge.criteria.t_closeness:T_CLOSENESS",
    "alpha-k-anonymity": "shoal.judge.criteria.alpha_k_anonymity:ALPHA_K_ANONYMITY",
    "basic-beta-likeness": "shoal.judge.criteria.basic_beta_likeness:BASIC_BETA_LIKENESS",
    "enhanced-beta-likeness": "shoal.judge.criteria.enhanced_beta_likeness:ENHANCED_BETA_LIKENESS",
    "delta-disclosure-privacy": "shoal.judge.criteria.delta_disclosure:DELTA_DISCLOSURE",
}
