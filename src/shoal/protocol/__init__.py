"""Building a k-anonymous table together: people hold one row each, a miner ends with the table, nobody sees the raw
rows.

``group`` and ``shares`` are the mathematics, ``keygen`` makes keys without a dealer, ``extraction``, ``suppression``
and ``star`` are the protocols as ``step(state, message) → (state, replies)`` without sockets, ``transport`` alone knows
the network.
"""
