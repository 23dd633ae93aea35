"""Tests of the distributed protocols."""
