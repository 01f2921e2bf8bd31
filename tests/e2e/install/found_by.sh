# SPDX-License-Identifier: BSD-3-Clause
# What other programs find an installation by: pkg-config, CMake's find_package, completions of
# bash. tests/packages.sh has zsh, fish and environment modules.
. "$(dirname "$0")/../lib.sh"

make -s -C "$TOP" install DESTDIR="$T/dest" PREFIX=/opt/sis >install.out 2>&1 ||
	give_up "make install" install.out
mv dest/opt/sis moved
sis=$T/moved version=$(cat "$TOP/schema/VERSION")
lacks_path "no file names the place before the move" \
	"$(grep -rlI /opt/sis moved/lib moved/share)" opt
PKG_CONFIG_PATH=$sis/lib/pkgconfig
export PKG_CONFIG_PATH
source_file prog.c <<'END'
#include <sis/sis.h>
#include <stdio.h>
static int part(int n) { SIS_REGION(by_hand); return n + 1; }
int main(void) { printf("%d\n", part(part(0))); return 0; }
END

# -- pkg-config
equal "pkg-config: the version" "$(pkg-config --modversion sis)" "$version"
# shellcheck disable=SC2046 # lists of words
check "pkg-config: a program without sisc" $CC -Wall -Werror prog.c -o plain \
	$(pkg-config --cflags --libs sis) -Wl,-rpath,"$sis/lib"
equal "it runs" "$(./plain)" 2
check "pkg-config: sisc" "$(pkg-config --variable=sisc sis)" prog.c -o measured
run_alone 1 ./measured
equal "it is measured" \
	"$(query '[.[] | select(.region == "by_hand") | .calls] | add' regions "$EXP")" 2

# -- CMake: a project of ten lines
cp "$TOP/samples/mpi_loops/mpi_loops.c" plugin.c
source_file CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.13)
find_package(SIS 0.1 REQUIRED)
set(CMAKE_C_COMPILER ${SIS_SISC})
project(ten C)
add_executable(prog prog.c)
target_link_libraries(prog SIS::sis)
add_library(plugin MODULE plugin.c)
target_link_libraries(plugin SIS::instrument)
message(STATUS "found ${SIS_VERSION}")
END
check "find_package(SIS)" cmake -S . -B cmade -DCMAKE_PREFIX_PATH="$sis"
matches "its version" "$(cat check.out)" "found $version"
check "the project builds" cmake --build cmade
run_alone 1 cmade/prog
equal "its program runs" "$(cat run.out)" 2
equal "and is measured" \
	"$(query '[.[] | select(.region == "by_hand") | .calls] | add' regions "$EXP")" 2
matches "its plugin is one" \
	"$("$sis/bin/sisc" --sis-plugin=cmade/libplugin.so --sis-explain -c prog.c 2>&1)" measured
sed 's/SIS 0.1/SIS 1.0/' CMakeLists.txt >other && mkdir one && mv other one/CMakeLists.txt
refuse "another major version" cmake -S one -B made.one -DCMAKE_PREFIX_PATH="$sis"

# -- bash
completions=$sis/share/bash-completion/completions
source_file complete.bash <<'END'
. "$1/sis-analyze"
offer() { # offer WORD...: what is offered for the last one
	COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
	$(complete -p "$1" | sed 's/.*-F \([a-z_]*\) .*/\1/')
	printf '%s\n' "${COMPREPLY[@]}" | sort -u
}
case $2 in
commands) offer sis-analyze '' ;;
options) for c in $3; do echo "$c:" $(offer sis-analyze "$c" -); done ;;
sisc) offer sisc -- ;;
run) offer sis-run /bin/trunc; offer sis-run --n; offer sis-analyze --db x re; offer sisc++ --sis-li
	offer sis-analyze view --group ''; offer sis-analyze view prog ;;
esac
END
offered() { bash complete.bash "$completions" "$@"; }
commands=$("$ANALYZE" help | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p' | sort)
equal "bash: all commands" "$(offered commands)" "$commands"
commands=$(echo "$commands" | grep -v '^help$')
for command in $commands; do
	echo "$command:" $("$ANALYZE" help "$command" |
		sed -n 's/^  \(--*[a-z0-9][a-z0-9-]*\).*/\1/p' | sort -u)
done >wanted
offered options "$commands" >got
check "bash: all options of all commands" cmp wanted got
equal "bash: all options of sisc" "$(offered sisc)" \
	"$("$SISC" --sis-help | sed -n 's/^  \(--sis-[a-z]*\).*/\1/p' | sort)"
equal "bash: a command after sis-run, options of any program, files" "$(offered run; echo .)" \
	"/bin/truncate
--name
regions
report
--sis-list


."
for program in sis-run sisc sisc++; do
	check "bash finds those of $program" test -e "$completions/$program"
done
