"""Formulation 2, repaired: a k-anonymous table by suppressed cells, in which the miner learns only the pairwise
distances and the table.

Problem.     N customers hold a row each; the miner is to end with a table of all rows in which cells are starred so
             that each row has k − 1 equals.
Guarantee.   Under DDH and with random oracles, against the miner and fewer than ``mixers`` customers, whatever they do:
             the miner learns all pairwise distances and the released rows; who closes a chunk learns which multiset of
             distances occurs in it; nobody else learns anything.
Method.      1. Customers encrypt each cell by ElGamal under a key held in shares and prove that they know what they
             encrypt. For each pair i < i′ mixers raise the quotients of the ciphertexts to secret powers and permute
             them. A mixer opens her coins to some of the decryptors, who do her step again from the signed rows and
             only then answer, each with a share sealed to the one who closes the chunk; she tells the miner how many of
             a pair's quotients are not 1: the distance. 2. The miner partitions the rows by the distances. 3. For each
             member of a group and each column mixers blend the members' ciphertexts into one that encrypts 1 if and
             only if the column is constant, with the same checks; the shares are sealed to her. She stars what is not
             constant and releases her row by extraction, with partition, group, members and rows as quasi-identifier,
             so that a group that loses members opens only if enough are left.
Deviations.  As printed the miner chooses the exponents and reads every cell; here mixers do. Who does what is drawn,
             and derived by everybody from the board; proofs are bound to the index; only pairs i < i′ are sent; the
             closing customer reports counts and not elements; in phase 3 there is a job for each member, whose helpers
             see nothing and who does not know their coins; the Lagrange product of phase 3 is corrected (the printed
             one divides by zero).
Complexity.  2 · (mixers − 1) + 3 · (t − 1) + 1 exponentiations for each of the m · N(N − 1)/2 items, all parties
             together.
Notation.    i0 = mixers, I = decryptors, σ = quotient, P_ℓ = group, t = ``decryptors``.
Reference.   Zhong, Yang, Wright. Privacy-enhancing k-anonymization of customer data. PODS 2005. Section 5.
"""
