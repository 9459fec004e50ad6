# Two commands: `make run` starts Tallycam on the bundled pictures, `make test` runs the tests.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

.PHONY: run test check lint types imports lock clean

run: $(VENV)/.run
	$(BIN)/tallycam serve

test: $(VENV)/.dev
	$(BIN)/pytest

check: lint types imports test

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

imports: $(VENV)/.dev
	$(BIN)/lint-imports

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: $(BIN)/python requirements.lock pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --editable .
	touch $@

$(VENV)/.dev: $(VENV)/.run requirements-dev.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	touch $@

# Needs uv. Resolves for every supported Python and platform at once.
lock:
	uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-emit-index-url -q -o requirements.lock
	uv pip compile pyproject.toml --group dev --universal --python-version 3.11 --generate-hashes --no-emit-index-url -q -o requirements-dev.lock

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache
