# graphzsl: `make demo` and `make test` set up everything they need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# uv has bars in a terminal, and elsewhere only a line for each of some two hundred packages
QUIET := $(if $(shell test -t 2 && echo terminal),,--quiet)

# Commands start in half the time where Python may keep what it has compiled.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup requirements demo test test-all coverage lint docs bench mutants fuzz farm wheel clean

setup: $(STAMP)

# uv, which is itself among the requirements, installs them; pip does where uv cannot.
$(STAMP): pyproject.toml requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "graphzsl needs Python 3.11 or newer: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@echo "Setting up $(VENV). The packages are about 3.8 GB to download and 7.1 GB on disk on Linux, most of it torch with CUDA;"
	@echo "without the models, 'pip install .' downloads about 0.15 GB, 0.6 GB on disk. What is already in uv's or pip's cache is not downloaded again."
	@echo "It takes some ten minutes at 100 Mbit/s, and one or two with a full cache."
	$(PYTHON) -m venv $(VENV)
	@sed -n '/^uv==/,/[^\\]$$/p' requirements.txt > $(VENV)/uv.txt
	$(BIN)/python -m pip install --quiet --require-hashes --requirement $(VENV)/uv.txt || true
	$(BIN)/uv pip install $(QUIET) --python $(BIN)/python --require-hashes --requirement requirements.txt \
	  || $(BIN)/python -m pip install --quiet --require-hashes --requirement requirements.txt
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	$(BIN)/graphzsl db fetch --quick-start
	@touch $@

# Newer versions of everything: `make requirements ARGS=--upgrade`.
requirements: setup
	$(BIN)/uv pip compile pyproject.toml --extra dev --universal --python-version 3.11 --generate-hashes \
	  --no-emit-index-url --no-annotate --custom-compile-command 'make requirements' --output-file requirements.txt $(ARGS)

demo: setup
	$(BIN)/graphzsl demo $(ARGS)

# As many processes as cores, four at most (four on two cores take longer than two); the tests of
# one server stay together.
PYTEST := $(BIN)/python -m pytest -n auto --maxprocesses=4 --dist=loadgroup

test: setup
	$(PYTEST) -m "not thorough" $(ARGS)

# What `make test` leaves: kills, full disks, all pages, the site, the wheel, the demo; and every
# query on the newest Neo4j, whose language is Cypher 25.
test-all: setup
	$(PYTEST) -m thorough $(ARGS)
	GRAPHZSL_TEST_NEO4J=2026.08.1 $(PYTEST) tests/database/test_mini.py tests/database/test_remote.py

# All tests, and which lines they run: half as long again, because every line is counted.
coverage: setup
	$(PYTEST) --cov $(ARGS)

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/hadolint docker/Dockerfile

# The documentation as a site, in build/docs; a warning is an error, and so is a dead link.
docs: setup
	$(BIN)/python -m sphinx -q -W --keep-going -n docs build/docs $(ARGS)
	@echo "build/docs/index.html"

bench: setup
	$(BIN)/python -m tests.benchmarks $(ARGS)

# Small lies in the package, each to a copy: a test must notice every one. Takes about half an hour.
mutants: setup
	$(BIN)/python -m tests.mutants $(ARGS)

# Damaged files of every format, and made-up structures: ARGS="--minutes 10 --seed 1".
fuzz: setup
	$(BIN)/python -m tests.fuzz $(ARGS)

# Commands killed at random moments: nothing is lost, half-written or left behind. Ten seconds each.
farm: setup
	$(BIN)/python -m tests.farm $(ARGS)

wheel: setup
	$(BIN)/python -m build --wheel --no-isolation --outdir dist

clean:
	rm -rf $(VENV) dist build docs/generated runs .pytest_cache .mypy_cache .ruff_cache
