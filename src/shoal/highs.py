"""HiGHS, the solver of linear and integer programs: the one place that knows how it is called.

It is loaded where it is used, as scipy is: the two take a third of the time of a short run, which needs neither.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.problem import Watch

Floats = NDArray[np.float64]
INFINITY = math.inf
"""As HiGHS writes it: a variable or a row without a limit."""


def solver() -> Any:
    """A solver that says nothing, takes one thread and gives the same answer each time."""
    import highspy

    make: Any = highspy.Highs  # untyped there
    made = make()
    made.setOptionValue("output_flag", False)
    made.setOptionValue("threads", 1)
    made.setOptionValue("random_seed", 0)
    return made


def maximise(program: Any) -> None:
    """Look for the most and not for the least."""
    import highspy

    program.changeObjectiveSense(highspy.ObjSense.kMaximize)


def load(cost: Floats, low: Floats, high: Floats, rows: Any, row_low: Floats, row_high: Floats, whole: NDArray[np.bool_] | None) -> Any:
    """A solver that holds the program: least cost, between limits of the variables and of sparse rows; some variables ``whole``."""
    import highspy

    program = highspy.HighsLp()
    program.num_col_, program.num_row_ = len(cost), rows.shape[0]
    program.col_cost_, program.col_lower_, program.col_upper_ = cost, low, high
    program.row_lower_, program.row_upper_ = row_low, row_high
    program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    program.a_matrix_.start_, program.a_matrix_.index_, program.a_matrix_.value_ = rows.indptr, rows.indices, rows.data
    if whole is not None:
        kinds = highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger
        program.integrality_ = [kinds[w] for w in whole.tolist()]
    made = solver()
    made.passModel(program)
    return made


def run(program: Any, watch: Watch) -> bool:
    """Run until it is done or the watch wants a stop; whether it was done.

    HiGHS does not count its work in units that seconds could be translated into. So the watch, which knows the clock, ends it.
    """
    program.HandleUserInterrupt = True
    program.startSolve()
    try:
        while not program.wait(0.1)[0]:
            if watch.wants_stop():
                program.cancelSolve()
    except BaseException:
        program.cancelSolve()
        program.wait()
        raise
    return is_optimal(program) or is_infeasible(program)


def is_optimal(program: Any) -> bool:
    import highspy

    return bool(program.getModelStatus() == highspy.HighsModelStatus.kOptimal)


def is_infeasible(program: Any) -> bool:
    import highspy

    return bool(program.getModelStatus() == highspy.HighsModelStatus.kInfeasible)


def is_beyond(program: Any) -> bool:
    """Whether a linear program was left because it costs more than the bound that was set."""
    import highspy

    return bool(program.getModelStatus() == highspy.HighsModelStatus.kObjectiveBound)


def steps(program: Any) -> int:
    """How many steps of the simplex method the last run took."""
    return int(program.getInfo().simplex_iteration_count)


def is_out_of_steps(program: Any) -> bool:
    import highspy

    return bool(program.getModelStatus() == highspy.HighsModelStatus.kIterationLimit)


def has_solution(program: Any) -> bool:
    import highspy

    return bool(program.getInfo().primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible)


def values(program: Any) -> Floats:
    """The variables of the solution."""
    return np.array(program.getSolution().col_value)


def duals(program: Any) -> Floats:
    """The price of each row."""
    return np.array(program.getSolution().row_dual, dtype=np.float64)


def reduced(program: Any) -> Floats:
    """What each variable costs beyond the prices of its rows."""
    return np.array(program.getSolution().col_dual, dtype=np.float64)


def cost(program: Any) -> float:
    """What the solution costs."""
    return float(program.getInfo().objective_function_value)


def dual_bound(program: Any) -> float:
    """What an integer program costs at least; 0 where nothing is known."""
    bound = float(program.getInfo().mip_dual_bound)
    return bound if math.isfinite(bound) else 0.0
