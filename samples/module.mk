# The samples are built with the commands that users use: sisc as CC of their own Makefile.

demo_dir := $(B)/demo
.PHONY: demo demo-run
demo: packages
	+@$(build_all)
	@$(MAKE) --no-print-directory demo-run

# Waiting threads sleep (OMP_WAIT_POLICY): 2 processes x 2 threads must not need 4 processors.
demo-run:
	@rm -rf $(demo_dir) && mkdir -p $(demo_dir) && cp samples/stommel/*.[ch] samples/stommel/Makefile $(demo_dir)
	@printf '\n== build samples/stommel with sisc\n'
	@cd $(demo_dir) && PATH="$(abspath $(B)/bin):$$PATH" $(MAKE) --no-print-directory CC=sisc stommel_hybrid
	@printf '\n== run it: 2 processes x 2 threads\n'
	@cd $(demo_dir) && set -x && OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive SIS_OUTPUT=sis-stommel \
		$(MPIEXEC) -n 2 ./stommel_hybrid 1000 1000 250 </dev/null
	@printf '\n== where the time went\n'
	@cd $(demo_dir) && PATH="$(abspath $(B)/bin):$$PATH" && set -x && sis-analyze report sis-stommel
