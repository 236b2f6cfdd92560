# Sets up its own environment (.venv) from the hash-locked files and runs the usual commands.
# `make help` lists them; every target can be the first one on a fresh machine.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.DEFAULT_GOAL := help
.PHONY: help env env-test table4 table5 figure3 all report crate verify smoke test test-long lint bench \
  defaults dictionary diagrams envs lock clean

help: ## Say what there is
	@awk -F ':.*## ' '/^##@ / {printf "\n%s\n", substr($$0, 5)} \
	  /^[a-z0-9-]+:.*## / {printf "  make %-10s  %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo
	@echo "After make env, in $(BIN): snakemake --list and copyceiling --help say what else there is."

.DEFAULT:
	@echo "make: there is nothing of the name '$@'. What there is: make help" >&2; exit 2

##@ Set up, once
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

##@ Regenerate the shipped study
table4: env ## Regenerate Table 4 and the confusion census, and print them
	@$(BIN)/snakemake table4 > /dev/null
	@$(BIN)/copyceiling show table4
	@$(BIN)/copyceiling show confusion

table5: env ## Regenerate Table 5 and print it
	@$(BIN)/snakemake table5 > /dev/null
	@$(BIN)/copyceiling show table5

figure3: env ## Draw Figure 3
	@$(BIN)/snakemake figure3
	@ls results/go/figures/figure3.svg results/go/figures/figure3.png

all: env ## Build every table and figure
	@$(BIN)/snakemake

report: env ## Build the page to look at: tables, figures, evidence, provenance
	@$(BIN)/snakemake report > /dev/null
	@ls results/go/report.html

crate: env ## Pack the study as an RO-Crate, to archive or to hand on
	@$(BIN)/snakemake crate > /dev/null
	@ls results/go/crate.zip

verify: env ## Recompute everything and compare it with MANIFEST.json
	@$(BIN)/snakemake verify

##@ Check the code
smoke: env ## Build the small study, on a made-up bakery
	@$(BIN)/snakemake --configfile config/studies/smoke.yaml > /dev/null

test: env-test ## Run the tests
	@$(BIN)/python -m pytest tests/live
	@$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder --ignore=tests/live

lint: env-test ## Run ruff, mypy, snakefmt and snakemake --lint
	@$(BIN)/ruff check scripts tests benchmarks tools
	@$(BIN)/ruff format --check scripts tests benchmarks tools
	@$(BIN)/mypy
	@$(BIN)/snakefmt --check Snakefile rules
	@$(BIN)/snakemake --lint

test-long: env-test ## Run the benchmarks as the documentation has them: 17 minutes
	@$(BIN)/python -m pytest -m long

bench: env-test ## Time the fast paths against the released harness's figures
	@$(BIN)/python benchmarks/run.py

##@ Write again what is made from a source
defaults: env ## Write config/defaults.yaml from the schema
	@$(BIN)/python -c "from copyceiling.config import DEFAULTS, defaults_yaml; \
	  DEFAULTS.write_text(defaults_yaml(), encoding='utf-8')"

dictionary: env ## Write docs/data-dictionary.md from the artefacts' schemas
	@$(BIN)/python tools/data_dictionary.py

diagrams: env ## Draw docs/diagrams from their descriptions
	@$(BIN)/python docs/diagrams/draw.py

envs: ## Write envs/*.yaml from the lock files
	@$(PYTHON) tools/conda_envs.py

lock: ## Write the lock files and envs/ again (needs uv)
	@$(PYTHON) tools/lock.py
	@$(PYTHON) tools/conda_envs.py

clean: ## Remove results, keep the environment
	@rm -rf results/* .snakemake
