# SPDX-License-Identifier: BSD-3-Clause
# The high-level instrumentation library: all code that uses Clang, behind sis_ast.h.
frontend_sources := $(wildcard frontend/*/*.cc frontend/*/*/*.cc)
frontend_llvm_include = $(shell $(LLVM_CONFIG) --includedir)
frontend_llvm_libdir  = $(shell $(LLVM_CONFIG) --libdir)
# Each version of LLVM changes what the frontend calls. LLVM 16 lacks some of it.
.PHONY: frontend_llvm
frontend_llvm:
	@version=$$($(LLVM_CONFIG) --version 2>&1); case $$version in 19.*) ;; *) \
		echo "frontend: $(LLVM_CONFIG) --version says '$$version'; SIS is known to work" \
			"with LLVM 19 only: install llvm-19-dev and libclang-19-dev, or name its" \
			"llvm-config by make LLVM_CONFIG=" >&2; exit 1 ;; esac
# Debian's clang is built without RTTI and exceptions. -isystem avoids warnings about its headers.
CPPFLAGS_frontend = -Ifrontend -isystem $(frontend_llvm_include) -D__STDC_CONSTANT_MACROS \
	-D__STDC_FORMAT_MACROS -D__STDC_LIMIT_MACROS \
	-DSIS_CLANG_RESOURCES='"$(frontend_llvm_libdir)/clang/19"'
CXXFLAGS_frontend = -fno-rtti -fno-exceptions -fvisibility=hidden -fvisibility-inlines-hidden
# The debug information has functions and lines only, because describing the types of Clang's
# headers takes a third of the time for a file.
CXXFLAGS_frontend += $(if $(filter 1,$(DEBUG)),,-g1)

# The tables are a part of the interface, so the library exports this copy of them.
$(B)/obj/frontend/tables.o: schema/tables.c
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CPPFLAGS) $(CFLAGS) -fvisibility=default -MMD -MP -c $< -o $@

# Every compilation waits until this library is loaded. That takes 4 ms if the used parts of clang's
# archives are linked in, and 20 ms with clang's shared libraries. The shared libraries are used if
# there are no archives, and with sanitizers. With sanitizers and archives, the linker would merge
# inline functions of LLVM that poison memory with functions of the same names that do not.
frontend_clang_parts = CodeGen Tooling Frontend Driver Serialization Parse Sema Analysis \
	ASTMatchers Support APINotes Edit AST Lex Basic
frontend_llvm_parts = frontendopenmp frontendhlsl option windowsdriver analysis scalaropts \
	transformutils coverage
frontend_archives = -Wl,--start-group $(frontend_clang_parts:%=-lclang%) \
	$(shell $(LLVM_CONFIG) --link-static --libs $(frontend_llvm_parts)) -Wl,--end-group \
	-Wl,--as-needed -l:libz.so.1 -l:libzstd.so.1 \
	-Wl,--gc-sections -Wl,--exclude-libs,ALL -Wl,-Bsymbolic
frontend_shared = -l:libclang-cpp.so.19.1 -l:libLLVM.so.19.1
frontend_has_archives = $(wildcard $(frontend_llvm_libdir)/libclangFrontend.a)
frontend_clang = $(if $(SAN),$(frontend_shared),$(if \
	$(frontend_has_archives),$(frontend_archives),$(frontend_shared)))

# Reading Clang's headers takes two thirds of the time for a file. So the files are compiled in four
# groups, and the headers are read four times. Files that use namespace llvm are a group of their
# own, because its names and those of namespace clang are ambiguous together. DEBUG=1 compiles each
# file alone, so that after an edit of the frontend only the edited file is compiled.
frontend_of_llvm := $(shell grep -l '^using namespace llvm' $(frontend_sources))
frontend_of_clang := $(filter-out $(frontend_of_llvm),$(frontend_sources))
frontend_group_1 := $(wordlist 1,11,$(frontend_of_clang))
frontend_group_2 := $(wordlist 12,22,$(frontend_of_clang))
frontend_group_3 := $(wordlist 23,99,$(frontend_of_clang))
frontend_group_4 := $(frontend_of_llvm)
frontend_groups := $(if $(filter 1,$(DEBUG)),,1 2 3 4)
frontend_group_sources = $(frontend_groups:%=$(B)/gen/frontend/group_%.cc)
frontend_group_objects = $(frontend_groups:%=$(B)/obj/frontend/group_%.o)
frontend_objects = $(or $(frontend_group_objects),$(call objects,$(frontend_sources)))
$(frontend_group_sources): $(B)/gen/frontend/group_%.cc: frontend/module.mk
	@mkdir -p $(@D)
	$(call say,GEN,$@)printf '#include "%s"\n' $(frontend_group_$*) >$@
$(frontend_group_objects): $(B)/obj/frontend/group_%.o: $(B)/gen/frontend/group_%.cc
	@mkdir -p $(@D)
	$(call say,CXX,$<)$(CXX) -I. $(CPPFLAGS) $(CPPFLAGS_frontend) $(CXXFLAGS) \
		$(CXXFLAGS_frontend) -MMD -MP -c $< -o $@

libraries += $(B)/lib/libsis-ast.so
$(frontend_objects): | frontend_llvm
# With packed relocations the library takes less time to load, and 5 MB less.
$(B)/lib/libsis-ast.so.2: $(frontend_objects) $(B)/obj/frontend/tables.o
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CXX) -shared -Wl,-soname,$(@F),-z,pack-relative-relocs $(LDFLAGS) $^ \
		-L$(frontend_llvm_libdir) $(frontend_clang) -o $@

frontend_headers := $(B)/include/sis/sis_ast.h \
	$(patsubst schema/%,$(B)/include/sis/%,schema/tables.h $(wildcard schema/*.def))
headers += $(frontend_headers)
$(B)/include/sis/%: frontend/api/%
	@mkdir -p $(@D)
	$(call say,COPY,$@)cp $< $@
$(B)/include/sis/%: schema/%
	@mkdir -p $(@D)
	$(call say,COPY,$@)cp $< $@
