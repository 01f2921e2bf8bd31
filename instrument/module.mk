# sisc, and the low half of the instrumentation library. sisc links no LLVM: it loads the library when there
# is something to parse. What both need is compiled once.
CPPFLAGS_instrument := -Ifrontend
instrument_library := $(addprefix instrument/,plan.c select.c idf.c)
instrument_both    := $(addprefix instrument/,base.c json.c report.c request.c filter_read.c filter.c)
sisc_sources       := $(filter-out $(instrument_library),$(wildcard instrument/*.c))

$(B)/bin/sisc: $(call objects,$(sisc_sources)) $(schema_lib)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lelf -ldl
programs += $(B)/bin/sisc

$(B)/lib/libsis-instrument.so.1: $(call objects,$(instrument_library) $(instrument_both)) $(B)/lib/libsis-ast.so.1
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) -shared -Wl,-soname,$(@F) -Wl,-rpath,'$$ORIGIN' -Wl,--no-undefined $(LDFLAGS) $^ -o $@
libraries += $(B)/lib/libsis-instrument.so
headers += $(B)/include/sis/sis_plan.h
$(B)/include/sis/%: instrument/%
	@mkdir -p $(@D)
	$(call say,COPY,$@)cp $< $@
# Tools are linked with the name that has no version.
$(B)/lib/libsis-%.so: $(B)/lib/libsis-%.so.1
	$(call say,LN,$@)ln -sf $(<F) $@
