# SPDX-License-Identifier: BSD-3-Clause
# Tests. Unit test programs are found and linked by their `link:` comment; everything is run by
# tests/run, which counts. See README for how to add one of each kind.

CPPFLAGS_tests := -I. $(addprefix -Itests/,unit unit/analysis unit/rtlib) -Irtlib -Ifrontend/api \
	-Iinstrument -Ianalysis
CFLAGS_tests   := $(shell pkg-config --cflags check libxml-2.0 2>/dev/null)
# relative to the program: a built clone may be moved
unit_rpath      = -Wl,-rpath,'$$$$ORIGIN/../../lib'
unit_libraries := -lcheck -lsubunit -lrt -lm -lpthread

# $(call unit_link,test.c): the words of its `// link: ...` or `/* link: ... */` lines
unit_link = $(shell sed -n '1,30{s|^// link: *||p;s|^/\* link: *\(.*[^ ]\) *\*/$$|\1|p}' $(1))

# $(call unit_rule,PROGRAM,SOURCE,link words): sources are compiled and linked, lib/x.so is one of
# ours, `analysis` is what the test needs of sis-analyze, -l goes to the linker
define unit_rule
$(1): $(call objects,$(2) $(wildcard $(filter %.c %.cc,$(3)))) \
		$(patsubst %,$(B)/%,$(filter lib/%,$(3))) \
		$(if $(filter analysis,$(3)),$(analysis_lib)) $(schema_lib)
	@mkdir -p $$(@D)
	$$(call say,LINK,$$@)$(if $(filter %.cc,$(3)),$$(CXX),$$(CC)) $$(LDFLAGS) -o $$@ $$^ \
		$(if $(filter lib/%,$(3)),$(unit_rpath)) $(filter -%,$(3)) \
		$(if $(filter analysis,$(3)),$(analysis_libraries)) $(unit_libraries)
unit_tests += $(1)
endef

# The programs of all folders are in one directory, so that a test is named without its folder.
unit_program = $(B)/tests/unit/$(basename $(notdir $(1)))
$(foreach test,$(sort $(wildcard tests/unit/*/test_*.c tests/unit/*/*/test_*.c)),\
	$(eval $(call unit_rule,$(call unit_program,$(test)),$(test),$(call unit_link,$(test)))))

.PHONY: unit
# Builds and runs the unit tests of this variant: make unit SAN=address TESTS='match drg'
unit: $(if $(TESTS),$(TESTS:%=$(B)/tests/unit/test_%),$(unit_tests))
	@B=$(B) TSAN_OPTIONS=suppressions=$(CURDIR)/tests/unit/tsan.supp tests/run unit $^

# The compilers, the MPI and the tools that end-to-end tests use are those of the build.
test_environment := B=$(B) CC="$(CC)" MPICC="$(MPICC)" MPIEXEC="$(MPIEXEC)" MAKE="$(MAKE)"

# What is found of LLVM and MPI may change when packages are installed: a new make looks again.
build_all = $(MAKE) --no-print-directory $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$$(nproc)) all

.PHONY: check check-long check-ci e2e page bench bench-unify bench-portions
check: test-packages
	+@$(build_all)
	@$(test_environment) tests/run check

# What else a change must not break: sanitizers, and tests that take long: make check-long PART=ci
check-ci: test-packages
	+@$(build_all)
	@$(test_environment) tests/run ci

# And 10 000 damaged experiments, the tests of runs with the clock of the kernel, programs with
# known answers in all ways and with both MPI libraries, programs of a hundred seeds, where samples
# of real programs are placed, and how often rightly, the runtime for ten minutes, a trace of 100
# million events, the page of a million summaries and in Firefox, the packages in an empty Debian,
# the runtime for aarch64, public codes in C++, and other people's programs with everything
# instrumented:
#     make check-long SEEDS=10 SOAK=60 SUITES='--sample 20 torture'
ifeq ($(PART),ci)
check-long: check-ci
else
check-long: check check-ci
	@$(test_environment) FUZZ_ROUNDS=10000 TEST_LIMIT=7200 tests/run e2e fuzz
	@$(test_environment) KNOWN_WAYS=all TEST_LIMIT=1800 tests/run e2e known
	@$(test_environment) MPI=openmpi KNOWN_WAYS=all TEST_LIMIT=1800 tests/run e2e known \
		mpi_calls mpi_off mpi_phases messages polls_some recv_crowded
	@$(test_environment) RANDOM_SEEDS=$(or $(SEEDS),100) TEST_LIMIT=3600 tests/run e2e random
	@$(test_environment) JUDGED=all TEST_LIMIT=3600 tests/run e2e judged
	@$(test_environment) PACKAGES=all TEST_LIMIT=600 tests/run e2e interpreters \
		other_programs preloaded_sanitizers preloaded_valgrind
	@$(test_environment) SIS_CLOCK=monotonic TEST_LIMIT=600 tests/run e2e \
		$(basename $(notdir $(wildcard tests/e2e/run/*.sh)))
	@$(test_environment) KERNEL_WAYS=all TEST_LIMIT=1800 tests/run e2e blame_kernels
	@$(test_environment) sh tests/blame/accuracy.sh
	@$(test_environment) sh tests/blame/placed.sh
	@$(test_environment) sh tests/blame/truth.sh
	@$(test_environment) sh tests/blame/hpl.sh
	@$(test_environment) tests/bench/coverage
	@$(test_environment) tests/soak.sh $(SOAK)
	@$(test_environment) tests/kills.sh $(KILLS)
	@$(test_environment) tests/records.sh $(RECORDS)
	@$(test_environment) tests/page/long.sh
	@$(test_environment) tests/packages.sh
	@$(test_environment) tests/aarch64.sh
	@$(test_environment) tests/cxx_codes.sh $(or $(CODES),--debian --sample 5)
	@B=$(B) tests/suites.sh $(SUITES)
endif

# End-to-end tests of what is built: make e2e CASES='known kill'
e2e: all
	@$(test_environment) tests/run e2e $(CASES)

# The picture that README names, from a test of the page: make picture
.PHONY: picture
picture: all
	@$(test_environment) tests/run e2e page_views
	cp $(B)/tests/log/page/hybrid-overview.png samples/stommel/page.png

# Tests of the page, in node and in Chromium: make page TESTS='sums sort'
page: all
	@$(test_environment) tests/run page $(TESTS)

bench: bench-packages
	+@$(build_all)
	@$(test_environment) tests/bench/run

# What one file for all ranks costs, up to 64 of them: RANKS="2 4" ROUNDS=3
bench-unify: all
	@$(test_environment) tests/bench/unify

# What one region costs, in portions, beside peers (COST): ROUNDS=20
bench-portions: all
	@$(test_environment) tests/bench/portions
