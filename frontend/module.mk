# SPDX-License-Identifier: BSD-3-Clause
# The high-level instrumentation library: all that sees Clang, behind sis_ast.h.
frontend_sources := $(wildcard frontend/tu/*.cc frontend/parse/*.cc frontend/text/*.cc frontend/collect/*.cc \
	frontend/emit/*.cc frontend/open/*.cc)
frontend_llvm_include = $(shell $(LLVM_CONFIG) --includedir)
frontend_llvm_libdir  = $(shell $(LLVM_CONFIG) --libdir)
# Debian's clang is built without RTTI and exceptions; its headers are not ours to warn about.
CPPFLAGS_frontend = -Ifrontend -isystem $(frontend_llvm_include) -D__STDC_CONSTANT_MACROS -D__STDC_FORMAT_MACROS \
	-D__STDC_LIMIT_MACROS -DSIS_CLANG_RESOURCES='"$(frontend_llvm_libdir)/clang/19"'
CXXFLAGS_frontend = -fno-rtti -fno-exceptions -fvisibility=hidden -fvisibility-inlines-hidden

# The tables are part of the interface, so this copy of them is exported.
$(B)/obj/frontend/tables.o: schema/tables.c
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CPPFLAGS) $(CFLAGS) -fvisibility=default -MMD -MP -c $< -o $@

# Every compilation waits until this library is loaded: 4 ms with what is used of clang's archives, 20 ms with
# the shared libraries, which stand in where there are no archives, and with sanitizers: those would merge
# inline functions of LLVM that poison memory with ones that know nothing of it.
frontend_clang_parts = Tooling Frontend Driver Serialization Parse Sema Analysis ASTMatchers Support APINotes Edit AST Lex Basic
frontend_archives = -Wl,--start-group $(frontend_clang_parts:%=-lclang%) \
	$(shell $(LLVM_CONFIG) --link-static --libs frontendopenmp frontendhlsl option windowsdriver) -Wl,--end-group \
	-Wl,--as-needed -l:libz.so.1 -l:libzstd.so.1 -Wl,--gc-sections -Wl,--exclude-libs,ALL -Wl,-Bsymbolic
frontend_shared = -l:libclang-cpp.so.19.1 -l:libLLVM.so.19.1
frontend_clang = $(if $(SAN),$(frontend_shared),$(if $(wildcard $(frontend_llvm_libdir)/libclangFrontend.a),$(frontend_archives),$(frontend_shared)))

# Two thirds of what compiling a file takes are Clang's headers. A sanitized variant, which is made for one run of the tests, reads
# them three times, not for each file; in the others every file stands alone, and is compiled alone when it is edited.
frontend_third_1 := $(wordlist 1,11,$(frontend_sources))
frontend_third_2 := $(wordlist 12,22,$(frontend_sources))
frontend_third_3 := $(wordlist 23,99,$(frontend_sources))
frontend_thirds := $(if $(SAN),1 2 3)
frontend_objects = $(or $(frontend_thirds:%=$(B)/obj/frontend/third_%.o),$(call objects,$(frontend_sources)))
$(frontend_thirds:%=$(B)/gen/frontend/third_%.cc): $(B)/gen/frontend/third_%.cc: frontend/module.mk
	@mkdir -p $(@D)
	$(call say,GEN,$@)printf '#include "%s"\n' $(frontend_third_$*) >$@
$(frontend_thirds:%=$(B)/obj/frontend/third_%.o): $(B)/obj/frontend/third_%.o: $(B)/gen/frontend/third_%.cc
	@mkdir -p $(@D)
	$(call say,CXX,$<)$(CXX) -I. $(CPPFLAGS) $(CPPFLAGS_frontend) $(CXXFLAGS) $(CXXFLAGS_frontend) -MMD -MP -c $< -o $@

libraries += $(B)/lib/libsis-ast.so
$(B)/lib/libsis-ast.so.1: $(frontend_objects) $(B)/obj/frontend/tables.o
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CXX) -shared -Wl,-soname,$(@F) $(LDFLAGS) $^ -L$(frontend_llvm_libdir) $(frontend_clang) -o $@

frontend_headers := $(B)/include/sis/sis_ast.h $(patsubst schema/%,$(B)/include/sis/%,schema/tables.h \
	$(wildcard schema/*.def))
headers += $(frontend_headers)
$(B)/include/sis/%: frontend/api/%
	@mkdir -p $(@D)
	$(call say,COPY,$@)cp $< $@
$(B)/include/sis/%: schema/%
	@mkdir -p $(@D)
	$(call say,COPY,$@)cp $< $@
