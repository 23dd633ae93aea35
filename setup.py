"""Builds the compiled kernels; everything else is in pyproject.toml.

One wheel serves every Python from 3.11 on: the kernels use its stable interface alone, and the wheel's name says so.
"""

from setuptools import setup

setup(cffi_modules=["src/shoal/kernels/build.py:builder"], options={"bdist_wheel": {"py_limited_api": "cp311"}})
