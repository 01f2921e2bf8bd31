# SPDX-License-Identifier: BSD-3-Clause
# SIS. `make` builds into build/; `make demo` and `make check` also install missing packages.
#
#   make [all]      sisc, sis-analyze, the runtime        make install PREFIX=/opt/sis [DESTDIR=]
#   make demo       measures a sample, shows the report   make uninstall PREFIX=/opt/sis
#   make check      all tests (make check-long: more)     make bench     costs, as ratios
#   make dist       a tarball                             make deb       packages of Debian
#   make release    tests, and both, into build/packages
#   V=1 shows commands. DEBUG=1 and SAN=address,undefined|thread|... build variants in their own
#   folders.
#
# The module.mk of each folder lists what the folder builds. This file has the common rules.

ifneq ($(words $(CURDIR)),1)
$(error the path of this folder has blanks, which make cannot handle; move it: '$(CURDIR)')
endif

PREFIX  ?= /usr/local
DESTDIR ?=
V       ?= 0
VERSION := $(shell cat schema/VERSION)
SOVERSION := $(firstword $(subst ., ,$(VERSION)))

CC       := $(if $(filter default undefined,$(origin CC)),gcc,$(CC))
CXX      := $(if $(filter default undefined,$(origin CXX)),g++,$(CXX))
MPICC    ?= mpicc
MPIEXEC  ?= mpiexec
LLVM_CONFIG ?= llvm-config-19

comma := ,
sanitizers := $(subst $(comma), ,$(SAN))
variant := $(if $(SAN),san-$(subst $(comma),-,$(SAN)),$(if $(filter 1,$(DEBUG)),debug,release))
B       := build/$(variant)
Q       := $(if $(filter 1,$(V)),,@)
say      = $(if $(filter 1,$(V)),,@printf '  %-8s %s\n' $(1) $(2);)

WARNINGS := -Wall -Wextra -Wshadow -Wpointer-arith -Wvla
OPT      := $(if $(SAN),-O1 -g1 -fno-omit-frame-pointer,\
	$(if $(filter 1,$(DEBUG)),-O0 -g3 -DSIS_DEBUG,-O2 -g))
SANFLAGS := $(if $(SAN),-fsanitize=$(SAN) \
	$(if $(filter undefined,$(sanitizers)),-fno-sanitize-recover=all) \
	$(if $(filter thread,$(sanitizers)),-Wno-tsan))
CPPFLAGS += -D_GNU_SOURCE -DSIS_VERSION='"$(VERSION)"' -Ischema -I$(B)/gen
CFLAGS   += -std=gnu11 $(OPT) $(WARNINGS) -Wstrict-prototypes -Wmissing-prototypes -fPIC \
	-fvisibility=hidden $(SANFLAGS)
CXXFLAGS += -std=c++17 $(OPT) -Wall -Wextra -Wno-unused-parameter -fPIC $(SANFLAGS)
LDFLAGS  += $(SANFLAGS)

# Modules add to these.
programs  :=# $(B)/bin/...
libraries :=# $(B)/lib/...
headers   :=# $(B)/include/... and other files that are installed
unit_tests:=# $(B)/tests/unit/...
install_files := # pairs are derived from $(B)/{bin,lib,include,share}

.PHONY: all
all:

# $(call objects,sources): where their objects are
objects = $(patsubst %,$(B)/obj/%.o,$(basename $(1)))

modules := schema frontend instrument rtlib analysis packaging tests samples
include $(wildcard $(modules:%=%/module.mk))

all: $(programs) $(libraries) $(headers)

# The top folder of the source: its module.mk may add flags for it.
part = $(firstword $(subst /, ,$<))

$(B)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CPPFLAGS) $(CPPFLAGS_$(part)) $(CFLAGS) $(CFLAGS_$(part)) \
		-MMD -MP -c $< -o $@
$(B)/obj/%.o: %.cc
	@mkdir -p $(@D)
	$(call say,CXX,$<)$(CXX) $(CPPFLAGS) $(CPPFLAGS_$(part)) $(CXXFLAGS) $(CXXFLAGS_$(part)) \
		-MMD -MP -c $< -o $@
$(B)/obj/%.o: $(B)/%.c
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CPPFLAGS) $(CPPFLAGS_$(notdir $*)) \
		$(CFLAGS) $(CFLAGS_$(notdir $*)) -MMD -MP -c $< -o $@

-include $(shell find build/$(variant)/obj -name '*.d' 2>/dev/null)

# -- missing packages are installed (Debian) -------------------------------------------------------
.PHONY: packages test-packages bench-packages
packages:
	@.ci/install-packages build
test-packages bench-packages: %-packages: packages
	@.ci/install-packages $*

# -- install ---------------------------------------------------------------------------------------
installed_dirs := bin lib include share
.PHONY: install uninstall clean
# Programs that run keep the files that they have mapped (--remove-destination).
install: all
	$(call say,INSTALL,$(DESTDIR)$(PREFIX))
	@for d in $(installed_dirs); do \
	  [ -d $(B)/$$d ] || continue; \
	  (cd $(B)/$$d && find . -type f -o -type l) | while read -r f; do \
	    mkdir -p "$(DESTDIR)$(PREFIX)/$$d/$$(dirname $$f)" && \
	    cp -P --remove-destination "$(B)/$$d/$$f" "$(DESTDIR)$(PREFIX)/$$d/$$f" || exit 1; \
	  done || exit 1; done
uninstall:
	@for d in $(installed_dirs); do \
	  [ -d $(B)/$$d ] || continue; \
	  (cd $(B)/$$d && find . -type f -o -type l) | while read -r f; do \
	    rm -f "$(DESTDIR)$(PREFIX)/$$d/$$f"; done; done
	@(cd $(B) && find $(installed_dirs) -depth -type d -ipath '*/sis*') | while read -r d; do \
	  rmdir "$(DESTDIR)$(PREFIX)/$$d" 2>/dev/null || :; done
clean:
	rm -rf build
.DELETE_ON_ERROR:
