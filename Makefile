# The commands of the project. `make` alone lists them.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
SHELL := /bin/bash

PYTHON ?= $(or $(shell command -v python3.11),python3)
VENV := .venv
BIN := $(VENV)/bin
MANAGE := $(BIN)/python manage.py
HOST ?= 127.0.0.1
PORT ?= 8000
CLUSTER_PORT ?= 8080
PROCESSES ?= 2
# What is compiled once is kept, wherever this shell keeps nothing: a run of all tests starts a
# hundred interpreters.
export PYTHONDONTWRITEBYTECODE :=

# A stamp says which requirements the virtualenv holds; a change in them installs anew. A Python
# brings along an old pip, which takes longer to look through an index.
define install
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Perudo needs Python 3.11 or newer: say PYTHON=/path/to/it."; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(PIP) requirements-pip.txt
	$(PIP) $<
endef
PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r

$(VENV)/.run: requirements.txt requirements-pip.txt
	$(install)
	@touch $@

$(VENV)/.dev: requirements-dev.txt requirements-pip.txt
	$(install)
	@touch $@ $(VENV)/.run

# Collected, hashed and compressed anew only when a file of ours or a package changed.
STATIC := $(or $(STATIC_ROOT),$(or $(DATA_DIR),var)/static)/.collected
$(STATIC): $(shell find perudo_site/static games/static games/*/static -type f) $(VENV)/.run
	@$(MANAGE) collectstatic --no-input --verbosity 0
	@touch $@

# What translators write, as Django reads it. Babel needs no GNU gettext to compile it.
CATALOGUES := $(patsubst %.po,%.mo,$(wildcard locale/*/LC_MESSAGES/*.po))
%.mo: %.po $(VENV)/.run
	@$(BIN)/pybabel --quiet compile --input-file $< --output-file $@

.PHONY: catalogues
catalogues: $(CATALOGUES)

.PHONY: help
help: ## list the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

.PHONY: run
run: $(VENV)/.run $(STATIC) $(CATALOGUES) ## serve the site on http://127.0.0.1:8000 with nothing else running
	@$(MANAGE) migrate --verbosity 0
	@echo "Perudo is served on http://$(HOST):$(PORT) (Ctrl-C ends it)."
	@exec $(MANAGE) serve --host $(HOST) --port $(PORT)

.PHONY: run-cluster
run-cluster: $(VENV)/.run $(STATIC) $(CATALOGUES) ## serve it on :8080 by several processes behind nginx; needs PostgreSQL and Redis
	@exec $(BIN)/python deploy/cluster.py --port $(CLUSTER_PORT) --processes $(PROCESSES)

.PHONY: migrate
migrate: $(VENV)/.run $(CATALOGUES) ## bring the database up to date
	$(MANAGE) migrate

# What needs neither a browser nor a server, and no more than two seconds of a processor.
QUICK := not (alone or e2e or long or real_server or slow)
.PHONY: test
test: quick-tests ## run the quick tests, in a few minutes
	@echo "Left out: tests with a browser, with a server, and of more than two seconds of a processor." \
		"make test-all runs them too."

.PHONY: test-all
test-all: quick-tests ## run every test but the long ones
	@$(MAKE) --no-print-directory test-rest

.PHONY: quick-tests
quick-tests: $(VENV)/.dev $(CATALOGUES)
	$(PYTEST) $(PARALLEL) $(CORES) -m "$(QUICK)"

# With servers, two for each core: a test that waits for its server leaves the core to another. Then
# browsers, which keep two processes busy each, and by itself what measures layout. A worker that has
# run out of tests takes some of another's.
.PHONY: test-rest
test-rest: $(VENV)/.dev $(CATALOGUES) ## run what `make test` leaves out
	$(PYTEST) $(PARALLEL) $(WORKERS) -m "(real_server or slow) and not (alone or e2e or long)"
	$(PYTEST) $(PARALLEL) 3 -m "e2e and not (alone or long)" $(call MARKED,e2e)
	$(BIN)/python -m pytest -m "alone and not long" $(call MARKED,alone)
PYTEST := $(BIN)/python $(MEASURED) -m pytest
PARALLEL := --dist worksteal --numprocesses
# Where a mark stands: to look for tests in all files takes each worker four seconds.
MARKED = $(shell grep -rl "mark\.$(1)\b" tests games --include="test_*.py")
CORES = $$(getconf _NPROCESSORS_ONLN)
# No more than a Redis has databases.
WORKERS = $$((n = 2 * $(CORES), n < 16 ? n : 16))

# How long each takes is in CONTRIBUTING.md.
.PHONY: test-long
test-long: $(VENV)/.dev $(CATALOGUES) ## run the long storms and measurements
	$(PYTEST) -m "long" --timeout 0
	$(BIN)/python -m tests.security.fuzz --inputs 10000
	$(BIN)/python -m tests.faults --minutes 3 --games 25

.PHONY: format
format: $(VENV)/.dev ## put the code in shape
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/deno fmt --quiet

.PHONY: check
check: $(VENV)/.dev $(CATALOGUES) ## everything a change must pass: format, lint, types, templates, tests
	@$(MAKE) --no-print-directory --jobs 2 lint
	@$(MAKE) --no-print-directory $$($(BIN)/python -c 'import sys; print("coverage" \
		if sys.version_info >= (3, 14) else "test-all")')

# Until Python 3.14 the code takes three times as long while its branches are counted: there
# `make check` leaves it out.
.PHONY: coverage
coverage: $(VENV)/.dev $(CATALOGUES) ## run the tests and print how much of the code they run, servers included
	@rm -rf $(COVERED) && mkdir -p $(COVERED)
	@$(MAKE) --no-print-directory test-all MEASURED="-m coverage run"
	@$(BIN)/coverage combine --quiet && $(BIN)/coverage report --format=total \
		| sed 's/.*/The tests run & % of the lines and branches; `.venv\/bin\/coverage html` shows which./'
COVERED := var/coverage# pyproject.toml names it

# The longest first: two of them run side by side.
LINT := lint-types lint-packages lint-templates lint-python lint-scripts lint-words lint-site
.PHONY: lint $(LINT)
lint: $(LINT) ## check everything but the tests
$(LINT): $(VENV)/.dev $(CATALOGUES)
lint-types: # the oldest Python and the newest; mypy keeps a cache for each
	$(BIN)/mypy
	$(BIN)/mypy --python-version 3.13
lint-packages:
	$(BIN)/python .ci/audit requirements.txt
lint-templates:
	$(BIN)/djlint --lint --quiet templates accounts games
lint-python:
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
lint-scripts:
	$(BIN)/deno fmt --check --quiet
	$(BIN)/deno lint --quiet
	$(BIN)/deno check --quiet --no-remote --no-npm --no-lock perudo_site games tests
lint-words:
	$(BIN)/typos
lint-site:
	$(MANAGE) makemigrations --check --dry-run
	HTTPS=true ALLOWED_HOSTS=perudo.example $(MANAGE) check --deploy --fail-level WARNING

RESULTS := $(or $(DATA_DIR),var)
.PHONY: bench
bench: $(VENV)/.dev $(CATALOGUES) ## measure the load and the paint beside a floor, into docs/performance.md
	@mkdir -p $(RESULTS)
	$(BIN)/python -m benchmarks.load --json $(RESULTS)/load.json
	$(BIN)/python -m benchmarks.click_to_paint --json $(RESULTS)/paint.json
	$(BIN)/python -m benchmarks.load.report $(RESULTS)/load.json --paint $(RESULTS)/paint.json

.PHONY: messages
messages: $(VENV)/.dev ## collect the sentences to translate into locale/ (needs GNU gettext)
	$(MANAGE) makemessages --all --no-obsolete --no-wrap --add-location file \
		--ignore .venv --ignore var --ignore tests --ignore benchmarks --ignore lab
	@$(MAKE) --no-print-directory $(CATALOGUES)

.PHONY: requirements
requirements: $(VENV)/.dev ## pin anew what pyproject.toml asks for, and look for wheels
	$(BIN)/pip-compile $(PINNING) --output-file requirements.txt pyproject.toml
	$(BIN)/pip-compile $(PINNING) --extra dev --constraint requirements.txt \
		--output-file requirements-dev.txt pyproject.toml
	echo pip | $(BIN)/pip-compile $(PINNING) --constraint requirements-dev.txt \
		--output-file requirements-pip.txt -
	$(BIN)/python .ci/wheels requirements-dev.txt requirements-pip.txt
PINNING := --quiet --generate-hashes --allow-unsafe --strip-extras --no-emit-index-url --no-emit-find-links --no-emit-options

.PHONY: release
release: $(VENV)/.dev ## check, write VERSION=x.y.z into the changelog, commit and tag
	@$(BIN)/python -m tools.release "$(VERSION)"

.PHONY: clean
clean: ## remove the virtualenv and what tools left; the data in var/ stays
	rm -rf $(VENV) .venv-* .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +
