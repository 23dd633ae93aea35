"""Average class size: released rows over groups.

Formula.     (released rows) / (number of groups); LeFevre's C_AVG is this over k.
Reference.   LeFevre, DeWitt and Ramakrishnan, Mondrian multidimensional k-anonymity, ICDE 2006.
"""

from shoal.measures.base import GroupMeasure

AVERAGE_CLASS_SIZE = GroupMeasure(
    name="average-class-size",
    title="Average class size",
    formula="released rows / groups",
    reference="LeFevre et al. 2006",
)
