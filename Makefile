# Two commands do all the set-up: `make play` and `make test`. `make help` lists the rest.

VENV := .venv
BIN := $(VENV)/bin
SET_UP := pyproject.toml constraints.txt tools/venv.sh tools/system-package.sh

# Which Python the environment is made with; left empty, the first good one is taken.
PYTHON ?=
# What `make play` hands on to `pi-gm rehearse` (see `.venv/bin/pi-gm rehearse --help`).
ARGS ?=
# DEMO=1: bots play the night, ten times as fast.
DEMO ?=

.PHONY: help play venv check test browser pictures bench clean

help:
	@echo 'make play          play on this machine, with a simulated living room'
	@echo 'make play DEMO=1   watch bots play a night, ten times as fast'
	@echo 'make play ARGS=…   the same with options of pi-gm rehearse'
	@echo 'make venv          only prepare .venv, with the command pi-gm in it'
	@echo 'make check         format, lint, types and import contract'
	@echo 'make test          make check, then all tests, those in a browser too'
	@echo 'make pictures      take the pictures of the pages for docs/ anew'
	@echo 'make bench         speed and size, one figure a line'
	@echo 'make clean venv PYTHON=…   the same anew, with that Python'
	@echo 'make clean         throw away .venv and all that was made'

play: $(VENV)/.play
	$(BIN)/pi-gm rehearse $(if $(filter-out 0,$(DEMO)),--demo) $(ARGS)

venv: $(VENV)/.dev

check: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: browser check
	$(BIN)/python -m pytest -m 'not browser'
	PI_GM_BROWSER="$$(tools/browser.sh)" && export PI_GM_BROWSER && $(BIN)/python -m pytest -m browser

# First of all: a browser that is missing is said before anyone has waited for anything.
browser:
	tools/browser.sh

pictures: browser $(VENV)/.dev
	PI_GM_PICTURES=docs PI_GM_BROWSER="$$(tools/browser.sh)" $(BIN)/python -m pytest -m browser

bench: $(VENV)/.dev
	$(BIN)/python -m tests.bench

clean:
	rm -rf $(VENV) build dist test-results .pytest_cache .hypothesis .mypy_cache .ruff_cache .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# What playing needs.
$(VENV)/.play: $(SET_UP)
	tools/venv.sh '$(VENV)' . '$(PYTHON)'
	touch $@

# The same and the tools for work on it.
$(VENV)/.dev: $(SET_UP)
	tools/venv.sh '$(VENV)' '.[dev]' '$(PYTHON)'
	touch $(VENV)/.play $@
