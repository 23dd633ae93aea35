# Two commands do everything on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
# Everything that is compiled: a change of any of these builds the kernels anew.
KERNELS := src/shoal/kernels/build.py $(shell find src/shoal/kernels/c -type f)

.PHONY: setup browser demo test test-all fuzz bench check docs clean
.DEFAULT_GOAL := help

help:
	@echo "make demo      set up, then anonymize the table we ship"
	@echo "make test      set up, then run the tests (about five minutes)"
	@echo "make test-all  the slow tests too"
	@echo "make fuzz      random tables and policies until it is stopped; prints count, seed and every defect"
	@echo "make bench     print the measurements"
	@echo "make check     ruff, mypy --strict, the layers"
	@echo "make docs      build the documentation"

setup: $(STAMP)

$(STAMP): pyproject.toml setup.py constraints.txt $(KERNELS)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[protocol,studio,dev]'
	touch $(STAMP)

demo: setup
	$(BIN)/shoal demo

test: setup browser
	$(BIN)/python -m pytest -n 2 --dist worksteal

test-all: setup browser
	$(BIN)/python -m pytest -n 2 --dist worksteal -m 'slow or not slow'

browser:
	@sh scripts/browser.sh >/dev/null

fuzz: setup
	POLARS_MAX_THREADS=1 SHOAL_THREADS=1 $(BIN)/python -m tests.fuzz

bench: setup
	$(BIN)/python -m benchmarks

check: setup
	$(BIN)/ruff check src tests benchmarks
	$(BIN)/ruff format --check src tests benchmarks
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: setup
	$(BIN)/python docs/make_reference.py
	$(BIN)/python docs/plot_ratios.py
	$(BIN)/mkdocs build --quiet --strict

clean:
	rm -rf $(VENV) build site src/*.egg-info src/shoal/kernels/*.so src/shoal/kernels/_native.c
