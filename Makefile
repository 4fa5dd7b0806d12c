# make run    install what is needed into .venv and show a poll from ballot to result
# make test   install what the tests need and run everything
# make check  the fast part: lint, types, unit tests
# make docs   build the documentation into site/
# make bench  measure against other libraries (installs them into .venv-bench)
# make lock   resolve the dependencies anew

PYTHON ?= python3
BIN := .venv/bin
BALLOTS := $(firstword $(HUSHVOTE_BALLOTS) $(wildcard ../shared/data))

.PHONY: run test check lint unit docs wheel bench lock clean

run: .venv/.run
	$(BIN)/python examples/demo.py

test: lint unit docs wheel

check: lint .venv/.dev
	$(BIN)/pytest -m "not slow"

lint: .venv/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

unit: .venv/.dev
	HUSHVOTE_BALLOTS="$(BALLOTS)" $(BIN)/pytest

docs: .venv/.dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

# The wheel is installed into an empty environment and used there.
wheel: .venv/.dev
	rm -rf dist .venv-wheel
	$(BIN)/python -m build --wheel --outdir dist .
	$(PYTHON) -m venv .venv-wheel
	.venv-wheel/bin/pip install --quiet --require-hashes -r requirements.lock
	.venv-wheel/bin/pip install --quiet --no-deps dist/*.whl
	.venv-wheel/bin/pip check
	cd dist && ../.venv-wheel/bin/hushvote design --candidates 4
	cd dist && ../.venv-wheel/bin/hushvote certify --candidates 4
	.venv-wheel/bin/python examples/demo.py
	rm -rf .venv-wheel

bench: .venv-bench/.installed
	.venv-bench/bin/python benchmarks/run.py

lock: .venv/.dev
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --no-header --extra plot pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --no-header --extra plot --group dev pyproject.toml -o requirements-dev.lock

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "hushvote needs Python 3.11 or later; set PYTHON=python3.12, say"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { [ "$$(id -u)" = 0 ] && apt-get update -q && apt-get install -qy python3-venv; } || \
	  { echo "Python's venv is missing; type: sudo apt-get install python3-venv"; exit 1; }
	$(PYTHON) -m venv .venv

.venv/.run: .venv/bin/python requirements.lock pyproject.toml
	$(BIN)/pip install --quiet --require-hashes -r requirements.lock
	$(BIN)/pip install --quiet --no-deps -e .
	touch $@

.venv/.dev: .venv/bin/python requirements-dev.lock pyproject.toml
	$(BIN)/pip install --quiet --require-hashes -r requirements-dev.lock
	$(BIN)/pip install --quiet --no-deps -e .
	touch $@ .venv/.run

.venv-bench/.installed: benchmarks/requirements.txt requirements.lock pyproject.toml
	$(PYTHON) -m venv .venv-bench
	.venv-bench/bin/pip install --quiet -r benchmarks/requirements.txt -e .
	touch $@

clean:
	rm -rf .venv .venv-bench .venv-wheel dist site .pytest_cache .mypy_cache .ruff_cache .hypothesis
