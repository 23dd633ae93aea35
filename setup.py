"""Builds the compiled kernels; everything else is in pyproject.toml.

One wheel serves every Python from 3.11 on: the kernels use its stable interface alone, and the wheel's name says so.
"""

from setuptools import __version__, setup

if int(__version__.split(".")[0]) < 77:  # pip brings its own; this is for `python setup.py build_ext --inplace`
    raise SystemExit(f"pyproject.toml is written for setuptools 77 or later, and this is {__version__}: pip install 'setuptools>=77'")
setup(cffi_modules=["src/shoal/kernels/build.py:builder"], options={"bdist_wheel": {"py_limited_api": "cp311"}})
