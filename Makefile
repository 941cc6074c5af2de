# `make help` lists the targets.
BIN := .venv/bin

.DEFAULT_GOAL := help
# Where this is set, each command compiles all its Python again, which takes longer than most run.
export PYTHONDONTWRITEBYTECODE :=
.PHONY: help setup targets demo test lint slow formal bench finalists report site lock clean

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/\1|\2/p' Makefile | while IFS='|' read -r name what; do \
	  printf '  make %-9s %s\n' "$$name" "$$what"; done

setup: ## .venv with the pinned tools and the hashfabric command
	@tools/setup.sh

targets: setup ## place and route for Gowin, Nexus and GateMate (see docs/use/tools.md)
	$(BIN)/python -m pip install --disable-pip-version-check --no-compile --require-hashes \
	  -r requirements-targets.lock

demo: setup ## hash a file through the RTL, then measure the core on an ECP5
	@tools/demo.sh

test: setup lint ## lint, tests of the lab, verification of the RTL
	HASHFABRIC_MODEL_FLAGS=-O1 $(BIN)/pytest -n auto --dist worksteal -m "not slow" tests

lint: setup ## style and types of the Python, lint of the RTL
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy & types=$$!; $(BIN)/hashfabric lint && wait $$types

slow: setup targets ## the slow tests (hours)
	HASHFABRIC_MODEL_FLAGS=-O1 $(BIN)/pytest -n auto --dist worksteal -m slow tests

formal: setup ## all proofs, with the slow ones
	$(BIN)/pytest -n auto --dist worksteal tests/formal

bench: setup ## measure everything again into results/ (hours), then write the tables
	$(BIN)/hashfabric bench --software
	$(BIN)/hashfabric power --save
	$(BIN)/hashfabric area --save
	$(BIN)/hashfabric report

# The engines that the comparison ranks: each family as in the paper, and its best.
finalists: engines_blake = core-256 core-512 core-256-pipelined core-512-pipelined
finalists: engines_groestl = $(engines_blake)
finalists: engines_jh = core core-pipelined
finalists: engines_skein = core core-pipelined
finalists: engines_keccak-iterative = core
finalists: engines_keccak-pipelined = core core-2-rounds
finalists: setup ## measure the five finalists again on the ECP5 (hours), and rank them
	@set -e; $(foreach design,blake groestl jh skein keccak-iterative keccak-pipelined, \
	  $(BIN)/hashfabric bench --no-simulator --target ecp5-85k --design $(design) \
	    $(addprefix --variant ,$(engines_$(design)));) :
	$(BIN)/hashfabric report
	$(BIN)/hashfabric papers latif-finalists

report: setup ## write the tables of README.md and docs/ from results/
	$(BIN)/hashfabric report

site: setup ## the site of results, designs, papers and docs into build/site (needs npm)
	$(BIN)/hashfabric site --out build/site

lock: LOCK = $(BIN)/uv pip compile --universal --generate-hashes --no-emit-index-url --no-header \
  --python-version 3.11 pyproject.toml
lock: setup ## pin the dependencies of pyproject.toml (delete both locks first to renew all)
	$(LOCK) --extra dev -o requirements.lock
	$(LOCK) --extra gatemate --extra gowin --extra nexus -c requirements.lock \
	  -o requirements-targets.lock

clean: ## remove all files that can be made again, except .venv
	rm -rf build .mypy_cache .pytest_cache .ruff_cache
	find src tests -name __pycache__ -prune -exec rm -rf {} +
