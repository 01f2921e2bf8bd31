#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# packages.sh - what is installed from packages, in an empty Debian 12. Part of make check-long.
# Speaks TAP.
#
#     tests/packages.sh [PART...]      parts: debian modules shells recipe container moved
#
# Needs root, and the network: debootstrap makes the empty system. `debian` takes three minutes,
# `recipe` and `container` build all of SIS, `moved` runs the programs with known answers.
e2e_folder=$(cd "$(dirname "$0")/e2e" && pwd)
. "$e2e_folder/lib.sh"
[ $# -gt 0 ] || set -- debian modules shells recipe container moved
"$TOP/.ci/install-packages" long || give_up "packages of the tests"
packages=$TOP/build/packages version=$(cat "$TOP/schema/VERSION")
mirror=${MIRROR:-http://deb.debian.org/debian} root=$T/root

make_packages() {
	make -s -C "$TOP" dist deb >make.out 2>&1 || give_up "make dist deb" make.out
}
# inside COMMAND: in the empty system, by its shell
inside() {
	chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C \
		DEBIAN_FRONTEND=noninteractive HOME=/root sh -c "cd /root && $1"
}
empty_system() {
	[ ! -d "$root" ] || return 0
	debootstrap --variant=minbase bookworm "$root" "$mirror" >debootstrap.out 2>&1 ||
		give_up "debootstrap" debootstrap.out
	mount -t proc proc "$root/proc" || give_up "/proc in the empty system"
	trap 'umount "$root/proc"; cd /; rm -rf --one-file-system "$T"' EXIT
	cp /etc/resolv.conf "$root/etc/"
	make_packages
	mkdir "$root/packages" && cp "$packages"/*.deb "$root/packages"
	inside 'apt-get update -qq && apt-get install -y -qq --no-install-recommends gcc libc6-dev' \
		>apt.out 2>&1 || give_up "gcc in the empty system" apt.out
}
# Without what the package manager keeps, and the second copies of files of users.
files_inside() {
	inside 'find / -xdev \( -path /proc -o -path /root -o -path /run -o -path /tmp \
		-o -path /var/cache -o -path /var/lib/apt -o -path /var/lib/dpkg \
		-o -path /var/log \) -prune -o ! -path "/etc/*-" -print | sort'
}

part_debian() {
	make_packages
	lintian "$packages"/*.deb >lintian.out 2>lintian.err
	equal "lintian finds no errors" "$(grep '^E:' lintian.out)" ""
	equal "and few warnings" "$(grep -c '^W:' lintian.out)" 5
	sums=$(cd "$packages" && sha256sum ./*.tar.gz ./*.deb)
	make_packages
	equal "the same commit makes the same bytes" "$(cd "$packages" &&
		sha256sum ./*.tar.gz ./*.deb)" "$sums"

	empty_system
	source_file "$root/root/prog.c" <<'END'
#include <pthread.h>
#include <stdio.h>
static void *work(void *sum)
{
	for (long i = 0; i < 300000000; i++)
		*(volatile double *)sum += i;
	return NULL;
}
int main(void)
{
	double a = 0, b = 0;
	pthread_t thread;
	pthread_create(&thread, NULL, work, &a);
	work(&b);
	pthread_join(thread, NULL);
	return a != b;
}
END
	inside 'gcc -O2 -pthread prog.c -o prog' || give_up "a program of gcc"
	files_inside >before
	began=$(date +%s)
	check "apt-get installs the packages" inside 'apt-get install -y -qq /packages/*.deb'
	check "a program that nobody compiled for it is measured" \
		inside 'sis-analyze run --report report -- ./prog'
	echo "# the first report came after $(($(date +%s) - began)) s"
	matches "its report has the thread's function" "$(cat "$root/root/report")" '^ *work '
	check "a page is written" inside 'sis-analyze view -o page.html && test -s page.html'

	check "the packages are removed" inside "apt-get purge -y -qq $(
		for deb in "$packages"/*.deb; do basename "$deb" | cut -d _ -f 1; done | tr '\n' ' ')"
	inside 'apt-get autoremove -y -qq --purge' >purge.out 2>&1
	files_inside >after
	equal "nothing is left" "$(diff before after | head -n 20)" ""

	check "the demo: its packages" inside \
		'apt-get install -y -qq --no-install-recommends mpich libmpich-dev make \
			/packages/*.deb'
	check "the demo: built with sisc" inside 'cp -r /usr/share/doc/sis-doc/samples . &&
		make -C samples/stommel CC=sisc stommel_hybrid'
	check "the demo: measured" inside 'cd samples/stommel &&
		OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive SIS_OUTPUT=exp \
		mpiexec -n 2 ./stommel_hybrid 500 500 50'
	check "the demo: reported" inside 'cd samples/stommel && sis-analyze report exp >report'
	matches "with its waits in MPI" "$(cat "$root/root/samples/stommel/report")" OLOSS
}

part_modules() {
	empty_system
	make -s -C "$TOP" install DESTDIR="$root" PREFIX=/opt/sis >install.out 2>&1 ||
		give_up "make install" install.out
	mv "$root/opt/sis" "$root/opt/moved"
	for package in environment-modules:modules/init lmod:lmod/lmod/init; do
		name=${package%:*}
		inside "apt-get install -y -qq --no-install-recommends $name bash" >apt.out 2>&1 ||
			give_up "$name" apt.out
		inside "bash -c '. /usr/share/${package#*:}/bash
			module use /opt/moved/share/sis/modulefiles
			module load sis
			command -v sisc
			echo \$LD_LIBRARY_PATH \$SIS_ROOT
			module unload sis
			command -v sisc | grep moved || echo unloaded'" >module.out 2>module.err
		equal "$name: module load, unload" "$(cat module.out module.err)" \
			"/opt/moved/bin/sisc
/opt/moved/lib
unloaded"
	done
}

part_shells() {
	shared=$build_dir/share
	source_file complete.zsh <<'END'
zmodload zsh/zpty
zpty shell zsh -f -i
answer() { # answer TYPED WORD: what the shell shows until the word is there
	zpty -w -n shell $1
	zpty -r -m shell shown "*$2*"
	print -r -- $shown
}
zpty -w shell "PS1='> ' fpath=($1 \$fpath); autoload -U compinit; compinit -u -D; echo rea''dy"
answer '' ready >/dev/null
kill_line=$'\x15'
answer $'sis-analyze suggest-f\t' suggest-filter
answer $kill_line$'sis-analyze overhead --expl\t' --explain
answer $kill_line$'sis-run --na\t' --name
answer $kill_line$'sisc --sis-verb\t' --sis-verbose
END
	TERM=dumb timeout 60 zsh -f complete.zsh "$shared/zsh/site-functions" >zsh.out 2>zsh.err
	for word in suggest-filter --explain --name --sis-verbose; do
		matches "zsh completes $word" "$(cat zsh.out)" "$word"
	done
	for program in sis-analyze sis-run sisc; do
		check "fish accepts those of $program" \
			fish -n "$shared/fish/vendor_completions.d/$program.fish"
	done
	fish_offers() { # what fish offers at the end of the line
		XDG_CONFIG_HOME=$T XDG_DATA_HOME=$T fish -c \
			"source $shared/fish/vendor_completions.d/sis-analyze.fish; complete -C '$1'" |
			cut -f 1 | grep -v / | sort
	}
	equal "fish: all commands" "$(fish_offers 'sis-analyze ')" "$("$ANALYZE" help |
		sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p' | sort)"
	for command in report run calibrate; do
		equal "fish: all options of $command" "$(fish_offers "sis-analyze $command --")" \
			"$("$ANALYZE" help "$command" | sed -n 's/^  \(--[a-z0-9-]*\).*/\1/p' | sort -u)"
	done
	equal "fish: all options of sisc" "$(fish_offers 'sisc --sis-' | sed 's/=$//' | sort -u)" \
		"$("$SISC" --sis-help | sed -n 's/^  \(--sis-[a-z]*\).*/\1/p' | sort)"
}

# The commands of Spack's recipe are run by a stand-in for Spack, on the tarball, without esbuild.
part_recipe() {
	make_packages
	mkdir -p stand/spack bin
	source_file stand/spack/package.py <<'END'
import os, subprocess
join_path = os.path.join
known = []
def version(*words, **named): known.append(named)
def variant(*words, **named): pass
def depends_on(*words, **named): pass
def make(*words): subprocess.check_call(("make", "-j2") + words)
class MakefilePackage: pass
END
	source_file run.py <<'END'
import importlib.util, sys, types
from spack import package
spec = importlib.util.spec_from_file_location("recipe", sys.argv[1])
recipe = importlib.util.module_from_spec(spec)
spec.loader.exec_module(recipe)
sis = recipe.Sis()
place = types.SimpleNamespace
sis.spec = {"llvm": place(prefix=place(bin="/usr/lib/llvm-19/bin")), "mpi": place(mpicc="mpicc")}
print(package.known[0]["url"], package.known[0]["sha256"])
sys.stdout.flush()
sis.build(sis.spec, sys.argv[2])
sis.install(sis.spec, sys.argv[2])
END
	recipe=$packages/spack/packages/sis/package.py
	for program in /usr/bin/* /bin/*; do
		case ${program##*/} in
		esbuild | node | nodejs | tsc) ;;
		*) [ -e "bin/${program##*/}" ] || ln -s "$program" bin ;;
		esac
	done
	check "the recipe compiles" python3 -m py_compile "$recipe"
	tar xzf "$packages/sis-$version.tar.gz"
	cd "sis-$version" || exit 1
	check "its commands build SIS from the tarball, without esbuild" \
		env PATH="$T/bin" PYTHONPATH="$T/stand" python3 "$T/run.py" "$recipe" "$T/spacked"
	cp check.out "$T"
	cd "$T" || exit 1
	equal "its checksum is that of the tarball" "$(head -n 1 check.out)" \
		"file://$packages/sis-$version.tar.gz $(sha256sum <"$packages/sis-$version.tar.gz" |
			cut -d ' ' -f 1)"
	equal "SIS is installed" "$(spacked/bin/sis-analyze --version)" "sis-analyze $version"
	check "with the page" sh -c 'echo "int main(void) { return 0; }" >p.c &&
		spacked/bin/sisc p.c -o p && SIS_OUTPUT=p.exp ./p &&
		spacked/bin/sis-analyze view p.exp -o p.html && test -s p.html'
}

# As containers cannot be started everywhere, commands run in a root directory of their own alone.
part_container() {
	empty_system
	tar -C "$root" --exclude=./proc --exclude=./root -c . |
		podman import - localhost/sis-test-base >podman.out 2>&1 ||
		give_up "podman imports the empty system" podman.out
	check "the container file builds" podman build --isolation=chroot -t localhost/sis-test \
		--build-arg BASE=localhost/sis-test-base -f "$TOP/packaging/Containerfile" "$packages"
	printf 'FROM localhost/sis-test\nRUN sis-analyze --version && sis-run /bin/true\n' \
		>Containerfile
	check "SIS runs in it" podman build --isolation=chroot .
	podman rmi -f localhost/sis-test localhost/sis-test-base >podman.out 2>&1
}

part_moved() {
	make -s -C "$TOP" install DESTDIR="$T/dest" PREFIX=/opt/sis >install.out 2>&1
	mv dest/opt/sis moved
	(cd "$TOP" && SISC=$T/moved/bin/sisc ANALYZE=$T/moved/bin/sis-analyze TEST_LIMIT=1800 \
		tests/run e2e known) >known.out 2>&1
	matches "a moved tree passes the programs with known answers" "$(tail -n 1 known.out)" \
		'^[0-9]+ passed, 0 failed'
	sed 's/^/# /' known.out
}

for part; do
	"part_$part"
done
