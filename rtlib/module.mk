# SPDX-License-Identifier: BSD-3-Clause
# The runtime: libsis and libsis-mpi, shared and static, the modules that are opened on demand, and
# the objects that are linked into programs. README says what each file is for.
CPPFLAGS_rtlib := -Irtlib
# Without -fno-tree-slp-vectorize the compiler may load two words as one vector. If the words were
# stored one by one, such a load waits until both stores have ended.
CFLAGS_rtlib := -ftls-model=initial-exec -fno-tree-slp-vectorize

# -- sources ------------------------------------------------------------------------------------
# $(call rt_sources,folders): the sources in these folders of rtlib/
rt_sources = $(wildcard $(patsubst %,rtlib/%/*.c,$(1)))

# The folders of libsis.so and libsis.a. A new group must be added here; new folders in a group, and
# new files, are found.
rt_core_folders := base output/* measure/* blame/* process adapters/user_api
rt_modules_shared := rtlib/base/modules.c
rt_modules_static := rtlib/base/modules_static.c
rt_core := $(filter-out $(rt_modules_shared) $(rt_modules_static),\
	$(call rt_sources,$(rt_core_folders)))
# Interposed functions: libsis.a has those of libc and of libgomp, under other names.
rt_libc := $(call rt_sources,adapters/libc)
rt_shared_only := $(rt_libc) $(call rt_sources,$(addprefix adapters/,device omp ompt pthread)) \
	$(rt_modules_shared)

# These files declare themselves system headers (no warnings in programs), so the compiler does not
# list them as dependencies.
rt_pair := $(addprefix rtlib/sis/,pair.h probe_state.h sampled_timing.h traced_pair.h \
	fp_environment.h gate.h gate_call.h gate_pair.h gate_pair_of_width.h gate_table.h)
rt_all := $(wildcard rtlib/*/*.c rtlib/*/*/*.c)
$(call objects,$(rt_all) $(wildcard tests/unit/rtlib/*.c tests/unit/rtlib/*/*.c)): $(rt_pair)
$(rt_all:%.c=$(B)/obj/static/%.o): $(rt_pair)

# -- installed headers --------------------------------------------------------------------------
rt_headers := probe.h gate.h gate_call.h verify.h sis.h
rt_installed := $(rt_headers:%=$(B)/include/sis/%)
# A second copy for sisc's own compilations. PREFIX/include may hold headers of other packages. If a
# compiler gets a directory twice, it searches it only at one of the two positions.
rt_headers_of_sisc := $(rt_headers:%=$(B)/lib/sis/include/sis/%)
headers += $(rt_installed) $(rt_headers_of_sisc)

$(rt_installed): $(B)/include/sis/%: rtlib/sis/%
	@mkdir -p $(@D)
	$(call say,COPY,$@)cp $< $@
$(rt_headers_of_sisc): $(B)/lib/sis/include/sis/%: rtlib/sis/%
	@mkdir -p $(@D)
	$(call say,COPY,$@)cp $< $@

# -- libsis.so ----------------------------------------------------------------------------------
# now: so that a probe never enters the dynamic linker. nodelete: because threads and exit handlers
# run code of the library as long as the process lives.
rt_link := -shared -Wl,-z,now,-z,nodelete -Wl,-Bsymbolic-functions -Wl,--no-undefined
# The runtime has copies of these functions, as the program may define its own
# (adapters/libc/own_memory.c).
rt_own_memory := rtlib/adapters/libc/own_memory.c
rt_own := $(shell sed -n 's/^[a-z].* \**__wrap_\([a-z]*\)(.*);/\1/p' $(rt_own_memory))
rt_link += $(rt_own:%=-Wl,--wrap=%)
$(call objects,$(rt_own_memory)): CFLAGS += -fno-builtin -fno-tree-loop-distribute-patterns
# Gates call these functions without saving the vector registers. With -O0 the file would also
# contain unused functions of its headers, which use vector registers.
rt_machine := $(firstword $(subst -, ,$(shell $(CC) -dumpmachine)))
ifeq ($(rt_machine),x86_64)
$(call objects,rtlib/measure/core/quick_probe.c): \
	CFLAGS_rtlib += -mgeneral-regs-only $(if $(SAN),-fno-sanitize=all) \
		$(if $(filter 1,$(DEBUG)),-O1)
endif
# Functions of libc that the runtime must not call in some threads (adapters/libc/system_calls.c).
rt_calls := $(shell sed -n -e 's/^[BRV][A-Z]*.\([a-z_]*\),.*/\1/p' \
	-e 's/^[a-z].*CALL(\([a-z_]*\))(.*);/\1/p' rtlib/adapters/libc/system_calls.c)
# Programs load libsis.so.$(SOVERSION); schema/README says when this number changes. Programs are
# linked with libsis.so.
libraries += $(B)/lib/libsis.so
$(B)/lib/libsis.so $(B)/lib/libsis-mpi.so: %: %.$(SOVERSION)
	$(call say,LN,$@)ln -sf $(<F) $@
rt_versions := rtlib/adapters/device/device_entry.map
$(B)/lib/libsis.so.$(SOVERSION): $(call objects,$(rt_core) $(rt_shared_only)) $(schema_lib) \
		$(rt_versions)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(rt_link) $(rt_calls:%=-Wl,--wrap=%) \
		-Wl,--version-script=$(rt_versions) -Wl,-soname,$(@F) $(LDFLAGS) -o $@ \
		$(filter-out $(rt_versions),$^) -lpthread -ldl

# -- libsis.a -----------------------------------------------------------------------------------
libraries += $(B)/lib/libsis.a
rt_static := $(B)/obj/static
$(rt_static)/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC,$@)$(CC) $(CPPFLAGS) $(CPPFLAGS_rtlib) -DSIS_STATIC \
		$(CFLAGS) $(CFLAGS_rtlib) -MMD -MP -c $< -o $@

# Used instead of --wrap.
rt_static_calls := objcopy $(foreach call,$(rt_calls),--redefine-sym $(call)=sis__call_$(call))
# The core is one object. A linker takes an object from an archive only if one of its symbols is
# needed. No symbol of the file with the destructor that ends the profile is needed, so the linker
# would not take this file alone.
$(rt_static)/core.o: $(call objects,$(rt_core))
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(LD) -r -o $@ $^ && $(rt_static_calls) $@
# OpenMP is one object, too: libsis.a has all of libgomp's functions or none (omp_real.h).
rt_static_omp := $(filter-out %/omp_real.c,$(call rt_sources,adapters/omp)) \
	rtlib/adapters/device/device_tasks.c
$(rt_static)/omp.o: $(rt_static_omp:%.c=$(rt_static)/%.o)
	$(call say,LINK,$@)$(LD) -r -o $@ $^ && $(rt_static_calls) $@
# zstd is the only module that libsis.a can contain: Debian has no static libraries of PAPI and
# hwloc. The symbols of zstd are made local, since the program may have a zstd of its own.
rt_libzstd := $(filter /%,$(shell $(CC) -print-file-name=libzstd.a))
rt_static_zstd := $(if $(rt_libzstd),$(rt_static)/zstd.o)
$(rt_static)/zstd.o: $(call objects,rtlib/apart/modules/zstd_module.c) $(rt_libzstd)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(LD) -r -o $@ $^ && objcopy --keep-global-symbol=sis_zstd $@
$(call objects,$(rt_modules_static)): CPPFLAGS_rtlib += $(if $(rt_libzstd),-DSIS_STATIC_ZSTD)

rt_archive := $(rt_static)/core.o \
	$(call objects,$(rt_modules_static) schema/tables.c $(schema_filter) $(schema_host)) \
	$(rt_libc:%.c=$(rt_static)/%.o) $(rt_static)/omp.o $(rt_static_zstd)
$(B)/lib/libsis.a: $(rt_archive)
	@mkdir -p $(@D)
	$(call say,AR,$@)rm -f $@ && ar rcs $@ $^

# Options that make the linker use our functions instead of those of libgomp and libc.
headers += $(B)/share/sis/wrap-openmp $(B)/share/sis/wrap-libc
$(B)/share/sis/wrap-openmp: rtlib/adapters/omp/omp_entry.def rtlib/module.mk
	@mkdir -p $(@D)
	$(call say,GEN,$@)sed -n -e 's/^SIS_OMP_REAL(.*//' \
		-e 's/^SIS_OMP_.*\<\(GOMP_[a-z0-9_]*\|omp_[a-z_]*\)\>.*/--wrap=\1/p' $< > $@
# --undefined, because the linker finds libc's calls of its own functions after it has searched
# libsis.a.
$(B)/share/sis/wrap-libc: rtlib/adapters/libc/libc_entry.def rtlib/module.mk
	@mkdir -p $(@D)
	$(call say,GEN,$@)sed -n \
		's/^SIS_LIBC(\(.*\))/--wrap=\1 --undefined=__wrap_\1/p' $< > $@

# The linker's options, and the object, that sisc --sis-blame adds to programs and libraries.
headers += $(B)/share/sis/wrap-memory
$(B)/share/sis/wrap-memory: rtlib/apart/modules/memory_entry.def rtlib/module.mk
	@mkdir -p $(@D)
	$(call say,GEN,$@)sed -n 's/^SIS_MEMORY(\(.*\))/--wrap=\1/p' $< > $@
headers += $(B)/share/sis/wrap-memory-cplusplus
$(B)/share/sis/wrap-memory-cplusplus: rtlib/apart/modules/memory_cplusplus.def rtlib/module.mk
	@mkdir -p $(@D)
	$(call say,GEN,$@)sed -n 's/^SIS_[A-Z]*(\(_[^,]*\),.*/--wrap=\1 --undefined=\1/p' $< > $@
rt_memory := $(B)/lib/sis/memory_wrappers.o $(B)/lib/sis/memory_cplusplus.o
libraries += $(rt_memory)
$(B)/lib/sis/memory_wrappers.o: rtlib/apart/modules/memory_entry.def
$(B)/lib/sis/memory_cplusplus.o: rtlib/apart/modules/memory_cplusplus.def
$(B)/lib/sis/memory_cplusplus.o: CFLAGS_rtlib += -fexceptions
$(rt_memory): $(B)/lib/sis/%.o: rtlib/apart/modules/%.c rtlib/sis/memory_calls.h rtlib/module.mk
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CPPFLAGS) $(CPPFLAGS_rtlib) $(filter-out $(SANFLAGS),$(CFLAGS)) \
		$(CFLAGS_rtlib) -fno-omit-frame-pointer -c $< -o $@
# A static program has no unwinding tables, so its stack is walked by frame pointers, beginning at
# the wrapper.
$(call objects,$(addprefix rtlib/blame/stacks/,allocations.c sampled_thread.c)): \
	CFLAGS_rtlib += -fno-omit-frame-pointer

# -- what is linked apart -----------------------------------------------------------------------
# The probes, linked into each program and library by sisc. They are compiled without sanitizers,
# like the probes in instrumented units (sis/probe.h).
rt_probes := $(B)/lib/sis/probes.o $(B)/lib/sis/probes_of_program.o
libraries += $(rt_probes)
$(B)/lib/sis/probes_of_program.o: CPPFLAGS_rtlib += -DSIS__OF_PROGRAM
$(rt_probes): rtlib/apart/modules/probes.c $(rt_pair) rtlib/sis/probe.h rtlib/module.mk
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CPPFLAGS) $(CPPFLAGS_rtlib) $(filter-out $(SANFLAGS),$(CFLAGS)) \
		$(CFLAGS_rtlib) -c $< -o $@

libraries += $(B)/lib/sis/sis-counters
rt_counters := $(call objects,rtlib/apart/modules/counters_main.c)
$(B)/lib/sis/sis-counters: $(rt_counters) $(B)/lib/libsis.so $(schema_lib)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(LDFLAGS) -Wl,-rpath,'$$ORIGIN/..' -o $@ $(rt_counters) \
		-L$(B)/lib -lsis $(schema_lib)

# -- modules: built if their library is installed -----------------------------------------------
# $(call has_header,name,flags): "yes" if the compiler finds it
has_header = $(shell printf '\043include <$(1)>\n' | \
	$(CC) $(2) -E -x c - >/dev/null 2>&1 && echo yes)

ifeq ($(call has_header,papi.h),yes)
rt_papi := $(call objects,$(wildcard rtlib/apart/modules/papi_*.c))
# Without initial-exec: the module is opened late, when there may be no static TLS left.
$(rt_papi): CFLAGS_rtlib :=
libraries += $(B)/lib/sis/libsis-papi.so
$(B)/lib/sis/libsis-papi.so: $(rt_papi)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) -shared $(LDFLAGS) -o $@ $^ -lpapi -lpthread
endif

ifeq ($(call has_header,zstd.h),yes)
libraries += $(B)/lib/sis/libsis-zstd.so
$(B)/lib/sis/libsis-zstd.so: $(call objects,rtlib/apart/modules/zstd_module.c)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) -shared $(LDFLAGS) -o $@ $^ -lzstd
endif

ifeq ($(call has_header,hwloc.h),yes)
libraries += $(B)/lib/sis/libsis-hwloc.so
$(B)/lib/sis/libsis-hwloc.so: $(call objects,rtlib/apart/modules/hwloc_module.c)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) -shared $(LDFLAGS) -o $@ $^ -lhwloc
endif

# -- annotations ----------------------------------------------------------------------------------
# Not linked with libsis.so: the module uses the runtime that the process has (annotations.c).
# Without initial-exec: programs open the module late, when there may be no static TLS left.
rt_annotations := $(call objects,$(call rt_sources,apart/annotations))
$(rt_annotations): CFLAGS_rtlib :=
libraries += $(B)/lib/sis/libsis-annotations.so
$(B)/lib/sis/libsis-annotations.so: $(rt_annotations) $(call objects,$(rt_own_memory))
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(rt_link) -Wl,-soname,$(@F) $(LDFLAGS) -o $@ $^ -ldl

# -- libsis-mpi: wrappers of MPI ----------------------------------------------------------------
# rtlib/adapters/mpi, and the wrappers that mpi_wrappers.awk writes from schema/mpi.def and mpi.h,
# are compiled for each MPI library on this machine (rt_mpi_here: NAME:COMPILER), and for the MPI
# ABI, whose header is in apart/mpi_abi.
# apart/mpi_entry/mpi_entry.h draws how a program finds the wrappers.
rt_mpi_entry := rtlib/apart/mpi_entry
rt_mpi_here := $(filter-out mpiabi:%,\
	$(shell $(rt_mpi_entry)/installed "$(MPICC)" mpicc.mpich mpicc.openmpi))
rt_mpi_names := $(foreach here,$(rt_mpi_here),$(firstword $(subst :, ,$(here)))) mpiabi

# $(call rt_mpi_rules,NAME,WORDS): WORDS are those that the MPI library's compiler adds
define rt_mpi_rules
rt_mpi_shown_$(1) := $(2)
rt_mpi_cppflags_$(1) := $$(filter -I% -D%,$$(rt_mpi_shown_$(1)))
rt_mpi_$(1) := $$(patsubst %.c,$(B)/obj/$(1)/%.o,$(call rt_sources,adapters/mpi) mpi_wrappers.c)
$$(rt_mpi_$(1)): $(rt_pair)
# -fno-plt: a wrapper calls PMPI with one jump. Symbols are bound at the start in any case
# (rt_link).
$(B)/obj/$(1)/%.o: %.c
	@mkdir -p $$(@D)
	$$(call say,CC,"$$< ($(1))")$(CC) $(CPPFLAGS) $(CPPFLAGS_rtlib) $$(rt_mpi_cppflags_$(1)) \
		$(CFLAGS) $(CFLAGS_rtlib) -fno-plt -MMD -MP -c $$< -o $$@
