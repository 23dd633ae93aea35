"""Threshold aggregation without key set-up, in the manner of STAR, and nested rounds of it over coarser and coarser
quasi-identifiers.

Problem.     As for extraction, but quasi-identifiers stay hidden too unless k customers share one; nested: a
             k-anonymous table of everybody.
Guarantee.   A customer sends what can be opened once, on one rung, and only after she has checked that as many entitled
             customers as the threshold k + 2 · tolerate, herself included, hold the same labels there. So whatever the
             miner does, a row that he opens stands among that many, less the customers who collude with him. With c of
             them he also tests c guesses of labels on each rung.
Method.      A round: a partially oblivious PRF (RFC 9497) on a separate server turns session, rung and labels into a
             random value; the customer posts a *tag* that follows from it, with a proof that she knows what is behind
             it. When the round is over the registrar countersigns the count of every tag. Whoever's tag occurs often
             enough checks the others' entries and sends her *share*: a point of the polynomial that follows from the
             same value, and her row under its key. All others climb one rung of the ladder.
Deviations.  In the paper tag, share and row are one message: a miner who claims that a group did not open gets its
             members' rows again on a coarser rung, where they complete somebody else's group. Here the tag comes first
             and opens nothing. The PRF's public part is the rung, so that an evaluation granted for one rung is worth
             nothing on another. The evaluation point is the customer's index, not random, so that no two are equal;
             everything follows from the shared secret, so that the miner checks every share after opening and names who
             sent a wrong one.
Complexity.  O(N) messages per round; a customer's evidence has O(log N) hashes, and threshold − 1 entries once; the
             miner: one interpolation per group and one decryption per row.
Notation.    r1, r2, r3 of the paper = key, polynomial, tag.
Reference.   Davidson, Snyder, Quirk, Genereux, Livshits, Haddadi. STAR: secret sharing for private threshold
             aggregation reporting. CCS 2022. The PRF: Tyagi, Celi, Ristenpart, Sullivan, Tessaro, Wood. A fast and
             simple partially oblivious PRF. Eurocrypt 2022.
"""
