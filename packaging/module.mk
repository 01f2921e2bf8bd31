# SPDX-License-Identifier: BSD-3-Clause
# What other programs find SIS by: pkg-config, CMake, environment modules, shells; and packages.
pkg_cmake := $(addprefix $(B)/lib/cmake/SIS/,SISConfig.cmake SISConfigVersion.cmake)
$(pkg_cmake): $(B)/lib/cmake/SIS/%: packaging/%.in
$(B)/lib/pkgconfig/sis.pc: packaging/sis.pc.in
$(B)/share/sis/modulefiles/sis/$(VERSION): packaging/modulefile.in
pkg_found_by := $(B)/lib/pkgconfig/sis.pc $(pkg_cmake) $(B)/share/sis/modulefiles/sis/$(VERSION)
$(pkg_found_by): schema/VERSION packaging/module.mk
	@mkdir -p $(@D)
	$(call say,GEN,$@)sed 's/@VERSION@/$(VERSION)/; s/@SOVERSION@/$(SOVERSION)/' \
		$(filter %.in,$^) > $@

# Shells look for completions in these places, by the name of the program.
pkg_bash := $(B)/share/bash-completion/completions
pkg_fish := $(B)/share/fish/vendor_completions.d
pkg_completions := $(pkg_bash)/sis-analyze $(B)/share/zsh/site-functions/_sis-analyze \
	$(pkg_fish)/sis-analyze.fish
pkg_bash_links := $(addprefix $(pkg_bash)/,sis-run sisc sisc++)
pkg_fish_links := $(addprefix $(pkg_fish)/,sis-run.fish sisc.fish)
$(pkg_completions): packaging/completions.awk $(B)/bin/sis-analyze $(B)/bin/sisc
	@mkdir -p $(@D)
	$(call say,GEN,$@)awk -v shell=$(word 2,$(subst /, ,$(subst -, ,$(@:$(B)/%=%)))) \
		-v bin=$(B)/bin -f $< > $@
$(pkg_bash_links): $(pkg_bash)/sis-analyze
$(pkg_fish_links): $(pkg_fish)/sis-analyze.fish
$(pkg_bash_links) $(pkg_fish_links):
	$(call say,LN,$@)ln -sf $(<F) $@
headers += $(pkg_found_by) $(pkg_completions) $(pkg_bash_links) $(pkg_fish_links)

# -- packages -------------------------------------------------------------------------------------
pkg_out := build/packages
pkg_tarball := $(CURDIR)/$(pkg_out)/sis-$(VERSION).tar.gz
.PHONY: dist deb release
# The tarball is of the last commit, and has the bundle of the page: with it, no esbuild is needed.
# The same commit makes the same bytes.
dist: $(B)/gen/page.html
	@[ -s $< ] || { \
		echo "make dist: there is no bundle of the page; install esbuild" >&2; exit 1; }
	@mkdir -p $(pkg_out)/spack/packages/sis
	$(call say,DIST,$(pkg_tarball))git -c tar.umask=022 archive --format=tar \
		--prefix=sis-$(VERSION)/analysis/page/web/ --add-file=$< \
		--prefix=sis-$(VERSION)/ HEAD | gzip -9n > $(pkg_tarball)
	@printf 'repo:\n  namespace: sis\n' > $(pkg_out)/spack/repo.yaml
	@sum=$$(sha256sum $(pkg_tarball) | cut -d ' ' -f 1) && \
		sed "s,@SHA256@,$$sum,; s,@VERSION@,$(VERSION),; s,@URL@,file://$(pkg_tarball)," \
		packaging/spack/package.py.in > $(pkg_out)/spack/packages/sis/package.py

# The date of the packages is that of the commit, or of the tarball's files.
deb: all
	@rm -rf $(pkg_out)/*.deb $(pkg_out)/tree && mkdir -p $(pkg_out)/tree
	@$(MAKE) --no-print-directory install DESTDIR=$(CURDIR)/$(pkg_out)/tree PREFIX=/usr
	$(call say,DEB,$(pkg_out))SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct 2>/dev/null || \
		stat -c %Y schema/VERSION) packaging/make-debs $(pkg_out)/tree $(pkg_out)
	@rm -r $(pkg_out)/tree

# check-long makes the tarball and the packages, installs them in an empty Debian, and runs the demo
# there (tests/packages.sh).
release:
	@[ -z "$$(git status --porcelain)" ] || { \
		echo "make release: there are changes that are not committed" >&2; exit 1; }
	+@$(MAKE) --no-print-directory check-long
	@cd $(pkg_out) && sha256sum *.tar.gz *.deb | tee SHA256SUMS
