# The demo builds a sample as users do: with its own Makefile and CC=sisc.

demo_dir := $(B)/demo
demo_path = $(abspath $(B)/bin):$$PATH
.PHONY: demo demo-run
demo: packages
	+@$(build_all)
	@$(MAKE) --no-print-directory demo-run

# OMP_WAIT_POLICY: waiting threads sleep, because 4 threads may have fewer than 4 processors.
demo-run:
	@rm -rf $(demo_dir) && mkdir -p $(demo_dir)
	@cp samples/stommel/*.[ch] samples/stommel/Makefile $(demo_dir)
	@printf '\n== build samples/stommel with sisc\n'
	@cd $(demo_dir) && PATH="$(demo_path)" $(MAKE) --no-print-directory CC=sisc stommel_hybrid
	@printf '\n== run it: 2 processes x 2 threads\n'
	@cd $(demo_dir) && set -x && \
		OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive SIS_OUTPUT=sis-stommel \
		$(MPIEXEC) -n 2 ./stommel_hybrid 1000 1000 250 </dev/null
	@printf '\n== where the time went\n'
	@cd $(demo_dir) && PATH="$(demo_path)" && set -x && sis-analyze report sis-stommel
	@printf '\n== as a page for your browser\n'
	@cd $(demo_dir) && PATH="$(demo_path)" && { \
		sis-analyze view sis-stommel -o $(abspath $(demo_dir))/sis-stommel.html || :; }
