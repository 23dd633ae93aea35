"""Threshold aggregation without key set-up, in the manner of STAR, and nested rounds of it over coarser and coarser quasi-identifiers.

Problem.     As for extraction, but quasi-identifiers stay hidden too unless k customers share one; nested: a k-anonymous table of everybody.
Guarantee.   The miner opens exactly the groups of at least k + 2 · tolerate messages, as long as he and the randomness server do not collude. A
             colluding customer can test one guess of a quasi-identifier for each evaluation that the randomness server grants her.
Method.      A verifiable oblivious PRF (RFC 9497) on a separate server turns session, round and quasi-identifier into a random value; from it follow
             the key that seals the row, the polynomial of the share, and the tag by which the miner sorts. With enough shares of one tag the
             miner has the key. In the next round whoever was not opened generalizes one step further along a ladder that all can compute.
Deviations.  The evaluation point is the customer's index, not random, so that no two are equal; everything follows from the shared secret, so
             that the miner checks the tag and every single share after opening, and names who sent a wrong one.
Complexity.  O(N) messages a round; the miner: one interpolation a group and one decryption a row.
Notation.    r1, r2, r3 of the paper = key, polynomial, tag.
Reference.   Davidson, Snyder, Quirk, Genereux, Livshits, Haddadi. STAR: secret sharing for private threshold aggregation reporting. CCS 2022.
"""
