# The runtime: libsis and libsis-mpi, shared and static, and modules opened on demand.
CPPFLAGS_rtlib := -Irtlib
# Two words that were stored one by one are not to be loaded as one vector: the processor would wait for both stores.
CFLAGS_rtlib := -ftls-model=initial-exec -fno-tree-slp-vectorize

# $(call rt_sources,folders): their sources. What is core is in libsis.so and in libsis.a.
rt_sources = $(wildcard $(addsuffix /*.c,$(1)))
rt_only := rtlib/base/modules.c rtlib/base/modules_static.c
rt_core := $(filter-out $(rt_only),$(call rt_sources,$(addprefix rtlib/,base store run counters trace wait_causes \
  merged_file core process user_api)))
rt_libc := $(call rt_sources,rtlib/libc)
rt_shared_only := $(rt_libc) $(call rt_sources,rtlib/omp rtlib/ompt rtlib/pthread) rtlib/base/modules.c
rt_static_only := rtlib/base/modules_static.c
rt_installed := $(addprefix $(B)/include/sis/,probe.h verify.h sis.h)
# Once more where sisc's compilations find them: PREFIX/include may hold other packages' headers, and compilers search a
# directory that is named twice in one of its places only.
rt_found := $(addprefix $(B)/lib/sis/include/sis/,probe.h verify.h sis.h)

libraries += $(B)/lib/libsis.so $(B)/lib/libsis.a $(B)/lib/sis/libsis-noop.so $(B)/lib/sis/sis-counters
headers += $(rt_installed) $(rt_found)

# Immediate binding: a probe never enters the dynamic linker. Never unloaded: threads and exit handlers lead here.
$(B)/lib/libsis.so: $(call objects,$(rt_core) $(rt_shared_only)) $(schema_lib)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) -shared -Wl,-soname,libsis.so -Wl,-z,now,-z,nodelete -Wl,-Bsymbolic-functions -Wl,--no-undefined \
	  $(LDFLAGS) -o $@ $^ -lpthread -ldl
# OpenMP in libsis.a: all or nothing of it, by names that the linker puts in the place of libgomp's (omp_real.h).
rt_wrapped := $(patsubst %.c,$(B)/obj/static/%.o,$(filter-out %/omp_real.c,$(call rt_sources,rtlib/omp)))
$(B)/obj/static/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC,$@)$(CC) $(CPPFLAGS) $(CPPFLAGS_rtlib) -DSIS_STATIC $(CFLAGS) $(CFLAGS_rtlib) -MMD -MP -c $< -o $@
$(B)/obj/static/omp.o: $(rt_wrapped)
	$(call say,LINK,$@)$(LD) -r -o $@ $^
# Routines of libc, likewise; libc's own calls of them come after libsis.a was searched, so they are asked for.
$(B)/share/sis/wrap-libc: rtlib/libc/libc_entry.def rtlib/module.mk
	@mkdir -p $(@D)
	$(call say,GEN,$@)sed -n 's/^SIS_LIBC(\(.*\))/--wrap=\1 --undefined=__wrap_\1/p' $< > $@
$(B)/share/sis/wrap-openmp: rtlib/omp/omp_entry.def rtlib/module.mk
	@mkdir -p $(@D)
	$(call say,GEN,$@)sed -n 's/^SIS_OMP_REAL(.*//; s/^SIS_OMP_.*\<\(GOMP_[a-z0-9_]*\|omp_[a-z_]*\)\>.*/--wrap=\1/p' $< > $@
headers += $(B)/share/sis/wrap-openmp $(B)/share/sis/wrap-libc

# Modules that can be in it: Debian has no libraries for PAPI and hwloc to be linked statically with. Their own names are
# kept from the program's.
rt_libzstd := $(filter /%,$(shell $(CC) -print-file-name=libzstd.a))
rt_zstd := $(if $(rt_libzstd),$(B)/obj/static/zstd.o)
$(B)/obj/static/zstd.o: $(call objects,rtlib/modules/zstd_module.c) $(rt_libzstd)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(LD) -r -o $@ $^ && objcopy --keep-global-symbol=sis_zstd_compress $@
$(call objects,rtlib/base/modules_static.c): CPPFLAGS_rtlib += $(if $(rt_libzstd),-DSIS_STATIC_ZSTD)

# The core is one object: a linker takes from an archive what a symbol asks for, and no symbol asks for
# the destructor that ends the profile.
$(B)/obj/static/core.o: $(call objects,$(rt_core))
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(LD) -r -o $@ $^
$(B)/lib/libsis.a: $(B)/obj/static/core.o $(call objects,$(rt_static_only) schema/tables.c) $(rt_libc:%.c=$(B)/obj/static/%.o) $(B)/obj/static/omp.o $(rt_zstd)
	@mkdir -p $(@D)
	$(call say,AR,$@)rm -f $@ && ar rcs $@ $^
$(B)/lib/sis/libsis-noop.so: CFLAGS += -fvisibility=default
$(B)/lib/sis/libsis-noop.so: $(call objects,rtlib/modules/noop.c)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) -shared -Wl,-soname,libsis.so $(LDFLAGS) -o $@ $^
$(B)/lib/sis/sis-counters: $(call objects,rtlib/modules/counters_main.c) $(B)/lib/libsis.so $(schema_lib)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(LDFLAGS) -Wl,-rpath,'$$ORIGIN/..' -o $@ $(filter %.o,$^) -L$(B)/lib -lsis $(schema_lib)
$(rt_installed): $(B)/include/sis/%: rtlib/sis/%
	@mkdir -p $(@D)
	$(call say,COPY,$@)cp $< $@
$(rt_found): $(B)/lib/sis/include/sis/%: rtlib/sis/%
	@mkdir -p $(@D)
	$(call say,COPY,$@)cp $< $@

# pair.h calls itself a header of the system (programs' warnings), so the compiler names it in no list of dependencies.
$(rt_wrapped) $(call objects,$(wildcard rtlib/*/*.c tests/unit/*.c)): rtlib/sis/pair.h

# What sisc links into each library and program besides; of no sanitizer, as units are not (sis/probe.h).
rt_probes := $(B)/lib/sis/probes.o $(B)/lib/sis/probes_of_program.o
libraries += $(rt_probes)
$(B)/lib/sis/probes_of_program.o: CPPFLAGS_rtlib += -DSIS__OF_PROGRAM
$(rt_probes): rtlib/modules/probes.c rtlib/sis/pair.h rtlib/sis/probe.h rtlib/module.mk
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CPPFLAGS) $(CPPFLAGS_rtlib) $(filter-out $(SANFLAGS),$(CFLAGS)) $(CFLAGS_rtlib) -c $< -o $@

# -- modules: built when their library is installed ----------------------------------------------------
has_header = $(shell printf '\043include <$(1)>\n' | $(CC) -E -x c - >/dev/null 2>&1 && echo yes)
ifeq ($(call has_header,papi.h),yes)
libraries += $(B)/lib/sis/libsis-papi.so
rt_papi := $(call objects,$(wildcard rtlib/modules/papi_*.c))
$(rt_papi): CFLAGS_rtlib := # opened late, when there may be no static TLS left
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

# == libsis-mpi.so: wrappers of MPI =====================================================================
# rtlib/mpi, and what its mpi_wrappers.awk writes from schema/mpi.def and the mpi.h that $(MPICC) finds.
mpi_shown := $(wordlist 2,999,$(shell $(MPICC) -show 2>/dev/null))
mpi_cppflags := $(filter -I% -D%,$(mpi_shown))
ifeq ($(shell printf '\043include <mpi.h>\n' | $(CC) $(mpi_cppflags) -E -x c - >/dev/null 2>&1 && echo yes),yes)
rt_mpi := $(call objects,$(call rt_sources,rtlib/mpi) gen/mpi_wrappers.c)
libraries += $(B)/lib/libsis-mpi.so $(B)/lib/libsis-mpi.a
$(rt_mpi): CPPFLAGS += $(mpi_cppflags) -Irtlib
CFLAGS_mpi_wrappers := $(CFLAGS_rtlib)
$(B)/lib/libsis-mpi.so: $(rt_mpi) $(B)/lib/libsis.so
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) -shared -Wl,-soname,libsis-mpi.so -Wl,-z,now,-z,nodelete -Wl,-Bsymbolic-functions -Wl,--no-undefined \
	  $(LDFLAGS) -o $@ $(rt_mpi) -L$(B)/lib -lsis -Wl,-rpath,'$$ORIGIN' $(filter -L% -l%,$(mpi_shown)) -lpthread
$(B)/lib/libsis-mpi.a: $(rt_mpi)
	@mkdir -p $(@D)
	$(call say,AR,$@)rm -f $@ && ar rcs $@ $^
$(B)/gen/mpi.i: rtlib/module.mk
	@mkdir -p $(@D)
	$(call say,CPP,$@)printf '\043include <mpi.h>\n' | $(CC) $(mpi_cppflags) -E -x c -o $@ -
$(B)/gen/mpi_wrappers.c: rtlib/mpi/mpi_wrappers.awk schema/mpi.def $(B)/gen/mpi.i
	$(call say,GEN,$@)awk -f $^ > $@
endif

# == end of libsis-mpi =================================================================================
