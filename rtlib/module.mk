# SPDX-License-Identifier: BSD-3-Clause
# The runtime: libsis and libsis-mpi, shared and static, the modules that are opened on demand, and
# what is linked into programs. README says what each of them is for.
CPPFLAGS_rtlib := -Irtlib
# No vectors of two stores: of two words that were stored one by one the processor cannot load one
# vector before both stores have ended.
CFLAGS_rtlib := -ftls-model=initial-exec -fno-tree-slp-vectorize

# -- sources ------------------------------------------------------------------------------------
# $(call rt_sources,folders): the sources in these folders of rtlib/
rt_sources = $(wildcard $(patsubst %,rtlib/%/*.c,$(1)))

# In libsis.so and in libsis.a. A new folder has to be added here; a new file is found.
rt_core_folders := base patch profile run counters trace wait_causes merged_file core sampling \
	memory stacks control process user_api
rt_modules_shared := rtlib/base/modules.c
rt_modules_static := rtlib/base/modules_static.c
rt_core := $(filter-out $(rt_modules_shared) $(rt_modules_static),\
	$(call rt_sources,$(rt_core_folders)))
# Interposed functions: libsis.a has those of libc and of libgomp, under other names.
rt_libc := $(call rt_sources,libc)
rt_shared_only := $(rt_libc) $(call rt_sources,omp ompt pthread) $(rt_modules_shared)

# These declare themselves system headers (no warnings in programs), so the compiler leaves them out
# of the lists of dependencies.
rt_pair := $(addprefix rtlib/sis/,pair.h probe_state.h sampled_timing.h gate.h gate_call.h \
	gate_pair.h gate_pair_of_width.h gate_table.h)
rt_all := $(wildcard rtlib/*/*.c)
$(call objects,$(rt_all) $(wildcard tests/unit/*/*.c)): $(rt_pair)
$(rt_all:%.c=$(B)/obj/static/%.o): $(rt_pair)

# -- installed headers --------------------------------------------------------------------------
rt_headers := probe.h gate.h gate_call.h verify.h sis.h
rt_installed := $(rt_headers:%=$(B)/include/sis/%)
# A second copy for sisc's own compilations. PREFIX/include may hold headers of other packages, and
# a compiler that gets a directory twice searches it in one of the two places only.
rt_headers_of_sisc := $(rt_headers:%=$(B)/lib/sis/include/sis/%)
headers += $(rt_installed) $(rt_headers_of_sisc)

$(rt_installed): $(B)/include/sis/%: rtlib/sis/%
	@mkdir -p $(@D)
	$(call say,COPY,$@)cp $< $@
$(rt_headers_of_sisc): $(B)/lib/sis/include/sis/%: rtlib/sis/%
	@mkdir -p $(@D)
	$(call say,COPY,$@)cp $< $@

# -- libsis.so ----------------------------------------------------------------------------------
# now: a probe never enters the dynamic linker. nodelete: threads and exit handlers come here as
# long as the process lives.
rt_link := -shared -Wl,-z,now,-z,nodelete -Wl,-Bsymbolic-functions -Wl,--no-undefined
# The runtime has these functions itself, as the program may define its own (libc/own_memory.c).
rt_own := $(shell sed -n 's/^[a-z].* \**__wrap_\([a-z]*\)(.*);/\1/p' rtlib/libc/own_memory.c)
rt_link += $(rt_own:%=-Wl,--wrap=%)
$(call objects,rtlib/libc/own_memory.c): CFLAGS += -fno-builtin -fno-tree-loop-distribute-patterns
# Gates call these functions without saving the vector registers. -O0 would compile what its headers
# have for others, which needs these registers.
rt_machine := $(firstword $(subst -, ,$(shell $(CC) -dumpmachine)))
ifeq ($(rt_machine),x86_64)
$(call objects,rtlib/core/quick_probe.c): \
	CFLAGS_rtlib += -mgeneral-regs-only $(if $(SAN),-fno-sanitize=all) \
		$(if $(filter 1,$(DEBUG)),-O1)
endif
# Functions of libc that the runtime does not call in every thread (libc/system_calls.c).
rt_calls := $(shell sed -n -e 's/^[BRV][A-Z]*.\([a-z_]*\),.*/\1/p' \
	-e 's/^[a-z].*CALL(\([a-z_]*\))(.*);/\1/p' rtlib/libc/system_calls.c)
libraries += $(B)/lib/libsis.so
$(B)/lib/libsis.so: $(call objects,$(rt_core) $(rt_shared_only)) $(schema_lib)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(rt_link) $(rt_calls:%=-Wl,--wrap=%) \
		-Wl,-soname,libsis.so $(LDFLAGS) -o $@ $^ -lpthread -ldl

# -- libsis.a -----------------------------------------------------------------------------------
libraries += $(B)/lib/libsis.a
rt_static := $(B)/obj/static
$(rt_static)/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC,$@)$(CC) $(CPPFLAGS) $(CPPFLAGS_rtlib) -DSIS_STATIC \
		$(CFLAGS) $(CFLAGS_rtlib) -MMD -MP -c $< -o $@

# Instead of --wrap.
rt_static_calls := objcopy $(foreach call,$(rt_calls),--redefine-sym $(call)=sis__call_$(call))
# The core is one object: a linker takes from an archive only what a symbol asks for, and nothing
# asks for the file with the destructor that ends the profile.
$(rt_static)/core.o: $(call objects,$(rt_core))
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(LD) -r -o $@ $^ && $(rt_static_calls) $@
# OpenMP is one object, too: libsis.a has all of libgomp's functions or none (omp_real.h).
rt_static_omp := $(filter-out rtlib/omp/omp_real.c,$(call rt_sources,omp))
$(rt_static)/omp.o: $(rt_static_omp:%.c=$(rt_static)/%.o)
	$(call say,LINK,$@)$(LD) -r -o $@ $^ && $(rt_static_calls) $@
# Of the modules libsis.a can have zstd: Debian has no static libraries of PAPI and hwloc. The names
# of zstd are made local, since the program may have a zstd of its own.
rt_libzstd := $(filter /%,$(shell $(CC) -print-file-name=libzstd.a))
rt_static_zstd := $(if $(rt_libzstd),$(rt_static)/zstd.o)
$(rt_static)/zstd.o: $(call objects,rtlib/modules/zstd_module.c) $(rt_libzstd)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(LD) -r -o $@ $^ && objcopy --keep-global-symbol=sis_zstd $@
$(call objects,$(rt_modules_static)): CPPFLAGS_rtlib += $(if $(rt_libzstd),-DSIS_STATIC_ZSTD)

rt_archive := $(rt_static)/core.o \
	$(call objects,$(rt_modules_static) schema/tables.c $(schema_filter)) \
	$(rt_libc:%.c=$(rt_static)/%.o) $(rt_static)/omp.o $(rt_static_zstd)
$(B)/lib/libsis.a: $(rt_archive)
	@mkdir -p $(@D)
	$(call say,AR,$@)rm -f $@ && ar rcs $@ $^

# Options of the linker: it takes our functions instead of those of libgomp and libc.
headers += $(B)/share/sis/wrap-openmp $(B)/share/sis/wrap-libc
$(B)/share/sis/wrap-openmp: rtlib/omp/omp_entry.def rtlib/module.mk
	@mkdir -p $(@D)
	$(call say,GEN,$@)sed -n -e 's/^SIS_OMP_REAL(.*//' \
		-e 's/^SIS_OMP_.*\<\(GOMP_[a-z0-9_]*\|omp_[a-z_]*\)\>.*/--wrap=\1/p' $< > $@
# libc's own calls of its functions are found after libsis.a was searched: hence --undefined.
$(B)/share/sis/wrap-libc: rtlib/libc/libc_entry.def rtlib/module.mk
	@mkdir -p $(@D)
	$(call say,GEN,$@)sed -n \
		's/^SIS_LIBC(\(.*\))/--wrap=\1 --undefined=__wrap_\1/p' $< > $@

# Options of the linker, and the object that sisc --sis-blame adds to programs and libraries.
headers += $(B)/share/sis/wrap-memory
$(B)/share/sis/wrap-memory: rtlib/modules/memory_entry.def rtlib/module.mk
	@mkdir -p $(@D)
	$(call say,GEN,$@)sed -n 's/^SIS_MEMORY(\(.*\))/--wrap=\1/p' $< > $@
libraries += $(B)/lib/sis/memory_wrappers.o
$(B)/lib/sis/memory_wrappers.o: rtlib/modules/memory_wrappers.c rtlib/modules/memory_entry.def \
		rtlib/sis/memory_calls.h rtlib/module.mk
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CPPFLAGS) $(CPPFLAGS_rtlib) $(filter-out $(SANFLAGS),$(CFLAGS)) \
		$(CFLAGS_rtlib) -fno-omit-frame-pointer -c $< -o $@
# A static program has no unwinding tables: from the wrapper on, its stack is walked by frame
# pointers.
$(call objects,$(addprefix rtlib/stacks/,allocations.c sampled_thread.c)): \
	CFLAGS_rtlib += -fno-omit-frame-pointer

# -- what is linked apart -----------------------------------------------------------------------
# The probes, linked into each program and library by sisc. No sanitizer: instrumented units have
# none in their probes (sis/probe.h).
rt_probes := $(B)/lib/sis/probes.o $(B)/lib/sis/probes_of_program.o
libraries += $(rt_probes)
$(B)/lib/sis/probes_of_program.o: CPPFLAGS_rtlib += -DSIS__OF_PROGRAM
$(rt_probes): rtlib/modules/probes.c $(rt_pair) rtlib/sis/probe.h rtlib/module.mk
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CPPFLAGS) $(CPPFLAGS_rtlib) $(filter-out $(SANFLAGS),$(CFLAGS)) \
		$(CFLAGS_rtlib) -c $< -o $@

libraries += $(B)/lib/sis/libsis-noop.so
$(B)/lib/sis/libsis-noop.so: CFLAGS += -fvisibility=default
$(B)/lib/sis/libsis-noop.so: $(call objects,rtlib/modules/noop.c)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) -shared -Wl,-soname,libsis.so $(LDFLAGS) -o $@ $^

libraries += $(B)/lib/sis/sis-counters
rt_counters := $(call objects,rtlib/modules/counters_main.c)
$(B)/lib/sis/sis-counters: $(rt_counters) $(B)/lib/libsis.so $(schema_lib)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(LDFLAGS) -Wl,-rpath,'$$ORIGIN/..' -o $@ $(rt_counters) \
		-L$(B)/lib -lsis $(schema_lib)

# -- modules: built if their library is installed -----------------------------------------------
# $(call has_header,name,flags): "yes" if the compiler finds it
has_header = $(shell printf '\043include <$(1)>\n' | \
	$(CC) $(2) -E -x c - >/dev/null 2>&1 && echo yes)

ifeq ($(call has_header,papi.h),yes)
rt_papi := $(call objects,$(wildcard rtlib/modules/papi_*.c))
# Opened late, when there may be no static TLS left.
$(rt_papi): CFLAGS_rtlib :=
libraries += $(B)/lib/sis/libsis-papi.so
$(B)/lib/sis/libsis-papi.so: $(rt_papi)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) -shared $(LDFLAGS) -o $@ $^ -lpapi -lpthread
endif

ifeq ($(call has_header,zstd.h),yes)
libraries += $(B)/lib/sis/libsis-zstd.so
$(B)/lib/sis/libsis-zstd.so: $(call objects,rtlib/modules/zstd_module.c)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) -shared $(LDFLAGS) -o $@ $^ -lzstd
endif

ifeq ($(call has_header,hwloc.h),yes)
libraries += $(B)/lib/sis/libsis-hwloc.so
$(B)/lib/sis/libsis-hwloc.so: $(call objects,rtlib/modules/hwloc_module.c)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) -shared $(LDFLAGS) -o $@ $^ -lhwloc
endif

# -- libsis-mpi: wrappers of MPI ----------------------------------------------------------------
# rtlib/mpi, and the wrappers that mpi_wrappers.awk writes from schema/mpi.def and the mpi.h of
# $(MPICC).
mpi_shown := $(wordlist 2,999,$(shell $(MPICC) -show 2>/dev/null))
mpi_cppflags := $(filter -I% -D%,$(mpi_shown))
ifeq ($(call has_header,mpi.h,$(mpi_cppflags)),yes)
rt_mpi := $(call objects,$(call rt_sources,mpi) gen/mpi_wrappers.c)
$(rt_mpi): CPPFLAGS += $(mpi_cppflags) -Irtlib
CFLAGS_mpi_wrappers := $(CFLAGS_rtlib)
# A wrapper calls PMPI with one jump. Symbols are bound at the start in any case (rt_link).
$(rt_mpi): CFLAGS += -fno-plt

