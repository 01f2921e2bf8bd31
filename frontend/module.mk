# The high-level instrumentation library: all that sees Clang, behind sis_ast.h.
frontend_sources := $(addprefix frontend/,sis_ast.cc commands.cc compiler.cc parse.cc recorder.cc layout.cc flat_text.cc source_map.cc \
	directive.cc \
	device.cc collect.cc calls.cc omp.cc function_model.cc named.cc finish.cc edits.cc unfold.cc emit.cc)
frontend_llvm_include = $(shell $(LLVM_CONFIG) --includedir)
frontend_llvm_libdir  = $(shell $(LLVM_CONFIG) --libdir)
# Debian's clang is built without RTTI and exceptions; its headers are not ours to warn about.
CPPFLAGS_frontend = -isystem $(frontend_llvm_include) -D__STDC_CONSTANT_MACROS -D__STDC_FORMAT_MACROS \
	-D__STDC_LIMIT_MACROS -DSIS_CLANG_RESOURCES='"$(frontend_llvm_libdir)/clang/19"'
CXXFLAGS_frontend = -fno-rtti -fno-exceptions -fvisibility=hidden -fvisibility-inlines-hidden

# The tables are part of the interface, so this copy of them is exported.
$(B)/obj/frontend/tables.o: schema/tables.c
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CPPFLAGS) $(CFLAGS) -fvisibility=default -MMD -MP -c $< -o $@

libraries += $(B)/lib/libsis-ast.so
$(B)/lib/libsis-ast.so.1: $(call objects,$(frontend_sources)) $(B)/obj/frontend/tables.o
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CXX) -shared -Wl,-soname,$(@F) $(LDFLAGS) $^ -L$(frontend_llvm_libdir) \
		-l:libclang-cpp.so.19.1 -l:libLLVM.so.19.1 -o $@

frontend_headers := $(B)/include/sis/sis_ast.h $(patsubst schema/%,$(B)/include/sis/%,schema/tables.h \
	$(wildcard schema/*.def))
headers += $(frontend_headers)
$(B)/include/sis/%: frontend/%
	@mkdir -p $(@D)
	$(call say,COPY,$@)cp $< $@
$(B)/include/sis/%: schema/%
	@mkdir -p $(@D)
	$(call say,COPY,$@)cp $< $@
