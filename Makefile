# The few commands of daily work; the build itself is CMakeLists.txt with CMakePresets.json.
#
#     make build   the program, build/bin/harrier      make test       tests and a short fuzz run
#     make demo    finds an error in an example        make test-long  sanitizers, more random models and fuzzing
#     make bench   measurements                        make format     formats the sources
#     make clean   removes the build directories       make lint       checks format, rooms and style
#     make install PREFIX=DIR  the program, the library and the documentation; make deb  a Debian package of them
#     make tables  published tables with our numbers, docs/results (hours; remembers what it ran in build-tables)

SHELL := /bin/bash
.DEFAULT_GOAL := build
.PHONY: build demo test test-long test-random test-fuzz test-addresses test-threads bench tables format lint install deb clean setup-build setup-test setup-lint setup-tables

JOBS := $(shell nproc)
export CMAKE_CXX_COMPILER_LAUNCHER ?= $(shell command -v ccache)
# Clones of the project at different places share what the compiler cache has.
export CCACHE_BASEDIR ?= $(CURDIR)
export CCACHE_NOHASHDIR ?= 1
FORMATTED = $(shell find src include tests bench -name '*.h' -o -name '*.cpp')
FUZZ_RUNS ?= 20000
# How much `make test-long` does, which takes some hours on two cores; every number may be raised. Random timed models: of each
# of the 17 profiles, in the release build and under the sanitizers.
FUZZ_RUNS_LONG ?= 100000
RANDOM_MODELS_RELEASE ?= 1200
RANDOM_MODELS_SANITIZED ?= 60
RANDOM_PROMELA ?= 300
RANDOM_PROOFS ?= 2000
RANDOM_SYMMETRIC ?= 1500
RANDOM_SMV ?= 1000
RANDOM_PDDL ?= 1000

setup-build: ; @scripts/setup.sh build
setup-test: ; @scripts/setup.sh build test
setup-lint: ; @scripts/setup.sh build test lint
setup-tables: ; @scripts/setup.sh tables

build: setup-build
	@test -f build/CMakeCache.txt || cmake --preset release -DBUILD_TESTING=OFF >/dev/null
	@cmake --build build -j $(JOBS) --target harrier

demo: build
	@echo
	@echo '$$ harrier check models/fischer-faulty.xta models/fischer-faulty.q'
	@build/bin/harrier check models/fischer-faulty.xta models/fischer-faulty.q; \
	  status=$$?; echo; echo "exit code $$status (10: the error was found)"; test $$status -eq 10

# The summary of ctest comes last.
test: setup-test
	@cmake --preset release -DBUILD_TESTING=ON >/dev/null
	@cmake --build build -j $(JOBS)
	@cmake --preset fuzz >/dev/null
	@cmake --build build-fuzz -j $(JOBS) --target fuzzers
	@scripts/fuzz.sh build-fuzz $(FUZZ_RUNS) $(JOBS)
	@ctest --test-dir build -j $(JOBS) --output-on-failure --no-tests=error

# In parts that can be run alone, since all of it takes hours.
test-long: test-random test-fuzz test-addresses test-threads

test-random: setup-test
	@cmake --preset release -DBUILD_TESTING=ON >/dev/null
	@cmake --build build -j $(JOBS) --target harrier harrier_random
	@scripts/random.sh build/bin/harrier_random 5000001 $(RANDOM_MODELS_RELEASE) $(JOBS)
	@python3 tests/promela/random_models.py --harrier build/bin/harrier --from 6001 --count $(RANDOM_PROMELA) --jobs $(JOBS)
	@python3 tests/promela/random_proofs.py --harrier build/bin/harrier --from 1001 --count $(RANDOM_PROOFS) --jobs $(JOBS)
	@python3 tests/uppaal/random_symmetric.py --harrier build/bin/harrier --from 1001 --count $(RANDOM_SYMMETRIC) --jobs $(JOBS)
	@python3 tests/smv/random_models.py --harrier build/bin/harrier --from 1001 --count $(RANDOM_SMV) --jobs $(JOBS)
	@python3 tests/smv/random_models.py --harrier build/bin/harrier --from 70001 --count $(RANDOM_SMV) --jobs $(JOBS) \
	  --ctl --searches dfs,sbfs,auto --few 3
	@python3 tests/pddl/random_tasks.py --harrier build/bin/harrier --from 1001 --count $(RANDOM_PDDL) --jobs $(JOBS)

test-fuzz: setup-test
	@cmake --preset fuzz >/dev/null
	@cmake --build build-fuzz -j $(JOBS) --target fuzzers
	@scripts/fuzz.sh build-fuzz $(FUZZ_RUNS_LONG) $(JOBS)

test-addresses: setup-test
	@cmake --preset sanitize >/dev/null
	@cmake --build build-sanitize -j $(JOBS)
	@scripts/random.sh build-sanitize/bin/harrier_random 1001 $(RANDOM_MODELS_SANITIZED) $(JOBS)
	@ctest --test-dir build-sanitize -j $(JOBS) --output-on-failure --no-tests=error

test-threads: setup-test
	@cmake --preset tsan >/dev/null
	@cmake --build build-tsan -j $(JOBS)
	@ctest --test-dir build-tsan -j $(JOBS) --output-on-failure --no-tests=error

bench: setup-test setup-tables
	@cmake --preset release -DBUILD_TESTING=ON >/dev/null
	@cmake --build build -j $(JOBS) --target harrier benchmarks
	@status=0; for part in run promela spin walks symbolic planning; do python3 bench/$$part.py || status=1; done; exit $$status

tables: setup-test setup-tables
	@cmake --preset release -DBUILD_TESTING=ON >/dev/null
	@cmake --build build -j $(JOBS) --target harrier useless_precision heuristic_bench
	@python3 tables/run.py $(TABLES_OPTIONS)
	@python3 tables/hoffmann.py $(HOFFMANN_OPTIONS)
	@python3 tables/databases.py $(DATABASES_OPTIONS)
	@python3 tables/auto.py
	@python3 tables/promela.py
	@python3 tables/walks.py $(WALKS_OPTIONS)
	@python3 tables/symbolic.py $(SYMBOLIC_OPTIONS)
	@python3 tables/planning.py $(PLANNING_OPTIONS)

# Into DESTDIR, if it is given, as for a package.
PREFIX ?= /usr/local
install: setup-build
	@test -f build/CMakeCache.txt || cmake --preset release -DBUILD_TESTING=OFF >/dev/null
	@cmake --build build -j $(JOBS) --target harrier harrier_library
	@cmake --install build --prefix $(PREFIX)

deb: setup-build
	@cmake --preset release -DBUILD_TESTING=OFF -B build-deb >/dev/null
	@cmake --build build-deb -j $(JOBS)
	@cd build-deb && cpack -G DEB

format: setup-lint
	@clang-format -i $(FORMATTED)

lint: setup-lint
	@clang-format --dry-run --Werror $(FORMATTED)
	@python3 tests/rooms.py
	@cmake --preset release -DBUILD_TESTING=ON >/dev/null
	@find src bench tests -name '*.cpp' -not -path 'tests/fuzz/*' -not -path 'tests/install/*' -print0 | \
	  xargs -0 -n 1 -P $(JOBS) clang-tidy --quiet -p build

clean:
	@rm -rf build build-debug build-sanitize build-tsan build-coverage build-fuzz build-deb
