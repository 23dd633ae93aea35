# Two commands do everything on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
,      := ,
STAMP  := $(VENV)/.installed
DEMO   := $(VENV)/.demo
# Everything that is compiled: a change of any of these builds the kernels anew.
KERNELS := src/shoal/kernels/build.py $(shell find src/shoal/kernels/c -type f)

# Hundreds of tests start the command. Without bytecode, each start would compile its libraries anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup browser servers packages demo test test-all coverage fuzz bench recorded check lint javascript warnings sanitize sanitized complexity wheel docs clean
.DEFAULT_GOAL := help

help:
	@echo "make demo      set up, then anonymize the table we ship"
	@echo "make test      set up, then run the tests (about 14 minutes on two cores)"
	@echo "make test-all  the slow tests too"
	@echo "make fuzz      random tables and policies until it is stopped; prints count, seed and every defect"
	@echo "make bench     print the measurements"
	@echo "make recorded AGAINST=REVISION  several hundred small runs of another revision and of this tree, compared to the byte"
	@echo "make coverage  the tests again, with the share of lines that they run, room by room; fails below 85 %"
	@echo "make check     warnings of the compilers, ruff, mypy --strict, the layers, tsc and eslint, and the kernel tests under the sanitizers (about a minute)"
	@echo "make warnings  compile the kernels with gcc and clang, warnings as errors"
	@echo "make sanitize  all kernel tests, recorded runs too, under the address and undefined-behaviour sanitizers"
	@echo "make complexity  C functions beyond complexity 15, 80 lines or 8 parameters, and the lines of C"
	@echo "make wheel     build a wheel and a source distribution, and try both in fresh environments"
	@echo "make docs      build the documentation"

setup: $(STAMP)

# What a demo needs is a sixth of what the tests need, and no more is installed for it.
install = $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -c constraints.txt -e

$(STAMP) $(DEMO): pyproject.toml setup.py constraints.txt $(KERNELS)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(install) '.$(if $(filter $(STAMP),$@),[protocol$(,)studio$(,)dev])'
	touch $@

demo: $(if $(wildcard $(STAMP)),$(STAMP),$(DEMO))
	$(BIN)/shoal demo

# Four at a time, also on two cores: many tests wait for browsers, servers and other processes. Tables are small here, and threads of polars cost more than they bring;
# test-all runs with them.
test: setup browser servers
	POLARS_MAX_THREADS=1 $(BIN)/python -m pytest -n 4 --dist worksteal --durations=40 --durations-min=4

test-all: setup browser servers
	$(BIN)/python -m pytest -n 2 --dist worksteal -m 'slow or not slow' --hypothesis-profile=exploring

coverage: setup browser servers
	$(BIN)/python -m coverage erase
	$(BIN)/python -m coverage run -m pytest -n 2 --dist worksteal
	$(BIN)/python -m coverage combine --quiet
	$(BIN)/python scripts/coverage_by_room.py

browser:
	@sh scripts/browser.sh >/dev/null
	@sh scripts/javascript.sh || true

servers:
	@sh scripts/servers.sh

packages:
	@sh scripts/javascript.sh

fuzz: setup
	POLARS_MAX_THREADS=1 SHOAL_THREADS=1 $(BIN)/python -m tests.fuzz

bench: setup
	$(BIN)/python -m benchmarks

AGAINST ?= HEAD
recorded: setup
	$(BIN)/python -m benchmarks.recorded $(AGAINST)

check: setup
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target sanitized lint javascript warnings

lint: setup
	$(BIN)/ruff check src tests benchmarks
	$(BIN)/ruff format --check src tests benchmarks
	$(BIN)/mypy
	$(BIN)/lint-imports

javascript: packages
	scripts/javascript/node_modules/.bin/tsc --project scripts/javascript
	scripts/javascript/node_modules/.bin/eslint --config scripts/javascript/eslint.config.mjs src/shoal/studio/static

sanitized: setup
	@sh scripts/sanitize.sh $(BIN)/python tests/kernels --ignore tests/kernels/test_recorded.py -n 2

warnings:
	@sh scripts/warnings.sh

sanitize: setup
	@sh scripts/sanitize.sh $(BIN)/python tests/kernels -n 2

complexity: setup
	@-$(BIN)/lizard -l cpp -C 15 -L 80 -a 8 -w src/shoal/kernels/c
	@echo "$$(cat src/shoal/kernels/c/*/*.[ch] | wc -l) lines of C"

wheel: setup
	@sh scripts/wheel.sh $(BIN)/python

docs: setup
	$(BIN)/python docs/make_reference.py
	$(BIN)/python docs/make_papers.py
	$(BIN)/python docs/plot_ratios.py
	$(BIN)/mkdocs build --quiet --strict

clean:
	rm -rf $(VENV) build dist site src/*.egg-info src/shoal/kernels/*.so src/shoal/kernels/_native.c
