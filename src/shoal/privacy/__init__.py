"""Privacy criteria, one file each."""

CATALOG: dict[str, str] = {
    "k-anonymity": "shoal.privacy.k_anonymity:K_ANONYMITY",
    "k-people": "shoal.privacy.k_people:K_PEOPLE",
    "distinct-l-diversity": "shoal.privacy.distinct_l_diversity:DISTINCT_L_DIVERSITY",
    "entropy-l-diversity": "shoal.privacy.entropy_l_diversity:ENTROPY_L_DIVERSITY",
    "recursive-l-diversity": "shoal.privacy.recursive_l_diversity:RECURSIVE_L_DIVERSITY",
    "t-closeness": "shoal.privacy.t_closeness:T_CLOSENESS",
    "alpha-k-anonymity": "shoal.privacy.alpha_k_anonymity:ALPHA_K_ANONYMITY",
    "basic-beta-likeness": "shoal.privacy.basic_beta_likeness:BASIC_BETA_LIKENESS",
    "enhanced-beta-likeness": "shoal.privacy.enhanced_beta_likeness:ENHANCED_BETA_LIKENESS",
    "delta-disclosure-privacy": "shoal.privacy.delta_disclosure:DELTA_DISCLOSURE",
}
