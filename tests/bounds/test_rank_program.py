"""The linear program of prices and cuts, on a table whose answer is known."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.bounds.rank_boxes import all_boxes
from shoal.bounds.rank_program import CutProgram
from tests.bounds.test_rank import three_rows


def test_prices_alone_and_with_a_cut_around_all() -> None:
    """Three rows of which only two can be a pair: 4 without the cut, 6 with it."""
    problem = three_rows()
    boxes = all_boxes(problem, np.zeros(3))
    every = np.arange(len(boxes))
    program, nothing = CutProgram(problem, np.full(3, np.inf)), np.zeros(0, dtype=np.int64)
    for prices in ([9.0, 9.0, 9.0], [9.0, 9.0, 0.5], [9.0, 0.5, 9.0], [0.5, 9.0, 9.0]):
        met = boxes.dearest(np.array(prices), np.zeros(len(boxes)))
        program.add(
            met, np.flatnonzero(np.isfinite(met.excess)), boxes.boxes.price, boxes.own, boxes.inside(every, nothing)
        )
        pairs = boxes.dearest(np.array(prices) / 9.0, np.zeros(len(boxes)))
        program.add(
            pairs, np.flatnonzero(np.isfinite(pairs.excess)), boxes.boxes.price, boxes.own, boxes.inside(every, nothing)
        )
    low = boxes.dearest(np.array([0.0, 2.1, 2.1]), np.zeros(len(boxes)))
    program.add(
        low, np.flatnonzero(np.isfinite(low.excess)), boxes.boxes.price, boxes.own, boxes.inside(every, nothing)
    )
    assert program.solve(1000).worth == pytest.approx(4)
    whole = np.flatnonzero(boxes.n_rows == 3)
    program.add_cuts(boxes.inside(every, whole), np.array([1]))
    found = program.solve(1000)
    assert found.worth == pytest.approx(6)
    assert found.cuts == pytest.approx([4])


def test_too_few_steps_are_no_answer() -> None:
    problem = three_rows()
    boxes = all_boxes(problem, np.zeros(3))
    program = CutProgram(problem, np.full(3, np.inf))
    met = boxes.dearest(np.full(3, 9.0), np.zeros(len(boxes)))
    none = boxes.inside(np.arange(len(boxes)), np.zeros(0, dtype=np.int64))
    program.add(met, np.flatnonzero(np.isfinite(met.excess)), boxes.boxes.price, boxes.own, none)
    for prices in ([9.0, 9.0, 0.5], [9.0, 0.5, 9.0], [0.5, 9.0, 9.0]):
        met = boxes.dearest(np.array(prices), np.zeros(len(boxes)))
        program.add(met, np.flatnonzero(np.isfinite(met.excess)), boxes.boxes.price, boxes.own, none)
    program.solver.setOptionValue("presolve", "off")
    assert program.solve(0) is None
    assert program.solve(1000) is not None
