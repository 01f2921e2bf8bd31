# sisc: links no LLVM; the frontend library is loaded when there is something to parse.
sisc_sources := $(wildcard instrument/*.c)
$(B)/bin/sisc: $(call objects,$(sisc_sources)) $(schema_lib)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lelf -ldl
programs += $(B)/bin/sisc
