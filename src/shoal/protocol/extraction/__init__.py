"""Formulation 1: the miner opens exactly the rows whose quasi-identifier occurs at least k times.

Problem.     N customers hold a row each; the miner is to learn the sensitive values of those rows whose
             quasi-identifier at least k rows share.
Guarantee.   Under DDH and with random oracles the miner, alone or with c customers, learns no sensitive value of a
             group with fewer than k + 2 · tolerate − 2c rows; he sees every quasi-identifier, opened or not.
Method.      A polynomial of degree k − 1 is dealt without a dealer; customer i holds its values at 2i − 1 and 2i. She
             seals her sensitive values under H(quasi-identifier)^P(2i−1) and sends H(quasi-identifier)^P(2i) with them.
             With k such shares the miner interpolates in the exponent.
Deviations.  Session, k and schema go into the hash (else rows add up over sessions); keys go through HKDF into an AEAD
             with padding; k ≥ 3; the claim about k − 1 colluding customers is false, since each holds two points:
             ``tolerate`` c deals a polynomial for k + 2c; each share carries a proof (checked only when a group does
             not open) that names who sent a wrong one.
Complexity.  Customer: 2 exponentiations and 3 for the proof. Miner: at most k for each opened row.
Notation.    Paper's y_{2i} = share, S-bit safe prime group = ``group``, seed key x = purpose ``seed``.
Reference.   Zhong, Yang, Wright. Privacy-enhancing k-anonymization of customer data. PODS 2005. Section 4.
"""