libraries += $(B)/lib/libsis-mpi.so $(B)/lib/libsis-mpi.a
rt_mpi_shared := $(rt_mpi) $(call objects,rtlib/libc/own_memory.c)
$(B)/lib/libsis-mpi.so: $(rt_mpi_shared) $(B)/lib/libsis.so
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(rt_link) -Wl,-soname,libsis-mpi.so $(LDFLAGS) -o $@ $(rt_mpi_shared) \
		-L$(B)/lib -lsis -Wl,-rpath,'$$ORIGIN' $(filter -L% -l%,$(mpi_shown)) -lpthread
$(B)/lib/libsis-mpi.a: $(rt_mpi)
	@mkdir -p $(@D)
	$(call say,AR,$@)rm -f $@ && ar rcs $@ $^

$(B)/gen/mpi.i: rtlib/module.mk
	@mkdir -p $(@D)
	$(call say,CPP,$@)printf '\043include <mpi.h>\n' | $(CC) $(mpi_cppflags) -E -x c -o $@ -
$(B)/gen/mpi_wrappers.c: rtlib/mpi/mpi_wrappers.awk schema/mpi.def $(B)/gen/mpi.i
	$(call say,GEN,$@)awk -f $^ > $@
endif

# -- what `sis-analyze calibrate` measures --------------------------------------------------------
# Each program twice: by the compiler alone (plain), and by sisc, so no compiler is needed later.
# Recursive calls stay calls in both.
rt_calibrated := $(addprefix $(B)/lib/sis/calibrated/,regions-plain regions-measured \
	threads-plain threads-measured $(if $(rt_mpi),messages-plain messages-measured))
libraries += $(rt_calibrated)
rt_calibrated_flags := -D_GNU_SOURCE -std=gnu11 -O2 -g -fno-optimize-sibling-calls \
	-Wall -Wextra $(SANFLAGS) -fopenmp -pthread -Irtlib
rt_stopwatch := $(call objects,rtlib/calibrated/stopwatch.c)
rt_recorded := $(call objects,rtlib/calibrated/recorded_time.c)
$(B)/obj/rtlib/calibrated/recorded_time-measured.o: rtlib/calibrated/recorded_time.c
	@mkdir -p $(@D)
	$(call say,CC,$@)$(CC) $(CPPFLAGS) $(CPPFLAGS_rtlib) -DSIS_CALIBRATED $(CFLAGS) \
		$(CFLAGS_rtlib) -MMD -MP -c $< -o $@
$(B)/lib/sis/calibrated/messages-%: rt_calibrated_cc = $(MPICC)
$(B)/lib/sis/calibrated/%: rt_calibrated_cc = $(CC)
$(B)/lib/sis/calibrated/%-plain: rtlib/calibrated/%.c $(rt_stopwatch) $(rt_recorded)
	@mkdir -p $(@D)
	$(call say,CC,$@)$(rt_calibrated_cc) $(rt_calibrated_flags) -Wno-unknown-pragmas -o $@ $^
# What sisc selects by itself, but for regions: they have only those of their directives.
$(B)/lib/sis/calibrated/regions-measured: rt_calibrated_selection := --sis-cr=CR_A
$(B)/lib/sis/calibrated/%-measured: rtlib/calibrated/%.c $(rt_stopwatch) \
		$(rt_recorded:.o=-measured.o) $(B)/bin/sisc \
		$(filter-out $(rt_calibrated),$(libraries))
	@mkdir -p $(@D)
	$(call say,SISC,$@)SISC_CC="$(rt_calibrated_cc)" $(B)/bin/sisc $(rt_calibrated_selection) \
		--sis-idf=$(B)/obj/rtlib/calibrated/$*.idf $(rt_calibrated_flags) \
		-Wl,-rpath,'$$ORIGIN/../..' -o $@ $< $(rt_stopwatch) $(rt_recorded:.o=-measured.o)
