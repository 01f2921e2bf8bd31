# sis-analyze: C11, SQLite, json-c, libelf. No other part of ours but schema/.
CPPFLAGS_analysis := -Ianalysis
analysis_sources := $(wildcard analysis/*.c analysis/base/*.c)
analysis_sql := schema/repository.sql schema/views.sql $(wildcard schema/migrations/*.sql)

programs += $(B)/bin/sis-analyze
$(B)/bin/sis-analyze: $(call objects,$(analysis_sources)) $(schema_lib)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(LDFLAGS) -o $@ $^ -lsqlite3 -ljson-c -lelf -lm

$(B)/gen/sql_text.inc: analysis/sql_text.awk $(analysis_sql)
	@mkdir -p $(@D)
	$(call say,GEN,$@)awk -f analysis/sql_text.awk $(analysis_sql) > $@
$(call objects,analysis/sql_text.c): $(B)/gen/sql_text.inc
