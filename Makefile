# Sets up its own environment (.venv) from the hash-locked files and runs the usual commands.
# `make help` lists them; every target can be the first one on a fresh machine.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
RESULTS_NOTE = Tables lie in results/; print one with $(BIN)/copyceiling show table4

.DEFAULT_GOAL := help
.PHONY: help env env-test table4 table5 figure3 all verify test lint smoke bench defaults envs lock clean

help: ## Say what there is
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo "  After make env, in $(BIN): snakemake --list, copyceiling --help"

# A stamp a lock file, so that a changed lock installs again and an unchanged one does not.
.venv/core.stamp: requirements.lock pyproject.toml
	@echo "Setting up .venv from requirements.lock (about a minute) ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(PIP) install --no-deps --require-hashes -r requirements.lock
	@$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

.venv/test.stamp: .venv/core.stamp requirements-test.lock
	@echo "Adding what tests and live calls need, from requirements-test.lock ..."
	@$(PIP) install --no-deps --require-hashes -r requirements-test.lock
	@touch $@

env: .venv/core.stamp ## Set up .venv: all that tables need

env-test: .venv/test.stamp ## Set up .venv: also tests, linters and live model calls

table4: env ## Regenerate Table 4 of the shipped study and print it
	@$(BIN)/snakemake table4 > /dev/null
	@$(BIN)/copyceiling show table4
	@$(BIN)/copyceiling show confusion

table5: env ## Regenerate Table 5 and print it
	@$(BIN)/snakemake table5 > /dev/null
	@$(BIN)/copyceiling show table5

figure3: env ## Draw Figure 3
	@$(BIN)/snakemake figure3
	@ls results/go/figures/figure3.svg results/go/figures/figure3.png

all: env ## Every table and figure of the shipped study
	@$(BIN)/snakemake

verify: env ## Recompute everything and compare it with the manifest
	@$(BIN)/snakemake verify

test: env-test ## Run the tests
	@$(BIN)/python -m pytest

lint: env-test ## ruff, mypy, snakefmt, snakemake --lint
	@$(BIN)/ruff check scripts tests benchmarks tools
	@$(BIN)/ruff format --check scripts tests benchmarks tools
	@$(BIN)/mypy
	@$(BIN)/snakefmt --check Snakefile rules
	@$(BIN)/snakemake --lint

bench: env-test ## Time the fast paths against the released harness's figures
	@$(BIN)/python benchmarks/run.py

defaults: env ## Write config/defaults.yaml from the schema
	@$(BIN)/python -c "from copyceiling.config import DEFAULTS, defaults_yaml; \
	  DEFAULTS.write_text(defaults_yaml(), encoding='utf-8')"

envs: ## Write envs/*.yaml from the lock files
	@$(PYTHON) tools/conda_envs.py

lock: ## Write the lock files and envs/ again (needs uv)
	@$(PYTHON) tools/lock.py
	@$(PYTHON) tools/conda_envs.py

clean: ## Remove results, keep the environment
	@rm -rf results/* .snakemake
