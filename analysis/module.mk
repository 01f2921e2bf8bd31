# SPDX-License-Identifier: BSD-3-Clause
# sis-analyze: C11, SQLite, json-c, libelf, libdw, libxml2, libpq, zstd, zlib, ncurses,
# libmicrohttpd. No other part of ours but schema/.
CPPFLAGS_analysis := -Ianalysis -DSIS_SOVERSION='"$(SOVERSION)"' \
	$(shell pkg-config --cflags libxml-2.0 libpq 2>/dev/null)
analysis_sources := $(wildcard analysis/*.c analysis/*/*.c analysis/*/*/*.c)
analysis_sql := schema/repository.sql schema/views.sql

# And libxml2, libpq and libmicrohttpd, which are loaded when they are called (base/lazy_library.h).
analysis_libraries := -lsqlite3 -ljson-c -ldw -lelf -lzstd -lz -lncursesw -ltinfo -lm

# All but main: unit tests take of it what they need.
analysis_lib := $(B)/obj/libsis-analysis.a
$(analysis_lib): $(call objects,$(filter-out analysis/main.c,$(analysis_sources)))
	$(call say,AR,$@)rm -f $@ && $(AR) rcs $@ $^

programs += $(B)/bin/sis-analyze $(B)/bin/sis-run
$(B)/bin/sis-run: $(B)/bin/sis-analyze
	$(call say,LN,$@)ln -sf $(<F) $@
$(B)/bin/sis-analyze: $(call objects,analysis/main.c) $(analysis_lib) $(schema_lib)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(LDFLAGS) -o $@ $^ $(analysis_libraries)

$(B)/gen/sql_text.inc: analysis/repository/database/sql_text.awk $(analysis_sql)
	@mkdir -p $(@D)
	$(call say,GEN,$@)awk -f analysis/repository/database/sql_text.awk $(analysis_sql) > $@
$(call objects,analysis/repository/database/sql_text.c): $(B)/gen/sql_text.inc
experiment_schemas := schema/experiment_schemas.awk schema/repository_version.h \
	schema/repository.sql
$(B)/share/sis/experiment.xsd $(B)/share/sis/experiment.schema.json $(B)/gen/row_kinds.inc: \
		$(experiment_schemas)
	@mkdir -p $(@D)
	$(call say,GEN,$@)awk -v form=$(suffix $@) -f $^ > $@
$(B)/gen/experiment_xsd.inc: $(B)/share/sis/experiment.xsd
	@mkdir -p $(@D)
	$(call say,GEN,$@)awk '{ gsub(/\\/, "&&"); gsub(/"/, "\\\""); \
		printf "\"%s\\n\"\n", $$0 }' $< > $@
$(call objects,analysis/repository/store/xml_read.c): $(B)/gen/experiment_xsd.inc
$(call objects,analysis/repository/store/exported_rows.c): $(B)/gen/row_kinds.inc

# The page of `view`: one file of template, style and scripts (page/bundle). Without esbuild it is
# the one that `make dist` has put into the tarball, or empty, and `view` is missing. The tools and
# the parts that there are when make starts are written to a file, so that the page is made again
# after esbuild was installed or a part was removed.
page_bundled := $(wildcard analysis/page/web/page.html)
page_tools := $(notdir $(shell command -v esbuild) $(shell command -v tsc))
page_parts := $(shell find analysis/page/web -name '*.ts' -o -name '*.css' -o -name '*.html' \
	-o -name tsconfig.json) analysis/page/web/bundle
.PHONY: page_tools
$(B)/gen/page_tools: page_tools
	@mkdir -p $(@D)
	@echo "$(page_tools) $(page_parts)" | cmp -s - $@ || \
		echo "$(page_tools) $(page_parts)" > $@
$(B)/gen/page.html: $(page_parts) $(B)/gen/page_tools
	@mkdir -p $(@D)
ifneq ($(filter esbuild,$(page_tools)),)
	$(call say,BUNDLE,$@)analysis/page/web/bundle $@
else ifneq ($(page_bundled),)
	$(call say,COPY,$@)cp $(page_bundled) $@
else
	@echo "analysis/page: no esbuild (package esbuild): sis-analyze view is missing"
	@: > $@
endif
$(B)/gen/page_template.inc: $(B)/gen/page.html
	$(call say,GEN,$@)awk '{ gsub(/\\/, "&&"); gsub(/"/, "\\\""); print "\"" $$0 "\\n\"" }' $< > $@
$(call objects,analysis/page/view/page_template.c): $(B)/gen/page_template.inc

$(B)/gen/routines_text.inc: schema/routines.txt schema/lapack.txt
	@mkdir -p $(@D)
	$(call say,GEN,$@)awk '{ gsub(/\\/, "&&"); gsub(/"/, "\\\""); \
		printf "\"%s\\n\"\n", $$0 }' $^ > $@
$(call objects,analysis/blame/flow/routines.c): $(B)/gen/routines_text.inc

headers += $(B)/share/sis/experiment.xsd $(B)/share/sis/experiment.schema.json \
	$(B)/share/sis/routines.txt $(B)/share/sis/lapack.txt

headers += $(B)/share/man/man1/sis-analyze.1
$(B)/share/man/man1/sis-analyze.1: analysis/sis-analyze.1.in analysis/man.awk $(B)/bin/sis-analyze
	@mkdir -p $(@D)
	$(call say,GEN,$@)awk -v version=$(VERSION) -v program=$(B)/bin/sis-analyze \
		-f analysis/man.awk $< > $@