$(B)/obj/$(1)/mpi_wrappers.o: $(B)/gen/$(1)/mpi_wrappers.c
	@mkdir -p $$(@D)
	$$(call say,CC,$$<)$(CC) $(CPPFLAGS) $(CPPFLAGS_rtlib) $$(rt_mpi_cppflags_$(1)) \
		$(CFLAGS) $(CFLAGS_rtlib) -fno-plt -MMD -MP -c $$< -o $$@
$(B)/gen/$(1)/mpi.i: rtlib/module.mk
	@mkdir -p $$(@D)
	$$(call say,CPP,$$@)printf '\043include <mpi.h>\n' | \
		$(CC) $$(rt_mpi_cppflags_$(1)) -E -x c -o $$@ -
$(B)/gen/$(1)/mpi_wrappers.c: rtlib/adapters/mpi/mpi_wrappers.awk schema/mpi.def $(B)/gen/$(1)/mpi.i
	$$(call say,GEN,$$@)awk -f $$^ > $$@

$(B)/gen/$(1)/mpi_real.inc: $$(rt_mpi_$(1))
	$$(call say,GEN,$$@)nm -u $$^ | sed -n 's/^ *U \(PMPI_.*\)/SIS_MPI_REAL(\1)/p' | \
		sort -u > $$@
$(B)/obj/$(1)/mpi_real.o: $(rt_mpi_entry)/mpi_real.c $(B)/gen/$(1)/mpi_real.inc
	$$(call say,CC,"$$< ($(1))")$(CC) $(CPPFLAGS) $(CPPFLAGS_rtlib) -I$(B)/gen/$(1) \
		$(CFLAGS) -MMD -MP -c $$< -o $$@
$(B)/obj/$(1)/wrappers.o: $$(rt_mpi_$(1)) $(call objects,$(rt_own_memory)) \
		$(B)/gen/$(1)/mpi_real.inc
	$$(call say,LINK,$$@)sed 's/.*(\(.*\))/\1 sis_real_\1/' \
		$(B)/gen/$(1)/mpi_real.inc > $$@.names && \
		$(LD) -r -o $$@ $$(filter %.o,$$^) && objcopy --redefine-syms=$$@.names $$@
# Linked with the MPI library, because the handles of Open MPI are data of the library. In other
# libraries handles are numbers.
libraries += $(B)/lib/sis/libsis-$(1).so
$(B)/lib/sis/libsis-$(1).so: $(B)/obj/$(1)/wrappers.o $(B)/obj/$(1)/mpi_real.o $(B)/lib/libsis.so
	@mkdir -p $$(@D)
	$$(call say,LINK,$$@)$(CC) $(rt_link) -Wl,-soname,$$(@F) $(LDFLAGS) -o $$@ \
		$$(filter %.o,$$^) -L$(B)/lib -lsis -Wl,-rpath,'$$$$ORIGIN/..' \
		-Wl,--as-needed $$(filter -L% -l%,$$(rt_mpi_shown_$(1))) -lpthread
endef
rt_mpi_word = $(word $(1),$(subst :, ,$(here)))
$(foreach here,$(rt_mpi_here),\
	$(eval $(call rt_mpi_rules,$(call rt_mpi_word,1),\
		$(wordlist 2,999,$(shell $(call rt_mpi_word,2) -show)))))
$(eval $(call rt_mpi_rules,mpiabi,-Irtlib/apart/mpi_abi))

libraries += $(B)/lib/libsis-mpi.so $(B)/lib/libsis-mpi.a $(B)/lib/sis/link/libsis-mpi.so
rt_mpi_wrappers := $(rt_mpi_names:%=$(B)/lib/sis/libsis-%.so)
$(B)/gen/mpi_entries.inc: $(rt_mpi_wrappers)
	$(call say,GEN,$@)nm -D --defined-only $^ | \
		sed -n 's/.* T \(MPI_.*\)/SIS_MPI_ENTRY(\1)/p' | sort -u > $@
rt_mpi_entries := $(call objects,$(addprefix $(rt_mpi_entry)/mpi_,entry.c library.c dlsym.c))
rt_mpi_link := $(call objects,$(rt_mpi_entry)/mpi_link.c)
$(firstword $(rt_mpi_entries)) $(rt_mpi_link): $(B)/gen/mpi_entries.inc
$(B)/lib/sis/link/libsis-mpi.so: $(rt_mpi_link)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) -shared -Wl,-soname,$(@F).$(SOVERSION) -o $@ $^ -Wl,--no-as-needed \
		-lanl
rt_mpi_entries += $(call objects,$(rt_own_memory))
$(B)/lib/libsis-mpi.so.$(SOVERSION): $(rt_mpi_entries) $(B)/lib/libsis.so
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(rt_link) -Wl,-soname,$(@F) $(LDFLAGS) -o $@ \
		$(rt_mpi_entries) -L$(B)/lib -lsis -Wl,-rpath,'$$ORIGIN' -lpthread -ldl
$(B)/lib/libsis-mpi.a: $(rt_mpi_$(firstword $(rt_mpi_names)))
	@mkdir -p $(@D)
	$(call say,AR,$@)rm -f $@ && ar rcs $@ $^

# -- what `sis-analyze calibrate` measures --------------------------------------------------------
# Each program is built twice: by the compiler alone (plain), and by sisc. So no compiler is needed
# later. In both builds, recursive calls stay calls.
rt_calibrated := $(addprefix $(B)/lib/sis/calibrated/,regions-plain regions-measured \
	threads-plain threads-measured $(if $(rt_mpi_here),messages-plain messages-measured))
libraries += $(rt_calibrated)
rt_calibrated_flags := -D_GNU_SOURCE -std=gnu11 -O2 -g -fno-optimize-sibling-calls \
	-Wall -Wextra $(SANFLAGS) -fopenmp -pthread -Irtlib
rt_stopwatch := $(call objects,rtlib/apart/calibrated/stopwatch.c)
rt_recorded := $(call objects,rtlib/apart/calibrated/recorded_time.c)
$(B)/obj/rtlib/apart/calibrated/recorded_time-measured.o: rtlib/apart/calibrated/recorded_time.c
	@mkdir -p $(@D)
	$(call say,CC,$@)$(CC) $(CPPFLAGS) $(CPPFLAGS_rtlib) -DSIS_CALIBRATED $(CFLAGS) \
		$(CFLAGS_rtlib) -MMD -MP -c $< -o $@
$(B)/lib/sis/calibrated/messages-%: rt_calibrated_cc = $(MPICC)
$(B)/lib/sis/calibrated/%: rt_calibrated_cc = $(CC)
$(B)/lib/sis/calibrated/%-plain: rtlib/apart/calibrated/%.c $(rt_stopwatch) $(rt_recorded)
	@mkdir -p $(@D)
	$(call say,CC,$@)$(rt_calibrated_cc) $(rt_calibrated_flags) -Wno-unknown-pragmas -o $@ $^
# The regions that sisc selects by default, except in `regions`, which has only those of its
# directives.
$(B)/lib/sis/calibrated/regions-measured: rt_calibrated_selection := --sis-cr=CR_A
$(B)/lib/sis/calibrated/%-measured: rtlib/apart/calibrated/%.c $(rt_stopwatch) \
		$(rt_recorded:.o=-measured.o) $(B)/bin/sisc \
		$(filter-out $(rt_calibrated),$(libraries))
	@mkdir -p $(@D)
	$(call say,SISC,$@)SISC_CC="$(rt_calibrated_cc)" $(B)/bin/sisc $(rt_calibrated_selection) \
		--sis-idf=$(B)/obj/rtlib/apart/calibrated/$*.idf $(rt_calibrated_flags) \
		-o $@ $< $(rt_stopwatch) $(rt_recorded:.o=-measured.o)
