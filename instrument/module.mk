# SPDX-License-Identifier: BSD-3-Clause
# sisc, and the low-level instrumentation library. sisc is not linked with LLVM, because it loads
# the library only when there is something to parse. plan/ is linked into the library, driver/ into
# sisc, common/ into both.
CPPFLAGS_instrument := -Iinstrument -Ifrontend/api
instrument_library := $(wildcard instrument/plan/*.c)
instrument_both    := $(wildcard instrument/common/*.c)
sisc_sources       := $(wildcard instrument/driver/*.c) $(instrument_both)

$(B)/bin/sisc: $(call objects,$(sisc_sources)) $(schema_lib)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lelf -ldl
# Under the name sisc++, sisc runs a C++ compiler.
$(B)/bin/sisc++: $(B)/bin/sisc
	$(call say,LN,$@)ln -sf $(<F) $@
programs += $(B)/bin/sisc $(B)/bin/sisc++

instrument_objects := $(call objects,$(instrument_library) $(instrument_both) \
	$(schema_filter) $(schema_base))
$(B)/lib/libsis-instrument.so.2: $(instrument_objects) $(B)/lib/libsis-ast.so.2
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) -shared -Wl,-soname,$(@F) -Wl,-rpath,'$$ORIGIN' -Wl,--no-undefined \
		$(LDFLAGS) $^ -o $@
libraries += $(B)/lib/libsis-instrument.so
headers += $(B)/include/sis/sis_plan.h $(B)/include/sis/sis_plugin.h
$(B)/include/sis/%: instrument/plan/%
	@mkdir -p $(@D)
	$(call say,COPY,$@)cp $< $@
# Other tools are linked with this name, which has no version.
$(B)/lib/libsis-%.so: $(B)/lib/libsis-%.so.2
	$(call say,LN,$@)ln -sf $(<F) $@

# Files for tools that are built with the library.
headers += $(B)/lib/pkgconfig/sis-ast.pc $(B)/share/sis/idf.schema.json
$(B)/lib/pkgconfig/sis-ast.pc: instrument/plan/sis-ast.pc.in schema/VERSION
	@mkdir -p $(@D)
	$(call say,GEN,$@)sed 's/@VERSION@/$(VERSION)/' $< > $@
$(B)/share/sis/%: schema/%
	@mkdir -p $(@D)
	$(call say,COPY,$@)cp $< $@
headers += $(addprefix $(B)/share/man/,man1/sisc.1 man7/sis.7 man3/sis_ast.3 man3/sis_plan.3)
man_tables := instrument/driver/man.awk instrument/driver/options.c $(wildcard schema/*.def)
$(B)/share/man/man1/sisc.1: $(man_tables) instrument/driver/sisc.1.in
	@mkdir -p $(@D)
	$(call say,GEN,$@)awk -v version=$(VERSION) -f $^ > $@
$(B)/share/man/man7/sis.7: $(man_tables) instrument/driver/sis.7.in
	@mkdir -p $(@D)
	$(call say,GEN,$@)awk -v version=$(VERSION) -f $^ > $@
$(B)/share/man/man3/%.3: frontend/api/%.3
	@mkdir -p $(@D)
	$(call say,COPY,$@)cp $< $@
$(B)/share/man/man3/%.3: instrument/plan/%.3
	@mkdir -p $(@D)
	$(call say,COPY,$@)cp $< $@
