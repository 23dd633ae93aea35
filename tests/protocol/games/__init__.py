"""Games: each attack on the protocols by an adversary who holds exactly what the threat model gives her, and nothing of
what it does not.

Every game is played twice: against the product, where she must win nothing, and against a weaker rule, most of them of
0.1.0 (``weak``), where she must win: so the game is known to be one that can be won. The weak rules are switches in the
tests; the product has none of them.
"""
