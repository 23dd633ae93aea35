"""Formulation 2, repaired: a k-anonymous table by suppressed cells, of which the miner learns the pairwise distances and the table only.

Problem.     N customers hold a row each; the miner is to end with a table of all rows in which cells are starred so that each row has k − 1 equals.
Guarantee.   Under DDH and with random oracles, if the miner and all mixers of a chunk do not collude: the miner learns all pairwise distances and the
             released rows; the closing mixer of a chunk learns which multiset of distances occurs in it; nobody else learns anything.
Method.      1. Customers encrypt each cell by ElGamal under a key held in shares and prove that they know what they encrypt. For each pair i < i′
             mixers raise the quotients of the ciphertexts to secret powers and permute them; t − 1 decryptors and the closing mixer decrypt;
             she tells the miner how many of a pair's quotients are not 1: the distance. 2. The miner partitions the rows by the distances.
             3. For each group and column two mixers blend the members' ciphertexts into one that encrypts 1 if and only if the column is
             constant; helpers decrypt it up to each member's own share. She stars what is not constant and releases her row by extraction, with
             the group as quasi-identifier, so that a group that loses members opens only if enough are left.
Deviations.  As printed the miner chooses the exponents and reads every cell; here mixers do. Mixers compute the quotients themselves from
             rows that their customers signed; decryptors answer only for chunks that the mixers signed; proofs are bound to the index; only pairs
             i < i′ are sent; the last step of the chain reports counts and not elements, so a chain of two costs no more than one mixer; a column is
             tested once a group and not once a member; the Lagrange product of phase 3 is corrected (the printed one divides by zero).
Complexity.  2 · (mixers − 1) + t exponentiations for each of the m · N(N − 1)/2 items, all parties together.
Notation.    i0 = mixers, I = decryptors, σ = quotient, P_ℓ = group, t = ``decryptors``.
Reference.   Zhong, Yang, Wright. Privacy-enhancing k-anonymization of customer data. PODS 2005. Section 5.
"""
