"""Builds the compiled kernels; everything else is in pyproject.toml."""

from setuptools import setup

setup(cffi_modules=["src/shoal/kernels/build.py:builder"])
