# Every target works on a bare clone: it makes .venv and installs what it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
ADDRESS ?= 127.0.0.1:8000
WORKERS ?= 2
TEST_WORKERS ?= auto
STATIC := $(or $(ARMYBUILDER_VAR),var)/static/staticfiles.json

.PHONY: run dev test quick thorough coverage tests bookimport listcorpus check lint types guards format messages bench soak look lock licences clean

# What Python makes of the code when it first reads it is kept for the next start.
run test quick thorough coverage: export PYTHONDONTWRITEBYTECODE =

run: $(VENV)/run.stamp $(STATIC)  ## serve on http://127.0.0.1:8000
	$(BIN)/python manage.py migrate --verbosity 0
	@echo "Army Builder: http://$(ADDRESS)"
	ADDRESS=$(ADDRESS) WORKERS=$(WORKERS) $(BIN)/gunicorn armybuilder.wsgi --config python:armybuilder.serving

dev: $(VENV)/test.stamp  ## serve with reloading and debug pages
	DEBUG=1 $(BIN)/python manage.py migrate --verbosity 0
	DEBUG=1 $(BIN)/python manage.py runserver $(ADDRESS)

PYTEST := $(BIN)/python -m pytest -n $(TEST_WORKERS) --dist worksteal

# Checks go beside the tests, of which those that wait for a browser or a server leave a processor idle.
BESIDE := --no-print-directory --jobs=2 --keep-going --output-sync=target

test: $(VENV)/browser.stamp  ## format, lint, types, tests, browser: what matters most of every part
	$(MAKE) $(BESIDE) tests types guards lint bookimport

quick: $(VENV)/test.stamp  ## the inner loop, within a minute: no browser; what failed last comes first
	$(PYTEST) -m "not browser and not long" --failed-first --ignore=tests/browser --ignore=tests/api/test_description.py

thorough: export THOROUGH = 1
thorough: $(VENV)/browser.stamp  ## many more cases of every claim: by hand, before a large change lands
	$(MAKE) $(BESIDE) tests types guards lint bookimport listcorpus

coverage: export THOROUGH = 1
coverage: $(VENV)/browser.stamp  ## how much of the code the tests reach; twice as long
	$(PYTEST) --cov --cov-report=term:skip-covered

# With the sign, what it prints is seen while it goes on.
tests:
	+$(PYTEST)

bookimport listcorpus:
	cd packages/$@ && ../../$(BIN)/python -m pytest

check: $(VENV)/test.stamp  ## format, lint, types, guards: side by side
	$(MAKE) $(BESIDE) types guards lint

lint:
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/djhtml --tabwidth 2 --check templates
	$(BIN)/oxlint --config tests/oxlint.json armybuilder/static/armybuilder tests

types:
	$(BIN)/mypy

guards:  ## what holds for all code: tests/guards
	$(BIN)/python -m tests.guards

format: $(VENV)/test.stamp
	$(BIN)/ruff format .
	$(BIN)/djhtml --tabwidth 2 templates
	$(BIN)/ruff check --fix .

messages: $(VENV)/test.stamp  ## bring armybuilder/locale up to date with what is said, and compile it
	$(BIN)/python -m tests.languages.messages

bench: $(VENV)/browser.stamp  ## the figures of docs/figures.md, measured here
	$(BIN)/python -m pytest -o addopts= -q -s tests/benchmarks --benchmark-columns=median,stddev,rounds --benchmark-sort=name

soak: $(VENV)/test.stamp  ## what the site bears: many players, attackers, many edits, an upgrade; within 15 minutes
	$(BIN)/python -m pytest -o addopts= -q -s tests/soak

look: $(VENV)/browser.stamp  ## pictures of all pages, at six widths, light and dark: var/look/index.html; of all sheets: var/look/print/index.html
	$(BIN)/python -m pytest -q -s tests/browser/look.py tests/sheets/look.py

# What the lock files are made of; no address of an index goes into them. Files that others take as
# constraints may have no extras. The last keeps them: without, pip looks at newer versions of what
# is needed with an extra, and refuses them for want of a hash. The half of OR-Tools that we use
# needs nothing else, and what the other half needs is a third of all: it is left out, so these two
# files are installed with --no-deps.
LOCK := $(BIN)/pip-compile --quiet --generate-hashes --no-header \
  --no-emit-index-url --no-emit-trusted-host --no-emit-find-links
LIGHT := $(LOCK) --strip-extras --no-allow-unsafe \
  $(addprefix --unsafe-package ,absl-py immutabledict numpy pandas protobuf)

lock: $(VENV)/test.stamp  ## pin all that is installed, with hashes, after a change of a requirements.in
	$(LIGHT) --output-file requirements.txt requirements.in
	$(LIGHT) --output-file deploy/requirements.txt deploy/requirements.in
	$(LOCK) --no-strip-extras --allow-unsafe --output-file tests/requirements.txt tests/requirements.in

licences: $(VENV)/test.stamp  ## licences of all that is installed, and known advisories
	$(BIN)/python -m tests.licences

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed, this is " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "Python's venv is missing: on Debian and Ubuntu, apt install python3-venv"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/run.stamp: requirements.txt | $(VENV)/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-compile -r requirements.txt
	$(BIN)/pip uninstall -qq --disable-pip-version-check --yes setuptools  # nothing here needs it
	@touch $@

$(STATIC): $(VENV)/run.stamp armybuilder/packing.py $(shell find armybuilder/static -type f)
	$(BIN)/python manage.py collectstatic --noinput --verbosity 0

$(VENV)/test.stamp: tests/requirements.txt $(VENV)/run.stamp
	$(BIN)/pip install --quiet --disable-pip-version-check -r tests/requirements.txt
	@touch $@

$(VENV)/browser.stamp: $(VENV)/test.stamp tests/browser/find_chromium.py
	$(BIN)/python tests/browser/find_chromium.py --install
	$(BIN)/python tests/browser/typefaces.py --install
	@touch $@

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
