# SPDX-License-Identifier: BSD-3-Clause
# No silent loss (lib_accounting.sh): over the samples and every eighth of our own sources;
# ACCOUNTING=all takes all of them.
# ci: it compiles many programs
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_accounting.sh"

own="-D_GNU_SOURCE -DSIS_VERSION=\"0\" -I$TOP -I$TOP/schema -I$build_dir/gen"
for part in frontend instrument rtlib analysis tests/unit; do own="$own -I$TOP/$part"; done

position=0
for source in $(cd "$TOP" && find samples tests/unit schema instrument analysis rtlib -name '*.c' |
	sort); do
	position=$((position + 1))
	case ${ACCOUNTING:-}$source in
	all* | samples/*) ;;
	*) [ $((position % 8)) = 0 ] || continue ;;
	esac
	# shellcheck disable=SC2086
	account "$TOP/$source" -std=gnu11 $own
done
