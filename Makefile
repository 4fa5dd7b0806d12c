# make run    install what is needed into .venv and run a server with two polls of simulated voters
# make test   install what the tests need and run everything
# make check  the fast part: lint, types, unit tests
# make web    the checks of the TypeScript package alone; make web-build builds it into web/dist
# make docs   build the documentation into site/
# make bench  measure against other libraries (installs them into .venv-bench)
# make bench-web  measure the voter's side in Chromium and Node
# make pythons  the fast tests on every Python from 3.11 to 3.13 that this machine has (PYTHONS='3.12 /path/to/python' for others)
# make lock   resolve the dependencies anew

PYTHON ?= python3
BIN := .venv/bin
NPM := cd web && PATH="$(CURDIR)/$(BIN):$$PATH" npm
CHROMIUM ?= /usr/bin/chromium
JAVA := $(firstword $(wildcard $(JAVA_HOME)/bin/java) $(shell command -v java) java)
POSTGRES := $(firstword $(wildcard /usr/lib/postgresql/*/bin/initdb) $(shell command -v initdb) postgresql)
DEBIAN := $(firstword $(shell command -v mmdebstrap) mmdebstrap)
SHELLS := $(foreach name,zsh fish,$(firstword $(shell command -v $(name)) $(name)))
BALLOTS := $(firstword $(HUSHVOTE_BALLOTS) $(wildcard ../shared/data))

PYTHONS ?= 3.11 3.12 3.13

# Modules are compiled once, and not in every process that a test starts.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test check lint unit web web-lint web-build docs wheel bench bench-web pythons lock clean postgresql mmdebstrap zsh fish java

run: .venv/.run
	@$(BIN)/python examples/polls.py

test: lint web unit docs wheel

check: lint web-lint
	$(NPM) run --silent quick
	$(BIN)/pytest -m "not slow"

lint: .venv/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

unit: .venv/.dev web/node_modules/.installed $(CHROMIUM) $(POSTGRES) $(DEBIAN) $(JAVA) $(SHELLS)
	HUSHVOTE_BALLOTS="$(BALLOTS)" HUSHVOTE_CHROMIUM="$(CHROMIUM)" $(BIN)/pytest

# Node is the one of .venv, so that it is the same on every machine. Using hushvote needs none.
web: web-lint
	$(NPM) run --silent test

web-lint: web/node_modules/.installed
	$(NPM) run --silent lint
	$(NPM) run --silent types

web-build: web/node_modules/.installed
	$(NPM) run --silent build
	$(BIN)/python docs/scripts.py

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

# The voter's side in Chromium and Node.
bench-web: .venv/.dev $(CHROMIUM)
	HUSHVOTE_CHROMIUM="$(CHROMIUM)" $(BIN)/python -m benchmarks.web

pythons: .venv/.dev
	@for version in $(PYTHONS); do \
	  $(BIN)/uv python find -q --no-python-downloads $$version >/dev/null || \
	    { echo "Python $$version is not on this machine, and was not tested"; continue; }; \
	  $(BIN)/uv venv -q --clear --no-python-downloads --python $$version .venv-other && \
	  $(BIN)/uv pip install -q --python .venv-other --require-hashes -r requirements-dev.lock && \
	  $(BIN)/uv pip install -q --python .venv-other --no-deps -e . && \
	  .venv-other/bin/pytest -m "not slow" || exit 1; \
	done

lock: .venv/.dev
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --no-header --extra plot --extra serve --extra postgres pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --no-header --extra plot --extra serve --extra postgres --extra spark --group dev pyproject.toml -o requirements-dev.lock
	$(NPM) install --package-lock-only --loglevel=error

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

web/node_modules/.installed: web/package.json web/package-lock.json web/.npmrc | .venv/.dev
	$(NPM) ci --loglevel=error
	touch $@

$(CHROMIUM):
	@{ [ "$$(id -u)" = 0 ] && apt-get update -q && apt-get install -qy --no-install-recommends chromium; } || \
	  { echo "Chromium is missing; type: sudo apt-get install --no-install-recommends chromium" \
	    "(or set CHROMIUM=/path/to/it)"; exit 1; }

# Tests make clusters of their own, and use none that is there.
postgresql:
	@{ [ "$$(id -u)" = 0 ] && apt-get update -q && \
	   DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends postgresql; } || \
	  { echo "PostgreSQL is missing; type: sudo apt-get install --no-install-recommends postgresql"; exit 1; }

# The deployment page is tried in a bare Debian root; who is not root does without.
mmdebstrap:
	@[ "$$(id -u)" != 0 ] || { apt-get update -q && apt-get install -qy --no-install-recommends mmdebstrap; }

# Completion is tried in them; who is not root does without.
zsh fish:
	@[ "$$(id -u)" != 0 ] || { apt-get update -q && apt-get install -qy --no-install-recommends $@; }

# Spark runs on it.
java:
	@{ [ "$$(id -u)" = 0 ] && apt-get update -q && \
	   apt-get install -qy --no-install-recommends openjdk-17-jre-headless; } || \
	  { echo "Java is missing; type: sudo apt-get install --no-install-recommends openjdk-17-jre-headless"; exit 1; }

.venv-bench/.installed: benchmarks/requirements.txt requirements.lock pyproject.toml
	$(PYTHON) -m venv .venv-bench
	.venv-bench/bin/pip install --quiet -r benchmarks/requirements.txt -e '.[plot,serve,postgres]'
	touch $@

clean:
	rm -rf .venv .venv-other .venv-bench .venv-wheel dist site .pytest_cache .mypy_cache .ruff_cache .hypothesis web/node_modules
